// First each file alone, then the systems with their declared accesses, then checks that need all files.
#include "scripting/check/source_check.h"

#include "ecs/archetype/archetype.h"
#include "ecs/schedule/schedule.h"
#include "ecs/world/prefab.h"
#include "ecs/world/world.h"
#include "scripting/base/error_codes.h"
#include "scripting/check/api_table.h"
#include "scripting/check/declaration_log.h"
#include "scripting/check/internal/source_globals.h"
#include "scripting/check/internal/source_value.h"
#include "scripting/check/internal/source_walker.h"
#include "scripting/sandbox/state.h"

#include <fmt/format.h>
#include <lua.hpp>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <tuple>
#include <utility>

namespace perigee {

namespace {

namespace m = messages;
using internal::SourceGlobals;
using internal::SourceRules;
using internal::SourceWalker;
using internal::SystemUse;

bool holds(const std::vector<ComponentId>& list, ComponentId id) {
    return std::ranges::find(list, id) != list.end();
}

class SourceChecker {
public:
    SourceChecker(const SourceContext& context, std::span<const SourceFile> files)
        : context_(context), files_(files) {}

    std::vector<SourceFinding> run() {
        for (const SourceFile& file : files_) open(file);
        note_actions();
        for (auto& [place, walked] : walked_) walk(walked);
        distrust_fields();
        check_globals();
        for (const DeclaredSystem& system : context_.log.systems) check_system(system);
        check_patches();
        check_order();
        std::ranges::stable_sort(findings_, {}, [this](const SourceFinding& finding) {
            return std::tuple{rank_of(finding.mod), std::string_view(finding.file), finding.line};
        });
        return std::move(findings_);
    }

private:
    struct Walked {
        std::unique_ptr<SourceRules> rules;
        std::unique_ptr<SourceWalker> walker;
    };

    void open(const SourceFile& file) {
        if (check_syntax(file)) {
            has_unread_ = true;
            return;
        }
        Walked walked;
        walked.rules = std::make_unique<SourceRules>(context_, file.mod, findings_);
        walked.rules->set_file(file.path);
        walked.walker = std::make_unique<SourceWalker>(file, *walked.rules);
        walked_.emplace(std::pair{file.mod, file.path}, std::move(walked));
    }

    void walk(const Walked& walked) {
        walked.walker->walk();
        given_.insert(walked.walker->given().begin(), walked.walker->given().end());
        has_unread_ |= walked.walker->has_computed_names();
    }

    // All mods share the actions.
    void note_actions() {
        bool is_known = true;
        for (const auto& [place, walked] : walked_) {
            actions_.insert(walked.walker->actions().begin(), walked.walker->actions().end());
            is_known &= !walked.walker->has_computed_actions();
        }
        for (const auto& [place, walked] : walked_) walked.rules->set_actions(is_known ? &actions_ : nullptr);
    }

    // Fields that are set in more than one place: their value when a system runs is unknown. Modules that
    // each define a function of the same name do not count.
    void distrust_fields() {
        std::map<std::pair<std::string, std::string>, SourceWalker::FieldCount> sums;
        std::set<std::pair<std::string, std::string>> twice;
        for (const auto& [place, walked] : walked_) {
            for (const auto& [field, count] : walked.walker->fields()) {
                SourceWalker::FieldCount& sum = sums[{place.first, field}];
                sum.assigned += count.assigned;
                sum.all += count.all;
                if (count.all > 1) twice.insert({place.first, field});
            }
        }
        for (const auto& [place, walked] : walked_)
            for (const auto& [key, sum] : sums)
                if (key.first == place.first && (twice.contains(key) || (sum.assigned > 0 && sum.all > 1)))
                    walked.rules->distrust_field(key.second);
    }

    // The files of a mod share their globals; each test file has a separate state.
    void check_globals() {
        if (context_.globals.empty()) return;
        std::vector<std::string> given{"state"};  // each mod has it
        if (context_.api != nullptr)
            for (const auto& [name, known] : context_.api->classes())
                if (name.find('.') == name.npos) given.push_back(name);
        std::map<std::pair<std::string, std::string>, SourceGlobals> states;
        for (const auto& [place, walked] : walked_) {
            const bool is_test = place.second.starts_with("tests/");
            SourceGlobals& globals = states[{place.first, is_test ? place.second : ""}];
            globals.add(*walked.rules, walked.walker->globals());
            globals.add(*walked.rules, walked.walker->library_calls());
            for (const auto& [field, count] : walked.walker->fields()) globals.add_field(field);
        }
        for (auto& [state, globals] : states) {
            const bool is_trusted = state.first == context_.root && !context_.trusted_globals.empty();
            std::vector<std::string> there = is_trusted ? context_.trusted_globals : context_.globals;
            there.insert(there.end(), given.begin(), given.end());
            globals.check(there);
        }
    }

