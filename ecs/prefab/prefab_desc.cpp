// Flattened descriptions become prefabs: one for each part, and the list of parts with the root's.
#include "ecs/prefab/prefab_desc.h"

#include "ecs/base/contract.h"
#include "ecs/base/error_codes.h"
#include "ecs/prefab/internal/prefab_flat.h"
#include "ecs/prefab/make_prefab.h"
#include "ecs/relations/hierarchy.h"
#include "ecs/relations/names.h"
#include "ecs/schema/text_pool.h"
#include "ecs/world/world.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace perigee {

namespace {

using internal::Flat;
using internal::FlatParts;

class DescBuilder {
public:
    DescBuilder(World& world, std::span<const PrefabDesc> descs,
                std::size_t max_mistakes = kAllPrefabMistakes)
        : world_(world), descs_(descs), flattener_(world, descs, max_mistakes), plans_(descs.size()) {
        for (const std::size_t i : flattener_.order()) plans_[i] = plan(descs_[i].name, flattener_.flat(i));
    }

    const std::vector<PrefabMistake>& mistakes() const noexcept { return flattener_.mistakes(); }
    std::size_t more_mistakes() const noexcept { return flattener_.more_mistakes(); }

    /// All or none.
    Result<std::vector<PrefabId>> add_all() {
        const std::size_t before = world_.prefabs().size();
        try {
            Result<std::vector<PrefabId>> ids = add_each();
            if (!ids) remove_prefabs_after(world_, before);
            return ids;
        } catch (...) {
            remove_prefabs_after(world_, before);
            throw;
        }
    }

private:
    Result<std::vector<PrefabId>> add_each() {
        std::vector<PrefabId> ids(descs_.size());
        for (const std::size_t i : flattener_.order()) {
            const Result<PrefabId> id = add(descs_[i].name, plans_[i]);
            if (!id)
                return id.error();  // out of rows, texts or memory: checked descriptions do not fail
                                    // otherwise
            ids[i] = id.value();
        }
        return ids;
    }

    /// The parts of one prefab, and their contents.
    struct Plan {
        std::vector<PrefabPart> parts;
        std::vector<const Flat*> sources;
        std::vector<std::uint16_t> depths;
    };

    Plan plan(const std::string& prefab, const Flat& flat) {
        const FlatParts all(flat);
        Plan plan{{}, all.sources, {}};
        for (std::size_t i = 0; i < all.size(); ++i) {
            const int depth = i == 0 ? 0 : plan.depths[all.parents[i]] + 1;
            plan.depths.push_back(std::min(static_cast<std::uint16_t>(depth), HierarchyDepth::kDeepest));
            plan.parts.push_back({PrefabId{}, all.parents[i], i == 0 ? "" : all.sources[i]->name, {}});
        }
        // Resolves references by path to numbers of parts.
        for (std::size_t i = 0; i < all.size(); ++i) {
            for (const PrefabReference& reference : all.sources[i]->references) {
                const std::optional<std::size_t> target = all.follow(i, reference.part);
                if (target) {
                    plan.parts[i].links.push_back(
                        {reference.component, *reference.offset, static_cast<std::uint32_t>(*target)});
                } else if (!reference.part.starts_with("..")) {  // those may be standalone children
                    flattener_.mistake(reference.place, errors::prefab_reference_part(prefab, reference.field,
                                                                                      reference.part));
                }
            }
        }
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
            const Result<PrefabId> id = add_prefab(world_, std::move(image).value());
            if (!id) return id.error();
            parts[i].image = id.value();
        }
        Result<Prefab> root = image_of(*plan.sources[0], "", 0);
        if (!root) return root.error();
        root.value().name = name;
        if (parts.size() > 1 || !parts[0].links.empty()) root.value().parts = std::move(parts);
        return add_prefab(world_, std::move(root).value());
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

    World& world_;
    std::span<const PrefabDesc> descs_;
    internal::PrefabFlattener flattener_;
    std::vector<Plan> plans_;
};

}  // namespace

Result<std::vector<PrefabId>> add_prefabs(World& world, std::span<const PrefabDesc> descs) {
    DescBuilder builder(world, descs);
    if (builder.mistakes().empty()) return builder.add_all();
    std::string lines;
    for (const PrefabMistake& mistake : builder.mistakes()) {
        if (!lines.empty()) lines += '\n';
        lines += mistake.message;
    }
    return Error{lines};
}

std::vector<PrefabMistake> check_prefabs(World& world, std::span<const PrefabDesc> descs,
                                         std::size_t max_mistakes, std::size_t* others) {
    const DescBuilder builder(world, descs, max_mistakes);
    if (others != nullptr) *others = builder.more_mistakes();
    return builder.mistakes();
}

}  // namespace perigee
