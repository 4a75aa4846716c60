// Frames of grids and rectangles, and that frame ids never change their meaning.
#include "engine/assets/image_table.h"

#include <catch2/catch.hpp>

#include <random>

using namespace perigee;

TEST_CASE("an image without a grid is one frame") {
    ImageTable images;
    images.add(3, 64, 32);
    const FrameId frame = images.frame_of(3, 0);
    CHECK(images[frame] == ImageFrame{3, 0, 0, 64, 32});
    CHECK(images.frame_of(3, 17) == frame);
    CHECK(images.frame_count(3) == 1);
}

TEST_CASE("a grid counts its frames row by row, and wraps past the end") {
    ImageTable images;
    images.add(1, 70, 40);  // 4 x 2 frames of 16 and a rest that is not used
    REQUIRE(images.set_grid(1, 16, 16));
    CHECK(images.frame_count(1) == 8);
    CHECK(images[images.frame_of(1, 0)] == ImageFrame{1, 0, 0, 16, 16});
    CHECK(images[images.frame_of(1, 5)] == ImageFrame{1, 16, 16, 16, 16});
    CHECK(images.frame_of(1, 8) == images.frame_of(1, 0));
    CHECK(images.frame_of(1, 0xFFFFFFFF) == images.frame_of(1, 7));
}

TEST_CASE("an atlas numbers its frames in the given order, clipped to the image") {
    ImageTable images;
    images.add(1, 70, 40);
    const FrameId whole = images.frame_of(1, 0);
    const ImageFrame rectangles[] = {{0, 60, 30, 20, 20}, {0, 3, 4, 5, 6}, {0, 70, 0, 4, 4}, {0, 0, 0, 0, 9}};
    REQUIRE(images.set_frames(1, rectangles));
    CHECK(images.frame_count(1) == 4);
    CHECK(images[images.frame_of(1, 0)] == ImageFrame{1, 60, 30, 10, 10});
    CHECK(images[images.frame_of(1, 1)] == ImageFrame{1, 3, 4, 5, 6});
    CHECK(images[images.frame_of(1, 2)] == images[0]);
    CHECK(images[images.frame_of(1, 3)] == images[0]);
    CHECK(images.frame_of(1, 5) == images.frame_of(1, 1));
    CHECK(images[whole] == ImageFrame{1, 0, 0, 70, 40});  // ids given out before keep their meaning

    CHECK_FALSE(images.set_frames(1, {}));
    CHECK_FALSE(images.set_frames(99, rectangles));
    CHECK(images.frame_count(1) == 4);
}

TEST_CASE("unknown and missing images are the placeholder") {
    ImageTable images;
    images.add(2, 0, 0);
    CHECK(images.frame_of(2, 3) == 0);
    CHECK(images.frame_of(99, 0) == 0);
    CHECK(images[0] == ImageFrame{0, 0, 0, 16, 16});
    CHECK_FALSE(images.set_grid(2, 8, 8));
    CHECK_FALSE(images.set_grid(99, 8, 8));
    CHECK(images.add_rectangle(99, 0, 0, 4, 4) == 0);
}

TEST_CASE("a grid that does not fit leaves the image unchanged") {
    ImageTable images;
    images.add(1, 32, 32);
    const FrameId whole = images.frame_of(1, 0);
    CHECK_FALSE(images.set_grid(1, 33, 8));
    CHECK_FALSE(images.set_grid(1, 0, 8));
    CHECK(images.frame_of(1, 0) == whole);
}

TEST_CASE("requesting the same grid or rectangle again adds no frame") {
    ImageTable images;
    images.add(1, 32, 32);
    REQUIRE(images.set_grid(1, 8, 8));
    const FrameId part = images.add_rectangle(1, 3, 4, 5, 6);
    const std::size_t count = images.frames().size();
    for (int i = 0; i < 100; ++i) {
        CHECK(images.set_grid(1, 8, 8));
        CHECK(images.add_rectangle(1, 3, 4, 5, 6) == part);
    }
    CHECK(images.frames().size() == count);
}

TEST_CASE("a frame id keeps its meaning whatever is added later, and every rectangle is inside its image") {
    std::mt19937 random{11};
    ImageTable images;
    std::vector<std::pair<FrameId, ImageFrame>> given;
    for (int i = 0; i < 500; ++i) {
        const std::uint32_t image = 1 + random() % 6;
        const auto any = [&] { return static_cast<std::uint16_t>(random() % 70); };
        if (!images.knows(image)) images.add(image, static_cast<std::uint16_t>(1 + random() % 64), 64);
        if (random() % 10 == 0) images.set_grid(image, any(), any());
        const FrameId id = random() % 2 == 0 ? images.add_rectangle(image, any(), any(), any(), any())
                                             : images.frame_of(image, static_cast<std::uint32_t>(random()));
        const ImageFrame frame = images[id];
        if (id != 0) {
            CHECK(frame.image == image);
            CHECK(frame.width > 0);
            CHECK(frame.x + frame.width <= images.size_of(image).width);
            CHECK(frame.y + frame.height <= images.size_of(image).height);
        }
        given.emplace_back(id, frame);
    }
    for (const auto& [id, frame] : given) CHECK(images[id] == frame);
}

TEST_CASE("the filter of an image is its own, its owner's or the game's") {
    ImageTable images;
    images.add(1, 8, 8);
    images.add(2, 8, 8, 3);
    CHECK(images.sampling_of(2) == ImageSampling{});
    images.set_default_filter(0, ImageFilter::linear);
    CHECK(images.sampling_of(1).filter == ImageFilter::linear);
    CHECK(images.sampling_of(2).filter == ImageFilter::linear);
    CHECK(images.sampling_of(99).filter == ImageFilter::linear);
    images.set_default_filter(3, ImageFilter::nearest);
    CHECK(images.sampling_of(2).filter == ImageFilter::nearest);
    images.set_filter(2, ImageFilter::linear);
    images.set_wrap(2, ImageWrap::mirror);
    images.set_filter(99, ImageFilter::linear);
    images.set_wrap(99, ImageWrap::repeat);
    images.add(2, 16, 16, 3);  // the file was saved
    CHECK(images.sampling_of(2) == ImageSampling{ImageFilter::linear, ImageWrap::mirror});
    images.set_filter(2, std::nullopt);
    CHECK(images.sampling_of(2) == ImageSampling{ImageFilter::nearest, ImageWrap::mirror});

    const std::uint64_t version = images.version();
    images.set_wrap(2, ImageWrap::mirror);
    images.set_default_filter(3, ImageFilter::nearest);
    CHECK(images.version() == version);
    images.set_wrap(2, ImageWrap::clamp);
    CHECK(images.version() == version + 1);
}

TEST_CASE("a rectangle may be larger than an image that wraps") {
    ImageTable images;
    images.add(1, 10, 20);
    CHECK(images[images.add_rectangle(1, 5, 5, 100, 100)] == ImageFrame{1, 5, 5, 5, 15});
    CHECK(images.parts_of(images[images.frame_of(1, 0)]) == 1);
    CHECK_FALSE(images.has_repeating_frames());
    images.set_wrap(1, ImageWrap::repeat);
    const ImageFrame large = images[images.add_rectangle(1, 5, 25, 100, 100)];
    CHECK(large == ImageFrame{1, 5, 25, 100, 100});
    CHECK(images.has_repeating_frames());
    CHECK(images.parts_of(large) == 11 * 6);
    CHECK(images.parts_of({1, 0, 0, 65535, 65535}) == ImageTable::kMaxFrameParts);
    CHECK(images.parts_of({77, 0, 0, 65535, 65535}) == 1);
}
