// Checks literal arguments against the annotations of the call: arguments that the call would refuse at run
// time are reported in advance. Part of SourceRules (source_value.h).
#include "ecs/base/suggest.h"
#include "ecs/world/world.h"
#include "scripting/base/error_codes.h"
#include "scripting/check/internal/source_value.h"
#include "scripting/lua/love_names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace perigee::internal {

namespace {

namespace m = messages;

constexpr std::string_view kAction = "perigee.Action", kColor = "perigee.Color";

bool is_label(std::string_view word) { return word.size() > 1 && word.front() == '"'; }

std::string_view label_in(std::string_view word) { return word.substr(1, word.size() - 2); }

// As messages of the runtime show values.
std::string shown(const Argument& argument) {
    if (argument.is_table) return "table";
    switch (argument.value.meaning) {
        case Meaning::text:
            return fmt::format("'{}'", argument.value.text);
        case Meaning::number:
            return fmt::format("{}", argument.value.number);
        case Meaning::truth:
            return "a boolean";
        case Meaning::function:
            return "function";
        default:
            return "nil";
    }
}

// The name of a type in messages.
std::string words_for(const ApiType& type) {
    std::vector<std::string> words;
    for (const std::string& word : type.words) {
        std::string said = word;
        if (word == "number" || word == "integer") {
            said = type.excludes_minimum ? fmt::format("a number above {}", *type.minimum)
                   : type.maximum        ? fmt::format("a number from {} to {}", *type.minimum, *type.maximum)
                   : type.minimum        ? fmt::format("a number of at least {}", *type.minimum)
                                         : "a number";
        } else if (word == "string") {
            said = "a text";
        } else if (word == "boolean") {
            said = "true or false";
        } else if (word == "perigee.Entity") {
            said = "an entity";
        } else if (word == "perigee.Color") {
            said = "a colour";
        } else if (word == "perigee.Component") {
            said = "a component such as C.Position";
        } else if (word == "perigee.Value") {
            said = "a value such as C.Position { … }";
        } else if (word == "perigee.Prefab") {
            said = "a prefab";
        } else if (word == "perigee.PreparedQuery") {
            said = "a query";
        } else if (word.ends_with("Path")) {
            said = "a path";
        } else if (word == "perigee.Action") {
            said = "the name of an action";
        } else if (word.starts_with("fun(")) {
            said = "a function";
        } else if (!is_label(word)) {
            said = "a table";
        }
        if (std::ranges::find(words, said) == words.end()) words.push_back(std::move(said));
    }
    return fmt::format("{}", fmt::join(words, " or "));
}

bool is_in_range(double number, const ApiType& type) {
    if (type.minimum && (number < *type.minimum || (type.excludes_minimum && number == *type.minimum)))
        return false;
    return !type.maximum || number <= *type.maximum;
}

// setLineWidth -> set_line_width
std::string with_underscores(std::string_view name) {
    std::string made;
    for (const char c : name) {
        const bool is_upper = c >= 'A' && c <= 'Z';
        if (is_upper) made += '_';
        made += is_upper ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return made;
}

// A number such as 20 for a colour: LÖVE has a number of segments or a radius there.
bool is_accidental_color(const SourceValue& value, const ApiType& type) {
    constexpr double kLargest = 255;  // these are black, more or less transparent
    const bool is_color = std::ranges::all_of(type.words, [](const auto& word) { return word == kColor; });
    return is_color && value.number > 0 && value.number <= kLargest &&
           value.text.find_first_of("xX") == value.text.npos;
}

}  // namespace

const ApiClass* SourceRules::api(std::string_view name) const {
    return context_.api != nullptr ? context_.api->find(name) : nullptr;
}

bool SourceRules::has_entry(std::string_view type, std::string_view name) const {
    const ApiClass* const found = api(type);
    return found != nullptr && (found->function(name) != nullptr || found->field(name) != nullptr);
}

bool SourceRules::is_list_of_access(std::string_view key) const {
    for (const std::string_view type : {"perigee.Query", "perigee.AccessLists"}) {
        const ApiClass* const found = api(type);
        const ApiName* const field = found != nullptr ? found->field(key) : nullptr;
        if (field == nullptr) continue;
        if (std::ranges::any_of(field->type.words,
                                [](const std::string& word) { return word.ends_with("[]"); }))
            return true;
    }
    return false;
}

void SourceRules::expect_name(std::string_view whose, std::string_view type, const std::string& name,
                              int line) {
    const ApiClass* const found = api(type);
    if (found == nullptr || has_entry(type, name)) return;
    const std::string_view instead = instead_of_love(whose, name);
    if (!instead.empty())
        return find(line, fmt::format(m::kHasNoEntry, whose, name, fmt::format("; {}", instead)));
    find(line, fmt::format(m::kHasNoEntry, whose, name, did_you_mean(name, found->names())));
}

// A part of `love`, or one of its functions. That of the function replaces the advice for its part.
SourceValue SourceRules::index_love(const SourceValue& of, const std::string& name, int line) {
    constexpr std::string_view kLove = "love", kPart = "love.";
    if (of.text == kLove) {
        const std::string_view instead = instead_of_love(name);
        if (!instead.empty()) find(line, fmt::format(m::kNotLove, name, instead));
        SourceValue part;
        part.meaning = Meaning::global;
        part.text = fmt::format("{}{}", kPart, name);
        return part;
    }
    if (!of.text.starts_with(kPart)) return {};
    const std::string part = of.text.substr(kPart.size());
    std::string instead(instead_of_love(part, name));
    if (instead.empty()) {
        const std::string_view module = module_of_love(part);
        const std::string alike = with_underscores(name);
        if (!has_entry(module, alike)) return {};
        instead = fmt::format("write {}.{}", module, alike);
    }
    const std::string general = fmt::format(m::kNotLove, part, instead_of_love(part));
    std::erase_if(findings_, [&](const SourceFinding& known) {
        return known.line == line && known.file == file_ && known.mod == mod_ && known.message == general;
    });
    find(line, fmt::format(m::kNotLove, fmt::format("{}.{}", part, name), instead));
    return {};
}

SourceValue SourceRules::global(std::string_view name) const {
    SourceValue value;
    value.meaning = name.find('.') == name.npos && api(name) != nullptr ? Meaning::module : Meaning::global;
    value.text = name;
    return value;
}

std::string SourceRules::refusal_of(std::string_view type, std::string_view text) const {
    return context_.refusal ? context_.refusal(mod_, type, text) : std::string();
}

void SourceRules::check_arguments(std::string_view shown_name, const ApiFunction& function,
                                  const std::vector<Argument>& arguments, int line) {
    const std::size_t before = findings_.size();
    const bool had_mistakes = use_ != nullptr && use_->has_mistakes;
    const auto forget = [&] {
        findings_.erase(findings_.begin() + static_cast<std::ptrdiff_t>(before), findings_.end());
        if (use_ != nullptr) use_->has_mistakes = had_mistakes;
    };
    check_parameters(shown_name, function.parameters, arguments, line);
    if (findings_.size() == before) return;
    for (const std::vector<ApiName>& overload : function.overloads) {
        forget();
        check_parameters(shown_name, overload, arguments, line);
        if (findings_.size() == before) return;
    }
    forget();
    check_parameters(shown_name, function.parameters, arguments, line);
}

void SourceRules::check_parameters(std::string_view shown_name, const std::vector<ApiName>& parameters,
                                   const std::vector<Argument>& arguments, int line) {
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const ApiName& parameter = parameters[i];
        if (i < arguments.size()) {
            check_argument(parameter, i + 1, shown_name, arguments[i], line);
            continue;
        }
        if (!arguments.empty() && arguments.back().may_be_many) return;
        const bool takes_nil = parameter.type.is_optional ||
                               std::ranges::any_of(parameter.type.words, [](const std::string& word) {
                                   return word == "any" || word == "nil";
                               });
        if (takes_nil) continue;
        find(line, fmt::format(m::kBadArgument, i + 1, shown_name, words_for(parameter.type), "nothing", ""));
        return;
    }
}

