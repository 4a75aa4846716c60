// Judges each name once all its uses are known.
#include "scripting/check/internal/source_globals.h"

#include "ecs/base/suggest.h"
#include "scripting/base/error_codes.h"
#include "scripting/base/script_error.h"
#include "scripting/lua/love_names.h"

#include <fmt/format.h>

#include <algorithm>

namespace perigee::internal {

namespace {

namespace m = messages;

constexpr std::string_view kUpdate = "update", kDraw = "draw";

// The message for a name known from other Lua environments.
std::string_view advice_of(std::string_view name) {
    return advice_for(fmt::format("global '{}' (a nil value)", name));
}

}  // namespace

void SourceGlobals::add(SourceRules& rules, const std::vector<GlobalUse>& uses) {
    for (const GlobalUse& use : uses) {
        Name& name = names_[std::string(use.name)];
        name.places.push_back({&rules, &use});
        name.is_declared |= use.is_defined || (use.is_set && use.function == 0);
        name.is_set |= use.is_set || use.is_defined;
        name.is_read |= !use.is_set && !use.is_defined;
    }
}

void SourceGlobals::add(SourceRules& rules, const std::vector<LibraryCall>& calls) {
    for (const LibraryCall& call : calls) calls_.emplace_back(&rules, &call);
}

void SourceGlobals::check(const std::vector<std::string>& there) {
    there_.insert(there.begin(), there.end());
    for (const auto& [name, known] : names_) check_name(name, known);
    for (const auto& [rules, call] : calls_) check_call(*rules, *call);
}

void SourceGlobals::check_call(SourceRules& rules, const LibraryCall& call) const {
    const auto set = names_.find(call.library);
    if (set != names_.end() && (set->second.is_set || set->second.is_declared)) return;
    const std::string prefix = call.library + ".";
    if (there_.contains(prefix + call.name) || fields_.contains(call.name)) return;
    std::vector<std::string_view> known;
    for (auto at = there_.lower_bound(prefix); at != there_.end() && at->starts_with(prefix); ++at)
        known.push_back(std::string_view(*at).substr(prefix.size()));
    if (known.empty()) return;  // it is not a library
    rules.find(call.line,
               fmt::format(m::kHasNoEntry, call.library, call.name, did_you_mean(call.name, known)));
}

// Among locals in scope, the mod's declarations and built-in names.
std::string SourceGlobals::suggestion(const GlobalUse& use, bool among_all) const {
    std::vector<std::string_view> list;
    for (const Binding* local = use.locals; local != nullptr; local = local->next)
        list.push_back(local->name);
    for (const auto& [name, known] : names_)
        if (known.is_declared && name != use.name) list.emplace_back(name);
    for (const std::string& name : there_)
        if (among_all && name != use.name) list.emplace_back(name);
    return did_you_mean(use.name, list);
}

void SourceGlobals::check_name(std::string_view name, const Name& known) const {
    if (known.is_declared) return check_definition(name, known);
    if (known.is_set) return check_leak(name, known);
    if (there_.contains(name)) return;
    const std::string_view advice = advice_of(name);
    for (const auto& [rules, use] : known.places) {
        if (use->is_tested && !advice.empty()) continue;  // tests whether the file runs elsewhere
        if (rules->has_found(use->line, m::kIsNotLove)) continue;
        rules->find(use->line,
                    fmt::format(m::kUndefinedGlobal, name, advice.empty() ? suggestion(*use) : advice));
    }
}

// Set only in functions: a global read by another function is meant to be shared.
void SourceGlobals::check_leak(std::string_view name, const Name& known) const {
    if (there_.contains(name)) return;
    const auto is_set_in = [&](std::size_t function, const SourceRules* rules) {
        return std::ranges::any_of(known.places, [&](const Place& place) {
            return place.use->is_set && place.use->function == function && place.rules == rules;
        });
    };
    // A variable that is read before it is set carries a value from one call to the next.
    const auto is_kept = [&](const Place& read) {
        return std::ranges::none_of(known.places, [&](const Place& place) {
            return place.use->is_set && place.use->function == read.use->function &&
                   place.rules == read.rules && place.use->line < read.use->line;
        });
    };
    const bool is_shared = std::ranges::any_of(known.places, [&](const Place& place) {
        return !place.use->is_set && (!is_set_in(place.use->function, place.rules) || is_kept(place));
    });
    for (const auto& [rules, use] : known.places) {
        if (!use->is_set) continue;
        const std::string nearest = suggestion(*use, !is_shared);
        if (is_shared && nearest.empty()) return;
        rules->find(use->line, fmt::format(m::kLeakedGlobal, name, nearest),
                    is_shared ? Severity::warning : Severity::error);
    }
}

void SourceGlobals::check_definition(std::string_view name, const Name& known) const {
    if (known.is_read || name == kUpdate || name == kDraw) return;
    for (const auto& [rules, use] : known.places) {
        if (!use->is_defined) continue;
        std::string instead;
        if (is_love_callback(name)) {
            instead = instead_of_love(name);
        } else {
            std::vector<std::string_view> missing;
            for (const std::string_view entry : {kUpdate, kDraw})
                if (!names_.contains(entry)) missing.push_back(entry);
            const std::string_view nearest = nearest_name(name, missing);
            if (!nearest.empty()) instead = fmt::format("did you mean '{}'?", nearest);
        }
        if (!instead.empty()) rules->find(use->line, fmt::format(m::kNothingCalls, name, instead));
    }
}

}  // namespace perigee::internal
