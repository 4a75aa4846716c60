// ImageSampling: what a back end shows between the pixels of an image, and outside of it.
//
// Invariant: plain data. Images have one each (image_table.h); it holds for whole frames. Not here: textures.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace perigee {

/// How an image is sampled between its pixels, when it is enlarged or turned.
enum class ImageFilter : std::uint8_t { nearest, linear };
inline constexpr std::array<std::string_view, 2> kImageFilterNames{"nearest", "linear"};

/// What a quad shows outside of its image: its edge pixels, the image again, or the image again with every
/// second copy mirrored.
enum class ImageWrap : std::uint8_t { clamp, repeat, mirror };
inline constexpr std::array<std::string_view, 3> kImageWrapNames{"clamp", "repeat", "mirror"};

struct ImageSampling {
    ImageFilter filter = ImageFilter::nearest;
    ImageWrap wrap = ImageWrap::clamp;

    bool wraps() const noexcept { return wrap != ImageWrap::clamp; }
    friend bool operator==(const ImageSampling&, const ImageSampling&) = default;
};

}  // namespace perigee
