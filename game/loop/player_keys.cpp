// Each reports its result in the log.
#include "game/loop/player_keys.h"

#include "engine/engine.h"
#include "engine/mods/mod_manifest.h"
#include "engine/sdl/backend.h"
#include "engine/sdl/draw/screenshot.h"
#include "game/program/error_codes.h"
#include "game/program/game_folder.h"

#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <system_error>

namespace perigee {

namespace {

void report(const Result<void>& result, const char* done, const std::filesystem::path& file,
            const LogSink& log) {
    log({result ? LogLevel::info : LogLevel::error, "perigee",
         result ? fmt::format(fmt::runtime(done), file.string()) : result.error().message});
}

}  // namespace

void keep_screenshot(const Engine& engine, Backend& backend, const LogSink& log) {
    const std::filesystem::path file = new_screenshot_file(kScreenshotFolder, engine.manifest().id);
    report(backend.save_screenshot(file), game_errors::kScreenshotSaved, file, log);
}

void copy_errors(const Engine& engine, Backend& backend, const LogSink& log) {
    const std::string errors = engine.errors_as_text();
    if (errors.empty()) return;
    backend.clipboard().write(errors);
    log({LogLevel::info, "perigee", game_errors::kErrorsCopied});
}

void keep_world(Engine& engine, const std::filesystem::path& file, const LogSink& log) {
    if (file.empty()) return;
    std::error_code ignored;
    std::filesystem::create_directories(file.parent_path(), ignored);
    report(engine.save_world(file), game_errors::kWorldSaved, file, log);
}

void bring_back_world(Engine& engine, const std::filesystem::path& file, const LogSink& log) {
    if (!file.empty()) report(engine.load_world(file), game_errors::kWorldLoaded, file, log);
}

}  // namespace perigee
