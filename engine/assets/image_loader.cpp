// Finds new handles and reads the first bytes of their files.
#include "engine/assets/image_loader.h"

#include "engine/assets/image_size.h"
#include "engine/base/error_codes.h"

#include <fmt/format.h>

namespace perigee {

namespace {

constexpr std::size_t kPngHeadBytes = 64;  // the size is in the first 24

}  // namespace

void ImageLoader::update() {
    for (; next_ <= assets_.handle_count(); ++next_)
        if (is_image_path(assets_[next_].path)) look(next_);
}

void ImageLoader::update(AssetHandle image) {
    update();
    if (!images_.knows(image) && is_image_path(assets_[image].path)) look(image);
}

void ImageLoader::look(AssetHandle image) {
    ImageSize size;
    if (!assets_[image].is_missing) {
        const bool is_png = assets_[image].path.ends_with(".png");
        const Result<std::string> head = assets_.read(image, is_png ? kPngHeadBytes : kImageHeadBytes);
        if (const auto found = head ? image_size(head.value()) : std::nullopt)
            size = *found;
        else
            reports_.push_back(fmt::format(engine_errors::kNoImage, assets_.name_of(image), kMaxImageSide));
    }
    // The same again keeps the frames that it was cut into.
    const ImageTable::Size known = images_.size_of(image);
    if (images_.knows(image) && known.width == size.width && known.height == size.height) return;
    images_.add(image, size.width, size.height, assets_[image].mount);
}

bool ImageLoader::reload(AssetHandle image) {
    if (image >= next_ || !is_image_path(assets_[image].path)) return false;
    const ImageTable::Size before = images_.size_of(image);
    look(image);
    const ImageTable::Size now = images_.size_of(image);
    return before.width != now.width || before.height != now.height;
}

}  // namespace perigee
