// A game in a temporary folder, an engine that runs it, and its log: the fixture of the engine's tests.
#pragma once

#include "ecs/schedule/schedule.h"
#include "ecs/world/world.h"
#include "engine/assets/assets.h"
#include "engine/assets/image_table.h"
#include "engine/engine.h"
#include "engine/session/game_session.h"
#include "scripting/mods/runtime.h"
#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace perigee::test {

class GameFolder {
public:
    explicit GameFolder(std::string_view main, std::string_view schema = {}) {
        folder_.write("game/main.lua", main);
        if (!schema.empty()) folder_.write("game/schema.lua", schema);
    }

    const TemporaryFolder& files() const noexcept { return folder_; }
    std::filesystem::path path() const { return folder_.path() / "game"; }
    std::filesystem::path file(std::string_view name) const { return folder_.path() / name; }
    void write(std::string_view name, std::string_view bytes) {
        folder_.write("game/" + std::string{name}, bytes);
    }

    EngineConfig config() {
        EngineConfig config;
        config.game = path();
        config.seed = 1;
        config.puts_off_by_clock = false;
        config.log = [this](const LogEntry& entry) { log += std::string{entry.text} + "\n"; };
        return config;
    }
    std::unique_ptr<Engine> play() { return play(config()); }
    static std::unique_ptr<Engine> play(EngineConfig config) {
        Result<std::unique_ptr<Engine>> engine = Engine::create(std::move(config));
        INFO((engine ? std::string{} : engine.error().message));
        REQUIRE(engine);
        return std::move(engine).value();
    }

    std::string log;

private:
    TemporaryFolder folder_;
};

/// Runs frames of one step each, with the same input.
inline void run(Engine& engine, int frames, const RawInput& raw = {}) {
    for (int i = 0; i < frames; ++i) {
        FrameInput frame;
        frame.exact_steps = 1;
        frame.raw = raw;
        engine.step(frame);
    }
}

inline RawInput key(InputCode code, float value = 1.0F) {
    RawInput raw;
    raw.events.push_back({code, value});
    return raw;
}

inline std::string picture(const Engine& engine) {
    return engine.draw_list().dump(engine.images(),
                                   [&](std::uint32_t image) { return engine.assets().name_of(image); });
}

inline bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

/// A 24-byte file that is a PNG of this size to code that reads only the size.
inline std::string png_head(std::uint32_t width, std::uint32_t height) {
    std::string bytes{"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16};
    for (const std::uint32_t side : {width, height})
        for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(side >> shift & 255U);
    return bytes;
}

}  // namespace perigee::test
