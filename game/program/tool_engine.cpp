// No window, no input, no clock.
#include "game/program/tool_engine.h"

#include "engine/plugin/native_systems.h"

namespace perigee {

EngineConfig one_thread_config(const std::filesystem::path& game,
                               const std::vector<std::filesystem::path>& mod_folders,
                               const NativeSystems& native) {
    EngineConfig config;
    config.game = game;
    config.mod_folders = mod_folders;
    config.native = &native;
    config.workers = 1;
    config.puts_off_by_clock = false;
    return config;
}

void run_steps(Engine& engine, unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
        FrameInput input;
        input.exact_steps = 1;
        engine.step(input);
    }
}

}  // namespace perigee
