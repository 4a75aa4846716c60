// Finding room, and pixels with a clear border.
#include "engine/sdl/draw/glyph_atlas.h"

#include "ecs/base/contract.h"
#include "engine/sdl/glyphs/glyph_outline.h"

#include <algorithm>

namespace perigee {

namespace {

// Glyphs and characters have 21 bits, sizes 10.
constexpr std::uint64_t glyph_key(GlyphAtlas::FaceGlyph glyph, int pixel_size) {
    return std::uint64_t{glyph.spread} << 48U | std::uint64_t{glyph.face} << 32U |
           static_cast<std::uint64_t>(pixel_size) << 21U | (glyph.glyph & 0x1F'FFFFU);
}

constexpr int kBorder = 1;  // so that filtering finds no neighbour of a glyph

// White, with the border. Shape: (width + 2) * (height + 2).
void fill(const GlyphBitmap& bitmap, std::vector<std::uint32_t>& pixels) {
    constexpr std::uint32_t kClear = 0x00FF'FFFFU;
    const auto width = static_cast<std::size_t>(bitmap.width + 2 * kBorder);
    pixels.assign(width * static_cast<std::size_t>(bitmap.height + 2 * kBorder), kClear);
    const std::uint8_t* coverage = bitmap.coverage.data();
    for (std::size_t y = kBorder; y < static_cast<std::size_t>(bitmap.height + kBorder); ++y)
        for (std::size_t x = kBorder; x < static_cast<std::size_t>(bitmap.width + kBorder); ++x)
            pixels[y * width + x] = kClear | static_cast<std::uint32_t>(*coverage++) << 24U;
}

}  // namespace

void GlyphAtlas::clear() {
    ++version_;
    glyphs_.clear();
    quick_of_size_.clear();
    quick_size_ = 0;
    faces_.clear();
    if (!is_created_) return;
    const int before = packer_.side();
    int side = was_full_ ? kSide : before;
    has_texture_ = texture_.create(side);
    if (!has_texture_ && side != before) {
        side = before;  // as large as the display can
        has_texture_ = texture_.create(side);
    }
    packer_.clear(side);
}

const Glyph* GlyphAtlas::find_or_place(char32_t character, int pixel_size) {
    const Glyph* const glyph = place(FaceGlyph{.glyph = character}, pixel_size);
    if (glyph == nullptr || character >= kQuickCharacters) return glyph;
    if (pixel_size != quick_size_) {
        quick_ = &quick_of_size_[pixel_size];
        quick_size_ = pixel_size;
    }
    (*quick_)[character] = glyph;
    return glyph;
}

std::uint16_t GlyphAtlas::number_of(const std::shared_ptr<FontFace>& face) {
    auto found = std::ranges::find(faces_, face);
    if (found == faces_.end()) {
        // So many fonts do not fit anyway.
        if (faces_.size() >= 65535) return 0;
        found = faces_.insert(faces_.end(), face);
    }
    return static_cast<std::uint16_t>(found - faces_.begin() + 1);
}

const Glyph* GlyphAtlas::place(FaceGlyph glyph, int pixel_size) {
    ECS_EXPECTS(pixel_size >= 1 && pixel_size <= kMaxPixelSize, pixel_size);
    const auto known = glyphs_.find(glyph_key(glyph, pixel_size));
    return known != glyphs_.end() ? &known->second : add(glyph, pixel_size);
}

GlyphBitmap GlyphAtlas::rasterise(FaceGlyph glyph, int pixel_size) {
    create_texture();
    if (!has_texture_) return {};
    GlyphBitmap bitmap = glyph.face == 0 ? source_.rasterise(glyph.glyph, pixel_size)
                                         : faces_[glyph.face - 1U]->rasterise(glyph.glyph, pixel_size);
    if (glyph.spread != 0 && bitmap.width > 0) return spread_out(bitmap, glyph.spread / 4.0F);
    return bitmap;
}

const Glyph* GlyphAtlas::add(FaceGlyph face_glyph, int pixel_size) {
    Glyph glyph;
    const GlyphBitmap bitmap = rasterise(face_glyph, pixel_size);
    if (bitmap.width > 0) {
        int x = 0;
        int y = 0;
        const int width = bitmap.width + 2 * kBorder;
        const int height = bitmap.height + 2 * kBorder;
        if (!packer_.place(width, height, x, y)) {
            was_full_ = true;
            return nullptr;
        }
        fill(bitmap, pixels_);
        texture_.write(x, y, width, height, pixels_.data());
        const auto fraction = [this](int pixel) {
            return static_cast<float>(pixel) / static_cast<float>(packer_.side());
        };
        glyph.box = {fraction(x + kBorder), fraction(y + kBorder), fraction(x + width - kBorder),
                     fraction(y + height - kBorder)};
        glyph.x = x + kBorder;
        glyph.y = y + kBorder;
        glyph.width = bitmap.width;
        glyph.height = bitmap.height;
        glyph.left = bitmap.left;
        glyph.top = bitmap.top;
    }
    return &glyphs_.emplace(glyph_key(face_glyph, pixel_size), glyph).first->second;
}

}  // namespace perigee
