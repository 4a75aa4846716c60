// Descriptions in the order of what they build on, each flattened onto its base.
#include "ecs/prefab_family.h"

#include "ecs/contract.h"
#include "ecs/error_codes.h"
#include "ecs/hierarchy.h"
#include "ecs/names.h"
#include "ecs/suggest.h"
#include "ecs/world.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

namespace perigee {

namespace {

constexpr std::size_t kMostParts = 4096;

class FamilyBuilder {
public:
    FamilyBuilder(World& world, std::span<const PrefabDesc> descs)
        : world_(world), descs_(descs), states_(descs.size()), flat_(descs.size()) {}

    Result<std::vector<PrefabId>> build() {
        for (std::size_t i = 0; i < descs_.size(); ++i) note_name(i);
        for (std::size_t i = 0; i < descs_.size(); ++i) visit(i);
        std::vector<Plan> plans(descs_.size());
        for (const std::size_t i : order_) plans[i] = plan(descs_[i].name, flat_[i]);
        if (!mistakes_.empty()) return Error{mistakes_};
        const std::size_t before = world_.prefabs().size();
        try {
            Result<std::vector<PrefabId>> ids = add_all(plans);
            if (!ids) world_.withdraw_prefabs(before);
            return ids;
        } catch (...) {
            world_.withdraw_prefabs(before);
            throw;
        }
    }

private:
    enum class State : std::uint8_t { untouched, open, done };

    /// A prefab without its base: values and children, each with values of its own.
    struct Flat {
        std::vector<PrefabComponent> components;
        std::vector<PrefabReference> references;
        std::vector<Flat> children;
        std::string name;  ///< of the child

        PrefabComponent* find(ComponentId id) {
            const auto found =
                std::find_if(components.begin(), components.end(),
                             [&](const PrefabComponent& part) { return part.component == id; });
            return found == components.end() ? nullptr : &*found;
        }
        std::size_t count() const {
            std::size_t parts = 1;
            for (const Flat& child : children) parts += child.count();
            return parts;
        }
    };

    void mistake(std::string text) {
        if (!mistakes_.empty()) mistakes_ += '\n';
        mistakes_ += text;
    }

    void note_name(std::size_t index) {
        const std::string& name = descs_[index].name;
        const bool is_new = by_name_.emplace(name, index).second;
        if (!is_new || world_.prefabs().find(name)) mistake(errors::prefab_exists(name));
    }

    // ---- order

    void visit(std::size_t index) {
        if (states_[index] == State::done) return;
        const PrefabDesc& desc = descs_[index];
        if (states_[index] == State::open) {
            std::string loop;
            const auto from = std::find(open_.begin(), open_.end(), index);
            for (auto at = from; at != open_.end(); ++at) loop += descs_[*at].name + " -> ";
            mistake(errors::prefab_loop(loop + desc.name));
            return;
        }
        states_[index] = State::open;
        open_.push_back(index);
        flatten(desc, flat_[index]);
        open_.pop_back();
        states_[index] = State::done;
        order_.push_back(index);
    }

    // What `name` stands for, of this call or of the world; null when it is unknown or part of a loop.
    const Flat* flat_of(const std::string& user, const std::string& name) {
        if (const auto own = by_name_.find(name); own != by_name_.end()) {
            visit(own->second);
            return states_[own->second] == State::done ? &flat_[own->second] : nullptr;
        }
        if (const std::optional<PrefabId> known = world_.prefabs().find(name)) return &known_flat(*known);
        std::vector<std::string_view> names;
        for (const PrefabDesc& desc : descs_) {
            if (desc.name != user) names.push_back(desc.name);
        }
        mistake(errors::unknown_prefab(user, name, nearest_name(name, names)));
        return nullptr;
    }

    // A prefab of the world, taken apart again.
    const Flat& known_flat(PrefabId id) {
        const auto [place, is_new] = known_.try_emplace(id);
        if (!is_new) return place->second;
        const Prefab& prefab = world_.prefabs().get(id);
        std::vector<Flat> parts;
        parts.push_back({own_components(prefab), prefab.references, {}, {}});
        for (std::size_t i = 1; i < prefab.parts.size(); ++i) {
            const Prefab& part = world_.prefabs().get(prefab.parts[i].image);
            parts.push_back({own_components(part), part.references, {}, prefab.parts[i].name});
        }
        for (std::size_t i = parts.size(); i-- > 1;) {
            Flat& parent = parts[prefab.parts[i].parent];
            parent.children.insert(parent.children.begin(), std::move(parts[i]));
        }
        place->second = std::move(parts[0]);
        return place->second;
    }

    // Without what the family itself adds.
    std::vector<PrefabComponent> own_components(const Prefab& prefab) const {
        std::vector<PrefabComponent> own = prefab.components;
        std::erase_if(own, [this](const PrefabComponent& part) { return is_kept(part.component); });
        return own;
    }

    // ---- flattening