    std::size_t rank_of(const std::string& mod) const {
        const auto found = std::ranges::find(files_, mod, &SourceFile::mod);
        return static_cast<std::size_t>(found - files_.begin());
    }

    const std::string& name_of(ComponentId id) const {
        return context_.world.registry().info(id).schema.name;
    }

    void find(const DeclaredSystem& system, std::string text, Severity severity) {
        findings_.push_back(
            {severity, system.mod, system.file, system.line, std::move(text), system.desc.name});
    }

    void check_system(const DeclaredSystem& system) {
        SystemUse use;
        use.system = &system;
        use.walker_of = [&](const std::string& file) {
            const auto walked = walked_.find({system.mod, file});
            return walked != walked_.end() ? walked->second.walker.get() : nullptr;
        };
        for (const DeclaredFunction& function : system.functions) {
            const auto found = walked_.find({system.mod, function.file});
            if (found == walked_.end()) {
                use.escapes = true;
            } else {
                found->second.walker->walk_function(function, use);
            }
        }
        check_query(system, system.desc.query);
        for (const DeclaredQuery& query : system.queries) check_query(system, query.desc);
        // The intended name of an error is unknown.
        if (!use.escapes && !use.has_mistakes && !system.functions.empty()) check_use(system, use);
    }

    void check_query(const DeclaredSystem& system, const QueryDesc& query) {
        for (const QueryTerm& term : query.terms) {
            if (term.is_optional) continue;
            const std::string& name = name_of(term.component);
            if (holds(query.without, term.component))
                return find(system, fmt::format(m::kNeverMatches, name, name), Severity::error);
        }
        const auto is_excluded = [&](ComponentId id) { return holds(query.without, id); };
        if (!query.any.empty() && std::ranges::all_of(query.any, is_excluded))
            return find(system, std::string(m::kNoneOfAny), Severity::error);
        if (has_unread_) return;
        for (const QueryTerm& term : query.terms) {
            if (term.is_optional || might_be_given(term.component)) continue;
            find(system, fmt::format(m::kNothingHas, name_of(term.component)), Severity::warning);
        }
    }

    // By files, by existing prefabs and entities, by native code, or along with another component.
    bool might_be_given(ComponentId id) {
        if (given_.contains(id)) return true;
        const ComponentRegistry& registry = context_.world.registry();
        if (registry.info(id).schema.declared_at.empty()) return true;
        if (!has_looked_) look_at_world();
        if (there_.contains(id)) return true;
        for (const ComponentId other : registry.ids_by_name()) {
            const std::vector<std::string>& required = registry.info(other).schema.required;
            const bool brings = std::ranges::find(required, name_of(id)) != required.end();
            if (brings && (given_.contains(other) || there_.contains(other))) return true;
        }
        return false;
    }

    void look_at_world() {
        has_looked_ = true;
        const PrefabStore& prefabs = context_.world.prefabs();
        for (std::uint32_t i = 0; i < prefabs.size(); ++i)
            for (const PrefabComponent& part : prefabs.get(PrefabId{i}).components)
                there_.insert(part.component);
        for (const SystemId id : context_.schedule.all()) {
            if (context_.schedule.status(id).is_group) continue;
            const SystemDesc& desc = context_.schedule.description(id);
            if (!desc.is_native) continue;
            for (const QueryTerm& term : desc.query.terms) there_.insert(term.component);
            there_.insert(desc.access.read.begin(), desc.access.read.end());
            there_.insert(desc.access.write.begin(), desc.access.write.end());
        }
    }

    // What a query names selects rows, whether or not the code reads it.
    static bool is_in_named_query(const DeclaredSystem& system, ComponentId id) {
        return std::ranges::any_of(system.queries, [&](const DeclaredQuery& query) {
            const auto is_it = [&](const QueryTerm& term) { return term.component == id; };
            return std::ranges::any_of(query.desc.terms, is_it) || holds(query.desc.any, id) ||
                   holds(query.desc.without, id) || holds(query.desc.changed, id);
        });
    }

    void check_use(const DeclaredSystem& system, const SystemUse& use) {
        const SystemDesc& desc = system.desc;
        for (const QueryTerm& term : desc.query.terms) {
            const ComponentKind kind = context_.world.registry().info(term.component).schema.kind;
            const bool is_judged = term.access == Access::write && kind != ComponentKind::object;
            if (is_judged && !use.written.contains(term.component))
                find(system, fmt::format(m::kNeverWritten, name_of(term.component)), Severity::note);
        }
        for (const ComponentId id : desc.access.write) {
            if (use.written.contains(id)) continue;
            const bool is_read = use.touched.contains(id) || is_in_named_query(system, id);
            find(system,
                 is_read ? fmt::format(m::kNeverWritten, name_of(id))
                         : fmt::format(m::kNeverUsed, name_of(id)),
                 Severity::note);
        }
        for (const ComponentId id : desc.access.read) {
            const bool is_own = desc.reacts_to && desc.reacts_to->component == id;
            if (!is_own && !use.touched.contains(id) && !is_in_named_query(system, id))
                find(system, fmt::format(m::kNeverUsed, name_of(id)), Severity::note);
        }
    }

