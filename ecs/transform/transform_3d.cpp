// The 3D transforms: their schemas and their system.
#include "ecs/transform/transform_3d.h"

#include "ecs/relations/hierarchy.h"
#include "ecs/transform/internal/sin_cos.h"
#include "ecs/transform/internal/transform_pass.h"
#include "ecs/world/world.h"

#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace perigee {

namespace {

// What an entity has that lacks a component.
constexpr Translation kNoTranslation;
constexpr Rotation kNoRotation;
constexpr Scale kNoScale;

struct Space3D {
    using Result = LocalToWorld;
    static constexpr std::size_t kResultTerm = 3;

    // A column that the rows lack is one value that each row reads.
    template <typename T> struct OptionalColumn {
        OptionalColumn(const internal::TransformChunk& chunk, std::size_t term, const T& missing)
            : rows(chunk.column<T>(term)), step(1) {
            if (rows != nullptr) return;
            rows = &missing;
            step = 0;
        }
        const T& operator[](std::size_t row) const { return rows[row * step]; }

        const T* __restrict rows;
        std::size_t step;
    };

    struct Rows {
        explicit Rows(const internal::TransformChunk& chunk)
            : translation(chunk, 0, kNoTranslation),
              rotation(chunk, 1, kNoRotation),
              scale(chunk, 2, kNoScale) {}
        LocalToWorld result_of_row(std::uint32_t row) const {
            return {matrix_from(translation[row].value, rotation[row].value, scale[row].value)};
        }

        OptionalColumn<Translation> translation;
        OptionalColumn<Rotation> rotation;
        OptionalColumn<Scale> scale;
    };

    static bool has_own(const World&, Entity) { return true; }
    static LocalToWorld own(const World& world, Entity entity) {
        const auto value_of = [&]<typename T>(const T& missing) {
            const T* found = world.get<T>(entity);
            return (found == nullptr ? missing : *found).value;
        };
        return {matrix_from(value_of(kNoTranslation), value_of(kNoRotation), value_of(kNoScale))};
    }
    static LocalToWorld combined(const LocalToWorld& outer, const LocalToWorld& inner) {
        return {perigee::combined(outer.value, inner.value)};
    }
};

Schema transform_schema(std::string name, FieldType type, std::string unit, std::string doc) {
    Schema schema;
    schema.name = std::move(name);
    schema.doc = std::move(doc);
    schema.required = {"LocalToWorld"};
    schema.fields.resize(1);
    schema.fields[0].name = "value";
    schema.fields[0].type = type;
    schema.fields[0].unit = std::move(unit);
    return schema;
}

template <typename T> void bind_value(World& world, std::string_view name) {
    world.bind<T>(name, field("value", &T::value)).value();
}

}  // namespace

Result<void> declare_transforms_3d(World& world) {
    if (Result<void> declared = declare_hierarchy(world); !declared) return declared;
    if (world.is_bound<LocalToWorld>()) return {};
    Schema result = transform_schema("LocalToWorld", FieldType::mat4, "",
                                     "Where an entity is in the world; worked out from the other three.");
    result.required.clear();
    result.owner = "engine";
    Schema scale = transform_schema("Scale", FieldType::vec3, "", "Along the own axes; negative mirrors.");
    scale.fields[0].default_value.data = FieldValueList{{1.0}, {1.0}, {1.0}};
    for (Schema& schema :
         std::array{std::move(result),
                    transform_schema("Translation", FieldType::vec3, "",
                                     "Where an entity is, as seen from its parent."),
                    transform_schema("Rotation", FieldType::quat, "", "How it is turned; of any length."),
                    std::move(scale)}) {
        if (Result<ComponentId> id = world.declare(std::move(schema)); !id) return id.error();
    }
    bind_value<LocalToWorld>(world, "LocalToWorld");
    bind_value<Translation>(world, "Translation");
    bind_value<Rotation>(world, "Rotation");
    bind_value<Scale>(world, "Scale");
    return {};
}

Result<SystemId> add_transform_3d_system(World& world, Schedule& schedule) {
    if (Result<void> declared = declare_transforms_3d(world); !declared) return declared.error();
    SystemDesc desc;
    desc.name = "engine:transforms_3d";
    desc.group = kTransforms;
    desc.query.terms = {{world.id<Translation>(), Access::read, true},
                        {world.id<Rotation>(), Access::read, true},
                        {world.id<Scale>(), Access::read, true},
                        {world.id<LocalToWorld>(), Access::write}};
    desc.access.read = {world.id<Parent>(), world.id<HierarchyDepth>()};
    desc.run = [pass = std::make_shared<internal::TransformPass<Space3D>>()](
                   SystemContext& context) -> Result<void> {
        pass->run(context.world, *context.query, context.last_run_version);
        return {};
    };
    return schedule.add(std::move(desc));
}

Quat rotation_about(const Vec3& axis, float angle) noexcept {
    const float length = std::sqrt(axis.x * axis.x + axis.y * axis.y + axis.z * axis.z);
    if (!(length > 0)) return {};
    const internal::SinCos half = internal::sin_cos(angle / 2);
    const float k = half.sin / length;
    return {axis.x * k, axis.y * k, axis.z * k, half.cos};
}

Quat combined(const Quat& outer, const Quat& inner) noexcept {
    return {outer.w * inner.x + outer.x * inner.w + outer.y * inner.z - outer.z * inner.y,
            outer.w * inner.y - outer.x * inner.z + outer.y * inner.w + outer.z * inner.x,
            outer.w * inner.z + outer.x * inner.y - outer.y * inner.x + outer.z * inner.w,
            outer.w * inner.w - outer.x * inner.x - outer.y * inner.y - outer.z * inner.z};
}

}  // namespace perigee
