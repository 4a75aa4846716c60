// Component by component, the same rules that scripts/runtime follows when the line runs.
#include "scripting/check/internal/source_value.h"

#include "ecs/base/suggest.h"
#include "ecs/schedule/schedule.h"
#include "ecs/world/world.h"
#include "scripting/base/error_codes.h"
#include "scripting/check/internal/source_methods.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace perigee::internal {

namespace {

namespace m = messages;

constexpr std::string_view kBuffer = "perigee.Buffer", kEcs = "perigee.ecs";

std::string_view short_name(std::string_view name) {
    const std::size_t colon = name.find(':');
    return colon == name.npos ? name : name.substr(colon + 1);
}

// The functions of ecs that add a name to ecs.components.
constexpr std::string_view kTypeDeclarations[] = {"component", "resource", "event", "blob"};

bool is_shared(const Schema& schema) {
    return schema.kind == ComponentKind::shared || schema.kind == ComponentKind::shared_cleanup;
}

}  // namespace

// ---- names ------------------------------------------------------------------------------------------------

SourceRules::SourceRules(const SourceContext& context, std::string mod, std::vector<SourceFinding>& findings)
    : context_(context), mod_(std::move(mod)), findings_(findings) {}

void SourceRules::find(int line, std::string message, Severity severity) {
    // A finding that does not depend on a system is not reported again for each system of the line.
    SourceFinding finding{severity, mod_, file_, line, std::move(message)};
    if (use_ != nullptr && use_->system != nullptr) finding.system = use_->system->desc.name;
    const bool is_known = std::ranges::any_of(findings_, [&](const SourceFinding& known) {
        return known.line == line && known.file == file_ && known.mod == mod_ &&
               known.message == finding.message && (known.system.empty() || known.system == finding.system);
    });
    if (is_known) return;
    if (use_ != nullptr && severity == Severity::error) use_->has_mistakes = true;
    findings_.push_back(std::move(finding));
}

bool SourceRules::has_found(int line, std::string_view beginning) const {
    return std::ranges::any_of(findings_, [&](const SourceFinding& known) {
        return known.line == line && known.file == file_ && known.mod == mod_ &&
               known.message.starts_with(beginning);
    });
}

const Schema& SourceRules::schema(ComponentId id) const { return context_.world.registry().info(id).schema; }

// As internal::ScriptMod::component does.
std::optional<ComponentId> SourceRules::component(std::string_view word) const {
    const ComponentRegistry& registry = context_.world.registry();
    const std::size_t colon = word.find(':');
    if (colon != word.npos)
        return registry.find(word.substr(0, colon) == context_.root ? word.substr(colon + 1) : word);
    if (mod_ != context_.root) {
        if (const auto own = registry.find(fmt::format("{}:{}", mod_, word))) return own;
    }
    return registry.find(word);
}

// Suggestions for thousands of misspelt names among thousands of components would take half a minute: after
// this many comparisons, unknown names are reported without a suggestion.
constexpr std::size_t kMaxNamesCompared = 300'000;

std::string SourceRules::nearest_component(std::string_view word) {
    const ComponentRegistry& registry = context_.world.registry();
    const auto [place, is_new] = suggested_.try_emplace(std::string(word));
    if (!is_new) return place->second;  // a line may be checked more than once
    names_compared_ += registry.ids_by_name().size();
    if (names_compared_ > kMaxNamesCompared) return {};
    std::vector<std::string_view> known;
    for (const ComponentId id : registry.ids_by_name()) {
        std::string_view full = registry.info(id).schema.name;
        if (mod_ != context_.root && full.starts_with(mod_ + ":")) full.remove_prefix(mod_.size() + 1);
        known.push_back(full);
    }
    return place->second = did_you_mean(word, known);
}

SourceValue SourceRules::handle(ComponentId id) const {
    SourceValue value;
    value.meaning = Meaning::handle;
    value.component = id;
    return value;
}

