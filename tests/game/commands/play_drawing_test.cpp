// Games that draw anything: random calls of every function of gfx, with both renderers.
//
// With PERIGEE_DRAWING_SEED=100 in the environment, twenty seeds from 100 on are tried instead of two.
#include "tests/game/program.h"
#include "tests/support/annotated_api.h"
#include "tests/support/png_files.h"

using namespace perigee;
using namespace perigee::test;
using Catch::Matchers::Contains;

namespace {

std::string list_of(const std::vector<std::string>& words) {
    std::string list = "{ ";
    for (const std::string& word : words) list += fmt::format("[=[{}]=], ", word);
    return list + "}";
}

// The annotations of gfx as a Lua table: words of the parameters of functions, of fields, and of aliases.
std::string annotations() {
    const ApiTable api = annotated_api();
    std::string functions, classes, aliases;
    for (const ApiFunction& function : api.find("gfx")->functions) {
        functions += fmt::format("    {} = {{ ", function.name);
        for (const ApiName& parameter : function.parameters)
            functions += list_of(parameter.type.words) + ", ";
        functions += "},\n";
    }
    for (const auto& [name, declared] : api.classes()) {
        if (!name.starts_with("perigee.")) continue;
        classes += fmt::format("    [\"{}\"] = {{ ", name);
        for (const ApiName& field : declared.fields)
            classes += fmt::format("{} = {}, ", field.name, list_of(field.type.words));
        classes += "},\n";
    }
    for (const char* name : {"perigee.Color", "perigee.FontPath", "perigee.ImagePath", "perigee.Layer"})
        if (const auto* const words = api.alias(name))
            aliases += fmt::format("    [\"{}\"] = {},\n", name, list_of(*words));
    return fmt::format(
        "return {{\n  functions = {{\n{}  }},\n  classes = {{\n{}  }},\n  aliases = {{\n{}  }},\n}}\n",
        functions, classes, aliases);
}

void draw_at_random(const std::string& renderer) {
    const TemporaryFolder folder;
    for (const std::string file : {"main.lua", "mod.json"})
        folder.write("game/" + file, bytes_of(PERIGEE_SOURCE_DIR "/tests/game/random_drawing/" + file));
    folder.write("game/annotations.lua", annotations());
    const auto colors = [](std::uint32_t x, std::uint32_t y) {
        return Rgba{static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(8 * y), 0, 200};
    };
    folder.write("game/assets/small.png", png_file(16, 16, colors));
    folder.write("game/assets/wide.png", png_file(300, 20, colors));
    const char* const seeds = std::getenv("PERIGEE_DRAWING_SEED");
    const int first = seeds != nullptr ? std::atoi(seeds) : 9;  // 9 ended a program once
    for (int seed = first; seed < first + (seeds != nullptr ? 20 : 2); ++seed) {
        INFO("seed " << seed);
        const ProgramRun run = run_program(fmt::format("run {} --renderer {} --seed {} --frames 30",
                                                       quoted(folder.path() / "game"), renderer, seed));
        INFO(run.err);
        REQUIRE(run.status == 0);
        const std::string last = "frame 30: ";
        const auto at = run.err.find(last);
        REQUIRE(at != std::string::npos);
        CHECK(std::atoi(run.err.c_str() + at + last.size()) > 60);
        CHECK_THAT(run.err, !Contains(" error: game/"));
    }
}

}  // namespace

TEST_CASE("random calls of gfx with any arguments end in pictures or errors with OpenGL") {
#ifdef __SANITIZE_ADDRESS__
    // A driver of Mesa that was unloaded cannot free what it kept, and looks like a leak.
    ::setenv("ASAN_OPTIONS", "detect_leaks=0", 1);
#endif
    draw_at_random("gl");
#ifdef __SANITIZE_ADDRESS__
    ::unsetenv("ASAN_OPTIONS");
#endif
}

TEST_CASE("random calls of gfx with any arguments end in pictures or errors in software") {
    draw_at_random("software");
}
