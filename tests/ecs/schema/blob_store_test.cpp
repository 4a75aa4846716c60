// Blobs are built once, found by content, and referred to by fields of one type.
#include "ecs/schema/blob_store.h"

#include "ecs/schema/text_pool.h"
#include "ecs/world/world.h"
#include "tests/support/blob_trees.h"
#include "tests/support/broken_contract.h"

#include <catch2/catch.hpp>

#include <cstring>
#include <limits>
#include <vector>

namespace perigee {
namespace {

using Catch::Matchers::Contains;

struct Key {
    float t = 0;
    std::uint8_t kind = 0;  // three pad bytes behind it
    float v = 0;
};

Schema blob_schema(const std::string& name, std::vector<Field> fields) {
    Schema schema;
    schema.name = name;
    schema.kind = ComponentKind::blob;
    schema.fields = std::move(fields);
    return schema;
}

Field make(const std::string& name, FieldType type) {
    Field field;
    field.name = name;
    field.type = type;
    return field;
}

struct Stage {
    Stage() {
        curve = world
                    .declare(blob_schema("Curve", {make("t", FieldType::f32), make("kind", FieldType::u8),
                                                   make("v", FieldType::f32)}))
                    .value();
        Field target = make("curve", FieldType::blob);
        target.labels = {"Curve"};
        loot = world.declare(blob_schema("Loot", {make("name", FieldType::text), target})).value();
    }
    BlobHandle build(std::vector<Key> keys) { return world.blobs().build<Key>(curve, keys).value(); }
    World world;
    ComponentId curve, loot;
};

struct Loot {
    TextHandle name;
    BlobHandle curve;
};

TEST_CASE("[K8] a blob is built once, shared by content and read back as rows") {
    Stage stage;
    BlobStore& blobs = stage.world.blobs();
    const BlobHandle rise = stage.build({{0, 1, 10}, {1, 2, 20}});
    const BlobHandle fall = stage.build({{0, 1, 20}, {1, 2, 10}});
    CHECK(rise != fall);
    CHECK(stage.build({{0, 1, 10}, {1, 2, 20}}) == rise);
    CHECK(blobs.size() == 2);
    REQUIRE(blobs.rows<Key>(rise).size() == 2);
    CHECK(blobs.rows<Key>(rise)[1].v == 20);
    CHECK(blobs.type(rise) == stage.curve);
    CHECK(blobs.type_name(rise) == "Curve");
    CHECK(blobs.row_count(rise) == 2);
    CHECK(blobs.bytes(fall).size() == 2 * sizeof(Key));
    CHECK(blobs.byte_count() == 4 * sizeof(Key) + 2 * BlobStore::kOwnBytes);

    CHECK(blobs.rows<Key>(BlobHandle{}).empty());
    CHECK(blobs.bytes(BlobHandle{9}).empty());
    CHECK(blobs.content_hash(BlobHandle{}) == 0);
    const BlobHandle empty = stage.build({});
    CHECK(empty.index != 0);
    CHECK(blobs.row_count(empty) == 0);
    ContractWatch watch;
    CHECK_THROWS_AS(blobs.rows<double>(rise), BrokenContract);
}

TEST_CASE("[K8] blobs that differ only in pad bytes or NaNs are the same") {
    Stage stage;
    std::vector<Key> keys(2), same(2);
    std::memset(static_cast<void*>(keys.data()), 0xEE, 2 * sizeof(Key));
    for (std::vector<Key>* list : {&keys, &same}) {
        (*list)[0].t = (*list)[1].t = 5;
        (*list)[0].kind = (*list)[1].kind = 1;
        (*list)[0].v = std::numeric_limits<float>::quiet_NaN();
        (*list)[1].v = 1;
    }
    keys[0].v = -keys[0].v;
    CHECK(stage.build(keys) == stage.build(same));
}

TEST_CASE("[K8] an invalid blob is refused, and nothing is built") {
    Stage stage;
    BlobStore& blobs = stage.world.blobs();
    Schema plain;
    plain.name = "Plain";
    plain.fields = {make("x", FieldType::f32)};
    const ComponentId other = stage.world.declare(plain).value();
    const std::vector<std::byte> bytes(13);
    const auto refused = [&](const Result<BlobHandle>& made, const std::string& message) {
        REQUIRE_FALSE(made.ok());
        CHECK(made.error().message == message);
    };
    refused(blobs.build(other, std::span(bytes).first(4)),
            "'Plain' is not a blob type but of kind component; declare it with kind blob");
    refused(blobs.build(stage.curve, bytes), "blob 'Curve': expected whole rows of 12 bytes, got 13 bytes");
    const std::vector<Loot> wild = {{}, {{}, BlobHandle{4}}};
    refused(blobs.build<Loot>(stage.loot, wild),
            "blob 'Loot', row 2: field 'curve': expected a blob of this world, got the handle 4 of none");
    CHECK(blobs.size() == 0);

    const std::vector<Loot> first = {{}};
    const std::vector<Loot> wrong = {{{}, blobs.build<Loot>(stage.loot, first).value()}};
    refused(blobs.build<Loot>(stage.loot, wrong),
            "blob 'Loot', row 1: field 'curve': expected a blob of type 'Curve', got one of type 'Loot'");
    const std::byte* nowhere = bytes.data();  // never read: the size alone is too much
    refused(blobs.build(stage.curve, {nowhere, 12 * (BlobStore::kMaxBytes / 12 + 1)}),
            "blob 'Curve': all blobs together may have 1024 MiB");
}

TEST_CASE("[K8] blob types are checked when they are declared") {
    Stage stage;
    const auto refused = [&](Field field, const std::string& message) {
        const Result<ComponentId> made = stage.world.declare(blob_schema("New", {std::move(field)}));
        REQUIRE_FALSE(made.ok());
        CHECK_THAT(made.error().message, Contains(message));
    };
    refused(make("target", FieldType::entity),
            "blob 'New': a blob never changes and cannot refer to entities");
    Field inner = make("curve", FieldType::blob);
    inner.labels = {"Curves"};
    Field outer = make("part", FieldType::structure);
    outer.nested = {inner};
    refused(outer,
            "field 'part', field 'curve': no blob type 'Curves' is declared before it; did you mean "
            "'Curve'?");
    Schema plain;
    plain.name = "Plain";
    plain.fields = {make("x", FieldType::f32)};
    REQUIRE(stage.world.declare(plain).ok());
    inner.labels = {"Plain"};
    refused(inner, "'Plain' is not a blob type but of kind component");
    inner.labels = {"Curve"};
    inner.default_value.data = 1.0;
    refused(inner, "got the handle 1 of none");
}

TEST_CASE("[K8] the content hash is the same in every world and covers nested blobs and texts") {
    Stage first, second;
    second.world.texts().intern("another text before").value();
    second.build({{9, 9, 9}});
    const auto loot_of = [](Stage& stage, const char* name, float v) {
        const std::vector<Loot> rows = {{stage.world.texts().intern(name).value(), stage.build({{0, 0, v}})}};
        return stage.world.blobs().content_hash(stage.world.blobs().build<Loot>(stage.loot, rows).value());
    };
    const std::uint64_t sword = loot_of(first, "sword", 1);
    CHECK(loot_of(second, "sword", 1) == sword);
    CHECK(loot_of(first, "sword", 2) != sword);
    CHECK(loot_of(first, "shield", 1) != sword);
}

TEST_CASE("[K8] a tree is one struct that refers to lists and to nodes of its own type") {
    World world;
    const TreeType type = declare_tree(world);
    BlobStore& blobs = world.blobs();
    Tree model;
    model.name = "root";
    model.weights = {3, -4};
    model.spans = {{0.5F, {1, 2}}, {2, {}}};
    model.children.resize(3);
    model.children[1].value = 9;
    model.children[1].children = {Tree{}, model.children[0]};
    const BlobHandle tree = build_tree(world, type, model).value();
    CHECK(tree_at(world, tree) == model);
    CHECK(build_tree(world, type, model).value() == tree);
    const auto& row = blobs.root<TreeRow>(tree);
    CHECK(blobs.row_count(row.children) == 3);
    // Equal nodes are one node.
    CHECK(blobs.at<BlobHandle>(row.children, 0) == blobs.at<BlobHandle>(row.children, 2));
    CHECK(row.best == blobs.at<BlobHandle>(row.children, 1));
    CHECK(blobs.number(tree) > blobs.number(row.best));
    CHECK(blobs.all().back() == tree);

    ContractWatch watch;
    CHECK_THROWS_AS(blobs.at<BlobHandle>(row.children, 3), BrokenContract);
    CHECK_THROWS_AS(blobs.root<TreeRow>(BlobHandle{}), BrokenContract);
    CHECK_THROWS_AS(blobs.root<SpanRow>(tree), BrokenContract);
}

TEST_CASE("[K8] a struct has one row, and blobs refer to blobs only so deep") {
    World world;
    const TreeType type = declare_tree(world);
    const std::vector<TreeRow> two(2);
    const Result<BlobHandle> wide = world.blobs().build<TreeRow>(type.tree, two);
    REQUIRE_FALSE(wide.ok());
    CHECK(wide.error().message == "blob 'Tree' is one struct: expected 1 row, got 2");

    Result<BlobHandle> node = world.blobs().build_root(type.tree, TreeRow{});
    std::uint32_t depth = 1;
    for (; node && depth < 1000; ++depth) {
        TreeRow next;
        next.value = static_cast<float>(depth);
        next.best = node.value();
        node = world.blobs().build_root(type.tree, next);
    }
    REQUIRE_FALSE(node.ok());
    CHECK(depth == BlobStore::kMaxDepth + 1);
    CHECK(node.error().message == "blob 'Tree': blobs refer to blobs at most 256 deep");
}

}  // namespace
}  // namespace perigee
