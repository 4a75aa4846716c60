// A blob type with everything that blobs have, and trees of it as plain values to compare with.
//
//     const TreeType type = declare_tree(world);
//     const Tree model = random_tree(random, 4);
//     const BlobHandle tree = build_tree(world, type, model).value();
//     CHECK(tree_at(world, tree) == model);
#pragma once

#include "ecs/schema/blob_store.h"
#include "ecs/schema/registry.h"
#include "ecs/schema/text_pool.h"
#include "ecs/world/world.h"

#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace perigee {

/// Tree { value f32, name text, weights list(i16), spans list of { from f32, marks list(u8) },
///        children list(blob(Tree)), best blob(Tree) }
struct TreeRow {
    float value = 0;
    TextHandle name;
    BlobHandle weights, spans, children, best;
};
struct SpanRow {
    float from = 0;
    BlobHandle marks;
};
struct TreeType {
    ComponentId tree, weights, spans, marks, children;
};

struct Span {
    float from = 0;
    std::vector<std::uint8_t> marks;
    bool operator==(const Span&) const = default;
};
struct Tree {
    float value = 0;
    std::string name;
    std::vector<std::int16_t> weights;
    std::vector<Span> spans;
    std::vector<Tree> children;
    bool operator==(const Tree&) const = default;
};

inline Field blob_field(const std::string& name, FieldType type, bool is_list = false) {
    Field field;
    field.name = name;
    field.type = type;
    field.is_list = is_list;
    return field;
}

inline Schema tree_schema() {
    Schema schema;
    schema.name = "Tree";
    schema.kind = ComponentKind::blob;
    schema.blob_shape = BlobShape::root;
    Field spans = blob_field("spans", FieldType::structure, true);
    spans.nested = {blob_field("from", FieldType::f32), blob_field("marks", FieldType::u8, true)};
    Field children = blob_field("children", FieldType::blob, true),
          best = blob_field("best", FieldType::blob);
    children.labels = best.labels = {"Tree"};
    schema.fields = {blob_field("value", FieldType::f32),
                     blob_field("name", FieldType::text),
                     blob_field("weights", FieldType::i16, true),
                     spans,
                     children,
                     best};
    return schema;
}

inline TreeType declare_tree(World& world) {
    const ComponentId tree = world.declare(tree_schema()).value();
    const auto type = [&](const char* name) { return world.registry().find(name).value(); };
    return {tree, type("Tree.weights"), type("Tree.spans"), type("Tree.spans.marks"), type("Tree.children")};
}

/// The child with the largest value is the `best` one.
inline Result<BlobHandle> build_tree(World& world, const TreeType& type, const Tree& model) {
    BlobStore& blobs = world.blobs();
    TreeRow row;
    row.value = model.value;
    row.name = world.texts().intern(model.name).value();
    std::vector<SpanRow> spans;
    for (const Span& span : model.spans)
        spans.push_back({span.from, blobs.build<std::uint8_t>(type.marks, span.marks).value()});
    std::vector<BlobHandle> children;
    float largest = 0;
    for (const Tree& child : model.children) {
        const Result<BlobHandle> made = build_tree(world, type, child);
        if (!made) return made;
        children.push_back(made.value());
        if (row.best.index == 0 || child.value > largest) {
            row.best = made.value();
            largest = child.value;
        }
    }
    const Result<BlobHandle> weights = blobs.build<std::int16_t>(type.weights, model.weights);
    if (!weights) return weights;
    row.weights = weights.value();
    row.spans = blobs.build<SpanRow>(type.spans, spans).value();
    row.children = blobs.build<BlobHandle>(type.children, children).value();
    return blobs.build_root(type.tree, row);
}

inline Tree tree_at(const World& world, BlobHandle handle) {
    const BlobStore& blobs = world.blobs();
    const auto& row = blobs.root<TreeRow>(handle);
    Tree tree;
    tree.value = row.value;
    tree.name = world.texts().text(row.name);
    const auto weights = blobs.rows<std::int16_t>(row.weights);
    tree.weights.assign(weights.begin(), weights.end());
    for (const SpanRow& span : blobs.rows<SpanRow>(row.spans)) {
        const auto marks = blobs.rows<std::uint8_t>(span.marks);
        tree.spans.push_back({span.from, {marks.begin(), marks.end()}});
    }
    for (const BlobHandle child : blobs.rows<BlobHandle>(row.children))
        tree.children.push_back(tree_at(world, child));
    return tree;
}

inline Tree random_tree(std::mt19937& random, int depth) {
    Tree tree;
    tree.value = static_cast<float>(random() % 5);
    tree.name = "node " + std::to_string(random() % 4);
    for (unsigned i = random() % 3; i > 0; --i)
        tree.weights.push_back(static_cast<std::int16_t>(random() % 3));
    for (unsigned i = random() % 2; i > 0; --i)
        tree.spans.push_back({static_cast<float>(random() % 3), std::vector<std::uint8_t>(random() % 3, 7)});
    for (unsigned i = depth > 0 ? random() % 4 : 0; i > 0; --i)
        tree.children.push_back(random_tree(random, depth - 1));
    return tree;
}

}  // namespace perigee
