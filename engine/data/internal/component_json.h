// Reads component values from JSON, and records errors with their places.
//
// Invariant: an error never stops reading, but the result is then not used. Errors beyond the reported ones
// are only counted, and no message is made of them. The bytes written by a file are recorded, so that the
// rest can come from a base.
#pragma once

#include "ecs/prefab/prefab_desc.h"
#include "ecs/schema/schema.h"
#include "engine/data/entity_file.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace perigee::internal {

using Json = nlohmann::json;

/// Numbered places of a file, "entities[3].components", and the errors there: the first
/// kMaxEntityFileMistakes with their messages. Place 0 is the file.
class FilePlaces {
public:
    std::uint32_t add(std::string path) {
        paths_.push_back(std::move(path));
        return static_cast<std::uint32_t>(paths_.size() - 1);
    }
    /// `message` is a text, or a function that makes it and is called only if the message is kept.
    template <typename Message> void mistake(const std::string& path, const Message& message) {
        if (++count_ > kMaxEntityFileMistakes) return;
        if constexpr (std::is_invocable_v<const Message&>) {
            mistakes_.push_back({add(path), message()});
        } else {
            mistakes_.push_back({add(path), message});
        }
    }
    /// Adds the errors of a scene, and the number of its unreported ones.
    void take(std::vector<PrefabMistake> mistakes, std::size_t others) {
        count_ += mistakes.size() + others;
        for (PrefabMistake& mistake : mistakes) {
            if (mistakes_.size() < kMaxEntityFileMistakes) mistakes_.push_back(std::move(mistake));
        }
    }
    const std::string& path(std::uint32_t place) const { return paths_[place]; }
    /// The reported errors.
    const std::vector<PrefabMistake>& mistakes() const noexcept { return mistakes_; }
    std::size_t count() const noexcept { return count_; }  ///< of all

private:
    std::vector<std::string> paths_{""};
    std::vector<PrefabMistake> mistakes_;
    std::size_t count_ = 0;
};

/// The start of a value, or of a name, as messages show it.
std::string shown_json(const Json& json);
std::string shown_name(std::string_view name);

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

    std::size_t value_bytes() const noexcept { return value_bytes_; }  ///< of all values so far

    PrefabPatch read(ComponentId id, const Json& json, const std::string& path, PathsFrom from);

private:
    void read_elements(const Schema& schema, const Json& json, const std::string& path);
    /// `besides`: a key that names no field.
    void read_members(const std::vector<Field>& fields, const Json& json, std::uint32_t base,
                      const std::string& path, std::string_view besides = {});
    void read_field(const Field& field, const Json& json, std::uint32_t at, const std::string& path);
    void read_entity(const Field& field, const Json& json, std::uint32_t at, const std::string& path);
    void read_asset(const Field& field, const Json& json, std::uint32_t at, const std::string& path);
    void write(const Field& field, const FieldValue& value, const Json& json, std::uint32_t at,
               const std::string& path);
    void store(std::uint32_t at, const void* bytes, std::uint32_t size);
    void expected(const std::string& path, std::string_view what, const Json& got);
    /// Lifetime: `fields` must be those of a schema, not of a copy.
    const Field* find(const std::vector<Field>& fields, std::string_view name);
    bool has_room(std::size_t bytes, const std::string& path);

    World& world_;
    const EntityFileContext& context_;
    FilePlaces& places_;
    PrefabPatch patch_;
    PathsFrom from_ = PathsFrom::part;
    bool has_references_ = true;
    std::size_t value_bytes_ = 0;
    std::unordered_map<const std::vector<Field>*, std::unordered_map<std::string_view, const Field*>>
        by_name_;
};

/// The value of a component of an entity in `at` as JSON; `path_of` gives the path of an entity or "".
Json component_to_json(const World& world, ComponentId id, const std::byte* at,
                       const EntityFileContext& context, const std::function<std::string(Entity)>& path_of);

}  // namespace perigee::internal
