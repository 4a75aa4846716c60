// The shape of a file: its prefabs and entities become descriptions for ecs/prefab/prefab_scene.h.
#include "engine/data/entity_file.h"

#include "ecs/base/suggest.h"
#include "ecs/prefab/prefab_scene.h"
#include "ecs/schema/registry.h"
#include "ecs/storage/resource_store.h"
#include "ecs/world/world.h"
#include "engine/base/error_codes.h"
#include "engine/base/internal/shallow_json.h"
#include "engine/base/json_place.h"
#include "engine/data/internal/component_json.h"
#include "scripting/base/script_limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace perigee {

namespace {

namespace e = engine_errors;
using internal::FilePlaces;
using internal::Json;
using internal::PathsFrom;
using internal::shown_json;
using internal::shown_name;

constexpr std::size_t kMaxDescribed = kMaxSceneEntities + kMaxDescribedParts;

// Steps, see EntityFileContext::work.
constexpr double kStepsPerByte = 1;
constexpr double kBytesLookedAtPerStep = 8;
constexpr double kStepsPerValue = 25;    // parsed, read, freed
constexpr double kStepsPerEntity = 250;  // described, created, named, attached
constexpr double kValueBytesPerStep = 64;

/// An entity of the file and its declared parent, as a path of names; empty: none.
struct FileEntity {
    PrefabChild child;
    std::string parent;
    std::uint32_t parent_place = 0;
};

struct ResourceValue {
    ComponentId id;
    PrefabPatch patch;
};

class FileReader {
public:
    FileReader(World& world, const EntityFileContext& context)
        : world_(world), context_(context), components_(world, context, places_) {}

    void read(const Json& root, bool only_prefabs) {
        if (!root.is_object()) return expected("", "an object", root);
        static constexpr std::array<std::string_view, 3> kAll = {"prefabs", "entities", "resources"};
        check_keys(root, std::span(kAll).first(only_prefabs ? 1 : 3), "");
        for_each(root, "prefabs", "", [&](const Json& json, const std::string&) {
            if (json.is_object() && json.contains("name") && json["name"].is_string())
                own_names_.insert(own_prefab(json["name"].get<std::string>()));
        });
        for_each(root, "prefabs", "", [&](const Json& json, const std::string& path) {
            if (may_describe(path)) scene_.prefabs.push_back(read_prefab(json, path));
        });
        if (only_prefabs) return;
        for_each(root, "entities", "",
                 [&](const Json& json, const std::string& path) { read_entity(json, path); });
        read_resources(root);
        attach_entities();
    }

    /// Creates everything that was read, if there are no errors.
    std::optional<LoadedEntities> make() {
        if (context_.work != nullptr) {
            *context_.work -= static_cast<double>(components_.value_bytes()) / kValueBytesPerStep;
            const double affordable = std::max(0.0, *context_.work) / kStepsPerEntity;
            if (affordable < static_cast<double>(scene_.max_entities))
                scene_.max_entities = static_cast<std::size_t>(affordable);
        }
        const bool is_wrong = places_.count() > 0;
        const SceneResult made = add_scene(world_, scene_, is_wrong);
        if (context_.work != nullptr)
            *context_.work -= kStepsPerEntity * static_cast<double>(made.entity_count);
        if (made.has_too_many && scene_.max_entities < kMaxSceneEntities)
            places_.mistake("", fmt::format(e::kDataWorkOfEntities, scene_.max_entities));
        places_.take(made.mistakes, made.more_mistakes);
        if (places_.count() > 0) return std::nullopt;
        std::size_t target = 0;
        for (ResourceValue& resource : resources_) {
            for (const PrefabReference& reference : resource.patch.references)
                std::memcpy(&resource.patch.value[*reference.offset], &made.targets[target++],
                            sizeof(Entity));
            std::byte* const at = world_.resources().data(resource.id);
            for (const PrefabPatch::Range& range : resource.patch.written)
                std::copy_n(&resource.patch.value[range.offset], range.size, at + range.offset);
        }
        return LoadedEntities{made.prefabs, made.entities, made.entity_count};
    }

