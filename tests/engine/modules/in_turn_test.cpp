// Systems of several mods that run at the same time use shared state one after the other, in an order that
// does not depend on the number of threads.
#include "engine/modules/in_turn.h"

#include "tests/engine/game_folder.h"

#include <cstdint>
#include <string>

namespace perigee {
namespace {

using test::GameFolder;

// The requests of a mod in each step.
const char* const kAsking[] = {
    "gfx.image_size('assets/' .. own .. n .. '.png')",
    "gfx.image_size('assets/' .. own .. n % 7 .. '.png') gfx.image_size('game:assets/there.png')",
    "gfx.sheet('assets/sheet.png', 1 + n % 4, 2) gfx.atlas('assets/sheet.png', { { 0, 0, 1 + n % 3, 2 } })",
    "pcall(input.action, own .. n % 50, { keys = { 'a' } }) pcall(input.down, 'unknown' .. n)",
    "pcall(input.action, 'common', { keys = { 'a', n % 2 == 0 and 'b' or 'c' } }) input.down('common')",
    "audio.play('assets/' .. own .. n .. '.wav') audio.set_volume(n % 2) gfx.set_background(n % 256)",
};

std::string hashes_of(const char* asking, int workers) {
    GameFolder game{"function update() end"};
    game.write("assets/there.png", test::png_head(8, 8));
    for (const std::string mod : {"a", "b", "c", "d"}) {
        game.write("mods/" + mod + "/mod.json", R"({ "id": ")" + mod + "\" }");
        game.write("mods/" + mod + "/assets/sheet.png", test::png_head(16, 16));
        game.write(
            "mods/" + mod + "/main.lua",
            "local ecs, gfx, input, audio = require 'ecs', require 'gfx', require 'input', require 'audio'\n"
            "ecs.component('Seen', { { 'image', 'asset' }, { 'count', 'u32' } })\n"
            "local C, n, own = ecs.components, 0, '" +
                mod +
                "'\necs.world:spawn(C.Seen)\n"
                "ecs.system('ask', { query = { write = { C.Seen } }, run = function(chunk)\n"
                "  for i = 1, 5 do n = n + 1 " +
                asking +
                " end\n"
                "  chunk.Seen.count[1] = n\n"
                "  chunk.Seen.image[1] = 'assets/' .. own .. n % 3 .. '.png'\nend })\n");
    }
    EngineConfig config = game.config();
    config.workers = static_cast<std::uint32_t>(workers);
    const auto engine = GameFolder::play(std::move(config));
    std::string hashes;
    for (int step = 0; step < 20; ++step) {
        test::run(*engine, 1);
        hashes += std::to_string(engine->hash()) + " ";
    }
    INFO(game.log);
    CHECK(engine->error_count() == 0);
    return hashes;
}

TEST_CASE("mods that use assets, frames, actions and sounds at the same time do so in a fixed order") {
    for (const char* const asking : kAsking) {
        INFO(asking);
        const std::string alone = hashes_of(asking, 1);
        for (const int workers : {2, 4, 4, 4}) CHECK(hashes_of(asking, workers) == alone);
    }
}

}  // namespace
}  // namespace perigee
