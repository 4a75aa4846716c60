// Textures by handle; renderer_test.cpp checks their pixels.
#include "engine/sdl/draw/texture_cache.h"

#include "tests/engine/sdl/canvas.h"
#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>

#include <set>
#include <vector>

using namespace perigee;

TEST_CASE("a texture is loaded once, and everything without one shares the placeholder") {
    const test::TemporaryFolder folder;
    folder.write("assets/a.png", test::png_of(2, 1, {kWhite, kWhite}));
    folder.write("assets/cut.png", test::png_of(2, 1, {kWhite, kWhite}).substr(0, 40));
    AssetStore assets;
    assets.mount("game", folder.path()).value();
    const AssetHandle good = assets.intern(0, "assets/a.png").value();
    const AssetHandle cut = assets.intern(0, "assets/cut.png").value();
    const AssetHandle missing = assets.intern(0, "assets/none.png").value();

    test::Canvas canvas{4, 4};
    Decoder decoder;
    TextureCache textures{canvas.renderer(), decoder};
    SDL_Texture* texture = textures.texture_of(good, assets);
    int width = 0;
    SDL_QueryTexture(texture, nullptr, nullptr, &width, nullptr);
    CHECK(width == 2);
    CHECK(textures.texture_of(good, assets) == texture);

    SDL_Texture* placeholder = textures.texture_of(0, assets);
    REQUIRE(placeholder != nullptr);
    CHECK(placeholder != texture);
    CHECK(textures.texture_of(missing, assets) == placeholder);
    CHECK(textures.texture_of(cut, assets) == placeholder);
    CHECK(textures.texture_of(cut, assets) == placeholder);
    CHECK(textures.texture_of(999999, assets) == placeholder);

    // Files whose header claims too many pixels, and files that are not PNGs, are not decoded.
    std::string bomb = test::png_of(2, 1, {kWhite, kWhite});
    bomb.replace(16, 8, std::string("\0\0\x40\0\0\0\x40\0", 8));
    folder.write("assets/bomb.png", bomb);
    folder.write("assets/text.png", "BM");
    const AssetHandle bomb_image = assets.intern(0, "assets/bomb.png").value();
    CHECK(textures.texture_of(bomb_image, assets) == placeholder);
    CHECK(textures.texture_of(assets.intern(0, "assets/text.png").value(), assets) == placeholder);
    const std::vector<std::string> refused = textures.take_reports();
    REQUIRE(refused.size() == 3);
    CHECK_THAT(refused[1], Catch::Contains("all images together can have 268 million pixels"));
    CHECK_THAT(refused[2], Catch::Matchers::EndsWith("it is not a PNG or JPEG"));
    textures.reload();
    CHECK(textures.texture_of(cut, assets) == textures.texture_of(0, assets));

    // The store reports missing files.
    const std::vector<std::string> reports = textures.take_reports();
    REQUIRE(reports.size() == 1);
    CHECK_THAT(reports[0], Catch::Matchers::Contains("'assets/cut.png'"));
}

TEST_CASE("an image has a texture for each form in use, and one with fine steps if it is small") {
    const test::TemporaryFolder folder;
    folder.write("assets/a.png", test::png_of(2, 1, {pack_color(200, 100, 50, 128), kWhite}));
    folder.write("assets/large.png", test::png_of(200, 1, std::vector<PackedColor>(200, kWhite)));
    folder.write("assets/cut.png", test::png_of(2, 1, {kWhite, kWhite}).substr(0, 40));
    AssetStore assets;
    assets.mount("game", folder.path()).value();
    const AssetHandle small = assets.intern(0, "assets/a.png").value();
    const AssetHandle large = assets.intern(0, "assets/large.png").value();
    const AssetHandle cut = assets.intern(0, "assets/cut.png").value();

    test::Canvas canvas{512, 128};
    Decoder decoder;
    TextureCache textures{canvas.renderer(), decoder};
    SDL_Texture* const whole = textures.texture_of(small, assets);
    SDL_Texture* const fine = textures.texture_of(small, assets, PixelForm::straight, PixelSteps::fine);
    SDL_Texture* const ready = textures.texture_of(small, assets, PixelForm::premultiplied);
    CHECK(std::set{whole, fine, ready}.size() == 3);
    CHECK(textures.texture_of(large, assets, PixelForm::straight, PixelSteps::fine) ==
          textures.texture_of(large, assets));
    CHECK(textures.texture_of(cut, assets, PixelForm::premultiplied, PixelSteps::fine) ==
          textures.texture_of(0, assets));
    CHECK(textures.take_reports().size() == 1);

    int width = 0, height = 0;
    SDL_QueryTexture(fine, nullptr, nullptr, &width, &height);
    CHECK(width == 256);
    CHECK(height == 128);
    const auto copy = [&](SDL_Texture* texture) {
        SDL_SetTextureBlendMode(texture, SDL_BLENDMODE_NONE);
        const SDL_Rect all{0, 0, 256, 128};
        SDL_RenderCopy(&canvas.renderer(), texture, nullptr, &all);
    };
    copy(fine);
    CHECK(canvas.count_other_than(pack_color(200, 100, 50, 128), 0, 0, 128, 128) == 0);
    CHECK(canvas.count_other_than(kWhite, 128, 0, 256, 128) == 0);
    copy(ready);
    CHECK(canvas.pixel(5, 5) == pack_color(100, 50, 25, 128));
    CHECK(canvas.pixel(200, 5) == kWhite);
}
