// Writes worlds as data files: subtrees in the order of their ids, references as paths.
#include "ecs/relations/hierarchy.h"
#include "ecs/relations/names.h"
#include "ecs/schema/registry.h"
#include "ecs/storage/resource_store.h"
#include "ecs/world/world.h"
#include "engine/base/error_codes.h"
#include "engine/data/entity_file.h"
#include "engine/data/internal/component_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <utility>

namespace perigee {

namespace {

using internal::Json;
using Ordered = nlohmann::ordered_json;

class FileWriter {
public:
    FileWriter(const World& world, const EntityFileContext& context) : world_(world), context_(context) {}

    Result<std::string> write(const std::vector<Entity>& roots, bool with_resources) {
        note_paths(roots, "");
        Ordered file = Ordered::object();
        Ordered& list = file["entities"] = Ordered::array();
        for (const Entity root : roots) list.push_back(entity(root));
        if (with_resources) {
            Ordered all = resources();
            if (!all.empty()) file["resources"] = std::move(all);
        }
        try {
            return file.dump(2) + "\n";
        } catch (const Json::exception& error) {
            return Error{fmt::format(engine_errors::kDataNoUtf8, error.what())};
        }
    }

private:
    std::vector<Entity> below(Entity entity) const {
        std::vector<Entity> all;
        for (const Entity child : children(world_, entity)) all.push_back(child);
        return all;
    }

    // A step of a path: the name if it is unique, else the number.
    void note_paths(const std::vector<Entity>& siblings, const std::string& above) {
        std::map<std::string_view, int> counts;
        for (const Entity entity : siblings) ++counts[name_of(world_, entity)];
        for (std::size_t i = 0; i < siblings.size(); ++i) {
            const std::string_view name = name_of(world_, siblings[i]);
            const bool is_clear = !name.empty() && counts[name] == 1 && name[0] != '#' && name[0] != '.';
            const std::string path = above + (is_clear ? std::string(name) : fmt::format("#{}", i + 1));
            paths_[siblings[i].bits] = path;
            note_paths(below(siblings[i]), path + "/");
        }
    }

    bool is_written(const Schema& schema) const {
        static constexpr std::array<std::string_view, 4> kKept{"Parent", "Children", "HierarchyDepth",
                                                               "Name"};
        if (is_cleanup_kind(schema.kind)) return false;
        return schema.owner != "engine" || std::find(kKept.begin(), kKept.end(), schema.name) == kKept.end();
    }

    Ordered entity(Entity entity) const {
        Ordered out = Ordered::object();
        if (const std::string_view name = name_of(world_, entity); !name.empty()) out["name"] = name;
        Ordered components = Ordered::object();
        for (const ComponentId id : world_.archetype_of(entity)->components()) {
            const Schema& schema = world_.registry().info(id).schema;
            if (is_written(schema)) components[schema.name] = component(entity, id, schema);
        }
        if (!components.empty()) out["components"] = std::move(components);
        Ordered list = Ordered::array();
        for (const Entity child : below(entity)) list.push_back(this->entity(child));
        if (!list.empty()) out["children"] = std::move(list);
        return out;
    }

    Json component(Entity entity, ComponentId id, const Schema& schema) const {
        const auto* at = static_cast<const std::byte*>(world_.get(entity, id));
        Json value = internal::component_to_json(world_, id, at, context_, path_of_);
        if (schema.kind == ComponentKind::enableable && !world_.is_enabled(entity, id)) {
            if (!value.is_object()) value = Json::object();
            value["$enabled"] = false;
        }
        return value;
    }

    Ordered resources() const {
        Ordered out = Ordered::object();
        for (const ComponentId id : world_.resources().ids()) {
            const Schema& schema = world_.registry().info(id).schema;
            if (schema.owner == "engine" || schema.fields.empty()) continue;
            out[schema.name] =
                internal::component_to_json(world_, id, world_.resources().data(id), context_, path_of_);
        }
        return out;
    }

    const World& world_;
    const EntityFileContext& context_;
    std::map<std::uint64_t, std::string> paths_;
    std::function<std::string(Entity)> path_of_ = [this](Entity entity) {
        const auto found = paths_.find(entity.bits);
        return found == paths_.end() ? std::string() : found->second;
    };
};

}  // namespace

Result<std::string> write_entities(const World& world, const EntityFileContext& context) {
    std::vector<Entity> roots;
    for (std::uint32_t i = 0; i < world.archetypes().size(); ++i) {
        const Archetype& archetype = world.archetypes().at(i);
        for (std::uint32_t chunk = 0; chunk < archetype.chunk_count(); ++chunk) {
            const ChunkSlot& slot = archetype.chunks()[chunk];
            for (std::uint32_t row = 0; row < slot.row_count; ++row) {
                const Entity entity = Archetype::entities(slot)[row];
                if (world.is_alive(entity) && !parent_of(world, entity)) roots.push_back(entity);
            }
        }
    }
    std::sort(roots.begin(), roots.end(), [](Entity a, Entity b) { return a.index() < b.index(); });
    return FileWriter(world, context).write(roots, true);
}

Result<std::string> write_entities(const World& world, std::span<const Entity> roots,
                                   const EntityFileContext& context) {
    std::vector<Entity> own;
    for (const Entity entity : roots) {
        const auto is_in = [&](Entity other) {
            return std::find(roots.begin(), roots.end(), other) != roots.end();
        };
        bool has_parent = false;  // among them
        for (Entity up = parent_of(world, entity); up && !has_parent; up = parent_of(world, up))
            has_parent = is_in(up);
        if (world.is_alive(entity) && !has_parent && std::find(own.begin(), own.end(), entity) == own.end())
            own.push_back(entity);
    }
    return FileWriter(world, context).write(own, false);
}

}  // namespace perigee