    std::string error_text(std::string_view name, std::string_view text) const {
        std::vector<std::string_view> paths;
        for (const PrefabMistake& mistake : places_.mistakes()) paths.push_back(places_.path(mistake.place));
        const std::vector<int> at = lines_of_paths(text, paths);
        std::string lines;
        for (std::size_t i = 0; i < paths.size(); ++i) {
            if (i > 0) lines += '\n';
            const std::string& message = places_.mistakes()[i].message;
            lines += paths[i].empty()
                         ? fmt::format(e::kDataMistake, name, message)
                         : fmt::format(e::kDataMistakeAt, name, at[i], shown_name(paths[i]), message);
        }
        if (places_.count() > paths.size())
            lines += '\n' + fmt::format(e::kDataMoreMistakes, name, places_.count() - paths.size());
        return lines;
    }

private:
    void expected(const std::string& path, std::string_view what, const Json& got) {
        places_.mistake(path, [&] { return fmt::format(e::kDataExpected, what, shown_json(got)); });
    }

    void check_keys(const Json& json, std::span<const std::string_view> known, const std::string& path) {
        for (const auto& [key, value] : json.items()) {
            if (std::find(known.begin(), known.end(), key) == known.end())
                places_.mistake(path.empty() ? key : path + "." + key, [&, &unknown = key] {
                    return fmt::format(e::kDataUnknown, "key", shown_name(unknown),
                                       did_you_mean(unknown, known));
                });
        }
    }

    template <typename Function>
    void for_each(const Json& json, const char* key, const std::string& path, const Function& fn) {
        const auto list = json.find(key);
        if (list == json.end()) return;
        const std::string place = path.empty() ? key : path + "." + key;
        if (!list->is_array()) return expected(place, "a list", *list);
        for (std::size_t i = 0; i < list->size(); ++i) fn((*list)[i], fmt::format("{}[{}]", place, i));
    }

    /// The text of a key; "" when it is absent or none.
    std::string text(const Json& json, const char* key, const std::string& path) {
        const auto found = json.find(key);
        if (found == json.end()) return {};
        if (found->is_string()) return found->get<std::string>();
        expected(path + "." + key, "a text", *found);
        return {};
    }

    // Names of the mod first: "Zombie" means "mod:Zombie" if it exists.
    std::optional<ComponentId> find_component(const std::string& name) const {
        if (!context_.mod.empty()) {
            if (const auto own = world_.registry().find(context_.mod + ":" + name)) return own;
        }
        return world_.registry().find(name);
    }
    std::string own_prefab(const std::string& name) const {
        return context_.mod.empty() || name.empty() ? name : context_.mod + ":" + name;
    }
    std::string known_prefab(const std::string& name) const {
        const std::string own = own_prefab(name);
        if (own_names_.contains(own)) return own;
        if (own == name || !world_.prefabs().find(name) || world_.prefabs().find(own)) return own;
        return name;
    }

    std::optional<ComponentId> component(const std::string& name, const std::string& path) {
        const std::optional<ComponentId> id = find_component(name);
        if (id) return id;
        places_.mistake(path, [&] {
            std::vector<std::string_view> names;
            names.reserve(world_.registry().size());
            for (std::uint16_t i = 0; i < world_.registry().size(); ++i)
                names.push_back(world_.registry().info(ComponentId{i}).schema.name);
            return fmt::format(e::kDataUnknown, "component", shown_name(name), did_you_mean(name, names));
        });
        return std::nullopt;
    }

    PrefabValues read_values(const Json& json, const std::string& path, PathsFrom from) {
        PrefabValues values;
        for_each(json, "without", path, [&](const Json& name, const std::string& place) {
            if (!name.is_string()) return expected(place, "the name of a component", name);
            if (const auto id = component(name.get<std::string>(), place)) {
                values.patches.push_back({*id, PrefabPatch::Op::remove});
                values.patches.back().place = places_.add(place);
            }
        });
        const auto list = json.find("components");
        if (list == json.end()) return values;
        const std::string inside = path + ".components";
        if (!list->is_object()) {
            expected(inside, "an object of components", *list);
            return values;
        }
        for (const auto& [name, value] : list->items()) {
            const std::string place = inside + "." + name;
            if (const auto id = component(name, place))
                values.patches.push_back(components_.read(*id, value, place, from));
        }
        return values;
    }

    // A description takes far more memory than an invalid element such as "1".
    bool may_describe(const std::string& path) {
        if (++described_ <= kMaxDescribed) return true;
        places_.mistake(path,
                        [] { return fmt::format(e::kDataTooMany, "prefabs and entities", kMaxDescribed); });
        return false;
    }

    PrefabDesc read_prefab(const Json& json, const std::string& path) {
        PrefabDesc desc;
        desc.place = places_.add(path);
        if (!json.is_object()) {
            expected(path, "an object", json);
            return desc;
        }
        static constexpr std::array<std::string_view, 5> kKeys = {"name", "base", "without", "components",
                                                                  "children"};
        check_keys(json, kKeys, path);
        desc.name = own_prefab(text(json, "name", path));
        if (desc.name.empty()) places_.mistake(path, e::kDataPrefabName);
        desc.base = known_prefab(text(json, "base", path));
        desc.values = read_values(json, path, PathsFrom::part);
        for_each(json, "children", path, [&](const Json& child, const std::string& place) {
            if (may_describe(place)) desc.children.push_back(read_child(child, place, PathsFrom::part, 1));
        });
        return desc;
    }

