// The rules themselves: plain text searches, no parser.
#include "tests/support/library_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace perigee {
namespace {

constexpr std::string_view kLibrary = "scripts/runtime/";

// The lowest first. The folder itself contains what connects the standard library to the data.
constexpr std::string_view kRooms[] = {
    "scripts/runtime/sandbox/", "scripts/runtime/",      "scripts/runtime/data/",    "scripts/runtime/world/",
    "scripts/runtime/systems/", "scripts/runtime/mods/", "scripts/runtime/modules/", "scripts/runtime/tools/",
};

constexpr std::string_view kBoot = "scripts/runtime/boot.lua";
constexpr std::string_view kEcs = "scripts/runtime/ecs.lua";

bool assembles(std::string_view path) { return path == kBoot || path == kEcs; }

std::string part_of(std::string_view path) {
    const std::string_view name = path.substr(path.rfind('/') + 1);
    return std::string(name.substr(0, name.find('.')));
}

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        lines.push_back(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return lines;
}

bool is_comment(std::string_view line) {
    const std::size_t first = line.find_first_not_of(' ');
    return first != std::string_view::npos && line.substr(first).starts_with("--");
}

bool is_letter(char letter) {
    return letter == '_' || (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
}

// The parts that boot.lua provides itself; they are below all files.
std::set<std::string> provided_by_boot(std::span<const SourceFile> library) {
    std::set<std::string> provided;
    for (const SourceFile& file : library) {
        if (file.path != kBoot) continue;
        for (std::string& name : names_after(file.text, "parts.provide")) provided.insert(std::move(name));
    }
    return provided;
}

std::map<std::string, std::string_view> paths_by_part(std::span<const SourceFile> library) {
    const std::set<std::string> provided = provided_by_boot(library);
    std::map<std::string, std::string_view> paths;
    for (const SourceFile& file : library) {
        if (!provided.contains(part_of(file.path))) paths[part_of(file.path)] = file.path;
    }
    return paths;
}

std::optional<std::size_t> room_of(std::string_view path) {
    const auto found = std::ranges::find(kRooms, path.substr(0, path.rfind('/') + 1));
    if (found == std::end(kRooms)) return std::nullopt;
    return static_cast<std::size_t>(found - std::begin(kRooms));
}

}  // namespace

std::vector<std::string> names_after(std::string_view text, std::string_view word) {
    std::vector<std::string> names;
    for (const std::string_view line : lines_of(text)) {
        if (is_comment(line)) continue;
        for (std::size_t at = line.find(word); at != std::string_view::npos; at = line.find(word, at + 1)) {
            if (at > 0 && is_letter(line[at - 1])) continue;
            std::string_view rest = line.substr(at + word.size());
            if (rest.starts_with(' ') || rest.starts_with('(')) rest.remove_prefix(1);
            if (!rest.starts_with('"')) continue;
            rest.remove_prefix(1);
            names.emplace_back(rest.substr(0, rest.find('"')));
        }
    }
    return names;
}

std::span<const std::string_view> library_rooms() noexcept { return kRooms; }

Breaches missing_parts(std::span<const SourceFile> library) {
    std::set<std::string> known = provided_by_boot(library);
    for (const SourceFile& file : library) known.insert(part_of(file.path));
    Breaches breaches;
    for (const SourceFile& file : library) {
        for (const char* word : {"need", "later"}) {
            for (const std::string& name : names_after(file.text, word)) {
                if (!known.contains(name))
                    breaches.push_back(fmt::format("{}: needs '{}', which is no part", file.path, name));
            }
        }
    }
    return breaches;
}

Breaches upward_needs(std::span<const SourceFile> library) {
    const std::map<std::string, std::string_view> paths = paths_by_part(library);
    Breaches breaches;
    for (const SourceFile& file : library) {
        if (assembles(file.path)) continue;
        const std::optional<std::size_t> own = room_of(file.path);
        if (!own) {
            breaches.push_back(
                fmt::format("{}: its folder is not in kRooms of tests/support/library_rules.cpp", file.path));
            continue;
        }
        for (const std::string& name : names_after(file.text, "need")) {
            const auto found = paths.find(name);
            if (found == paths.end()) continue;
            const std::optional<std::size_t> other = room_of(found->second);
            if (assembles(found->second) || (other && *other > *own))
                breaches.push_back(
                    fmt::format("{}: needs {}, which lies above it", file.path, found->second));
        }
    }
    return breaches;
}

Breaches cyclic_needs(std::span<const SourceFile> library) {
    std::map<std::string, std::vector<std::string>> needs;
    for (const SourceFile& file : library) {
        if (!assembles(file.path)) needs[part_of(file.path)] = names_after(file.text, "need");
    }
    Breaches breaches;
    std::set<std::string> done;
    std::vector<std::string> chain;
    const std::function<void(const std::string&)> follow = [&](const std::string& part) {
        const auto begun = std::ranges::find(chain, part);
        if (begun != chain.end()) {
            std::string names;
            for (auto at = begun; at != chain.end(); ++at) names += *at + " -> ";
            breaches.push_back("parts need each other in a cycle: " + names + part);
            return;
        }
        if (!done.insert(part).second) return;
        chain.push_back(part);
        if (const auto found = needs.find(part); found != needs.end())
            for (const std::string& name : found->second) follow(name);
        chain.pop_back();
    };
    for (const auto& [part, names] : needs) follow(part);
    return breaches;
}

Breaches scattered_needs(const SourceFile& file) {
    if (!file.path.starts_with(kLibrary) || !file.path.ends_with(".lua") || assembles(file.path)) return {};
    Breaches breaches;
    bool is_in_list = false;
    for (const std::string_view line : lines_of(file.text)) {
        const bool has_name = !names_after(line, "need").empty() || !names_after(line, "later").empty();
        if (line.starts_with("local need") && line.ends_with("= ...")) {
            is_in_list = true;
        } else if (has_name && !is_in_list) {
            breaches.push_back(fmt::format("{}: names a part below its list: {}", file.path, line));
        } else if (!has_name && !line.starts_with("local ")) {
            is_in_list = false;
        }
    }
    return breaches;
}

}  // namespace perigee
