// Descriptions of prefabs, each flattened onto what it builds on: values and children of its own, no base
// left.
//
// Invariant: a description is flattened once, after all that it builds on; what is wrong with one becomes a
// mistake with its place, and flattening goes on with the rest. Nothing here changes the world, but texts of
// overridden fields are interned.
#pragma once

#include "ecs/error_codes.h"
#include "ecs/prefab_family.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perigee::internal {

/// An entity without prefab or base: values, and children with values of their own.
struct Flat {
    std::vector<PrefabComponent> components;
    std::vector<PrefabReference> references;
    std::vector<Flat> children;
    std::string name;         ///< of the child
    std::uint32_t place = 0;  ///< of the child's description; 0 when a prefab brought it

    PrefabComponent* find(ComponentId id) noexcept;
    /// Itself and all below.
    std::size_t count() const noexcept;
};

/// The parts of a Flat, level by level: parents before children.
struct FlatParts {
    std::vector<const Flat*> sources;
    std::vector<std::uint32_t> parents;  ///< of part 0: 0

    explicit FlatParts(const Flat& root);
    std::size_t size() const noexcept { return sources.size(); }
    /// The part at the end of a path of names, "#2" (the second child), ".." and "" from a part on. Of
    /// several with one name the first.
    std::optional<std::size_t> follow(std::size_t from, std::string_view path) const;

private:
    std::vector<std::uint32_t> first_children_;
};

class PrefabFlattener {
public:
    /// Lifetime: of `descs` too. Flattens all of them.
    PrefabFlattener(World& world, std::span<const PrefabDesc> descs);

    const Flat& flat(std::size_t desc) const noexcept { return flat_[desc]; }
    /// Those without loops, each after all that it builds on.
    std::span<const std::size_t> order() const noexcept { return order_; }

    /// Flattens one more description, which none of the others can name and which need not have a name.
    Flat flatten_more(const PrefabDesc& desc, std::size_t most_parts);

    void mistake(std::uint32_t place, std::string text) { mistakes_.push_back({place, std::move(text)}); }
    const std::vector<PrefabMistake>& mistakes() const noexcept { return mistakes_; }

private:
    enum class State : std::uint8_t { untouched, open, done };

    void note_name(std::size_t index);
    void visit(std::size_t index);
    const Flat* flat_of(const std::string& user, const std::string& name, std::uint32_t place);
    const Flat& known_flat(PrefabId id);
    std::vector<PrefabComponent> own_components(const Prefab& prefab) const;

    void flatten(const PrefabDesc& desc, Flat& flat);
    void add_children(const std::string& prefab, std::span<const PrefabChild> children, Flat& flat);
    void add_child(const std::string& prefab, const PrefabChild& child, std::size_t inherited, Flat& flat);
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
    std::vector<std::size_t> open_;   ///< descriptions that are being flattened, one for the next
    std::vector<std::size_t> order_;  ///< those that are done
    std::map<std::string, std::size_t, std::less<>> by_name_;
    std::map<PrefabId, Flat> known_;
    std::vector<PrefabMistake> mistakes_;
    std::size_t most_ = kMostPrefabParts;
    std::size_t room_ = kMostPrefabParts;  ///< parts that the description at hand may still get
    bool is_too_large_ = false;            ///< it wanted more, which is told once
};

}  // namespace perigee::internal