    void flatten(const PrefabDesc& desc, Flat& flat) {
        if (!desc.base.empty()) {
            if (const Flat* base = flat_of(desc.name, desc.base)) flat = *base;
        }
        apply(desc.name, desc.values, flat);
        for (const PrefabChild& child : desc.children) add_child(desc.name, child, flat);
        if (flat.count() > kMostParts) mistake(errors::prefab_too_large(desc.name, kMostParts));
    }

    void add_child(const std::string& prefab, const PrefabChild& child, Flat& flat) {
        const std::string where = prefab + "/" + (child.name.empty() ? child.prefab : child.name);
        if (child.name.find('/') != child.name.npos) return mistake(errors::name_with_slash(child.name));
        const auto same = std::find_if(flat.children.begin(), flat.children.end(), [&](const Flat& other) {
            return !child.name.empty() && other.name == child.name;
        });
        if (child.prefab.empty()) {
            if (same == flat.children.end()) return mistake(errors::no_such_child(prefab, child.name));
            return apply(where, child.values, *same);
        }
        if (same != flat.children.end()) return mistake(errors::child_exists(prefab, child.name));
        const Flat* made_from = flat_of(prefab, child.prefab);
        if (made_from == nullptr) return;
        Flat copy = *made_from;
        copy.name = child.name;
        apply(where, child.values, copy);
        flat.children.push_back(std::move(copy));
    }

    void apply(const std::string& prefab, const PrefabValues& values, Flat& flat) {
        for (const ComponentId id : values.removed) {
            if (flat.find(id) == nullptr) {
                mistake(errors::prefab_lacks(prefab, name_of_type(id), "removed"));
            } else {
                std::erase_if(flat.components,
                              [id](const PrefabComponent& part) { return part.component == id; });
                std::erase_if(flat.references,
                              [id](const PrefabReference& part) { return part.component == id; });
            }
        }
        std::vector<ComponentId> named;
        for (const PrefabComponent& part : values.components) {
            if (!check(prefab, part, named)) continue;
            named.push_back(part.component);
            if (PrefabComponent* inherited = flat.find(part.component)) {
                *inherited = part;
            } else {
                flat.components.push_back(part);
            }
        }
        for (const PrefabField& field : values.fields) apply_field(prefab, field, flat);
        for (const PrefabReference& reference : values.references) {
            const Field* field = world_.registry().info(reference.component).schema.field(reference.field);
            if (flat.find(reference.component) == nullptr) {
                mistake(errors::prefab_lacks(prefab, name_of_type(reference.component), "referring"));
            } else if (field == nullptr || field->type != FieldType::entity || field->array_length != 0) {
                mistake(errors::prefab_reference_field(prefab, name_of_type(reference.component),
                                                       reference.field));
            } else {
                flat.references.push_back(reference);
            }
        }
    }

    bool check(const std::string& prefab, const PrefabComponent& part,
               const std::vector<ComponentId>& named) {
        const Schema& schema = world_.registry().info(part.component).schema;
        if (std::find(named.begin(), named.end(), part.component) != named.end()) {
            mistake(errors::prefab_names_twice(prefab, schema.name));
        } else if (!is_component_kind(schema.kind) || is_cleanup_kind(schema.kind)) {
            mistake(errors::prefab_of_kind(prefab, schema.name, kind_name(schema.kind)));
        } else if (is_kept(part.component)) {
            mistake(errors::prefab_of_kept(prefab, schema.name));
        } else if (!part.value.empty() && part.value.size() != value_bytes(schema)) {
            mistake(errors::prefab_value_size(prefab, schema.name, value_bytes(schema), part.value.size()));
        } else {
            return true;
        }
        return false;
    }

    void apply_field(const std::string& prefab, const PrefabField& given, Flat& flat) {
        const Schema& schema = world_.registry().info(given.component).schema;
        PrefabComponent* part = flat.find(given.component);
        const Field* field = schema.field(given.field);
        if (part == nullptr) return mistake(errors::prefab_lacks(prefab, schema.name, "overridden"));
        if (field == nullptr || value_bytes(schema) == 0) {
            std::vector<std::string_view> names;
            for (const Field& known : schema.fields) names.push_back(known.name);
            return mistake(errors::prefab_unknown_field(prefab, schema.name, given.field,
                                                        nearest_name(given.field, names)));
        }
        if (part->value.empty()) part->value = schema.defaults;
        const Result<void> written = write_field(*field, given.value, part->value, world_.field_context());
        if (!written) mistake(errors::in_prefab(prefab, schema.name, written.error().message));
    }

    const std::string& name_of_type(ComponentId id) const { return world_.registry().info(id).schema.name; }
    // Names and links of the hierarchy, which only children and names of the description bring.
    bool is_kept(ComponentId id) const {
        static constexpr std::array<std::string_view, 4> kKept{"Parent", "Children", "HierarchyDepth",
                                                               "Name"};
        const Schema& schema = world_.registry().info(id).schema;
        return schema.owner == "engine" && std::find(kKept.begin(), kKept.end(), schema.name) != kKept.end();
    }

    // ---- adding

    /// The parts of one prefab, and what each is made of.
    struct Plan {
        std::vector<PrefabPart> parts;
        std::vector<const Flat*> sources;
        std::vector<std::uint16_t> depths;
    };

