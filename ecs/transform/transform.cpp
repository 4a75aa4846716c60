// The 2D transforms: their schemas and their system.
#include "ecs/transform/transform.h"

#include "ecs/relations/hierarchy.h"
#include "ecs/transform/internal/transform_pass.h"
#include "ecs/world/world.h"

#include <memory>
#include <utility>

namespace perigee {

namespace {

struct Space2D {
    using Result = WorldTransform;
    static constexpr std::size_t kResultTerm = 1;

    struct Rows {
        explicit Rows(const internal::TransformChunk& chunk) : local(chunk.column<LocalTransform>(0)) {}
        WorldTransform result_of_row(std::uint32_t row) const { return world_from_local(local[row]); }

        const LocalTransform* __restrict local;
    };

    static bool has_own(const World& world, Entity entity) { return world.has<LocalTransform>(entity); }
    static WorldTransform own(const World& world, Entity entity) {
        return world_from_local(*world.get<LocalTransform>(entity));
    }
    static WorldTransform combined(const WorldTransform& outer, const WorldTransform& inner) {
        return perigee::combined(outer, inner);
    }
};

Field number(std::string name, double default_value, std::string unit, std::string doc) {
    Field field;
    field.name = std::move(name);
    field.default_value.data = default_value;
    field.unit = std::move(unit);
    field.doc = std::move(doc);
    return field;
}

}  // namespace

Result<void> declare_transforms(World& world) {
    if (Result<void> declared = declare_hierarchy(world); !declared) return declared;
    if (world.is_bound<LocalTransform>()) return {};
    Schema result;
    result.name = "WorldTransform";
    result.owner = "engine";
    result.doc = "Where an entity is in the world; worked out from LocalTransform.";
    result.fields = {number("xx", 1, "", "own x axis"), number("xy", 0, "", "own x axis"),
                     number("yx", 0, "", "own y axis"), number("yy", 1, "", "own y axis"),
                     number("x", 0, "px", ""),          number("y", 0, "px", "")};
    Schema local;
    local.name = "LocalTransform";
    local.doc = "Where an entity is, as seen from its parent.";
    local.required = {"WorldTransform"};
    local.fields = {number("x", 0, "px", ""), number("y", 0, "px", ""),
                    number("rotation", 0, "rad", "clockwise"), number("scale_x", 1, "", "negative flips"),
                    number("scale_y", 1, "", "negative flips")};
    for (Schema* schema : {&result, &local}) {
        if (Result<ComponentId> id = world.declare(std::move(*schema)); !id) return id.error();
    }
    world
        .bind<WorldTransform>("WorldTransform", field("xx", &WorldTransform::xx),
                              field("xy", &WorldTransform::xy), field("yx", &WorldTransform::yx),
                              field("yy", &WorldTransform::yy), field("x", &WorldTransform::x),
                              field("y", &WorldTransform::y))
        .value();
    world
        .bind<LocalTransform>("LocalTransform", field("x", &LocalTransform::x),
                              field("y", &LocalTransform::y), field("rotation", &LocalTransform::rotation),
                              field("scale_x", &LocalTransform::scale_x),
                              field("scale_y", &LocalTransform::scale_y))
        .value();
    return {};
}

Result<SystemId> add_transform_system(World& world, Schedule& schedule) {
    if (Result<void> declared = declare_transforms(world); !declared) return declared.error();
    SystemDesc desc;
    desc.name = "engine:transforms";
    desc.group = kTransforms;
    desc.query.terms = {{world.id<LocalTransform>(), Access::read},
                        {world.id<WorldTransform>(), Access::write}};
    desc.access.read = {world.id<Parent>(), world.id<HierarchyDepth>()};
    desc.run = [pass = std::make_shared<internal::TransformPass<Space2D>>()](
                   SystemContext& context) -> Result<void> {
        pass->run(context.world, *context.query, context.last_run_version);
        return {};
    };
    return schedule.add(std::move(desc));
}

}  // namespace perigee