SourceValue SourceRules::import(std::string text) const {
    SourceValue value;
    value.meaning = Meaning::import;
    value.text = std::move(text);
    return value;
}

SourceValue SourceRules::captured(const CapturedName& name) const {
    SourceValue value;
    switch (name.kind) {
        case CapturedName::Kind::component:
            return handle(name.component);
        case CapturedName::Kind::import:
            return import(name.text);
        case CapturedName::Kind::components:
            value.meaning = Meaning::components;
            break;
        case CapturedName::Kind::ecs:
            value.meaning = Meaning::ecs;
            break;
        case CapturedName::Kind::service:
            value.meaning = Meaning::service;
            value.text = name.text;
            break;
        case CapturedName::Kind::function:
            value.meaning = Meaning::function;
            value.known = &context_.log.functions[name.number];
            break;
        case CapturedName::Kind::table:
            value.meaning = Meaning::table;
            value.table = &context_.log.tables[name.number];
            break;
    }
    return value;
}

SourceValue SourceRules::chunk_of(const DeclaredSystem& system) const {
    SourceValue value;
    if (!system.desc.reacts_to) {
        if (!system.desc.query.terms.empty()) value.meaning = Meaning::chunk;
        return value;
    }
    if (system.desc.reacts_to->kind != Trigger::Kind::event) {
        value.meaning = Meaning::batch;
        return value;
    }
    value = columns_of(system.desc.reacts_to->component, false);
    value.is_fixed = true;
    return value;
}

// ---- allowed accesses of a system -------------------------------------------------------------------------

SourceRules::Allowed SourceRules::allowed(ComponentId id) const {
    if (use_ == nullptr || use_->system == nullptr) return Allowed::write;
    const SystemDesc& desc = use_->system->desc;
    Allowed best = Allowed::none;
    for (const QueryTerm& term : desc.query.terms)
        if (term.component == id) best = term.access == Access::write ? Allowed::write : Allowed::read;
    if (best == Allowed::none && std::ranges::find(desc.access.read, id) != desc.access.read.end())
        best = Allowed::read;
    if (std::ranges::find(desc.access.write, id) != desc.access.write.end()) best = Allowed::write;
    return best;
}

void SourceRules::touch(ComponentId id) {
    if (use_ != nullptr) use_->touched.insert(id);
}

void SourceRules::write(ComponentId id) {
    if (use_ != nullptr) use_->written.insert(id);
}

bool SourceRules::expect_declared(ComponentId id, bool for_write, int line) {
    touch(id);
    if (for_write) write(id);
    const Allowed have = allowed(id);
    if (have == Allowed::write || (have == Allowed::read && !for_write)) return true;
    const SchemaPart whole{&schema(id), nullptr, false, false, ""};
    if (have == Allowed::none) {
        find(line, fmt::format(m::kNotDeclared, whole.where()));
    } else {
        find(line, fmt::format(m::kReadOnlyHere, whole.where()));
    }
    return false;
}

void SourceRules::read_only(const SourceValue& of, const std::string& path, int line) {
    SchemaPart part = of.part;
    if (!path.empty()) part.path += (part.path.empty() ? "" : ".") + path;
    if (of.is_fixed) {
        find(line, fmt::format(m::kNeverChanges, part.where()));
    } else if (is_shared(*of.part.schema)) {
        find(line, fmt::format(m::kSharedNotAssigned, part.where(), short_name(of.part.schema->name)));
    } else {
        find(line, fmt::format(m::kReadOnlyHere, part.where()));
    }
}

// ---- access -----------------------------------------------------------------------------------------------

SourceValue SourceRules::columns_of(ComponentId id, bool can_write) const {
    const Schema& of = schema(id);
    SourceValue value;
    value.component = id;
    value.part = {&of, nullptr, false, false, ""};
    value.can_write = can_write && !is_shared(of);
    switch (of.kind) {
        case ComponentKind::tag:
        case ComponentKind::object:
            return {};
        case ComponentKind::buffer:
            value.meaning = Meaning::buffers;
            break;
        case ComponentKind::shared:
        case ComponentKind::shared_cleanup:
        case ComponentKind::chunk:
            value.meaning = Meaning::row;
            break;
        default:
            value.meaning = Meaning::columns;
    }
    return value;
}