    static bool contradict(const DeclaredPatch& first, const DeclaredPatch& second) {
        for (const PatchedPart& part : first.given) {
            if (holds(second.taken, part.component)) return true;
            for (const PatchedPart& other : second.given) {
                const bool is_same = part.field.empty() || other.field.empty() || part.field == other.field;
                if (part.component == other.component && is_same) return true;
            }
        }
        return std::ranges::any_of(
            second.given, [&](const PatchedPart& part) { return holds(first.taken, part.component); });
    }

    // In load order. A mod that depends on the other one changes it on purpose.
    void check_patches() {
        const std::vector<DeclaredPatch>& patches = context_.log.patches;
        for (std::size_t late = 0; late < patches.size(); ++late) {
            for (std::size_t early = 0; early < late; ++early) {
                const DeclaredPatch& first = patches[early];
                const DeclaredPatch& second = patches[late];
                if (first.mod == second.mod || first.prefab != second.prefab) continue;
                if (!contradict(first, second) || context_.uses(second.mod, first.mod)) continue;
                findings_.push_back({Severity::warning, second.mod, second.file, second.line,
                                     fmt::format(m::kBothPatch, second.prefab, first.mod, first.file,
                                                 first.line, second.mod)});
            }
        }
    }

    const DeclaredSystem* declared(const std::string& name) const {
        const auto found = std::ranges::find_if(
            context_.log.systems, [&](const DeclaredSystem& system) { return system.desc.name == name; });
        return found == context_.log.systems.end() ? nullptr : &*found;
    }

    // Within a mod the order by name is the author's choice; between mods it is accidental.
    void check_order() {
        for (const UnorderedWrites& pair : context_.unordered) {
            const DeclaredSystem* const first = declared(pair.first);
            const DeclaredSystem* const second = declared(pair.second);
            if (first == nullptr || second == nullptr || first->mod == second->mod) continue;
            findings_.push_back({Severity::note, second->mod, second->file, second->line,
                                 fmt::format(m::kUnordered, pair.first, pair.second, pair.component)});
        }
    }

    const SourceContext& context_;
    std::span<const SourceFile> files_;
    std::vector<SourceFinding> findings_;
    std::map<std::pair<std::string, std::string>, Walked> walked_;
    std::set<std::string, std::less<>> actions_;
    std::set<ComponentId> given_;
    std::set<ComponentId> there_;
    bool has_looked_ = false;
    bool has_unread_ = false;  ///< components may be given in ways that are not visible here
};

}  // namespace

std::string SourceFinding::text() const {
    return system.empty() ? message : fmt::format(m::kInSystem, system, message);
}

std::optional<ScriptError> check_syntax(const SourceFile& file) {
    const MemorySource none{{}};
    ScriptStateConfig config;
    config.mod = file.mod;
    config.files = &none;
    const Result<std::unique_ptr<ScriptState>> state = ScriptState::create(std::move(config));
    if (!state) {
        ScriptError error;
        error.mod = file.mod;
        error.file = file.path;
        error.message = state.error().message;
        return error;
    }
    return state.value()->compile(file.text, file.path);
}

std::vector<std::string> library_globals(bool is_trusted) {
    const MemorySource none{{}};
    ScriptStateConfig config;
    config.mod = "check";
    config.files = &none;
    config.is_trusted = is_trusted;
    std::vector<std::string> names;
    const Result<std::unique_ptr<ScriptState>> state = ScriptState::create(std::move(config));
    if (!state) return names;
    lua_State* const lua = state.value()->lua();
    state.value()->push_environment();
    for (lua_pushnil(lua); lua_next(lua, -2) != 0; lua_pop(lua, 1)) {
        if (lua_type(lua, -2) != LUA_TSTRING) continue;
        const std::string name = lua_tostring(lua, -2);
        names.push_back(name);
        if (!lua_istable(lua, -1) || name == "_G") continue;
        for (lua_pushnil(lua); lua_next(lua, -2) != 0; lua_pop(lua, 1))
            if (lua_type(lua, -2) == LUA_TSTRING) names.push_back(name + "." + lua_tostring(lua, -2));
    }
    lua_pop(lua, 1);
    std::ranges::sort(names);
    return names;
}

std::vector<SourceFinding> check_sources(const SourceContext& context, std::span<const SourceFile> files) {
    return SourceChecker(context, files).run();
}

}  // namespace perigee
