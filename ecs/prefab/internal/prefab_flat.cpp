// Sorts descriptions so that each comes after those that it builds on.
#include "ecs/prefab/internal/prefab_flat.h"

#include "ecs/base/suggest.h"
#include "ecs/relations/names.h"
#include "ecs/schema/field_value.h"
#include "ecs/schema/registry.h"
#include "ecs/world/prefab.h"
#include "ecs/world/world.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <unordered_map>
#include <utility>

namespace perigee::internal {

// ---- results ----

PrefabComponent* Flat::find(ComponentId id) noexcept {
    const auto found = std::find_if(components.begin(), components.end(),
                                    [&](const PrefabComponent& part) { return part.component == id; });
    return found == components.end() ? nullptr : &*found;
}

std::size_t Flat::count() const noexcept {
    std::size_t parts = 1;
    for (const Flat& child : children) parts += child.count();
    return parts;
}

FlatParts::FlatParts(const Flat& root) : sources{&root}, parents{0} {
    for (std::size_t i = 0; i < sources.size(); ++i) {
        first_children_.push_back(static_cast<std::uint32_t>(sources.size()));
        for (const Flat& child : sources[i]->children) {
            sources.push_back(&child);
            parents.push_back(static_cast<std::uint32_t>(i));
        }
    }
}

std::optional<std::size_t> FlatParts::follow(std::size_t from, std::string_view path) const {
    while (!path.empty()) {
        const std::size_t slash = std::min(path.find('/'), path.size());
        const std::string_view step = path.substr(0, slash);
        path.remove_prefix(std::min(slash + 1, path.size()));
        if (step == ".") continue;
        if (step == "..") {
            if (from == 0) return std::nullopt;
            from = parents[from];
            continue;
        }
        const std::vector<Flat>& children = sources[from]->children;
        if (step.starts_with('#')) {  // the n-th child, from 1 on
            std::uint32_t number = 0;
            const char* const end = step.data() + step.size();
            const auto read = std::from_chars(step.data() + 1, end, number);
            if (read.ec != std::errc{} || read.ptr != end || number == 0 || number > children.size())
                return std::nullopt;
            from = first_children_[from] + number - 1;
            continue;
        }
        const auto [names, is_new] = names_.try_emplace(from);
        if (is_new) {
            for (std::uint32_t i = 0; i < children.size(); ++i) names->second.emplace(children[i].name, i);
        }
        const auto found = names->second.find(step);
        if (found == names->second.end() || step.empty()) return std::nullopt;
        from = first_children_[from] + found->second;
    }
    return from;
}

// ---- order ----

PrefabFlattener::PrefabFlattener(World& world, std::span<const PrefabDesc> descs, std::size_t max_mistakes)
    : world_(world), descs_(descs), states_(descs.size()), flat_(descs.size()), max_mistakes_(max_mistakes) {
    for (std::size_t i = 0; i < descs_.size(); ++i) register_name(i);
    for (std::size_t i = 0; i < descs_.size(); ++i) visit(i);
}

void PrefabFlattener::register_name(std::size_t index) {
    const std::string& name = descs_[index].name;
    const bool is_new = by_name_.emplace(name, index).second;
    if (!is_new || world_.prefabs().find(name)) mistake(descs_[index].place, errors::prefab_exists(name));
}

void PrefabFlattener::visit(std::size_t index) {
    if (states_[index] == State::done) return;
    const PrefabDesc& desc = descs_[index];
    if (states_[index] == State::open) {
        std::string loop;
        const auto from = std::find(open_.begin(), open_.end(), index);
        for (auto at = from; at != open_.end(); ++at) loop += descs_[*at].name + " -> ";
        return mistake(desc.place, errors::prefab_loop(loop + desc.name));
    }
    states_[index] = State::open;
    open_.push_back(index);
    const std::size_t room = std::exchange(room_, std::min(kMaxPrefabParts, room_of_all_));
    const std::size_t outer_max = std::exchange(max_, room_);
    const bool is_too_large = std::exchange(is_too_large_, false);
    flatten(desc, flat_[index]);
    room_of_all_ -= std::min(room_of_all_, flat_[index].count());
    room_ = room;
    max_ = outer_max;
    is_too_large_ = is_too_large;
    open_.pop_back();
    states_[index] = State::done;
    order_.push_back(index);
}

Flat PrefabFlattener::flatten_more(const PrefabDesc& desc, std::size_t max_parts) {
    max_ = room_ = max_parts;
    is_too_large_ = false;
    Flat flat;
    flatten(desc, flat);
    return flat;
}

// The prefab called `name`, from this call or the world; null if it is unknown or part of a cycle.
const Flat* PrefabFlattener::flat_of(const std::string& user, const std::string& name, std::uint32_t place) {
    if (const auto own = by_name_.find(name); own != by_name_.end()) {
        visit(own->second);
        return states_[own->second] == State::done ? &flat_[own->second] : nullptr;
    }
    if (const std::optional<PrefabId> known = world_.prefabs().find(name)) return &known_flat(*known);
    std::vector<std::string_view> names;
    for (const PrefabDesc& desc : descs_) {
        if (!keeps_mistakes()) break;  // nothing reads the message
        if (desc.name != user) names.push_back(desc.name);
    }
    mistake(place, errors::unknown_prefab(user, name, nearest_name(name, names)));
    return nullptr;
}

// The Flat of a prefab of the world, rebuilt from its parts.
const Flat& PrefabFlattener::known_flat(PrefabId id) {
    const auto [entry, is_new] = known_.try_emplace(id);
    if (!is_new) return entry->second;
    const Prefab& prefab = world_.prefabs().get(id);
    std::vector<Flat> parts;
    parts.push_back({own_components(prefab), prefab.references, {}, {}});
    for (std::size_t i = 1; i < prefab.parts.size(); ++i) {
        const Prefab& part = world_.prefabs().get(prefab.parts[i].image);
        parts.push_back({own_components(part), part.references, {}, prefab.parts[i].name});
    }
    // From the end, so that a part already has all its children, the last one first.
    for (std::size_t i = parts.size(); i-- > 1;) {
        std::reverse(parts[i].children.begin(), parts[i].children.end());
        parts[prefab.parts[i].parent].children.push_back(std::move(parts[i]));
    }
    std::reverse(parts[0].children.begin(), parts[0].children.end());
    entry->second = std::move(parts[0]);
    return entry->second;
}

// Without the components that prefabs with children get automatically.
std::vector<PrefabComponent> PrefabFlattener::own_components(const Prefab& prefab) const {
    std::vector<PrefabComponent> own = prefab.components;
    std::erase_if(own, [this](const PrefabComponent& part) { return is_kept(part.component); });
    return own;
}

// ---- flattening ----

void PrefabFlattener::flatten(const PrefabDesc& desc, Flat& flat) {
    if (!desc.base.empty()) {
        const Flat* const base = flat_of(desc.name, desc.base, desc.place);
        if (base != nullptr && base->count() > room_)
            return mistake(desc.place, errors::prefab_too_large(desc.name, max_));
        if (base != nullptr) flat = *base;
    }
    room_ -= std::min(room_, flat.count());
    apply(desc.name, desc.values, desc.place, flat);
    add_children(desc.name, desc.children, flat);
}

void PrefabFlattener::add_children(const std::string& prefab, std::span<const PrefabChild> children,
                                   Flat& flat) {
    std::unordered_map<std::string, std::size_t> places;  // index of the first child with each name
    std::size_t known = 0;
    const std::size_t inherited = flat.children.size();
    for (const PrefabChild& child : children) {
        const std::size_t end = child.may_be_new ? inherited : flat.children.size();
        for (; known < end; ++known) places.emplace(flat.children[known].name, known);
        std::optional<std::size_t> same;
        if (const auto found = places.find(child.name); found != places.end() && found->second < end)
            same = found->second;
        add_child(prefab, child, child.name.empty() ? std::nullopt : same, flat);
    }
}

// `same`: the existing child with the same name.
void PrefabFlattener::add_child(const std::string& prefab, const PrefabChild& child,
                                std::optional<std::size_t> same, Flat& flat) {
    const std::string where = prefab + "/" + (child.name.empty() ? child.prefab : child.name);
    if (Result<void> checked = check_name(child.name); !checked) {
        return mistake(child.place, checked.error().message);
    }
    if (child.prefab.empty() && same) {
        Flat& changed = flat.children[*same];
        changed.place = child.place;
        apply(where, child.values, child.place, changed);
        return add_children(where, child.children, changed);
    }
    if (child.prefab.empty() && !child.may_be_new)
        return mistake(child.place, errors::no_such_child(prefab, child.name));
    if (same) return mistake(child.place, errors::child_exists(prefab, child.name));
    static const Flat kNothing;
    const Flat* made_from = child.prefab.empty()
                                ? &kNothing
                                : flat_of(prefab.empty() ? where : prefab, child.prefab, child.place);
    if (made_from == nullptr) return;
    const std::size_t parts = made_from->count();
    if (room_ < parts) {
        if (!std::exchange(is_too_large_, true)) mistake(child.place, errors::prefab_too_large(prefab, max_));
        return;
    }
    room_ -= parts;
    Flat copy = *made_from;
    copy.name = child.name;
    copy.place = child.place;
    apply(where, child.values, child.place, copy);
    add_children(where, child.children, copy);
    flat.children.push_back(std::move(copy));
}

void PrefabFlattener::apply(const std::string& prefab, const PrefabValues& values, std::uint32_t place,
                            Flat& flat) {
    for (const ComponentId id : values.removed) remove(prefab, id, place, flat);
    apply_components(prefab, values, place, flat);
    for (const PrefabField& field : values.fields) apply_field(prefab, field, place, flat);
    for (const PrefabReference& reference : values.references)
        apply_reference(prefab, reference, place, flat);
    for (const PrefabPatch& patch : values.patches) apply_patch(prefab, patch, flat);
}

void PrefabFlattener::remove(const std::string& prefab, ComponentId id, std::uint32_t place, Flat& flat) {
    if (flat.find(id) == nullptr)
        return mistake(place, errors::prefab_lacks(prefab, schema_of(id).name, "removed"));
    std::erase_if(flat.components, [id](const PrefabComponent& part) { return part.component == id; });
    std::erase_if(flat.references, [id](const PrefabReference& part) { return part.component == id; });
}

void PrefabFlattener::apply_components(const std::string& prefab, const PrefabValues& values,
                                       std::uint32_t place, Flat& flat) {
    std::vector<ComponentId> named;
    for (const PrefabComponent& part : values.components) {
        if (std::find(named.begin(), named.end(), part.component) != named.end()) {
            mistake(place, errors::prefab_names_twice(prefab, schema_of(part.component).name));
            continue;
        }
        if (!check(prefab, part, place)) continue;
        named.push_back(part.component);
        if (PrefabComponent* inherited = flat.find(part.component)) {
            *inherited = part;
        } else {
            flat.components.push_back(part);
        }
    }
}

bool PrefabFlattener::check(const std::string& prefab, const PrefabComponent& part, std::uint32_t place) {
    const Schema& schema = schema_of(part.component);
    if (!is_component_kind(schema.kind) || is_cleanup_kind(schema.kind)) {
        mistake(place, errors::prefab_of_kind(prefab, schema.name, kind_name(schema.kind)));
    } else if (is_kept(part.component)) {
        mistake(place, errors::prefab_of_hierarchy(prefab, schema.name));
    } else if (!is_prefab_value(schema, part.value.size())) {
        mistake(place, wrong_prefab_value(prefab, schema, part.value.size()));
    } else {
        return true;
    }
    return false;
}

void PrefabFlattener::apply_field(const std::string& prefab, const PrefabField& given, std::uint32_t place,
                                  Flat& flat) {
    const Schema& schema = schema_of(given.component);
    PrefabComponent* part = flat.find(given.component);
    const Field* field = schema.field(given.field);
    if (part == nullptr) return mistake(place, errors::prefab_lacks(prefab, schema.name, "overridden"));
    if (field == nullptr || value_bytes(schema) == 0) {
        std::vector<std::string_view> names;
        names.reserve(schema.fields.size());
        for (const Field& known : schema.fields) names.push_back(known.name);
        return mistake(place, errors::prefab_unknown_field(prefab, schema.name, given.field,
                                                           nearest_name(given.field, names)));
    }
    if (part->value.empty()) part->value = schema.defaults;
    const Result<void> written = write_field(*field, given.value, part->value, world_.field_context());
    if (!written) mistake(place, errors::in_prefab(prefab, schema.name, written.error().message));
}

void PrefabFlattener::apply_reference(const std::string& prefab, const PrefabReference& given,
                                      std::uint32_t place, Flat& flat) {
    const Schema& schema = schema_of(given.component);
    const PrefabComponent* const there = flat.find(given.component);
    if (there == nullptr) return mistake(place, errors::prefab_lacks(prefab, schema.name, "referring"));
    if (given.offset) {  // the caller knows the field; a buffer has as many elements as its value
        const std::size_t bytes =
            schema.kind == ComponentKind::buffer ? there->value.size() : value_bytes(schema);
        if (*given.offset + sizeof(Entity) > bytes || is_shared_kind(schema.kind))
            return mistake(place, errors::prefab_reference_field(prefab, schema.name, given.field));
        flat.references.push_back(given);
        flat.references.back().place = place;
        return;
    }
    const Field* field = schema.field(given.field);
    if (field == nullptr || field->type != FieldType::entity || field->array_length != 0 ||
        value_bytes(schema) == 0 || is_shared_kind(schema.kind)) {
        return mistake(place, errors::prefab_reference_field(prefab, schema.name, given.field));
    }
    PrefabReference reference = given;
    reference.offset = field->offset;
    reference.place = place;
    flat.references.push_back(std::move(reference));
}

void PrefabFlattener::apply_patch(const std::string& prefab, const PrefabPatch& patch, Flat& flat) {
    if (patch.op == PrefabPatch::Op::remove) return remove(prefab, patch.component, patch.place, flat);
    PrefabComponent given{patch.component, patch.value, patch.is_enabled.value_or(true)};
    if (!check(prefab, given, patch.place)) return;
    const auto is_replaced = [&](const PrefabReference& reference) {
        return reference.component == patch.component &&
               (patch.op == PrefabPatch::Op::replace ||
                std::any_of(patch.written.begin(), patch.written.end(), [&](const PrefabPatch::Range& range) {
                    return *reference.offset - range.offset < range.size;
                }));
    };
    std::erase_if(flat.references, is_replaced);
    flat.references.insert(flat.references.end(), patch.references.begin(), patch.references.end());
    PrefabComponent* there = flat.find(patch.component);
    if (there == nullptr) return flat.components.push_back(std::move(given));
    if (patch.is_enabled) there->is_enabled = *patch.is_enabled;
    if (patch.op == PrefabPatch::Op::replace) {
        there->value = patch.value;
    } else if (!patch.value.empty()) {
        if (there->value.empty()) there->value = schema_of(patch.component).defaults;
        for (const PrefabPatch::Range& range : patch.written) {
            std::copy_n(patch.value.begin() + range.offset, range.size, there->value.begin() + range.offset);
        }
    }
}

// Names and links of the hierarchy, which come only from the children and names of a description.
bool PrefabFlattener::is_kept(ComponentId id) const {
    static constexpr std::array<std::string_view, 4> kKept{"Parent", "Children", "HierarchyDepth", "Name"};
    const Schema& schema = schema_of(id);
    return schema.owner == "engine" && std::find(kKept.begin(), kKept.end(), schema.name) != kKept.end();
}

const Schema& PrefabFlattener::schema_of(ComponentId id) const { return world_.registry().info(id).schema; }

}  // namespace perigee::internal
