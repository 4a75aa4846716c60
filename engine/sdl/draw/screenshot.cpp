// From a picture to a file, and names of screenshots.
#include "engine/sdl/draw/screenshot.h"

#include "ecs/files/output_file.h"
#include "engine/sdl/surfaces/canvas_requests.h"
#include "engine/sdl/surfaces/png_file.h"
#include "engine/sdl/window/error_codes.h"

#include <fmt/format.h>

#include <chrono>
#include <ctime>
#include <string>

namespace perigee {

namespace fs = std::filesystem;

namespace {

Result<std::string> png_of(const Result<Picture>& picture) {
    if (!picture) return picture.error();
    const PixelSize size = picture.value().size;
    return encoded_png(picture.value().rgb, size.width, size.height, PngPixels::rgb);
}

}  // namespace

Result<void> save_frame(const Result<Picture>& picture, const fs::path& file) {
    return save_for("gfx.screenshot", png_of(picture), file);
}

Result<void> save_screenshot(const Result<Picture>& picture, const fs::path& file) {
    const auto cannot_save = [](const fs::path& name, const std::string& why) {
        return Error{fmt::format(sdl_errors::kCannotSavePicture, name.string(), why)};
    };
    const auto failed = [&](const std::string& why) { return cannot_save(file, why); };
    const Result<std::string> png = png_of(picture);
    if (!png) return failed(png.error().message);
    for (const fs::path& name : {file, part_of(file)}) {
        const Result<void> replaceable = expect_replaceable(name);
        if (!replaceable) return cannot_save(name, replaceable.error().message);
    }
    const Result<void> saved = write_png(file, png.value());
    return saved ? saved : failed(saved.error().message);
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
