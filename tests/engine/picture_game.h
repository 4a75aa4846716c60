// A game of 200 x 100 pixels whose pictures a test reads: entities have a Position, and main.lua has ecs,
// gfx, C, world and at(x, y).
#pragma once

#include "tests/engine/game_folder.h"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace perigee::test {

inline constexpr char kPictureSchema[] =
    "local ecs = require 'ecs'\necs.component('Position', { { 'x', 'f32' }, { 'y', 'f32' } })\n";
inline constexpr char kPictureUse[] =
    "local ecs, gfx = require 'ecs', require 'gfx'\nlocal C, world = ecs.components, ecs.world\n"
    "local function at(x, y) return C.Position { x = x, y = y } end\n";

inline constexpr char kPictureManifest[] = R"({ "id": "pictures", "width": 200, "height": 100 })";

/// A system that draws.
inline std::string drawing(const std::string& draw) {
    return "ecs.system('draw', { group = 'presentation', run = function()\n" + draw + "\nend })\n";
}

/// Checks that nothing fails.
struct PictureGame {
    GameFolder game;
    std::unique_ptr<Engine> engine;
    explicit PictureGame(const std::string& main, int frames = 1) : game(kPictureUse + main, kPictureSchema) {
        game.write("mod.json", kPictureManifest);
        engine = game.play();
        run(*engine, frames);
        INFO(game.log);
        CHECK(engine->error_count() == 0);
    }
    std::string picture() const { return test::picture(*engine); }
};

inline std::size_t count(std::string_view text, std::string_view part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
    return found;
}

}  // namespace perigee::test
