// Readings first, then files.
#include "engine/sdl/surfaces/canvas_requests.h"

#include "engine/sdl/surfaces/png_file.h"
#include "engine/sdl/window/error_codes.h"
#include "engine/sdl/window/internal/sdl_handle.h"

#include <fmt/format.h>

#include <system_error>

namespace perigee {

namespace fs = std::filesystem;

namespace {

// Whether a folder has room for a file of this size in place of the one of its name. Errors are reasons only.
Result<void> expect_room(const fs::path& file, std::uintmax_t bytes) {
    std::size_t count = 1;
    std::error_code failed;
    for (fs::directory_iterator entry{file.parent_path(), failed}, end; !failed && entry != end;
         entry.increment(failed)) {
        std::error_code gone;
        const std::uintmax_t size = entry->file_size(gone);
        if (gone || entry->path() == file) continue;
        ++count;
        bytes += size;
    }
    if (count > kMaxPictures) return Error{fmt::format(sdl_errors::kTooManyPictures, kMaxPictures)};
    if (bytes > kMaxPictureBytes)
        return Error{fmt::format(sdl_errors::kPicturesTooLarge, kMaxPictureBytes >> 20U)};
    return {};
}

}  // namespace

// Messages name no folder of the machine.
Result<void> save_for(const char* function, const Result<std::string>& png, const fs::path& file) {
    const auto failed = [&](const std::string& why) {
        return Error{fmt::format(sdl_errors::kCannotSaveFor, function, file.filename().string(), why)};
    };
    if (!png) return failed(png.error().message);
    std::error_code ignored;
    fs::create_directories(file.parent_path(), ignored);
    if (Result<void> room = expect_room(file, png.value().size()); !room) return failed(room.error().message);
    const Result<void> saved = write_png(file, png.value());
    return saved ? saved : failed(saved.error().message);
}

Result<void> save_pixels(std::span<const PackedColor> pixels, const SurfaceDesc& desc, const fs::path& file) {
    const std::span bytes{reinterpret_cast<const std::uint8_t*>(pixels.data()), pixels.size_bytes()};
    return save_for("gfx.save_canvas", encoded_png(bytes, desc.width, desc.height, PngPixels::rgba), file);
}

void answer_requests(SurfaceTable& surfaces, const ReadCanvas& read, std::vector<std::string>& reports) {
    for (const std::uint32_t canvas : surfaces.take_readings()) {
        const std::span<const PackedColor> pixels = read(*surfaces.find(surfaces.content_of(canvas)));
        if (!pixels.empty()) surfaces.deliver(canvas, pixels);
    }
    for (const CanvasSave& save : surfaces.take_saves()) {
        const Surface& canvas = *surfaces.find(surfaces.content_of(save.canvas));
        const std::span<const PackedColor> pixels = read(canvas);
        if (pixels.empty()) continue;
        if (const Result<void> saved = save_pixels(pixels, canvas.desc, save.file); !saved)
            reports.push_back(saved.error().message);
    }
}

}  // namespace perigee
