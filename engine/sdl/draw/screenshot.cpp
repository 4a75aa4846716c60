// Encoding with SDL_image, and writing.
#include "engine/sdl/draw/screenshot.h"

#include "ecs/files/output_file.h"
#include "engine/sdl/window/error_codes.h"
#include "engine/sdl/window/internal/sdl_handle.h"

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

// Appends written bytes to the string in the stream's context.
std::size_t append(SDL_RWops* stream, const void* bytes, std::size_t size, std::size_t count) {
    static_cast<std::string*>(stream->hidden.unknown.data1)
        ->append(static_cast<const char*>(bytes), size * count);
    return count;
}

bool encode(SDL_Surface& surface, std::string& png) {
    SDL_RWops* const stream = SDL_AllocRW();
    if (stream == nullptr) return false;
    stream->type = SDL_RWOPS_UNKNOWN;
    stream->size = [](SDL_RWops*) -> Sint64 { return -1; };
    stream->seek = [](SDL_RWops*, Sint64, int) -> Sint64 { return -1; };
    stream->read = [](SDL_RWops*, void*, std::size_t, std::size_t) -> std::size_t { return 0; };
    stream->write = append;
    stream->close = [](SDL_RWops*) { return 0; };
    stream->hidden.unknown.data1 = &png;
    const bool is_encoded = IMG_SavePNG_RW(&surface, stream, 0) == 0;
    SDL_FreeRW(stream);
    return is_encoded;
}

Result<void> expect_screenshot_file(const fs::path& file) {
    const Result<void> replaceable = expect_replaceable(file);
    return replaceable ? replaceable : cannot_save(file, replaceable.error().message);
}

}  // namespace

Result<void> save_screenshot(const Result<Picture>& picture, const fs::path& file) {
    const auto failed = [&file](const std::string& why) { return cannot_save(file, why); };
    if (!picture) return failed(picture.error().message);
    const PixelSize size = picture.value().size;
    // SDL only reads them.
    auto* const first = const_cast<std::uint8_t*>(picture.value().rgb.data());
    const SurfaceHandle surface{SDL_CreateRGBSurfaceWithFormatFrom(first, size.width, size.height, 24,
                                                                   size.width * 3, SDL_PIXELFORMAT_RGB24)};
    if (!surface) return failed(SDL_GetError());

    std::string png;
    if (!encode(*surface, png)) return failed(SDL_GetError());
    if (Result<void> replaceable = expect_screenshot_file(file); !replaceable) return replaceable;
    const fs::path part = file.string() + ".part";
    if (Result<void> replaceable = expect_screenshot_file(part); !replaceable) return replaceable;
    Result<void> saved = write_regular_file(part, png);
    if (saved) saved = replace_file(part, file);
    if (saved) return saved;
    std::error_code ignored;
    fs::remove(part, ignored);
    return failed(saved.error().message);
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
