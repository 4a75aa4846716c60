// Decodes a PNG into pixels with libpng.
//
// Invariant: nothing is allocated before the size is known to fit. The result has the file's own values: no
// colour correction, 16 bits truncated to 8. It runs in the sandbox (engine/decoding/decoder_sandbox.h).
#pragma once

#include "engine/decoding/image_pixels.h"

#include <cstddef>
#include <string_view>

namespace perigee::decoding {

ImageEnd decode_png(std::string_view file, std::size_t max_bytes, ImagePixels& pixels);

}  // namespace perigee::decoding