void SourceRules::check_argument(const ApiName& parameter, std::size_t number, std::string_view shown_name,
                                 const Argument& argument, int line) {
    if (!argument.is_literal) return;
    const ApiType& type = parameter.type;
    const auto wrong = [&](const std::string& hint) {
        find(line, number > 0 ? fmt::format(m::kBadArgument, number, shown_name, words_for(type),
                                            shown(argument), hint)
                              : fmt::format(m::kBadOption, shown_name, parameter.name, words_for(type),
                                            shown(argument), hint));
    };
    std::vector<std::string_view> labels;
    bool takes_number = false, takes_text = false, takes_truth = false, takes_table = false,
         takes_function = false;
    for (const std::string& word : type.words) {
        if (word == "any") return;
        const std::vector<std::string>* const alias = context_.api->alias(word);
        if (alias != nullptr)
            takes_table |= std::ranges::any_of(*alias, [](const auto& each) { return each.ends_with("[]"); });
        const auto is = [&](std::string_view wanted) {
            return word == wanted || (alias != nullptr && std::ranges::find(*alias, wanted) != alias->end());
        };
        if (is_label(word)) labels.push_back(label_in(word));
        takes_number |= is("number") || is("integer");
        takes_text |= is("string");
        takes_truth |= is("boolean");
        takes_function |= is("function") || word.starts_with("fun(");
        const ApiClass* const fields = api(word);
        takes_table |= is("table") || word.starts_with('{') || word.ends_with(']') ||
                       word.starts_with("table<") ||
                       (fields != nullptr && fields->functions.empty() && !fields->fields.empty());
    }
    if (argument.is_table) {
        if (!takes_table) return wrong("");
        for (const std::string& word : type.words) check_options(word, shown_name, argument, line);
        return;
    }
    switch (argument.value.meaning) {
        case Meaning::text: {
            const std::string& text = argument.value.text;
            if (std::ranges::find(labels, text) != labels.end()) return;
            if (!takes_text) return wrong(labels.empty() ? "" : did_you_mean(text, labels));
            for (const std::string& word : type.words) {
                if (context_.api->alias(word) == nullptr) continue;
                if (word == kAction && (actions_ == nullptr || actions_->contains(text))) continue;
                const std::string why = refusal_of(word, text);
                if (!why.empty()) find(line, fmt::format(m::kBadText, shown_name, why));
            }
            return;
        }
        case Meaning::number:
            if (!takes_number || !is_in_range(argument.value.number, type)) return wrong("");
            if (number > 0 && is_accidental_color(argument.value, type))
                find(line, fmt::format(m::kAccidentalColor, shown_name, number, argument.value.text),
                     Severity::warning);
            return;
        case Meaning::truth:
            if (!takes_truth) wrong("");
            return;
        case Meaning::function:
            if (!takes_function) wrong("");
            return;
        case Meaning::nothing:
            if (!type.is_optional && std::ranges::find(type.words, "nil") == type.words.end()) wrong("");
            return;
        default:
            return;
    }
}

