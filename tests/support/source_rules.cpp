// The rules themselves: plain text searches, no parser. An #include inside a comment or a string literal
// counts as one, which has caused no problem so far.
#include "tests/support/source_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <iterator>
#include <map>
#include <regex>
#include <utility>

namespace perigee {
namespace {

constexpr std::string_view kLayers[] = {"ecs/", "scripting/", "engine/", "engine/sdl/", "game/"};

// The folders of the layers, the lowest first; docs/architecture.md says what each is for. Inside a layer, an
// include refers to the same folder or to one listed before it.
constexpr std::string_view kRooms[] = {
    "ecs/base/",
    "ecs/files/",
    "ecs/schema/",
    "ecs/storage/",
    "ecs/archetype/",
    "ecs/query/",
    "ecs/world/",
    "ecs/relations/",
    "ecs/prefab/",
    "ecs/commands/",
    "ecs/migrate/",
    "ecs/events/",
    "ecs/parallel/",
    "ecs/schedule/",
    "ecs/transform/",
    "ecs/inspect/",
    "ecs/save/",
    "scripting/base/",
    "scripting/lua/",
    "scripting/sandbox/",
    "scripting/check/",
    "scripting/views/",
    "scripting/mods/",
    "scripting/host/",
    "scripting/tools/",
    "engine/base/",
    "engine/assets/",
    "engine/shaders/",
    "engine/draw/shapes/",
    "engine/draw/text/",
    "engine/draw/",
    "engine/draw/layers/",
    "engine/draw/overlay/",
    "engine/fonts/",
    "engine/particles/",
    "engine/extract/",
    "engine/surfaces/",
    "engine/audio/",
    "engine/input/",
    "engine/save/",
    "engine/replay/",
    "engine/data/",
    "engine/plugin/",
    "engine/modules/",
    "engine/mods/",
    "engine/profile/",
    "engine/session/",
    "engine/tools/",
    "engine/decoding/",
    "engine/",
    "engine/sdl/window/",
    "engine/sdl/glyphs/",
    "engine/sdl/mesh/",
    "engine/sdl/surfaces/",
    "engine/sdl/draw/",
    "engine/sdl/gl/",
    "engine/sdl/audio/",
    "engine/sdl/",
    "game/swarm/",
    "game/plugins/",
    "game/program/",
    "game/loop/",
    "game/testing/",
    "game/commands/",
    "game/",
};
constexpr std::string_view kInternal = "/internal/";
constexpr std::string_view kReadme = "README.md";
constexpr std::string_view kLuaLibrary = "scripts/runtime/";

// How hosts spell an include: this, and then as in the source.
constexpr std::string_view kHostPrefix = "perigee/";
constexpr std::string_view kOfHosts[] = {"game/minimal_host.cpp", "game/plugins/", "tests/plugins/"};

constexpr std::string_view kTopLevel[] = {"engine",
                                          "ecs",
                                          "scripting",
                                          "game",
                                          "scripts",
                                          "tests",
                                          "cmake",
                                          "docs",
                                          "bench",
                                          ".ci",
                                          "run",
                                          "test",
                                          "CMakeLists.txt",
                                          "CMakePresets.json",
                                          ".clang-format",
                                          "LICENSE",
                                          ".gitignore",
                                          "README.md",
                                          "CHANGELOG.md"};

bool starts_with_any(std::string_view text, std::initializer_list<std::string_view> prefixes) {
    return std::ranges::any_of(prefixes, [&](std::string_view prefix) { return text.starts_with(prefix); });
}

std::string_view trimmed_left(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t");
    return first == std::string_view::npos ? std::string_view{} : text.substr(first);
}

// The lines of a text without their ends; a last line without a newline counts.
std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        lines.push_back(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return lines;
}

std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

bool is_lua_header(std::string_view include) {
    const std::string_view name = file_name(include);
    return name == "lua.h" || name == "lua.hpp" || name == "lauxlib.h" || name == "lualib.h" ||
           name == "luajit.h" || name == "luaconf.h";
}

// What a line defines that no other source of its unit may define: "struct Line", "kLimit", "int sum(int a,
// int b) {". Empty if it defines nothing, or something that may stand twice, such as an alias.
std::string defined_by(std::string_view line) {
    if (line.empty() || !std::isalpha(static_cast<unsigned char>(line.front())) || line.ends_with(';')) {
        if (!line.starts_with("constexpr ") && !line.starts_with("const ")) return {};
    }
    static const std::regex type{R"(^(?:struct|class|enum class|enum) (\w+)\b[^(]*\{.*)"};
    static const std::regex constant{R"(^(?:constexpr|const) [^=({]*[ &*](\w+)(?:\[\w*\])?(?: = |\{).*)"};
    static const std::regex function{R"(^[\w:<>,*& ]+ [*&]?(\w+\([^{]*\))[^{]*\{.*)"};
    std::cmatch found;
    const auto matches = [&](const std::regex& pattern) {
        return std::regex_match(line.data(), line.data() + line.size(), found, pattern);
    };
    if (matches(type) || matches(constant) || matches(function)) return found[1];
    return {};
}

bool is_sdl_header(std::string_view include) { return file_name(include).starts_with("SDL"); }

}  // namespace

std::vector<std::string> includes_of(std::string_view text) {
    std::vector<std::string> found;
    for (std::string_view line : lines_of(text)) {
        line = trimmed_left(line);
        if (!line.starts_with('#')) continue;
        line = trimmed_left(line.substr(1));
        if (!line.starts_with("include")) continue;
        line = trimmed_left(line.substr(std::string_view("include").size()));
        if (line.empty() || (line.front() != '"' && line.front() != '<')) continue;
        const std::size_t end = line.find(line.front() == '"' ? '"' : '>', 1);
        if (end != std::string_view::npos) found.emplace_back(line.substr(1, end - 1));
    }
    return found;
}

std::optional<int> layer_of(std::string_view path) {
    if (path.starts_with(kHostPrefix)) path.remove_prefix(kHostPrefix.size());
    // From the top, since engine/sdl/ is inside the folder of a lower layer.
    for (int level = static_cast<int>(std::size(kLayers)) - 1; level >= 0; --level) {
        if (path.starts_with(kLayers[level])) return level;
    }
    return std::nullopt;
}

Breaches upward_includes(const SourceFile& file) {
    Breaches breaches;
    const std::optional<int> own = layer_of(file.path);
    if (!own) return breaches;
    for (const std::string& include : includes_of(file.text)) {
        const std::optional<int> other = layer_of(include);
        if ((other && *other > *own) || starts_with_any(include, {"tests/", "bench/"})) {
            breaches.push_back(fmt::format("{}: includes {}, which lies above it", file.path, include));
        }
        if (include.find("../") != std::string::npos) {
            breaches.push_back(fmt::format("{}: include {} does not start at the root", file.path, include));
        }
    }
    return breaches;
}

std::span<const std::string_view> rooms() noexcept { return kRooms; }

std::optional<std::size_t> floor_of(std::string_view path) {
    if (path.starts_with(kHostPrefix)) path.remove_prefix(kHostPrefix.size());
    std::string_view folder = path.substr(0, path.rfind('/') + 1);
    if (folder.ends_with(kInternal)) folder.remove_suffix(kInternal.size() - 1);
    const auto found = std::ranges::find(kRooms, folder);
    if (found == std::end(kRooms)) return std::nullopt;
    return static_cast<std::size_t>(found - std::begin(kRooms));
}

Breaches upward_in_layer(const SourceFile& file) {
    Breaches breaches;
    const std::optional<std::size_t> own = floor_of(file.path);
    if (!own) return breaches;
    for (const std::string& include : includes_of(file.text)) {
        const std::optional<std::size_t> other = floor_of(include);
        if (!other || *other <= *own || layer_of(include) != layer_of(file.path)) continue;
        breaches.push_back(fmt::format("{}: includes {}, but {} lies above {}", file.path, include,
                                       kRooms[*other], kRooms[*own]));
    }
    return breaches;
}

Breaches outside_of_rooms(std::string_view path) {
    const bool is_code = path.ends_with(".h") || path.ends_with(".cpp") || path.ends_with(".c");
    if (!is_code || !layer_of(path) || floor_of(path)) return {};
    return {fmt::format("{}: its folder is not in kRooms of tests/support/source_rules.cpp", path)};
}

Breaches crowded_folders(const std::set<std::string>& paths, std::size_t limit) {
    std::map<std::string_view, std::size_t> counts;
    for (const std::string_view path : paths) {
        if (file_name(path) != kReadme) ++counts[path.substr(0, path.rfind('/') + 1)];
    }
    Breaches breaches;
    for (const auto& [folder, count] : counts) {
        if (count > limit)
            breaches.push_back(fmt::format("{}: {} files, the limit is {}", folder, count, limit));
    }
    return breaches;
}

Breaches folders_without_readme(const std::set<std::string>& paths) {
    std::set<std::string> folders;
    for (const std::string& path : paths) {
        if (!layer_of(path) && !path.starts_with(kLuaLibrary)) continue;
        std::string folder = path.substr(0, path.rfind('/') + 1);
        if (folder.ends_with(kInternal)) folder.resize(folder.size() - kInternal.size() + 1);
        folders.insert(std::move(folder));
    }
    Breaches breaches;
    for (const std::string& folder : folders) {
        if (!paths.contains(folder + std::string(kReadme)))
            breaches.push_back(fmt::format("{}: has no {}", folder, kReadme));
    }
    return breaches;
}

Breaches include_of_other_spelling(const SourceFile& file) {
    Breaches breaches;
    // The hosts that the tests build have folders of these names themselves, on purpose.
    if (file.path.starts_with("tests/hosts/")) return breaches;
    const bool is_host =
        std::ranges::any_of(kOfHosts, [&](std::string_view start) { return file.path.starts_with(start); });
    for (const std::string& include : includes_of(file.text)) {
        const bool is_as_hosts = include.starts_with(kHostPrefix);
        if (!layer_of(include) || is_as_hosts == is_host) continue;
        breaches.push_back(is_host ? fmt::format("{}: includes {}, where a host writes {}{}", file.path,
                                                 include, kHostPrefix, include)
                                   : fmt::format("{}: includes {}, as only hosts do", file.path, include));
    }
    return breaches;
}

Breaches misplaced_library_includes(const SourceFile& file) {
    Breaches breaches;
    const bool lua_allowed = starts_with_any(file.path, {"scripting/", "tests/scripting/", "bench/"});
    const bool sdl_allowed = starts_with_any(file.path, {"engine/sdl/", "tests/engine/sdl/"});
    for (const std::string& include : includes_of(file.text)) {
        if (is_lua_header(include) && !lua_allowed) {
            breaches.push_back(fmt::format("{}: includes {} outside scripting/", file.path, include));
        }
        if (is_sdl_header(include) && !sdl_allowed) {
            breaches.push_back(fmt::format("{}: includes {} outside engine/sdl/", file.path, include));
        }
    }
    return breaches;
}

Breaches third_party_in_ecs_header(const SourceFile& file) {
    Breaches breaches;
    if (!file.path.starts_with("ecs/") || !file.path.ends_with(".h")) return breaches;
    for (const std::string& include : includes_of(file.text)) {
        // Headers of the C++ standard library have neither a folder nor an ending.
        if (!include.starts_with("ecs/") && include.find_first_of("./") != std::string::npos) {
            breaches.push_back(
                fmt::format("{}: includes {}; in ecs/ that belongs in a .cpp", file.path, include));
        }
    }
    return breaches;
}

Breaches over_long(const SourceFile& file, int line_limit) {
    const int line_count = static_cast<int>(lines_of(file.text).size());
    if (line_count <= line_limit) return {};
    return {fmt::format("{}: {} lines, the limit is {}", file.path, line_count, line_limit)};
}

Breaches missing_opening_comment(const SourceFile& file) {
    std::string_view mark = "#";
    if (file.path.ends_with(".h") || file.path.ends_with(".cpp") || file.path.ends_with(".c")) mark = "//";
    if (file.path.ends_with(".lua")) mark = "--";
    std::vector<std::string_view> lines = lines_of(file.text);
    if (!lines.empty() && lines.front().starts_with("#!")) lines.erase(lines.begin());
    if (!lines.empty() && lines.front().starts_with(mark)) return {};
    return {fmt::format("{}: does not open with a comment", file.path)};
}

Breaches own_header_not_first(const SourceFile& file, const std::set<std::string>& paths) {
    constexpr std::string_view kEnd = ".cpp";
    if (!layer_of(file.path) || !file.path.ends_with(kEnd)) return {};
    const std::string header = file.path.substr(0, file.path.size() - kEnd.size()) + ".h";
    if (!paths.contains(header)) return {};
    const std::vector<std::string> includes = includes_of(file.text);
    if (!includes.empty() && includes.front() == header) return {};
    return {fmt::format("{}: does not include {} first", file.path, header)};
}

Breaches test_without_source(std::string_view test_path, const std::set<std::string>& paths) {
    constexpr std::string_view kEnd = "_test.cpp";
    std::string_view source = test_path;
    if (!source.starts_with("tests/") || !source.ends_with(kEnd)) return {};
    source.remove_prefix(std::string_view("tests/").size());
    source.remove_suffix(kEnd.size());
    const std::size_t slash = source.rfind('/');
    if (slash == std::string_view::npos) return {};  // tests/layers_test.cpp is about the tree

    const std::string_view folder = source.substr(0, slash + 1);
    std::string stem(source.substr(slash + 1));
    // x_aspect_test.cpp: tries x_aspect, then x.
    while (true) {
        for (const std::string_view inner : {"", "internal/"}) {
            for (const std::string_view end : {".h", ".cpp"}) {
                if (paths.contains(fmt::format("{}{}{}{}", folder, inner, stem, end))) return {};
            }
        }
        const std::size_t cut = stem.rfind('_');
        if (cut == std::string::npos) break;
        stem.resize(cut);
    }
    return {fmt::format("{}: tests no file; expected {}.h or .cpp", test_path, source)};
}

Breaches name_of_two_files(const std::vector<SourceFile>& files, std::string_view folders) {
    Breaches breaches;
    std::map<std::string, std::string_view> definers;
    const std::string list = fmt::format(" {} ", folders);
    for (const SourceFile& file : files) {
        const std::string_view path = file.path;
        if (!path.ends_with(".cpp") || path.rfind('/') == std::string_view::npos) continue;
        if (list.find(fmt::format(" {} ", path.substr(0, path.rfind('/')))) == std::string::npos) continue;
        std::string_view scope;
        for (const std::string_view line : lines_of(file.text)) {
            if (line.starts_with("namespace perigee")) scope = line;
            const std::string name = defined_by(line);
            if (name.empty()) continue;
            const auto [at, is_new] = definers.emplace(fmt::format("{} {}", scope, name), path);
            if (is_new || at->second == path) continue;
            breaches.push_back(
                fmt::format("{}: defines {}, as {} does, with which it is compiled", path, name, at->second));
        }
    }
    return breaches;
}

Breaches stranger_at_top(std::string_view name) {
    const auto is_name = [&](std::string_view allowed) { return allowed == name; };
    if (std::ranges::any_of(kTopLevel, is_name)) return {};
    return {fmt::format("{}: does not belong at the top level", name)};
}

}  // namespace perigee
