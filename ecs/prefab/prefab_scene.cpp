// A scene is flattened as one prefab whose root is never created.
#include "ecs/prefab/prefab_scene.h"

#include "ecs/prefab/chunk_start.h"
#include "ecs/prefab/internal/prefab_flat.h"
#include "ecs/relations/hierarchy.h"
#include "ecs/relations/names.h"
#include "ecs/schema/registry.h"
#include "ecs/storage/buffer.h"
#include "ecs/world/prefab.h"
#include "ecs/world/world.h"

#include <cstring>
#include <new>
#include <optional>
#include <utility>

namespace perigee {

namespace {

using internal::Flat;
using internal::FlatParts;

struct Link {
    std::size_t part;
    const PrefabReference* reference;
    std::size_t target;
};

class SceneBuilder {
public:
    SceneBuilder(World& world, const Flat& root) : world_(world), parts_(root) {}

    /// Resolves references by path to numbers of parts.
    void resolve(const SceneDesc& scene, SceneResult& made) {
        const auto missing = [&](std::uint32_t place, const std::string& field, const std::string& path) {
            if (made.mistakes.size() < kMaxSceneMistakes) {
                made.mistakes.push_back({place, errors::prefab_reference_part("", field, path)});
            } else {
                ++made.more_mistakes;
            }
        };
        for (std::size_t i = 1; i < parts_.size(); ++i) {
            for (const PrefabReference& reference : parts_.sources[i]->references) {
                const std::string_view path = reference.part;
                const std::optional<std::size_t> target =
                    path.starts_with('/') ? parts_.follow(0, path.substr(1)) : parts_.follow(i, path);
                if (target && *target != 0) {
                    links_.push_back({i, &reference, *target});
                } else {
                    missing(reference.place, reference.field, reference.part);
                }
            }
        }
        for (const SceneDesc::Path& path : scene.paths) {
            const std::optional<std::size_t> target = parts_.follow(0, path.path);
            if (!target || *target == 0) missing(path.place, "", path.path);
            targets_.push_back(target.value_or(0));
        }
    }

    /// False when the world has no room; undo removes what was created.
    bool make(SceneResult& made) {
        entities_.assign(parts_.size(), Entity{});
        for (std::size_t i = 1; i < parts_.size(); ++i) {
            if (!make_part(i)) return false;
        }
        for (const Link& link : links_) write_link(link);
        for (std::size_t i = 1; i < parts_.size(); ++i) set_chunk_values(i);
        for (std::size_t i = 1; i < parts_.size(); ++i) {
            if (parts_.parents[i] == 0) made.entities.push_back(entities_[i]);
        }
        for (const std::size_t target : targets_) made.targets.push_back(entities_[target]);
        made.entity_count = parts_.size() - 1;
        return true;
    }

    void undo() noexcept {
        for (std::size_t i = entities_.size(); i-- > 1;) {
            if (entities_[i]) world_.destroy(entities_[i]);
        }
    }

private:
    bool make_part(std::size_t number) {
        const Flat& flat = *parts_.sources[number];
        const Entity entity = entities_[number] = world_.spawn();
        if (!entity) return false;
        std::vector<ComponentValue> values;
        for (const PrefabComponent& part : flat.components) {
            const ComponentKind kind = world_.registry().info(part.component).kind();
            const bool has_value =
                !part.value.empty() && kind != ComponentKind::buffer && kind != ComponentKind::chunk;
            values.push_back({part.component, has_value ? part.value.data() : nullptr});
        }
        if (!values.empty() && !world_.change(entity, values, {})) return false;
        for (const PrefabComponent& part : flat.components) {
            const ComponentInfo& info = world_.registry().info(part.component);
            if (!part.is_enabled && info.kind() == ComponentKind::enableable)
                world_.set_enabled(entity, part.component, false);
            if (info.kind() != ComponentKind::buffer || part.value.empty()) continue;
            const auto length = static_cast<std::uint32_t>(part.value.size() / info.schema.size);
            if (!world_.buffer(entity, part.component).assign(part.value.data(), length)) return false;
        }
        if (!flat.name.empty() && !set_name(world_, entity, flat.name)) return false;
        const Entity parent = entities_[parts_.parents[number]];
        return !parent || set_parent(world_, entity, parent).ok();
    }

    // Names, parents and children move entities, so chunks are set when all entities are where they stay. A
    // chunk that begins with an entity of the scene is new; an existing one keeps its value.
    void set_chunk_values(std::size_t number) {
        for (const PrefabComponent& part : parts_.sources[number]->components) {
            if (part.value.empty() || world_.registry().info(part.component).kind() != ComponentKind::chunk)
                continue;
            static_cast<void>(start_chunk(world_, entities_[number], {part.component, part.value.data()}));
        }
    }

    void write_link(const Link& link) {
        const ComponentId component = link.reference->component;
        std::byte* value = world_.edit(entities_[link.part], component);
        if (world_.registry().info(component).kind() == ComponentKind::buffer)
            value = reinterpret_cast<BufferHeader*>(value)->elements();
        std::memcpy(value + *link.reference->offset, &entities_[link.target], sizeof(Entity));
    }

    World& world_;
    FlatParts parts_;
    std::vector<Link> links_;
    std::vector<std::size_t> targets_;
    std::vector<Entity> entities_;  ///< by part; of the root: null
};

}  // namespace

SceneResult add_scene(World& world, const SceneDesc& scene, bool only_check) {
    SceneResult made;
    made.mistakes = check_prefabs(world, scene.prefabs, kMaxSceneMistakes, &made.more_mistakes);
    internal::PrefabFlattener flattener(world, scene.prefabs, kMaxSceneMistakes);
    flattener.forget_mistakes();  // mistakes of the prefabs were already reported
    PrefabDesc root;
    root.children = scene.entities;
    const Flat flat = flattener.flatten_more(root, scene.max_entities);
    made.has_too_many = flattener.is_too_large();
    made.more_mistakes += flattener.more_mistakes();
    for (const PrefabMistake& mistake : flattener.mistakes()) {
        if (made.mistakes.size() < kMaxSceneMistakes) {
            made.mistakes.push_back(mistake);
        } else {
            ++made.more_mistakes;
        }
    }
    SceneBuilder builder(world, flat);
    builder.resolve(scene, made);
    if (!made.mistakes.empty() || only_check) return made;
    // Entities first: they can be removed again, while prefabs can only be removed by add_prefabs.
    const auto fail = [&](std::string message) {
        builder.undo();
        SceneResult none;
        none.mistakes.push_back({0, std::move(message)});
        return none;
    };
    try {
        if (!builder.make(made)) return fail(errors::scene_without_room());
        Result<std::vector<PrefabId>> ids = add_prefabs(world, scene.prefabs);
        if (!ids) return fail(ids.error().message);
        made.prefabs = std::move(ids).value();
    } catch (const std::bad_alloc&) {
        return fail(errors::scene_without_room());
    }
    return made;
}

}  // namespace perigee
