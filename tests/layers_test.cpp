// The rules of the source tree, each shown to hold over the tree itself and to fail on a made-up file.
// That every header compiles alone is not tested here but built: see perigee_header_check in
// cmake/layer.cmake.
#include "tests/support/command.h"
#include "tests/support/markdown.h"
#include "tests/support/source_rules.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perigee {
namespace {

namespace fs = std::filesystem;
using Catch::Matchers::Contains;
using test::CommandOutput;
using test::output_of;

const fs::path kRoot = PERIGEE_SOURCE_DIR;

constexpr int kLineLimit = 600;
constexpr std::size_t kFolderLimit = 25;

// The sources that we write: C++, Lua, CMake and shell, without anything generated.
std::vector<SourceFile> read_tree() {
    std::vector<SourceFile> files;
    for (const char* folder : {"ecs", "scripting", "engine", "game", "scripts", "tests", "bench", "cmake"}) {
        if (!fs::exists(kRoot / folder)) continue;
        for (const fs::directory_entry& entry : fs::recursive_directory_iterator(kRoot / folder)) {
            const std::set<std::string> endings = {".h", ".cpp", ".c", ".lua", ".cmake", ".sh"};
            if (!entry.is_regular_file() || !endings.contains(entry.path().extension())) continue;
            std::ifstream stream(entry.path(), std::ios::binary);
            files.push_back({fs::relative(entry.path(), kRoot).generic_string(),
                             {std::istreambuf_iterator<char>(stream), {}}});
        }
    }
    return files;
}

const std::vector<SourceFile>& tree() {
    static const std::vector<SourceFile> files = read_tree();
    return files;
}

template <typename Rule> Breaches breaches_of(Rule rule) {
    Breaches all;
    for (const SourceFile& file : tree()) {
        Breaches some = rule(file);
        all.insert(all.end(), some.begin(), some.end());
    }
    std::ranges::sort(all);
    return all;
}

const Breaches kNone;

// The paths of these files, and of each README.md of the layers and the Lua library.
const std::set<std::string>& paths_of_tree() {
    static const std::set<std::string> paths = [] {
        std::set<std::string> all;
        for (const SourceFile& file : tree()) all.insert(file.path);
        for (const char* folder : {"ecs", "scripting", "engine", "game", "scripts/runtime"}) {
            for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder)) {
                if (entry.path().filename() == "README.md")
                    all.insert(fs::relative(entry.path(), kRoot).generic_string());
            }
        }
        return all;
    }();
    return paths;
}

TEST_CASE("the tree that is checked is the real one") {
    const auto has = [](const std::string& path) {
        return std::ranges::any_of(tree(), [&](const SourceFile& file) { return file.path == path; });
    };
    CHECK(has("ecs/base/contract.h"));
    CHECK(has("tests/layers_test.cpp"));
    CHECK(has("cmake/layer.cmake"));
}

TEST_CASE("includes are found in every spelling") {
    const std::string text =
        "#include <a>\n  #  include \"b/c.h\" // d\n//#include <e>\n#define include <f>\n#include";
    CHECK(includes_of(text) == std::vector<std::string>{"a", "b/c.h"});
}

TEST_CASE("each layer folder has its level") {
    CHECK(layer_of("ecs/base/internal/room_set.h") == 0);
    CHECK(layer_of("scripting/sandbox/bind.h") == 1);
    CHECK(layer_of("engine/session/clock.h") == 2);
    CHECK(layer_of("engine/sdl/window/window.h") == 3);
    CHECK(layer_of("game/main.cpp") == 4);
    CHECK(layer_of("perigee/engine/session/clock.h") == 2);
    CHECK(layer_of("vector") == std::nullopt);
    CHECK(layer_of("tests/ecs/chunk_test.cpp") == std::nullopt);
}

TEST_CASE("includes point only down") {
    CHECK(breaches_of(upward_includes) == kNone);

    CHECK(upward_includes({"engine/a.h", "#include \"ecs/b.h\"\n#include \"engine/c.h\"\n"}) == kNone);
    CHECK(upward_includes({"ecs/a.h", "#include \"engine/b.h\"\n"}).size() == 1);
    CHECK(upward_includes({"engine/a.cpp", "#include \"engine/sdl/b.h\"\n"}).size() == 1);
    CHECK(upward_includes({"scripting/a.cpp", "#include \"game/b.h\"\n"}).size() == 1);
    CHECK(upward_includes({"game/a.cpp", "#include \"tests/support/b.h\"\n"}).size() == 1);
    CHECK(upward_includes({"ecs/internal/a.h", "#include \"../b.h\"\n"}).size() == 1);
}