SourceValue SourceRules::item_of(const SourceValue& value) {
    if (value.meaning != Meaning::named_chunks) return {};
    SourceValue chunk;
    chunk.meaning = Meaning::chunk;
    chunk.number = value.number;
    return chunk;
}

SourceValue SourceRules::index_queries(const std::string& name, int line) {
    std::vector<std::string_view> known;
    if (use_->system->queries.empty()) return {};  // the run says so
    for (const DeclaredQuery& query : use_->system->queries) {
        known.push_back(query.name);
        if (query.name != name) continue;
        SourceValue result;
        result.meaning = Meaning::named_query;
        result.number = static_cast<double>(known.size());
        return result;
    }
    find(line, fmt::format(m::kHasNoEntry, "ctx.queries", name, did_you_mean(name, known)));
    return {};
}

SourceValue SourceRules::index_chunk(const SourceValue& of, const SourceValue& key, int line) {
    const DeclaredSystem& system = *use_->system;
    const auto number = static_cast<std::size_t>(of.number);
    if (number > system.queries.size()) return {};  // kept from another system
    const QueryDesc& query = number == 0 ? system.desc.query : system.queries[number - 1].desc;
    const bool takes_runs = number == 0 ? system.takes_runs : system.queries[number - 1].takes_runs;
    std::optional<ComponentId> wanted;
    if (key.meaning == Meaning::handle) {
        wanted = key.component;
    } else if (key.meaning != Meaning::text) {
        use_->escapes = true;
        return {};
    } else if (has_entry(kChunk, key.text)) {
        if (key.text == "count" && takes_runs) find(line, std::string(m::kCountOfRuns));
        return {};
    } else {
        wanted = component(key.text);
    }
    std::vector<std::string_view> known;
    for (const QueryTerm& term : query.terms) {
        const std::string_view name = schema(term.component).name;
        const bool is_meant = wanted ? *wanted == term.component : short_name(name) == key.text;
        if (is_meant) {
            touch(term.component);
            return columns_of(term.component, term.access == Access::write);
        }
        known.push_back(short_name(name));
    }
    if (wanted) {
        find(line, fmt::format(m::kNotInQuery, schema(*wanted).name));
    } else {
        find(line, fmt::format(m::kNoSuchColumn, key.text, did_you_mean(key.text, known)));
    }
    return {};
}

SourceValue SourceRules::index_import(const SourceValue& of, const std::string& name, int line) {
    const std::size_t dot = of.text.find('.');
    if (dot == of.text.npos) {
        if (name == "components" || name == "resources" || name == "events" || name == "services")
            return import(of.text + "." + name);
        return {};
    }
    const std::string mod = of.text.substr(0, dot);
    if (of.text.substr(dot) == ".services") {
        SourceValue service;
        service.meaning = Meaning::service;
        service.text = mod + ":" + name;
        return service;
    }
    const std::string prefix = mod == context_.root ? "" : mod + ":";
    const ComponentRegistry& registry = context_.world.registry();
    if (const auto found = registry.find(prefix + name)) return handle(*found);
    std::vector<std::string_view> known;
    for (const ComponentId id : registry.ids_by_name()) {
        std::string_view full = registry.info(id).schema.name;
        if (!full.starts_with(prefix) || (prefix.empty() && full.find(':') != full.npos)) continue;
        known.push_back(full.substr(prefix.size()));
    }
    // A mod that is missing or declares nothing is not checked.
    if (known.empty()) return {};
    const std::string word = of.text.substr(dot + 1, of.text.size() - dot - 2);
    find(line, fmt::format(m::kModHasNo, mod, word, name, did_you_mean(name, known)));
    return {};
}