    PrefabChild read_child(const Json& json, const std::string& path, PathsFrom from, int depth) {
        PrefabChild child;
        child.place = places_.add(path);
        child.may_be_new = true;
        if (depth > kMaxChildLevels) {
            places_.mistake(path, fmt::format(e::kDataTooMany, "levels of children", kMaxChildLevels));
            return child;
        }
        if (!json.is_object()) {
            expected(path, "an object", json);
            return child;
        }
        static constexpr std::array<std::string_view, 6> kKeys = {"name",       "prefab",   "without",
                                                                  "components", "children", "parent"};
        check_keys(json, std::span(kKeys).first(depth == 0 ? 6 : 5), path);
        child.name = text(json, "name", path);
        child.prefab = known_prefab(text(json, "prefab", path));
        child.values = read_values(json, path, from);
        for_each(json, "children", path, [&](const Json& below, const std::string& place) {
            if (may_describe(place)) child.children.push_back(read_child(below, place, from, depth + 1));
        });
        return child;
    }

    void read_entity(const Json& json, const std::string& path) {
        if (!may_describe(path)) return;
        FileEntity entity;
        entity.child = read_child(json, path, PathsFrom::scene, 0);
        if (json.is_object()) entity.parent = text(json, "parent", path);
        entity.parent_place = places_.add(path + ".parent");
        entities_.push_back(std::move(entity));
    }

    void read_resources(const Json& root) {
        const auto list = root.find("resources");
        if (list == root.end()) return;
        if (!list->is_object()) return expected("resources", "an object", *list);
        for (const auto& [name, value] : list->items()) {
            const std::string path = "resources." + name;
            const std::optional<ComponentId> id = component(name, path);
            if (!id) continue;
            const Schema& schema = world_.registry().info(*id).schema;
            if (schema.kind != ComponentKind::resource || schema.owner == "engine" || !value.is_object()) {
                places_.mistake(path,
                                [&, &of = name] { return fmt::format(e::kDataResource, shown_name(of)); });
                continue;
            }
            PrefabPatch patch = components_.read(*id, value, path, PathsFrom::scene);
            for (PrefabReference& reference : patch.references)
                scene_.paths.push_back(
                    {reference.part.substr(reference.part.starts_with('/') ? 1 : 0), reference.place});
            resources_.push_back({*id, std::move(patch)});
        }
    }

    // ---- "parent": entities of the list move below others

    static std::string first_step(const std::string& path) { return path.substr(0, path.find('/')); }

    void attach_entities() {
        std::map<std::string, std::size_t> by_name;
        for (std::size_t i = 0; i < entities_.size(); ++i) {
            if (!entities_[i].child.name.empty()) by_name.emplace(entities_[i].child.name, i);
        }
        std::vector<std::vector<std::size_t>> below(entities_.size());
        std::vector<std::size_t> top;
        for (std::size_t i = 0; i < entities_.size(); ++i) {
            FileEntity& entity = entities_[i];
            if (entity.parent.empty()) {
                top.push_back(i);
                continue;
            }
            const auto found = by_name.find(first_step(entity.parent));
            if (found == by_name.end()) {
                places_.mistake(places_.path(entity.parent_place), [&] {
                    return fmt::format(e::kDataUnknown, "entity", shown_name(entity.parent), "");
                });
            } else if (const WayUp way = way_up(i, by_name); way == WayUp::goes_round) {
                places_.mistake(places_.path(entity.parent_place),
                                [&] { return fmt::format(e::kDataParentLoop, shown_name(entity.parent)); });
            } else if (way == WayUp::is_too_long) {
                places_.mistake(places_.path(entity.parent_place),
                                fmt::format(e::kDataTooMany, "levels of children", kMaxChildLevels));
            } else {
                below[found->second].push_back(i);
            }
        }
        for (const std::size_t i : top) scene_.entities.push_back(with_children(i, below));
    }

    enum class WayUp : std::uint8_t { ends, goes_round, is_too_long };

