// Encoding with SDL_image, and writing.
#include "engine/sdl/surfaces/png_file.h"

#include "ecs/files/output_file.h"

#include <SDL_image.h>

#include <system_error>

namespace perigee {

namespace {

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

}  // namespace

Result<std::string> encoded_png(SDL_Surface* surface) {
    std::string png;
    if (surface == nullptr || !encode(*surface, png)) return Error{SDL_GetError()};
    return png;
}

std::filesystem::path part_of(const std::filesystem::path& file) { return file.string() + ".part"; }

Result<void> write_png(const std::filesystem::path& file, const std::string& png) {
    if (Result<void> replaceable = expect_replaceable(file); !replaceable) return replaceable;
    const std::filesystem::path part = part_of(file);
    if (Result<void> replaceable = expect_replaceable(part); !replaceable) return replaceable;
    Result<void> saved = write_regular_file(part, png);
    if (saved) saved = replace_file(part, file);
    if (saved) return saved;
    std::error_code ignored;
    std::filesystem::remove(part, ignored);
    return saved;
}

}  // namespace perigee