// A column, a row, a buffer's element, or a part of one of these.
SourceValue SourceRules::index_part(const SourceValue& of, const SourceValue& key, int line) {
    SourceValue result = of;
    const bool is_columns = of.meaning == Meaning::columns;
    if (key.meaning != Meaning::text) {
        if (of.part.is_array()) {
            result.part = of.part.element();
            return result;
        }
        if (!is_columns || of.part.names().empty()) return {};
        result.meaning = Meaning::row;
        return result;
    }
    const std::vector<std::string> names = of.part.names();
    if (names.empty()) return {};
    if (std::ranges::find(names, key.text) != names.end()) {
        result.part = of.part.inside(key.text);
        const bool is_single = result.part.names().empty() && !result.part.is_array();
        return !is_columns && is_single ? SourceValue{} : result;
    }
    const bool is_whole = of.part.field == nullptr;
    if (is_whole && is_columns && key.text == "count") return {};
    if (is_whole && of.part.schema->kind == ComponentKind::enableable && key.text == "enabled") {
        result.part.is_leaf = true;
        result.part.path = "enabled";
        return is_columns ? result : SourceValue{};
    }
    const std::vector<std::string_view> known(names.begin(), names.end());
    find(line, fmt::format(m::kNoSuchField, of.part.where(), key.text, did_you_mean(key.text, known)));
    return {};
}

SourceValue SourceRules::index(const SourceValue& of, const SourceValue& key, int line) {
    const bool is_named = key.meaning == Meaning::text;
    SourceValue result;
    switch (of.meaning) {
        case Meaning::ecs:
            if (!is_named) return {};
            expect_name("ecs", kEcs, key.text, line);
            result.meaning = key.text == "components" ? Meaning::components
                             : key.text == "world"    ? Meaning::world
                                                      : Meaning::ecs_entry;
            result.text = key.text;
            return result;
        case Meaning::module:
            if (!is_named) return {};
            expect_name(of.text, of.text, key.text, line);
            if (const auto id = context_.world.registry().find(of.text + ":" + key.text)) return handle(*id);
            result.meaning = Meaning::api;
            result.text = of.text + "." + key.text;
            return result;
        case Meaning::global:
            return is_named ? index_love(of, key.text, line) : SourceValue{};
        case Meaning::components:
            if (!is_named) return {};
            if (const auto id = component(key.text)) return handle(*id);
            if (declared_elsewhere_.contains(key.text)) return {};
            find(line, fmt::format(m::kUnknownComponent, key.text, nearest_component(key.text)));
            return {};
        case Meaning::import:
            return is_named ? index_import(of, key.text, line) : SourceValue{};
        case Meaning::table:
            if (!is_named || distrusted_.contains(key.text)) return {};
            for (const CapturedName& entry : of.table->fields)
                if (entry.name == key.text) return captured(entry);
            return {};
        case Meaning::chunk:
            return index_chunk(of, key, line);
        case Meaning::queries:
            return is_named ? index_queries(key.text, line) : SourceValue{};
        case Meaning::context:
            if (!is_named) return {};
            expect_entry_of_context(key.text, line);
            if (key.text == "queries") {
                result.meaning = Meaning::queries;
                return result;
            }
            if (key.text != "commands") return {};
            if (use_->system->is_presentation) {
                find(line, std::string(m::kNoCommandsHere));
                return {};
            }
            result.meaning = Meaning::commands;
            return result;
        case Meaning::columns:
        case Meaning::row:
            return index_part(of, key, line);
        case Meaning::buffers:
            if (is_named) return {};
            result = of;
            result.meaning = Meaning::buffer;
            return result;
        case Meaning::buffer:
            if (is_named && has_entry(kBuffer, key.text)) return {};
            result = of;
            result.meaning = is_named ? Meaning::columns : Meaning::row;
            return is_named ? index_part(result, key, line) : result;
        default:
            return {};
    }
}