TEST_CASE("inside a layer, includes point only to lower folders") {
    CHECK(breaches_of(upward_in_layer) == kNone);

    CHECK(upward_in_layer({"ecs/query/a.h",
                           "#include \"ecs/base/b.h\"\n#include \"ecs/query/internal/c.h\"\n"}) == kNone);
    CHECK(upward_in_layer({"ecs/base/internal/a.cpp", "#include \"ecs/query/b.h\"\n"}) ==
          Breaches{"ecs/base/internal/a.cpp: includes ecs/query/b.h, but ecs/query/ lies above ecs/base/"});
    CHECK(upward_in_layer({"engine/draw/a.h", "#include \"engine/engine.h\"\n"}).size() == 1);
    CHECK(upward_in_layer({"engine/engine.h", "#include \"engine/draw/a.h\"\n"}) == kNone);
    // Between layers, only the order of the layers counts.
    CHECK(upward_in_layer({"engine/base/a.h", "#include \"ecs/inspect/b.h\"\n"}) == kNone);
}

TEST_CASE("each file of a layer is in one of its folders") {
    CHECK(breaches_of([](const SourceFile& file) { return outside_of_rooms(file.path); }) == kNone);

    CHECK(outside_of_rooms("ecs/query/a.h") == kNone);
    CHECK(outside_of_rooms("ecs/query/internal/a.h") == kNone);
    CHECK(outside_of_rooms("engine/a.h") == kNone);
    CHECK(outside_of_rooms("tests/ecs/a_test.cpp") == kNone);
    CHECK(outside_of_rooms("ecs/a.h").size() == 1);
    CHECK(outside_of_rooms("ecs/utils/a.h").size() == 1);
    CHECK(outside_of_rooms("ecs/query/more/a.h").size() == 1);
    CHECK(floor_of("ecs/base/a.h") == std::size_t{0});
    CHECK(floor_of("perigee/ecs/base/internal/a.h") == std::size_t{0});
    CHECK(floor_of("vector") == std::nullopt);
}

TEST_CASE("no folder contains more than 25 files") {
    CHECK(crowded_folders(paths_of_tree(), kFolderLimit) == kNone);

    CHECK(crowded_folders({"a/b.h", "a/c.h", "a/README.md", "a/internal/d.h"}, 2) == kNone);
    CHECK(crowded_folders({"a/b.h", "a/c.h", "a/d.h"}, 2) == Breaches{"a/: 3 files, the limit is 2"});
}

TEST_CASE("each folder has a README") {
    CHECK(folders_without_readme(paths_of_tree()) == kNone);

    CHECK(folders_without_readme({"ecs/base/a.h", "ecs/base/internal/b.h", "ecs/base/README.md"}) == kNone);
    CHECK(folders_without_readme({"ecs/base/internal/b.h"}) == Breaches{"ecs/base/: has no README.md"});
    CHECK(folders_without_readme({"scripts/runtime/data/a.lua"}).size() == 1);
    CHECK(folders_without_readme({"tests/ecs/a_test.cpp"}) == kNone);
}

TEST_CASE("docs/architecture.md lists the folders in their order") {
    std::ifstream stream(kRoot / "docs/architecture.md", std::ios::binary);
    const std::string page{std::istreambuf_iterator<char>{stream}, {}};
    std::size_t at = 0;
    for (const std::string_view room : rooms()) {
        INFO(room);
        at = page.find("[`" + std::string(room) + "`]", at);
        REQUIRE(at != std::string::npos);
    }
}

