// Names of mods that are not loaded (yet) are not checked: the schedule ignores missing names.
#include "scripting/mods/internal/mod_link.h"

#include "ecs/base/error_codes.h"
#include "ecs/base/suggest.h"
#include "ecs/schedule/schedule.h"
#include "ecs/world/prefab.h"
#include "ecs/world/world.h"
#include "scripting/base/error_codes.h"
#include "scripting/mods/internal/script_mod.h"
#include "scripting/mods/side_world.h"

#include <string>
#include <utility>
#include <vector>

namespace perigee::internal {

namespace {

class OrderCheck {
public:
    explicit OrderCheck(const ScriptMod& mod) : mod_(mod), schedule_(mod.runtime.schedule()) {}

    Result<void> check() {
        for (const std::vector<SystemId>* ids : {&mod_.group_ids, &mod_.system_ids}) {
            for (const SystemId id : *ids) {
                const SystemDesc& desc = schedule_.description(id);
                for (const std::string& name : desc.before) check_name(desc, "before", name);
                for (const std::string& name : desc.after) check_name(desc, "after", name);
            }
        }
        if (!mistakes_.empty()) return joined(std::move(mistakes_));
        return {};
    }

private:
    void check_name(const SystemDesc& desc, std::string_view relation, const std::string& name) {
        const std::string_view owner = owner_of(mod_, name);
        if (owner != mod_.name && !mod_.runtime.has_loaded(owner)) return;
        const std::optional<SystemId> found = schedule_.find(name);
        // A later mod has not declared its systems yet.
        if (!found && owner != mod_.name && !mod_.may_use(owner)) return;
        const std::string group = found ? schedule_.description(*found).group : "";
        // Names of other groups order the groups, except among reactions.
        if (found && (group == kReactions) == (desc.group == kReactions)) return;
        mistakes_.push_back(
            {found ? errors::system_of_other_group(desc.name, relation, name, group, desc.group)
                   : errors::unknown_system(desc.name, relation, name, nearest(desc.group, name)),
             Mistake::About::system, desc.name});
    }

    std::string nearest(std::string_view group, std::string_view name) const {
        std::vector<std::string> names;
        for (const SystemId id : schedule_.all())
            if (schedule_.description(id).group == group) names.push_back(schedule_.description(id).name);
        const std::vector<std::string_view> views(names.begin(), names.end());
        return std::string(nearest_name(name, views));
    }

    const ScriptMod& mod_;
    const Schedule& schedule_;
    std::vector<Mistake> mistakes_;
};

void swap_contents(ScriptRuntime& runtime, const PrefabChange& change) {
    runtime.world().prefabs().swap_contents(change.target, change.changed);
    runtime.forget_prefab_views(change.target);
    runtime.forget_prefab_views(change.changed);
}

}  // namespace

std::string_view owner_of(const ScriptMod& mod, std::string_view full_name) noexcept {
    const std::size_t colon = full_name.find(':');
    return colon == std::string_view::npos ? std::string_view(mod.root) : full_name.substr(0, colon);
}

Result<void> link(ScriptMod& mod) {
    Schedule& schedule = mod.runtime.schedule();
    if (Result<void> checked = OrderCheck(mod).check(); !checked) return checked;
    for (SystemReplacement& replacement : mod.replacements) {
        if (replacement.old) continue;  // from when its files ran before
        SystemDesc old = schedule.description(replacement.system);
        if (Result<void> replaced = schedule.replace(replacement.system, replacement.desc); !replaced)
            return joined({{replaced.error().message, Mistake::About::system, old.name}});
        replacement.old = std::move(old);
    }
    if (Result<void> ordered = schedule.resolve_order(); !ordered) return ordered;
    relink_prefabs(mod.runtime, mod);
    return {};
}

void relink_prefabs(ScriptRuntime& runtime, ScriptCode& code) noexcept {
    for (PrefabChange& change : code.prefab_changes)
        if (!std::exchange(change.has_happened, true)) swap_contents(runtime, change);
}

void unlink_prefabs(ScriptRuntime& runtime, ScriptCode& code) noexcept {
    for (auto change = code.prefab_changes.rbegin(); change != code.prefab_changes.rend(); ++change)
        if (std::exchange(change->has_happened, false)) swap_contents(runtime, *change);
}

void unlink(ScriptMod& mod) noexcept {
    Schedule& schedule = mod.runtime.schedule();
    unlink_prefabs(mod.runtime, mod);
    for (auto done = mod.replacements.rbegin(); done != mod.replacements.rend(); ++done) {
        // The previous system is accepted again.
        if (done->old)
            static_cast<void>(schedule.replace(done->system, *std::exchange(done->old, std::nullopt)));
    }
}

void leave_out(ScriptMod& mod) noexcept {
    mod.has_failed = true;
    mod.runtime.side_worlds().destroy_of(mod);
    Schedule& schedule = mod.runtime.schedule();
    unlink(mod);
    if (mod.is_root()) {
        for (const SystemId id : mod.system_ids) schedule.leave_out(id, true);
        return;
    }
    for (auto id = mod.system_ids.rbegin(); id != mod.system_ids.rend(); ++id) {
        const SystemDesc& desc = schedule.description(*id);
        if (schedule.status(*id).is_enabled != desc.is_enabled) mod.switches[desc.name] = !desc.is_enabled;
        schedule.remove(*id);
    }
    mod.system_ids.clear();
}

}  // namespace perigee::internal