void SourceRules::assign(const SourceValue& of, const SourceValue& key, int line) {
    switch (of.meaning) {
        case Meaning::row:
            write(of.component);
            if (!of.can_write) read_only(of, key.meaning == Meaning::text ? key.text : "", line);
            return;
        case Meaning::columns:
            if (key.meaning == Meaning::text) return;
            write(of.component);
            if (!of.can_write) read_only(of, "", line);
            return;
        case Meaning::buffer:
            write(of.component);
            if (!of.can_write) read_only(of, "", line);
            return;
        case Meaning::buffers:
            write(of.component);
            return;
        default:
            return;
    }
}

// ---- calls ------------------------------------------------------------------------------------------------

SourceValue SourceRules::call(const SourceValue& callee, const std::vector<Argument>& arguments, int line) {
    SourceValue result;
    const SourceValue first = arguments.empty() ? SourceValue{} : arguments.front().value;
    if (callee.meaning == Meaning::handle) {
        if (!arguments.empty()) check_keys(callee.component, arguments.front(), line);
        result = callee;
        result.meaning = Meaning::value;
    } else if (callee.meaning == Meaning::global && callee.text == "require" &&
               first.meaning == Meaning::text) {
        if (first.text == "ecs") result.meaning = Meaning::ecs;
        if (first.text != "ecs" && global(first.text).meaning == Meaning::module) return global(first.text);
    } else if (callee.meaning == Meaning::api) {
        const std::size_t dot = callee.text.find('.');
        const ApiClass* const module = api(callee.text.substr(0, dot));
        const ApiFunction* const called = module->function(callee.text.substr(dot + 1));
        if (called != nullptr) check_arguments(callee.text, *called, arguments, line);
    } else if (callee.meaning == Meaning::ecs_entry && callee.text == "import" &&
               first.meaning == Meaning::text) {
        return import(first.text);
    } else if (callee.meaning == Meaning::ecs_entry && first.meaning == Meaning::text &&
               std::ranges::find(kTypeDeclarations, callee.text) != std::end(kTypeDeclarations)) {
        if (!component(first.text)) declared_elsewhere_.insert(first.text);
    } else if (callee.meaning == Meaning::service) {
        call_service(callee.text, line);
    }
    return result;
}

// Presentation systems cannot declare services; calling one there has a separate message.
void SourceRules::call_service(const std::string& name, int line) {
    if (use_ == nullptr || use_->system->is_presentation) return;
    const std::vector<std::string>& services = use_->system->services;
    if (std::ranges::find(services, name) == services.end())
        find(line, fmt::format(m::kServiceNotDeclared, name));
}

void SourceRules::expect_entry_of_context(const std::string& name, int line) {
    if (has_entry(kContext, name) || !has_entry(kCommands, name))
        return expect_name("ctx", kContext, name, line);
    find(line, fmt::format(m::kNotOfContext, name));
}

SourceValue SourceRules::context_method(const std::string& name, const std::vector<Argument>& arguments,
                                        int line) {
    expect_entry_of_context(name, line);
    if (const ApiClass* const context = api(kContext))
        if (const ApiFunction* const called = context->function(name))
            check_arguments("ctx:" + name, *called, arguments, line);
    const MethodRule* const rule = method_rule(kContext, name);
    if (rule == nullptr) return {};
    if (rule->starts_job || (rule->counts_query && !arguments.empty())) use_->escapes = true;
    if (rule->takes == MethodRule::Takes::unchecked) return {};
    const bool of_entity = rule->takes == MethodRule::Takes::of_entity;
    const std::size_t at = of_entity ? 1 : 0;
    if (arguments.size() <= at) return {};
    const SourceValue& what = arguments[at].value;
    if (what.meaning != Meaning::handle && what.meaning != Meaning::value) {
        use_->escapes = true;
        return {};
    }
    const Schema& of = schema(what.component);
    const bool is_resource = of.kind == ComponentKind::resource, is_event = of.kind == ComponentKind::event;
    const bool takes_resource = rule->takes == MethodRule::Takes::resource;
    const bool takes_event = rule->takes == MethodRule::Takes::event;
    if ((takes_resource && !is_resource) || (of_entity && is_resource)) {
        find(line, fmt::format(fmt::runtime(is_resource ? m::kIsResource : m::kIsNoResource), name, of.name));
        return {};
    }
    if ((takes_event && !is_event) || (of_entity && is_event)) {
        find(line, fmt::format(fmt::runtime(is_event ? m::kIsEvent : m::kIsNoEvent), name, of.name));
        return {};
    }
    if (name == "is_enabled" && of.kind != ComponentKind::enableable) return {};
    if (!expect_declared(what.component, rule->writes, line)) return {};
    if (name == "send" && arguments.size() > 1) check_keys(what.component, arguments[1], line);
    if (rule->gives == Meaning::unknown) return {};
    const bool can_write = rule->writes || (!takes_event && allowed(what.component) == Allowed::write);
    SourceValue result = columns_of(what.component, can_write);
    if (result.meaning == Meaning::unknown) return {};
    result.meaning = rule->gives;
    result.is_fixed = takes_event && !rule->writes;  // those that were sent
    return result;
}

