// Requests of scripts for pictures: the pixels of a canvas, and PNG files of canvases and frames.
//
// Invariant: each request is answered once, after the canvases of its frame are drawn. The pictures of a mod
// stay within limits. Not here: reading pixels from the card.
#pragma once

#include "ecs/base/result.h"
#include "engine/surfaces/surface_table.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace perigee {

/// Limits for the pictures that one mod saves.
inline constexpr std::size_t kMaxPictures = 100;
inline constexpr std::uintmax_t kMaxPictureBytes = std::uintmax_t{64} << 20U;

/// Saves pixels, which are not premultiplied, and makes the folder of the file. Errors: the file cannot be
/// written, or the folder has reached a limit.
Result<void> save_pixels(std::span<const PackedColor> pixels, const SurfaceDesc& desc,
                         const std::filesystem::path& file);
/// The same for a PNG that `function`, which messages name, has asked for. Errors: also those of `png`.
Result<void> save_for(const char* function, const Result<std::string>& png,
                      const std::filesystem::path& file);

/// Answers all requests of this frame. `read` returns the pixels of a canvas, row by row from the top, or
/// none. Adds a message to `reports` for each file that cannot be written.
using ReadCanvas = std::function<std::span<const PackedColor>(const Surface& canvas)>;
void answer_requests(SurfaceTable& surfaces, const ReadCanvas& read, std::vector<std::string>& reports);

}  // namespace perigee