// A table of options, whose keys the annotations list as fields of a class.
void SourceRules::check_options(std::string_view type, std::string_view shown_name, const Argument& table,
                                int line) {
    const ApiClass* const options = api(type);
    if (options == nullptr || options->fields.empty()) return;
    for (const TableKey& key : table.keys) {
        const int at = key.line != 0 ? key.line : line;
        const ApiName* const field = options->field(key.name);
        if (field == nullptr) {
            find(at, fmt::format(m::kUnknownOption, shown_name, key.name,
                                 did_you_mean_or_all(key.name, options->names())));
            continue;
        }
        check_argument({key.name, field->type}, 0, shown_name, key.given, at);
    }
}

// ---- values of components ---------------------------------------------------------------------------------

void SourceRules::check_keys(ComponentId id, const Argument& argument, int line) {
    const Schema& of = schema(id);
    if (!argument.is_table || of.kind == ComponentKind::buffer || of.kind == ComponentKind::object) return;
    const SchemaPart whole{&of, nullptr, false, false, ""};
    const std::vector<std::string> names = whole.names();
    for (const TableKey& key : argument.keys) {
        if (std::ranges::find(names, key.name) != names.end()) {
            check_field(whole.inside(key.name), key, line);
            continue;
        }
        if (of.kind == ComponentKind::enableable && key.name == "enabled") continue;
        const std::vector<std::string_view> known(names.begin(), names.end());
        find(key.line != 0 ? key.line : line,
             fmt::format(m::kNoSuchField, whole.where(), key.name, did_you_mean(key.name, known)));
    }
}

void SourceRules::check_field(const SchemaPart& part, const TableKey& key, int line) {
    const Argument& given = key.given;
    if (!given.is_literal || given.is_table || part.field == nullptr || part.is_array()) return;
    const int at = key.line != 0 ? key.line : line;
    const bool is_text = given.value.meaning == Meaning::text;
    const auto expected = [&](std::string_view what) {
        find(at, fmt::format(m::kBadFieldType, part.where(), what, shown(given)));
    };
    switch (part.field->type) {
        case FieldType::enumeration: {
            const std::vector<std::string>& labels = part.field->labels;
            if (is_text && std::ranges::find(labels, given.value.text) != labels.end()) return;
            if (!is_text) return expected("one of the labels");
            const std::vector<std::string_view> known(labels.begin(), labels.end());
            find(at, fmt::format(m::kBadLabel, part.where(), fmt::join(labels, ", "), given.value.text,
                                 did_you_mean(given.value.text, known)));
            return;
        }
        case FieldType::asset:
            if (is_text) {
                const std::string why = refusal_of("perigee.AssetPath", given.value.text);
                if (!why.empty()) find(at, fmt::format(m::kBadText, part.where(), why));
            } else if (given.value.meaning != Meaning::nothing) {
                expected("a path");
            }
            return;
        case FieldType::i16: {
            // Layers have names (gfx.layer).
            const bool is_layer =
                part.field->name == "layer" && part.where().find("'gfx:") != std::string::npos;
            if (is_text && is_layer) return;
            [[fallthrough]];
        }
        case FieldType::f32:
        case FieldType::f64:
        case FieldType::i8:
        case FieldType::u8:
        case FieldType::u16:
        case FieldType::i32:
        case FieldType::u32:
            if (given.value.meaning != Meaning::number && given.value.meaning != Meaning::nothing)
                expected("a number");
            return;
        case FieldType::boolean:
            if (given.value.meaning != Meaning::truth && given.value.meaning != Meaning::nothing)
                expected("true or false");
            return;
        default:
            return;
    }
}

}  // namespace perigee::internal
