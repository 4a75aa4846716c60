// GlyphAtlas: the glyphs of characters and faces, at the sizes in use, in one texture.
//
// Invariant: a glyph from place() is completely inside the atlas, with clear pixels around it, until clear().
// Glyphs are white, so a vertex colour tints them. One texture for all sizes keeps a run of texts one draw
// call. Not here: positions of characters (text_setter.h), rasterising glyphs (GlyphSource), the texture of a
// back end (AtlasTexture).
#pragma once

#include "engine/fonts/font_face.h"
#include "engine/sdl/draw/shelf_packer.h"
#include "engine/sdl/glyphs/glyph_source.h"
#include "engine/sdl/mesh/mesh.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace perigee {

/// The position of a glyph in the atlas, and its offset from the pen.
struct Glyph {
    TextureBox box;
    int x = 0;  ///< of the left edge, in pixels of the atlas
    int y = 0;
    int width = 0;  ///< atlas pixels; 0 = nothing to draw (a space)
    int height = 0;
    int left = 0;  ///< from the pen to the left edge
    int top = 0;   ///< from the base line to the top edge, negative = above
};

/// The texture of a back end.
class AtlasTexture {
public:
    AtlasTexture() = default;
    virtual ~AtlasTexture() = default;
    AtlasTexture(const AtlasTexture&) = delete;
    AtlasTexture& operator=(const AtlasTexture&) = delete;

    /// Begins a new square texture instead of the old one, which may still be part of queued drawing. False:
    /// there is none of this size.
    virtual bool create(int side) = 0;
    /// Shape: width * height pixels, 0xAARRGGBB. Expects: inside of the texture.
    virtual void write(int x, int y, int width, int height, const std::uint32_t* pixels) = 0;
};

class GlyphAtlas {
public:
    static constexpr int kFirstSide = 512;     ///< of the texture, in pixels, until it is full for the first
                                               ///< time
    static constexpr int kSide = 2048;         ///< from then on
    static constexpr int kMaxPixelSize = 512;  ///< larger text is drawn from this size, magnified

    /// The texture is created for the first glyph. Lifetime: the texture must outlive it.
    GlyphAtlas(AtlasTexture& texture, std::string font_file)
        : texture_(texture), source_(std::move(font_file)) {}

    /// Creates the texture, if nothing has: for a back end that has to know it before the first glyph.
    void create_texture() {
        if (!std::exchange(is_created_, true)) has_texture_ = texture_.create(packer_.side());
    }

    /// False: it uses the pixel font.
    bool has_font() { return source_.has_font(); }
    /// True from the first glyph on that the default font lacks a file for.
    bool lacks_font() const noexcept { return source_.lacks_font(); }

    /// A number for place(FaceGlyph, …); 0 is the default font. The atlas keeps the face until clear().
    std::uint16_t number_of(const std::shared_ptr<FontFace>& face);

    /// A glyph of a face, or of the default font, with an outline around it.
    struct FaceGlyph {
        std::uint32_t glyph = 0;   ///< the character, if it is of the default font
        std::uint16_t face = 0;    ///< number_of()
        std::uint16_t spread = 0;  ///< quarters of a pixel by which it is wider in all directions
    };
    /// Like the function below. clear() also forgets the numbers of number_of().
    const Glyph* place(FaceGlyph glyph, int pixel_size);

    /// Null when the atlas is full: draw everything that refers to it, call clear(), and try again.
    /// Expects: pixel_size in 1 .. kMaxPixelSize. Lifetime: until clear().
    const Glyph* place(char32_t character, int pixel_size) {
        if (character < kQuickCharacters && pixel_size == quick_size_) {
            const Glyph* glyph = (*quick_)[character];
            if (glyph != nullptr) return glyph;
        }
        return find_or_place(character, pixel_size);
    }

    void clear();
    /// Rises with each clear(): glyphs of the same version are where they were.
    std::uint64_t version() const noexcept { return version_; }

private:
    // The glyphs of ASCII by character, for each size; null: not placed yet.
    static constexpr std::size_t kQuickCharacters = 128;
    using Quick = std::array<const Glyph*, kQuickCharacters>;

    const Glyph* find_or_place(char32_t character, int pixel_size);
    GlyphBitmap rasterise(FaceGlyph glyph, int pixel_size);
    const Glyph* add(FaceGlyph glyph, int pixel_size);

    AtlasTexture& texture_;
    GlyphSource source_;
    ShelfPacker packer_{kFirstSide};
    bool is_created_ = false;
    bool has_texture_ = false;
    bool was_full_ = false;
    std::uint64_t version_ = 1;
    std::vector<std::uint32_t> pixels_;  // of the glyph being placed
    std::unordered_map<std::uint64_t, Glyph> glyphs_;
    std::vector<std::shared_ptr<FontFace>> faces_;  // face n is faces_[n - 1]
    std::unordered_map<int, Quick> quick_of_size_;
    Quick* quick_ = nullptr;  // of quick_size_
    int quick_size_ = 0;
};

}  // namespace perigee
