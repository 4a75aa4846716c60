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

namespace perigee {

void keep_screenshot(const Engine& engine, Backend& backend, const LogSink& log) {
    const std::filesystem::path file = new_screenshot_file(kScreenshotFolder, engine.manifest().id);
    const Result<void> saved = backend.save_screenshot(file);
    const std::string text =
        saved ? fmt::format(game_errors::kScreenshotSaved, file.string()) : saved.error().message;
    log({saved ? LogLevel::info : LogLevel::error, "perigee", text});
}

void copy_errors(const Engine& engine, Backend& backend, const LogSink& log) {
    const std::string errors = engine.errors_as_text();
    if (errors.empty()) return;
    backend.clipboard().write(errors);
    log({LogLevel::info, "perigee", game_errors::kErrorsCopied});
}

}  // namespace perigee
