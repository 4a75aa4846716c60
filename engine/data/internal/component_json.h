// Reads component values from JSON, and records errors with their places.
//
// Invariant: an error never stops reading, but the result is then not used. The bytes written by a file are
// recorded, so that the rest can come from a base.
#pragma once

#include "ecs/prefab/prefab_family.h"
#include "engine/data/entity_file.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace perigee::internal {

using Json = nlohmann::json;

/// Numbered places of a file, "entities[3].components", and the errors there. Place 0 is the file.
class FilePlaces {
public:
    std::uint32_t add(std::string path) {
        paths_.push_back(std::move(path));
        return static_cast<std::uint32_t>(paths_.size() - 1);
    }
    void mistake(const std::string& path, std::string message) {
        mistakes_.push_back({add(path), std::move(message)});
    }
    void take(std::vector<PrefabMistake> mistakes) {
        mistakes_.insert(mistakes_.end(), mistakes.begin(), mistakes.end());
    }
    const std::string& path(std::uint32_t place) const { return paths_[place]; }
    const std::vector<PrefabMistake>& mistakes() const noexcept { return mistakes_; }

private:
    std::vector<std::string> paths_{""};
    std::vector<PrefabMistake> mistakes_;
};

/// Where paths of references start.
enum class PathsFrom : std::uint8_t { part, scene };

/// The path in the form for references of prefabs and scenes: "." is the part itself.
std::string reference_path(std::string_view written, PathsFrom from);

/// The value of one component as a patch: an object of fields, true for all defaults, null to remove it, a
/// list for buffers. For a resource, its fields.
class ComponentReader {
public:
    ComponentReader(World& world, const EntityFileContext& context, FilePlaces& places)
        : world_(world), context_(context), places_(places) {}

    PrefabPatch read(ComponentId id, const Json& json, const std::string& path, PathsFrom from);

private:
    void read_elements(const Schema& schema, const Json& json, const std::string& path);
    void read_members(const std::vector<Field>& fields, const Json& json, std::uint32_t base,
                      const std::string& path);
    void read_field(const Field& field, const Json& json, std::uint32_t at, const std::string& path);
    void read_entity(const Field& field, const Json& json, std::uint32_t at, const std::string& path);
    void read_asset(const Field& field, const Json& json, std::uint32_t at, const std::string& path);
    void write(const Field& field, const FieldValue& value, const Json& json, std::uint32_t at,
               const std::string& path);
    void store(std::uint32_t at, const void* bytes, std::uint32_t size);

    World& world_;
    const EntityFileContext& context_;
    FilePlaces& places_;
    PrefabPatch patch_;
    PathsFrom from_ = PathsFrom::part;
    bool has_references_ = true;
};

/// The value of a component of an entity in `at` as JSON; `path_of` gives the path of an entity or "".
Json component_to_json(const World& world, ComponentId id, const std::byte* at,
                       const EntityFileContext& context, const std::function<std::string(Entity)>& path_of);

}  // namespace perigee::internal