    // Each step of a path is a level, too. Cost: bounded, so that long chains do not take quadratic time.
    WayUp way_up(std::size_t entity, const std::map<std::string, std::size_t>& by_name) const {
        std::vector<std::size_t> passed{entity};
        std::size_t levels = 0;
        while (!entities_[entity].parent.empty()) {
            const std::string& parent = entities_[entity].parent;
            levels += 1 + static_cast<std::size_t>(std::count(parent.begin(), parent.end(), '/'));
            if (levels > std::size_t{kMaxChildLevels}) return WayUp::is_too_long;
            const auto up = by_name.find(first_step(parent));
            if (up == by_name.end()) return WayUp::ends;
            entity = up->second;
            if (std::find(passed.begin(), passed.end(), entity) != passed.end()) return WayUp::goes_round;
            passed.push_back(entity);
        }
        return WayUp::ends;
    }

    /// The places of the children of one entity, by name; of several with one name, the first.
    struct ChildNames {
        std::unordered_map<std::string, std::size_t> places;
        std::unordered_map<std::size_t, ChildNames> below;
        std::size_t noted = 0;  ///< of the children

        void note(const std::vector<PrefabChild>& children) {
            for (; noted < children.size(); ++noted) places.emplace(children[noted].name, noted);
        }
    };

    PrefabChild with_children(std::size_t number, const std::vector<std::vector<std::size_t>>& below) {
        PrefabChild child = std::move(entities_[number].child);
        ChildNames names;
        for (const std::size_t i : below[number]) {
            const std::string& path = entities_[i].parent;
            const std::size_t slash = path.find('/');
            const std::uint32_t place = entities_[i].parent_place;
            PrefabChild& parent =
                slash == path.npos ? child
                                   : descend(child, names, std::string_view(path).substr(slash + 1), place);
            parent.children.push_back(with_children(i, below));
        }
        return child;
    }

    // The child at the end of a path in the file; if there is none, an override of a prefab's child.
    // Cost: one look at each child, however many paths there are.
    static PrefabChild& descend(PrefabChild& from, ChildNames& names, std::string_view path,
                                std::uint32_t place) {
        PrefabChild* at = &from;
        ChildNames* names_at = &names;
        while (!path.empty()) {
            const std::size_t slash = std::min(path.find('/'), path.size());
            const std::string name(path.substr(0, slash));
            path.remove_prefix(std::min(slash + 1, path.size()));
            names_at->note(at->children);
            const auto [found, is_new] = names_at->places.try_emplace(name, at->children.size());
            if (is_new) {
                PrefabChild change;
                change.name = name;
                change.place = place;
                at->children.push_back(std::move(change));
                ++names_at->noted;
            }
            at = &at->children[found->second];
            names_at = &names_at->below[found->second];
        }
        return *at;
    }

    World& world_;
    const EntityFileContext& context_;
    FilePlaces places_;
    internal::ComponentReader components_;
    SceneDesc scene_;
    std::set<std::string> own_names_;  ///< of the file's prefabs
    std::vector<FileEntity> entities_;
    std::size_t described_ = 0;
    std::vector<ResourceValue> resources_;
};

Result<LoadedEntities> load(World& world, std::string_view text, std::string_view name,
                            const EntityFileContext& context, bool only_prefabs) {
    if (text.size() > kMaxEntityFileBytes)
        return Error{
            fmt::format(e::kDataMistake, name, fmt::format(e::kDataTooMany, "bytes", kMaxEntityFileBytes))};
    if (context.work != nullptr) {
        const internal::JsonSize size = internal::size_of_json(text);
        const double steps = kStepsPerByte * static_cast<double>(text.size()) +
                             kStepsPerValue * static_cast<double>(size.values);
        const double left = *context.work;
        *context.work -= left < steps ? static_cast<double>(text.size()) / kBytesLookedAtPerStep : steps;
        if (left < steps) {
            const std::string mistake = fmt::format(e::kDataWork, steps, std::max(0.0, left));
            return Error{fmt::format(e::kDataMistake, name, mistake)};
        }
    }
    const Result<Json> root = internal::parse_json(text, name, internal::kDeep);
    if (!root) return root.error();
    FileReader reader(world, context);
    reader.read(root.value(), only_prefabs);
    std::optional<LoadedEntities> loaded = reader.make();
    if (!loaded) return Error{reader.error_text(name, text)};
    return std::move(*loaded);
}

}  // namespace

Result<LoadedEntities> load_entities(World& world, std::string_view text, std::string_view name,
                                     const EntityFileContext& context) {
    return load(world, text, name, context, false);
}

Result<LoadedEntities> load_prefabs(World& world, std::string_view text, std::string_view name,
                                    const EntityFileContext& context) {
    return load(world, text, name, context, true);
}

}  // namespace perigee