// chunk:changed(C.Position): a component that the query names in any way, or that is declared.
void SourceRules::look_for_changes(const SourceValue& what, int line) {
    if (what.meaning != Meaning::handle) {
        use_->escapes = true;
        return;
    }
    const QueryDesc& query = use_->system->desc.query;
    for (const std::vector<ComponentId>* filter : {&query.any, &query.without, &query.changed})
        if (std::ranges::find(*filter, what.component) != filter->end()) return;
    expect_declared(what.component, false, line);
}

SourceValue SourceRules::method(const SourceValue& of, const std::string& name,
                                const std::vector<Argument>& arguments, int line) {
    if (of.meaning == Meaning::context && use_ != nullptr) return context_method(name, arguments, line);
    const bool is_commands = of.meaning == Meaning::commands, is_world = of.meaning == Meaning::world;
    if (is_commands || is_world) {
        const std::string_view type = is_commands ? kCommands : kWorld,
                               shown = is_commands ? "ctx.commands" : "ecs.world";
        expect_name(shown, type, name, line);
        const bool is_open = use_ == nullptr || use_->is_sketch ||
                             (use_->system != nullptr && use_->system->desc.is_exclusive);
        if (is_world && !is_open) {
            find(line, fmt::format(m::kNoWorldHere, name));
        } else if (const ApiClass* const methods = api(type)) {
            if (const ApiFunction* const called = methods->function(name))
                check_arguments(fmt::format("{}:{}", shown, name), *called, arguments, line);
        }
    }
    if (of.meaning == Meaning::named_query && name == "chunks") {
        SourceValue chunks = of;
        chunks.meaning = Meaning::named_chunks;
        return chunks;
    }
    if (of.meaning == Meaning::chunk && name == "changed" && use_ != nullptr && !arguments.empty())
        look_for_changes(arguments.front().value, line);
    if (of.meaning == Meaning::buffer) {
        expect_name(of.part.where(), kBuffer, name, line);
        if (name == "as" || name == "trim") {
            if (use_ != nullptr) use_->escapes = true;
            return {};
        }
        write(of.component);
        if (!of.can_write) read_only(of, "", line);
    }
    return {};
}

bool SourceRules::only_looks(const SourceValue& of, std::string_view name) {
    if (of.meaning == Meaning::ecs_entry && of.text.starts_with("on")) return true;
    return std::ranges::any_of(kMethodRules, [&](const MethodRule& rule) {
        if (rule.name != name) return false;
        if (rule.looks == MethodRule::Looks::on_any_value) return true;
        const bool is_its_type = (of.meaning == Meaning::context && rule.type == kContext) ||
                                 (of.meaning == Meaning::commands && rule.type == kCommands) ||
                                 (of.meaning == Meaning::chunk && rule.type == kChunk);
        return is_its_type && rule.looks == MethodRule::Looks::yes;
    });
}

}  // namespace perigee::internal
