// Flattens prefab descriptions onto their bases: the result has full values and children, and no base.
//
// Invariant: a description is flattened once, after everything that it builds on. An error becomes a mistake
// with its place, and flattening continues with the rest. Nothing here changes the world, except that texts
// of overridden fields are interned.
#pragma once

#include "ecs/base/error_codes.h"
#include "ecs/prefab/prefab_desc.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace perigee {
class ComponentRegistry;
struct Schema;
}  // namespace perigee

namespace perigee::internal {

/// An entity without prefab or base: its values, and its flattened children.
struct Flat {
    std::vector<PrefabComponent> components;
    std::vector<PrefabReference> references;
    std::vector<Flat> children;
    std::string name;         ///< of the child
    std::uint32_t place = 0;  ///< of the child's description; 0 if it comes from a prefab

    PrefabComponent* find(ComponentId id) noexcept;
    /// Number of entities: itself and its descendants.
    std::size_t count() const noexcept;
};

/// The parts of a Flat, level by level: parents before children.
struct FlatParts {
    std::vector<const Flat*> sources;
    std::vector<std::uint32_t> parents;  ///< of part 0: 0

    explicit FlatParts(const Flat& root);
    std::size_t size() const noexcept { return sources.size(); }
    /// The part at the end of a path from a given part. The path consists of names, "#2" (the second child),
    /// ".." and "". If several share a name, the first.
    /// Cost: a look-up for each step, once the names of a part's children are indexed.
    std::optional<std::size_t> follow(std::size_t from, std::string_view path) const;

private:
    using ChildNames = std::unordered_map<std::string_view, std::uint32_t>;

    std::vector<std::uint32_t> first_children_;
    mutable std::unordered_map<std::size_t, ChildNames> names_;  ///< of the children of parts, on first use
};

class PrefabFlattener {
public:
    /// Flattens all of `descs`, and keeps at most `max_mistakes` mistakes. Lifetime: `descs` must outlive it.
    PrefabFlattener(World& world, std::span<const PrefabDesc> descs,
                    std::size_t max_mistakes = kAllPrefabMistakes);

    const Flat& flat(std::size_t desc) const noexcept { return flat_[desc]; }
    /// The descriptions without cycles, each after everything that it builds on.
    std::span<const std::size_t> order() const noexcept { return order_; }

    /// Flattens one more description. The others cannot refer to it, and it needs no name.
    Flat flatten_more(const PrefabDesc& desc, std::size_t max_parts);

    /// True if the last description of flatten_more has more than `max_parts`.
    bool is_too_large() const noexcept { return is_too_large_; }

    void mistake(std::uint32_t place, std::string text) {
        if (keeps_mistakes()) {
            mistakes_.push_back({place, std::move(text)});
        } else {
            ++more_mistakes_;
        }
    }
    const std::vector<PrefabMistake>& mistakes() const noexcept { return mistakes_; }
    std::size_t more_mistakes() const noexcept { return more_mistakes_; }  ///< beyond those kept
    bool keeps_mistakes() const noexcept { return mistakes_.size() < max_mistakes_; }
    void forget_mistakes() noexcept {
        mistakes_.clear();
        more_mistakes_ = 0;
    }

private:
    enum class State : std::uint8_t { untouched, open, done };

    void register_name(std::size_t index);
    void visit(std::size_t index);
    const Flat* flat_of(const std::string& user, const std::string& name, std::uint32_t place);
    const Flat& known_flat(PrefabId id);
    std::vector<PrefabComponent> own_components(const Prefab& prefab) const;

    void flatten(const PrefabDesc& desc, Flat& flat);
    void add_children(const std::string& prefab, std::span<const PrefabChild> children, Flat& flat);
    void add_child(const std::string& prefab, const PrefabChild& child, std::optional<std::size_t> same,
                   Flat& flat);
    void apply(const std::string& prefab, const PrefabValues& values, std::uint32_t place, Flat& flat);
    void apply_components(const std::string& prefab, const PrefabValues& values, std::uint32_t place,
                          Flat& flat);
    void apply_field(const std::string& prefab, const PrefabField& given, std::uint32_t place, Flat& flat);
    void apply_reference(const std::string& prefab, const PrefabReference& given, std::uint32_t place,
                         Flat& flat);
    void apply_patch(const std::string& prefab, const PrefabPatch& patch, Flat& flat);
    void remove(const std::string& prefab, ComponentId id, std::uint32_t place, Flat& flat);
    bool check(const std::string& prefab, const PrefabComponent& part, std::uint32_t place);
    bool is_kept(ComponentId id) const;
    const Schema& schema_of(ComponentId id) const;

    World& world_;
    std::span<const PrefabDesc> descs_;
    std::vector<State> states_;
    std::vector<Flat> flat_;
    std::vector<std::size_t> open_;   ///< descriptions being flattened, each on behalf of the previous one
    std::vector<std::size_t> order_;  ///< finished descriptions
    std::map<std::string, std::size_t, std::less<>> by_name_;
    std::map<PrefabId, Flat> known_;
    std::vector<PrefabMistake> mistakes_;
    std::size_t max_mistakes_;
    std::size_t more_mistakes_ = 0;
    std::size_t max_ = kMaxPrefabParts;
    std::size_t room_ = kMaxPrefabParts;  ///< parts that the current description may still add
    std::size_t room_of_all_ = kMaxDescribedParts;
    bool is_too_large_ = false;  ///< it exceeded the limit; reported once
};

}  // namespace perigee::internal
