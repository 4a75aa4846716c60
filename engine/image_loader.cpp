// Which handles are new, and what their first bytes say.
#include "engine/image_loader.h"

#include "engine/error_codes.h"
#include "engine/image_size.h"

#include <fmt/format.h>

namespace perigee {

namespace {

constexpr std::size_t kHeadBytes = 64;  // the size stands in the first 24

}  // namespace

void ImageLoader::update() {
    for (; next_ <= assets_.handle_count(); ++next_) {
        const AssetStore::Asset& asset = assets_[next_];
        if (!asset.path.ends_with(".png")) continue;
        ImageSize size;
        if (!asset.is_missing) {
            const Result<std::string> head = assets_.read(next_, kHeadBytes);
            if (const auto found = head ? png_size(head.value()) : std::nullopt)
                size = *found;
            else
                reports_.push_back(fmt::format(engine_errors::kNoImage, assets_.name_of(next_)));
        }
        images_.add(next_, size.width, size.height);
    }
}

}  // namespace perigee
