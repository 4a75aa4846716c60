// Reading back and writing with SDL_image.
#include "engine/sdl/screenshot.h"

#include "engine/output_file.h"
#include "engine/sdl/error_codes.h"
#include "engine/sdl/internal/sdl_handle.h"

#include <SDL_image.h>
#include <fmt/format.h>

#include <chrono>
#include <ctime>
#include <string>

namespace perigee {

namespace fs = std::filesystem;

namespace {

Error cannot_save(const fs::path& file, const std::string& why) {
    return Error{fmt::format(sdl_errors::kCannotSavePicture, file.string(), why)};
}

}  // namespace

Result<void> expect_screenshot_file(const fs::path& file) {
    const Result<void> replaceable = expect_replaceable(file);
    return replaceable ? replaceable : cannot_save(file, replaceable.error().message);
}

Result<void> save_screenshot(SDL_Renderer& renderer, const fs::path& file) {
    int width = 0;
    int height = 0;
    SDL_GetRendererOutputSize(&renderer, &width, &height);
    const SurfaceHandle surface{SDL_CreateRGBSurfaceWithFormat(0, width, height, 24, SDL_PIXELFORMAT_RGB24)};
    const auto failed = [&file](const std::string& why) { return cannot_save(file, why); };
    if (!surface ||
        SDL_RenderReadPixels(&renderer, nullptr, SDL_PIXELFORMAT_RGB24, surface->pixels, surface->pitch) != 0)
        return failed(SDL_GetError());

    const fs::path part = file.string() + ".part";
    for (const fs::path& name : {file, part})
        if (Result<void> replaceable = expect_screenshot_file(name); !replaceable) return replaceable;
    std::error_code ignored;
    if (IMG_SavePNG(surface.get(), part.c_str()) != 0) {
        const std::string why = SDL_GetError();
        fs::remove(part, ignored);
        return failed(why);
    }
    const Result<void> replaced = replace_file(part, file);
    if (replaced) return replaced;
    fs::remove(part, ignored);
    return cannot_save(file, replaced.error().message);
}

fs::path new_screenshot_file(const fs::path& folder, const std::string& game) {
    const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    std::tm local{};
    localtime_r(&now, &local);
    char stamp[32];
    std::strftime(stamp, sizeof stamp, "%Y-%m-%d-%H.%M.%S", &local);

    std::error_code ignored;
    fs::create_directories(folder, ignored);
    for (int count = 1;; ++count) {
        const std::string suffix = count == 1 ? "" : fmt::format("-{}", count);
        fs::path file = folder / fmt::format("{}-{}{}.png", game, stamp, suffix);
        if (!fs::exists(file, ignored)) return file;
    }
}

}  // namespace perigee