    // Level by level: parents before children.
    Plan plan(const std::string& prefab, const Flat& flat) {
        Plan plan{{PrefabPart{}}, {&flat}, {0}};
        for (std::size_t i = 0; i < plan.parts.size(); ++i) {
            const auto depth = static_cast<std::uint16_t>(plan.depths[i] + 1);
            for (const Flat& child : plan.sources[i]->children) {
                plan.parts.push_back({PrefabId{}, static_cast<std::uint32_t>(i), child.name, {}});
                plan.sources.push_back(&child);
                plan.depths.push_back(std::min(depth, HierarchyDepth::kDeepest));
            }
        }
        link(prefab, plan);
        return plan;
    }

    Result<PrefabId> add(const std::string& name, Plan& plan) {
        std::vector<PrefabPart>& parts = plan.parts;
        if (parts.size() > 1) {
            if (Result<void> declared = declare_hierarchy(world_); !declared) return declared.error();
            if (Result<void> declared = declare_names(world_); !declared) return declared.error();
        }
        for (std::size_t i = 1; i < parts.size(); ++i) {
            Result<Prefab> image = image_of(*plan.sources[i], parts[i].name, plan.depths[i]);
            if (!image) return image.error();
            image.value().name = name + "/" + std::to_string(i);
            const Result<PrefabId> id = world_.add_prefab(std::move(image).value());
            if (!id) return id;
            parts[i].image = id.value();
        }
        Result<Prefab> root = image_of(*plan.sources[0], "", 0);
        if (!root) return root.error();
        root.value().name = name;
        if (parts.size() > 1 || !parts[0].links.empty()) root.value().parts = std::move(parts);
        return world_.add_prefab(std::move(root).value());
    }

    Result<std::vector<PrefabId>> add_all(std::vector<Plan>& plans) {
        std::vector<PrefabId> ids(descs_.size());
        for (const std::size_t i : order_) {
            const Result<PrefabId> id = add(descs_[i].name, plans[i]);
            if (!id) return id.error();  // out of rows, texts or memory: what was checked does not fail
            ids[i] = id.value();
        }
        return ids;
    }

    template <typename T> static PrefabComponent with_value(ComponentId id, const T& value) {
        const auto* bytes = reinterpret_cast<const std::byte*>(&value);
        return {id, {bytes, bytes + sizeof value}};
    }

    Result<Prefab> image_of(const Flat& flat, const std::string& name, std::uint16_t depth) {
        Prefab prefab;
        prefab.components = flat.components;
        prefab.references = flat.references;
        if (!flat.children.empty()) prefab.components.push_back({world_.id<Children>(), {}});
        if (depth > 0) {
            prefab.components.push_back({world_.id<Parent>(), {}});
            prefab.components.push_back(with_value(world_.id<HierarchyDepth>(), HierarchyDepth{depth}));
        }
        if (!name.empty()) {
            const Result<TextHandle> text = world_.texts().intern(name);
            if (!text) return text.error();
            prefab.components.push_back(with_value(world_.id<Name>(), Name{text.value()}));
        }
        return prefab;
    }

    // References by path into references by number of the part.
    void link(const std::string& prefab, Plan& plan) {
        for (std::size_t i = 0; i < plan.parts.size(); ++i) {
            for (const PrefabReference& reference : plan.sources[i]->references) {
                const std::optional<std::size_t> target = follow(plan.parts, i, reference.part);
                if (target) {
                    const Schema& schema = world_.registry().info(reference.component).schema;
                    plan.parts[i].links.push_back({reference.component, schema.field(reference.field)->offset,
                                                   static_cast<std::uint32_t>(*target)});
                } else if (!reference.part.starts_with("..")) {  // those may be children that stand alone
                    mistake(errors::prefab_reference_part(prefab, reference.field, reference.part));
                }
            }
        }
    }

    static std::optional<std::size_t> follow(const std::vector<PrefabPart>& parts, std::size_t from,
                                             std::string_view path) {
        while (!path.empty()) {
            const std::size_t slash = std::min(path.find('/'), path.size());
            const std::string_view step = path.substr(0, slash);
            path.remove_prefix(std::min(slash + 1, path.size()));
            if (step == "..") {
                if (from == 0) return std::nullopt;
                from = parts[from].parent;
                continue;
            }
            std::size_t child = 1;
            while (child < parts.size() && !(parts[child].parent == from && parts[child].name == step))
                ++child;
            if (child == parts.size()) return std::nullopt;
            from = child;
        }
        return from;
    }

    World& world_;
    std::span<const PrefabDesc> descs_;
    std::vector<State> states_;
    std::vector<Flat> flat_;
    std::vector<std::size_t> open_;   ///< descriptions that are being flattened, one for the next
    std::vector<std::size_t> order_;  ///< those that are done
    std::map<std::string, std::size_t, std::less<>> by_name_;
    std::map<PrefabId, Flat> known_;
    std::string mistakes_;
};

}  // namespace

Result<std::vector<PrefabId>> add_prefabs(World& world, std::span<const PrefabDesc> descs) {
    return FamilyBuilder(world, descs).build();
}

}  // namespace perigee
