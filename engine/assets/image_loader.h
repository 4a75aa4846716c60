// ImageLoader: adds the size of every image asset to the ImageTable as soon as it has a handle.
//
// Invariant: after update() each handle of the store whose path is that of an image (image_size.h) is known
// to the table; a file that is missing or no image is added as missing. Only the first bytes of a file are
// read.
#pragma once

#include "engine/assets/assets.h"
#include "engine/assets/image_table.h"

#include <string>
#include <utility>
#include <vector>

namespace perigee {

class ImageLoader {
public:
    /// Lifetime: both must outlive the loader.
    ImageLoader(const AssetStore& assets, ImageTable& images) noexcept : assets_(assets), images_(images) {}

    /// Reads the files of handles assigned since the last call. Cost: none if there are none.
    void update();
    /// The same, and also this handle if it was reserved and has been assigned meanwhile.
    void update(AssetHandle image);

    /// Reads the file of an image again. True if the image was known and its size has changed.
    bool reload(AssetHandle image);

    /// One message per file that exists but is not an image.
    std::vector<std::string> take_reports() { return std::exchange(reports_, {}); }

private:
    void look(AssetHandle image);

    const AssetStore& assets_;
    ImageTable& images_;
    AssetHandle next_ = 1;
    std::vector<std::string> reports_;
};

}  // namespace perigee
