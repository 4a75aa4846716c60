// Reads line by line: annotations above a function line or below a class line belong to it.
#include "scripting/check/api_table.h"

#include "ecs/base/parse_number.h"

#include <algorithm>
#include <utility>

namespace perigee {

namespace {

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\r')) text.remove_suffix(1);
    return text;
}

std::string_view take_word(std::string_view& text) {
    text = trimmed(text);
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text = trimmed(text.substr(end));
    return word;
}

// The type at the start of a text: up to a space outside brackets and quotes. `fun(...): T` has one inside.
std::string_view take_type(std::string_view& text) {
    text = trimmed(text);
    int depth = 0;
    bool is_quoted = false;
    std::size_t end = 0;
    for (; end < text.size(); ++end) {
        const char c = text[end];
        if (c == '"') is_quoted = !is_quoted;
        if (is_quoted) continue;
        if (c == '(' || c == '{' || c == '<') ++depth;
        if (c == ')' || c == '}' || c == '>') --depth;
        const bool is_result = end > 0 && text[end - 1] == ':';
        if (c == ' ' && depth == 0 && !is_result) break;
    }
    const std::string_view type = text.substr(0, end);
    text = trimmed(text.substr(end));
    return type;
}

std::vector<std::string> words_of(std::string_view type) {
    std::vector<std::string> words(1);
    int depth = 0;
    bool is_quoted = false;
    for (const char c : type) {
        if (c == '"') is_quoted = !is_quoted;
        if (!is_quoted && (c == '(' || c == '{' || c == '<')) ++depth;
        if (!is_quoted && (c == ')' || c == '}' || c == '>')) --depth;
        if (c == '|' && depth == 0 && !is_quoted)
            words.emplace_back();
        else
            words.back() += c;
    }
    return words;
}

std::optional<double> number_at(std::string_view text) { return number_from<double>(take_word(text)); }

// "above 0", "at least 0", "0 to 1": possible beginnings of a description.
void read_range(std::string_view description, ApiType& type) {
    constexpr std::string_view kAbove = "above ", kLeast = "at least ", kTo = "to ";
    if (description.starts_with(kAbove)) {
        type.minimum = number_at(description.substr(kAbove.size()));
        type.excludes_minimum = true;
    } else if (description.starts_with(kLeast)) {
        type.minimum = number_at(description.substr(kLeast.size()));
    } else if (const std::optional<double> least = number_at(description)) {
        take_word(description);
        if (!description.starts_with(kTo)) return;
        type.minimum = least;
        type.maximum = number_at(description.substr(kTo.size()));
    }
}

// "name? type description"
ApiName read_name(std::string_view text) {
    ApiName read;
    std::string_view name = take_word(text);
    if (name.ends_with('?')) {
        read.type.is_optional = true;
        name.remove_suffix(1);
    }
    read.name = name;
    std::string_view type = take_type(text);
    if (type.ends_with('?')) {
        read.type.is_optional = true;
        type.remove_suffix(1);
    }
    read.type.words = words_of(type);
    read_range(text, read.type);
    return read;
}

// "fun(name: type, name?: type, ...: type)"
std::vector<ApiName> read_overload(std::string_view text) {
    constexpr std::string_view kFunction = "fun(";
    std::vector<ApiName> read;
    text = trimmed(text);
    if (!text.starts_with(kFunction)) return read;
    text.remove_prefix(kFunction.size());
    text = text.substr(0, text.rfind(')'));
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(", "), text.size());
        const std::string_view parameter = text.substr(0, end);
        text.remove_prefix(std::min(end + 2, text.size()));
        const std::size_t colon = parameter.find(": ");
        if (colon == parameter.npos || parameter.starts_with("...")) continue;
        read.push_back(
            read_name(std::string(parameter.substr(0, colon)) + std::string(parameter.substr(colon + 1))));
    }
    return read;
}

}  // namespace

const ApiFunction* ApiClass::function(std::string_view name) const noexcept {
    const auto found = std::ranges::find(functions, name, &ApiFunction::name);
    return found == functions.end() ? nullptr : &*found;
}

const ApiName* ApiClass::field(std::string_view name) const noexcept {
    const auto found = std::ranges::find(fields, name, &ApiName::name);
    return found == fields.end() ? nullptr : &*found;
}

std::vector<std::string_view> ApiClass::names() const {
    std::vector<std::string_view> list;
    list.reserve(functions.size() + fields.size());
    for (const ApiFunction& entry : functions) list.push_back(entry.name);
    for (const ApiName& entry : fields) list.push_back(entry.name);
    return list;
}

void ApiTable::read(std::string_view text) {
    constexpr std::string_view kClass = "---@class ", kField = "---@field ", kAlias = "---@alias ",
                               kParameter = "---@param ", kOverload = "---@overload ",
                               kFunction = "function ";
    std::string last_class;
    std::map<std::string, std::string, std::less<>> classes;  // by the variable of each class
    std::vector<ApiName> parameters;
    std::vector<std::vector<ApiName>> overloads;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = trimmed(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        const auto is = [&line](std::string_view word) {
            if (!line.starts_with(word)) return false;
            line.remove_prefix(word.size());
            return true;
        };
        if (is(kClass)) {
            last_class = take_word(line);
            classes_.try_emplace(last_class);
        } else if (is(kField)) {
            classes_[last_class].fields.push_back(read_name(line));
        } else if (is(kAlias)) {
            const std::string name(take_word(line));
            aliases_[name] = words_of(take_type(line));
        } else if (is(kParameter)) {
            parameters.push_back(read_name(line));
        } else if (is(kOverload)) {
            overloads.push_back(read_overload(line));
        } else if (line.ends_with("= {}")) {
            is("local ");
            classes[std::string(take_word(line))] = last_class;
        } else if (is(kFunction)) {
            const std::size_t dot = line.find_first_of(".:"), open = line.find('(');
            if (dot == line.npos || open == line.npos || dot > open) continue;
            ApiFunction made;
            made.is_method = line[dot] == ':';
            made.name = line.substr(dot + 1, open - dot - 1);
            made.takes_more = line.substr(open).find("...") != line.npos;
            std::erase_if(parameters, [](const ApiName& each) { return each.name == "..."; });
            made.parameters = std::exchange(parameters, {});
            made.overloads = std::exchange(overloads, {});
            const auto found = classes.find(line.substr(0, dot));
            if (found != classes.end()) classes_[found->second].functions.push_back(std::move(made));
        }
    }
}

const ApiClass* ApiTable::find(std::string_view name) const {
    const auto found = classes_.find(name);
    return found == classes_.end() ? nullptr : &found->second;
}

const std::vector<std::string>* ApiTable::alias(std::string_view name) const {
    const auto found = aliases_.find(name);
    return found == aliases_.end() ? nullptr : &found->second;
}

}  // namespace perigee