TEST_CASE("the paths through the code in docs/architecture.md name functions that their files have") {
    std::ifstream stream(kRoot / "docs/architecture.md", std::ios::binary);
    const std::string page{std::istreambuf_iterator<char>{stream}, {}};
    // [file](../file), `Type::function`; only the last name is in every file.
    const std::regex step{R"(\]\(\.\./([^)]+)\),\s+`(?:\w+(?:::|\.))*(\w+)`)"};
    int step_count = 0;
    for (std::sregex_iterator at{page.begin(), page.end(), step}, end; at != end; ++at, ++step_count) {
        INFO((*at)[1] << ": " << (*at)[2]);
        std::ifstream file(kRoot / (*at)[1].str(), std::ios::binary);
        const std::string text{std::istreambuf_iterator<char>{file}, {}};
        CHECK(text.find((*at)[2].str() + "(") != std::string::npos);
    }
    CHECK(step_count > 30);
}

TEST_CASE("only hosts and plugins include with perigee/ in front, and they always") {
    CHECK(breaches_of(include_of_other_spelling) == kNone);

    CHECK(include_of_other_spelling({"game/a.cpp", "#include \"ecs/b.h\"\n#include <vector>\n"}) == kNone);
    CHECK(include_of_other_spelling({"game/a.cpp", "#include \"perigee/ecs/b.h\"\n"}).size() == 1);
    CHECK(include_of_other_spelling({"ecs/a.h", "#include <perigee/ecs/b.h>\n"}).size() == 1);
    CHECK(include_of_other_spelling({"game/plugins/a.c", "#include \"perigee/engine/b.h\"\n"}) == kNone);
    CHECK(include_of_other_spelling({"game/plugins/a.c", "#include \"engine/b.h\"\n"}).size() == 1);
    CHECK(upward_includes({"ecs/a.cpp", "#include \"perigee/engine/b.h\"\n"}).size() == 1);
}

TEST_CASE("the code for hosts in the documentation includes as hosts do") {
    std::vector<fs::path> pages{kRoot / "README.md"};
    for (const auto& entry : fs::recursive_directory_iterator(kRoot / "docs"))
        if (entry.path().extension() == ".md") pages.push_back(entry.path());
    int include_count = 0;
    for (const fs::path& page : pages) {
        std::ifstream stream(page, std::ios::binary);
        for (const test::Block& block : test::blocks_of({std::istreambuf_iterator<char>{stream}, {}})) {
            for (const std::string& include : includes_of(block.text)) {
                INFO(page << " includes " << include);
                CHECK((!layer_of(include) || include.starts_with("perigee/")));
                include_count += include.starts_with("perigee/");
            }
        }
    }
    CHECK(include_count > 5);
}

TEST_CASE("Lua headers stay in scripting and SDL headers in engine/sdl") {
    CHECK(breaches_of(misplaced_library_includes) == kNone);

    for (const char* header : {"lua.h", "lua.hpp", "lauxlib.h", "lualib.h", "luajit.h", "luajit-2.1/lua.h"}) {
        const std::string text = std::string("#include <") + header + ">\n";
        CHECK(misplaced_library_includes({"engine/a.cpp", text}).size() == 1);
        CHECK(misplaced_library_includes({"scripting/a.cpp", text}) == kNone);
    }
    for (const char* header : {"SDL.h", "SDL2/SDL.h", "SDL_image.h"}) {
        const std::string text = std::string("#include <") + header + ">\n";
        CHECK(misplaced_library_includes({"game/a.cpp", text}).size() == 1);
        CHECK(misplaced_library_includes({"engine/a.cpp", text}).size() == 1);
        CHECK(misplaced_library_includes({"engine/sdl/a.cpp", text}) == kNone);
    }
}

TEST_CASE("the headers of ecs show no third-party library") {
    CHECK(breaches_of(third_party_in_ecs_header) == kNone);

    CHECK(third_party_in_ecs_header({"ecs/a.h", "#include <fmt/format.h>\n#include <xxhash.h>\n"}).size() ==
          2);
    CHECK(third_party_in_ecs_header({"ecs/a.h", "#include <span>\n#include \"ecs/b.h\"\n"}) == kNone);
    CHECK(third_party_in_ecs_header({"ecs/a.cpp", "#include <fmt/format.h>\n"}) == kNone);
}

TEST_CASE("no file is longer than 600 lines") {
    CHECK(breaches_of([](const SourceFile& file) { return over_long(file, kLineLimit); }) == kNone);

    CHECK(over_long({"a.cpp", "1\n2\n3\n"}, 3) == kNone);
    CHECK(over_long({"a.cpp", "1\n2\n3\n4"}, 3).size() == 1);
}

