// GlyphAtlas: the glyphs of characters, at the sizes in use, in one texture.
//
// Invariant: a glyph from place() is completely inside the atlas, with clear pixels around it, until clear().
// Glyphs are white, so a vertex colour tints them. One texture for all sizes keeps a run of texts one draw
// call. Not here: positions of characters (text_setter.h), rasterising glyphs (GlyphSource).
//
// Shelves: each row of the texture takes glyphs of about one height, from the left until it is full.
#pragma once

#include "engine/sdl/draw/glyph_source.h"
#include "engine/sdl/draw/mesh.h"
#include "engine/sdl/window/internal/sdl_handle.h"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace perigee {

/// The position of a glyph in the atlas, and its offset from the pen.
struct Glyph {
    TextureBox box;
    int width = 0;  ///< atlas pixels; 0 = nothing to draw (a space)
    int height = 0;
    int left = 0;  ///< from the pen to the left edge
    int top = 0;   ///< from the base line to the top edge, negative = above
};

class GlyphAtlas {
public:
    static constexpr int kFirstSide = 1024;    ///< of the texture, in pixels, until it is full for the first
                                               ///< time
    static constexpr int kSide = 2048;         ///< from then on
    static constexpr int kMaxPixelSize = 512;  ///< larger text is drawn from this size, magnified

    /// Lifetime: the renderer must outlive it.
    GlyphAtlas(SDL_Renderer& renderer, const std::string& font_file);

    /// False: it uses the pixel font.
    bool has_font() const noexcept { return source_.has_font(); }

    /// Null when the atlas is full: draw everything that refers to it, call clear(), and try again.
    /// Expects: pixel_size in 1 .. kMaxPixelSize. Lifetime: until clear().
    const Glyph* place(char32_t character, int pixel_size);

    void clear();

    SDL_Texture* texture() const noexcept { return texture_.get(); }

private:
    struct Shelf {
        int top = 0;
        int height = 0;
        int used = 0;
    };
    bool find_room(int width, int height, int& x, int& y);
    void make_texture();

    SDL_Renderer& renderer_;
    GlyphSource source_;
    TextureHandle texture_;
    int side_ = kFirstSide;
    bool was_full_ = false;
    std::vector<std::uint32_t> pixels_;  // of the glyph being placed
    std::unordered_map<std::uint64_t, Glyph> glyphs_;
    std::vector<Shelf> shelves_;
};

}  // namespace perigee
