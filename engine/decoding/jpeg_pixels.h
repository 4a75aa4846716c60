// Decodes a JPEG into pixels with libjpeg-turbo.
//
// Invariant: nothing is allocated before the size is known to fit. All pixels are opaque. Grey, colour, CMYK
// and progressive files are decoded; a file that ends early or has damaged data is damaged. The orientation
// that a camera noted is not applied. It runs in the sandbox (engine/decoding/decoder_sandbox.h).
#pragma once

#include "engine/decoding/image_pixels.h"

#include <cstddef>
#include <string_view>

namespace perigee::decoding {

ImageEnd decode_jpeg(std::string_view file, std::size_t max_bytes, ImagePixels& pixels);

}  // namespace perigee::decoding
