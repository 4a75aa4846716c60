// Lists in a blob are types of their own, declared with it.
#include "ecs/schema/blob_schema.h"

#include "ecs/schema/registry.h"
#include "ecs/world/world.h"
#include "tests/support/blob_trees.h"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

namespace perigee {
namespace {

using Catch::Matchers::Contains;

TEST_CASE("[K8] each list of a blob is a type that is named after its field") {
    std::vector<std::string> names;
    const std::vector<Schema> all = with_element_types(tree_schema());
    for (const Schema& schema : all) names.push_back(schema.name);
    CHECK(names == std::vector<std::string>{"Tree.weights", "Tree.spans.marks", "Tree.spans", "Tree.children",
                                            "Tree"});
    CHECK(all[0].blob_shape == BlobShape::values);
    CHECK(all[2].blob_shape == BlobShape::rows);
    CHECK(all[2].field("marks")->labels == std::vector<std::string>{"Tree.spans.marks"});
    CHECK(all[4].blob_shape == BlobShape::root);
    CHECK(all[4].field("weights")->type == FieldType::blob);
    // A second pass finds nothing to do.
    CHECK(with_element_types(all[4]).size() == 1);
}

TEST_CASE("[K8] a blob with lists is declared with one call, and twice is once") {
    World world;
    const TreeType type = declare_tree(world);
    const std::size_t types = world.registry().size();
    CHECK(world.declare(tree_schema()).value() == type.tree);
    CHECK(world.registry().size() == types);
    CHECK_THAT(describe_layout(world.registry().info(type.tree).schema), Contains("blob(Tree.children)"));
}

TEST_CASE("[K8] a blob that is refused leaves none of its types behind") {
    World world;
    const std::size_t types = world.registry().size();
    const auto refused = [&](Schema schema, const std::string& message) {
        const Result<ComponentId> made = world.declare(std::move(schema));
        REQUIRE_FALSE(made.ok());
        CHECK_THAT(made.error().message, Contains(message));
        CHECK(world.registry().size() == types);
    };
    Schema schema = tree_schema();
    schema.fields.push_back(blob_field("owner", FieldType::entity));
    refused(schema, "blob 'Tree': a blob never changes and cannot refer to entities");
    schema = tree_schema();
    schema.fields[2].default_value.data = 1.0;
    refused(schema, "blob 'Tree', field 'weights': a list has no default; it is empty");
    schema = tree_schema();
    schema.fields[4].labels = {"Trie"};
    refused(schema, "no blob type 'Trie' is declared before it");
    schema = tree_schema();
    schema.kind = ComponentKind::component;
    refused(schema, "component 'Tree', field 'weights': lists are for blobs, and this is of kind component");
    refused(schema, "component 'Tree': root makes no sense for kind 'component'");
}

TEST_CASE("[K8] a part of a blob has its name or begins with it") {
    CHECK(is_part_of_blob("Tree", "Tree"));
    CHECK(is_part_of_blob("Tree.spans.marks", "Tree"));
    CHECK_FALSE(is_part_of_blob("Trees", "Tree"));
    CHECK_FALSE(is_part_of_blob("Tree", "Tree.spans"));
}

}  // namespace
}  // namespace perigee