TEST_CASE("each file opens with a comment") {
    CHECK(breaches_of(missing_opening_comment) == kNone);

    CHECK(missing_opening_comment({"a.h", "// What this is.\n#pragma once\n"}) == kNone);
    CHECK(missing_opening_comment({"a.h", "#pragma once\n// What this is.\n"}).size() == 1);
    CHECK(missing_opening_comment({"a.lua", "-- What this is.\n"}) == kNone);
    CHECK(missing_opening_comment({"a.lua", "local ecs = require 'ecs'\n"}).size() == 1);
    CHECK(missing_opening_comment({"a.sh", "#!/bin/sh\n# What this is.\n"}) == kNone);
    CHECK(missing_opening_comment({"a.sh", "#!/bin/sh\ntrue\n"}).size() == 1);
    CHECK(missing_opening_comment({"a.cpp", ""}).size() == 1);
}

TEST_CASE("each source file includes its own header first, which shows that the header stands alone") {
    std::set<std::string> paths;
    for (const SourceFile& file : tree()) paths.insert(file.path);
    CHECK(breaches_of([&](const SourceFile& file) { return own_header_not_first(file, paths); }) == kNone);

    const std::set<std::string> made_up = {"ecs/world/world.h", "game/commands/play.h"};
    CHECK(own_header_not_first({"ecs/world/world.cpp", "#include \"ecs/world/world.h\"\n#include <map>\n"},
                               made_up) == kNone);
    CHECK(own_header_not_first({"ecs/world/world.cpp", "#include <map>\n#include \"ecs/world/world.h\"\n"},
                               made_up)
              .size() == 1);
    CHECK(own_header_not_first({"ecs/world/world.cpp", ""}, made_up).size() == 1);
    CHECK(own_header_not_first({"ecs/world/other.cpp", "#include <map>\n"}, made_up) == kNone);
    CHECK(own_header_not_first({"tests/ecs/world/world.cpp", "#include <map>\n"}, made_up) == kNone);
}

TEST_CASE("each test mirrors a source file") {
    std::set<std::string> paths;
    for (const SourceFile& file : tree()) paths.insert(file.path);
    CHECK(breaches_of([&](const SourceFile& file) { return test_without_source(file.path, paths); }) ==
          kNone);

    const std::set<std::string> made_up = {"ecs/world/world.h", "ecs/base/internal/pool.cpp",
                                           "game/main.cpp"};
    CHECK(test_without_source("tests/ecs/world/world_test.cpp", made_up) == kNone);
    CHECK(test_without_source("tests/ecs/world/world_model_test.cpp", made_up) == kNone);
    CHECK(test_without_source("tests/ecs/base/pool_test.cpp", made_up) == kNone);
    CHECK(test_without_source("tests/ecs/base/internal/pool_test.cpp", made_up) == kNone);
    CHECK(test_without_source("tests/game/main_test.cpp", made_up) == kNone);
    CHECK(test_without_source("tests/ecs/world/main_test.cpp", made_up).size() == 1);
    CHECK(test_without_source("tests/ecs/world/worlds_test.cpp", made_up).size() == 1);
    CHECK(test_without_source("tests/ecs/query/world_test.cpp", made_up).size() == 1);
    CHECK(test_without_source("tests/ecs/world_aspect_test.cpp", made_up).size() == 1);
    CHECK(test_without_source("tests/engine/world/world_test.cpp", made_up).size() == 1);
}

