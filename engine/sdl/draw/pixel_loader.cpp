// Reading, checking the header, charging, decoding.
#include "engine/sdl/draw/pixel_loader.h"

#include "engine/sdl/window/error_codes.h"

#include <fmt/format.h>

namespace perigee {

std::optional<LoadedPixels> PixelLoader::load(AssetHandle image, const AssetStore& assets) {
    if (assets[image].is_missing) return std::nullopt;  // the store reports it
    Result<LoadedPixels> loaded = decoded(image, assets);
    if (loaded) return std::move(loaded).value();
    report(image, assets, loaded.error().message);
    return std::nullopt;
}

Result<LoadedPixels> PixelLoader::decoded(AssetHandle image, const AssetStore& assets) {
    const Result<std::string> file = assets.read(image);
    if (!file) return file.error();
    // Before anything is decoded: a file of a few kilobytes may claim gigabytes of pixels.
    const std::optional<ImageSize> size = image_size(file.value());
    if (!size) return Error{sdl_errors::kNoImage};
    const std::size_t pixels = std::size_t{size->width} * size->height;
    pixels_.set_members(assets.mount_count());
    const MountId owner = assets[image].mount;
    if (pixels > pixels_.room(owner)) return Error{sdl_errors::kTooManyPixels};
    Result<DecodedBytes> rgba = decoder_.image(file.value(), *size);
    if (!rgba) return rgba.error();
    static_cast<void>(pixels_.take(owner, pixels));
    return LoadedPixels{*size, std::move(rgba).value()};
}

void PixelLoader::refuse(AssetHandle image, const AssetStore& assets, const LoadedPixels& loaded,
                         const std::string& why) {
    pixels_.give_back(assets[image].mount, std::size_t{loaded.size.width} * loaded.size.height);
    report(image, assets, why);
}

void PixelLoader::report(AssetHandle image, const AssetStore& assets, const std::string& why) {
    reports_.push_back(fmt::format(sdl_errors::kNoTexture, assets.name_of(image), why));
}

}  // namespace perigee
