// Which files become known images, and the messages about the others.
#include "engine/assets/image_loader.h"

#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>

using namespace perigee;
using perigee::test::TemporaryFolder;

TEST_CASE("the size of an image is known as soon as it has a handle") {
    const TemporaryFolder folder;
    folder.write("assets/a.png", std::string_view{"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x20\0\0\0\x10", 24});
    folder.write("assets/b.png", "no image");
    folder.write("assets/c.txt", "text");
    AssetStore assets;
    REQUIRE(assets.mount("game", folder.path()));
    ImageTable images;
    ImageLoader loader{assets, images};
    loader.update();
    CHECK(images.size_of(1).width == 32);
    CHECK(images.size_of(1).height == 16);
    CHECK(images.knows(2));
    CHECK(images.frame_of(2, 0) == 0);
    CHECK_FALSE(images.knows(3));
    CHECK(loader.take_reports() ==
          std::vector<std::string>{"asset 'assets/b.png' is not a PNG or JPEG image of at most 16384 x 16384 "
                                   "pixels; a placeholder is used"});

    const AssetHandle late = assets.intern(0, "assets/late.png").value();
    CHECK_FALSE(images.knows(late));
    loader.update();
    CHECK(images.frame_of(late, 0) == 0);
    CHECK(images.knows(late));
    CHECK(loader.take_reports().empty());  // the store reports what is missing
}