TEST_CASE("sources that are compiled together use no private name for two things") {
    const auto recipe = std::ranges::find(tree(), "cmake/quick_build.cmake", &SourceFile::path);
    REQUIRE(recipe != tree().end());
    std::vector<std::string> units;
    std::set<std::string> joined;
    const std::size_t begin = recipe->text.find("set(perigee_joined_folders");
    const std::string list = recipe->text.substr(begin, recipe->text.find(')', begin) - begin);
    const std::regex line{R"x("([^"]+)")x"};
    for (std::sregex_iterator at{list.begin(), list.end(), line}, end; at != end; ++at) {
        units.push_back((*at)[1]);
        std::istringstream folders(units.back());
        for (std::string folder; folders >> folder;) joined.insert(folder);
    }
    CHECK(units.size() > 5);
    for (const SourceFile& file : tree()) {  // a folder that no line names is a unit
        const std::string folder = file.path.substr(0, file.path.rfind('/'));
        if (layer_of(file.path) && joined.insert(folder).second) units.push_back(folder);
    }
    Breaches breaches;
    for (const std::string& unit : units) {
        for (std::string& breach : name_of_two_files(tree(), unit)) breaches.push_back(std::move(breach));
    }
    CHECK(breaches == kNone);

    const auto breaches_with = [](const std::string& one, const std::string& other) {
        return name_of_two_files({{"a/b/c.cpp", one}, {"d/e.cpp", other}}, "a/b d").size();
    };
    CHECK(breaches_with("struct Line {\n", "class Line final : public Text {\n") == 1);
    CHECK(breaches_with("struct Line {\n", "    struct Line {\n") == 0);
    CHECK(breaches_with("struct Line;\n", "struct Line {\n") == 0);
    CHECK(breaches_with("constexpr int kMost = 1;\n", "const std::string_view kMost[] = {\"a\"};\n") == 1);
    CHECK(breaches_with("int sum(int a) {\n", "std::pair<int, int> sum(int a) { return a; }\n") == 1);
    CHECK(breaches_with("int sum(int a) {\n", "int sum(float a) {\n") == 0);
    CHECK(breaches_with("namespace perigee {\nint a() {\n", "namespace perigee::internal {\nint a() {\n") ==
          0);
    CHECK(breaches_with("const A& B::c() const {\n", "const A& D::c() const {\n") == 0);
    CHECK(breaches_with("int A::sum(int a) {\n", "int B::sum(int a) {\n") == 0);
    CHECK(name_of_two_files({{"a/b.cpp", "struct Line {\n"}, {"a/b/c.cpp", "struct Line {\n"}}, "a") ==
          kNone);
}

TEST_CASE("the top level holds only what the design names") {
    std::set<std::string> names;
    // What git knows; a tree without git, as it is.
    const CommandOutput listed = output_of("git -C '" + kRoot.string() + "' ls-files");
    if (listed.status == 0 && !listed.text.empty()) {
        for (std::size_t at = 0; at < listed.text.size(); at = listed.text.find('\n', at) + 1) {
            names.insert(listed.text.substr(at, listed.text.find_first_of("/\n", at) - at));
        }
    } else {
        for (const auto& entry : fs::directory_iterator(kRoot)) names.insert(entry.path().filename());
        names.erase(".git");
        names.erase("build");
    }
    REQUIRE(names.contains("CMakeLists.txt"));
    Breaches breaches;
    for (const std::string& name : names) {
        for (const std::string& breach : stranger_at_top(name)) breaches.push_back(breach);
    }
    CHECK(breaches == kNone);

    CHECK(stranger_at_top("ecs") == kNone);
    CHECK(stranger_at_top("utils").size() == 1);
    CHECK(stranger_at_top("main.cpp").size() == 1);
}

// Lint of one file or folder with the configuration of the project; status 0 means clean.
CommandOutput luacheck(const fs::path& what) {
    return output_of("luacheck --no-color --quiet --config '" + (kRoot / "scripts/.luacheckrc").string() +
                     "' '" + what.string() + "'");
}

TEST_CASE("the Lua that ships passes luacheck") {
    if (output_of("command -v luacheck").status != 0) {
        WARN("luacheck is not installed: nothing checked");
        return;
    }
    const bool any = std::ranges::any_of(tree(), [](const SourceFile& file) {
        return file.path.starts_with("scripts/") && file.path.ends_with(".lua");
    });
    if (any) {
        const CommandOutput shipped = luacheck(kRoot / "scripts");
        INFO(shipped.text);
        CHECK(shipped.status == 0);
    }

    const fs::path wrong = fs::path(PERIGEE_BINARY_DIR) / "layers_test_wrong.lua";
    std::ofstream(wrong) << "speeed = 1\n";
    const CommandOutput found = luacheck(wrong);
    fs::remove(wrong);
    CHECK(found.status != 0);
    CHECK_THAT(found.text, Contains("speeed"));
}

}  // namespace
}  // namespace perigee
