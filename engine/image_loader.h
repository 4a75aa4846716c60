// ImageLoader: tells the ImageTable the size of every PNG among the assets, as soon as it has a handle.
//
// Invariant: after update() each handle of the store whose path ends in ".png" is known to the table; a file
// that is missing or no PNG is known as missing. Only the first bytes of a file are read.
#pragma once

#include "engine/assets.h"
#include "engine/image_table.h"

#include <string>
#include <utility>
#include <vector>

namespace perigee {

class ImageLoader {
public:
    /// Lifetime: both outlive the loader.
    ImageLoader(const AssetStore& assets, ImageTable& images) noexcept : assets_(assets), images_(images) {}

    /// Looks at the handles given out since the last call. Cost: nothing when there are none.
    void update();
    /// The same, and at this one if it was set aside and has been given out meanwhile.
    void update(AssetHandle image);

    /// Looks at the file of an image again. True when it is one that was known and has another size now.
    bool look_again(AssetHandle image);

    /// One message per file that is there but no image.
    std::vector<std::string> take_reports() { return std::exchange(reports_, {}); }

private:
    void look(AssetHandle image);

    const AssetStore& assets_;
    ImageTable& images_;
    AssetHandle next_ = 1;
    std::vector<std::string> reports_;
};

}  // namespace perigee
