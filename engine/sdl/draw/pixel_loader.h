// PixelLoader: the pixels of image assets, decoded in another process, within a limit for all of them.
//
// Invariant: the size of an image is known and charged before anything is decoded. Each image that exists and
// cannot be shown is reported once. Not here: textures (texture_cache.h, engine/sdl/gl/image_pages.h).
#pragma once

#include "ecs/base/divided_pool.h"
#include "engine/assets/assets.h"
#include "engine/assets/decoder.h"
#include "engine/assets/image_size.h"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace perigee {

struct LoadedPixels {
    ImageSize size;
    DecodedBytes rgba;
};

class PixelLoader {
public:
    /// Limit for all images together, 4 bytes per pixel: the largest possible image.
    /// Divided between the game and its mods by the owner of the file.
    static constexpr std::size_t kMaxPixels = std::size_t{kMaxImageSide} * kMaxImageSide;

    /// Lifetime: the decoder must outlive the loader.
    explicit PixelLoader(Decoder& decoder) noexcept : decoder_(decoder) {}

    /// None for images that are missing, which the store reports, and for those that cannot be read.
    std::optional<LoadedPixels> load(AssetHandle image, const AssetStore& assets);

    /// Reports an image that was loaded but cannot be shown, and gives its share of the limit back.
    void refuse(AssetHandle image, const AssetStore& assets, const LoadedPixels& loaded,
                const std::string& why);

    /// Forgets what was charged: all textures are gone.
    void clear() noexcept { pixels_.clear(); }

    std::vector<std::string> take_reports() { return std::exchange(reports_, {}); }

private:
    Result<LoadedPixels> decoded(AssetHandle image, const AssetStore& assets);
    void report(AssetHandle image, const AssetStore& assets, const std::string& why);

    Decoder& decoder_;
    DividedPool pixels_{kMaxPixels};
    std::vector<std::string> reports_;
};

}  // namespace perigee
