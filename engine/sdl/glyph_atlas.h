// GlyphAtlas: the pictures of characters, at the sizes in use, in one texture.
//
// Invariant: a glyph that place() gave lies whole inside the atlas, apart from its neighbours by one clear
// pixel, until clear(). Glyphs are white, so a vertex colour tints them. One texture for all sizes keeps a
// run of texts one draw call. It does not know where a character goes; see TextSetter.
//
// Shelves: each row of the texture takes glyphs of about one height, from the left until it is full.
#pragma once

#include "engine/sdl/internal/sdl_handle.h"
#include "engine/sdl/mesh.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

struct _TTF_Font;

namespace perigee {

/// Where a glyph lies in the atlas, and where from the pen its picture begins.
struct Glyph {
    TextureBox box;
    int width = 0;  ///< atlas pixels; 0 = nothing to draw (a space)
    int height = 0;
    int left = 0;  ///< from the pen to the left edge
    int top = 0;   ///< from the base line to the top edge, negative = above
};

class GlyphAtlas {
public:
    static constexpr int kSide = 1024;        ///< of the texture, in pixels
    static constexpr int kMaxPixelSize = 96;  ///< larger text is drawn from this size, magnified

    /// Opens `font_file`; without a font, place() gives empty glyphs. Lifetime: the renderer outlives it.
    GlyphAtlas(SDL_Renderer& renderer, std::string font_file);
    ~GlyphAtlas();
    GlyphAtlas(const GlyphAtlas&) = delete;
    GlyphAtlas& operator=(const GlyphAtlas&) = delete;

    bool has_font() const noexcept { return has_font_; }

    /// Null when the atlas is full: draw what refers to it, clear(), and ask again.
    /// Expects: pixel_size in 1 .. kMaxPixelSize. Lifetime: until clear().
    const Glyph* place(char32_t character, int pixel_size);

    void clear();

    SDL_Texture* texture() const noexcept { return texture_.get(); }

private:
    struct FontCloser {
        void operator()(_TTF_Font* font) const noexcept;
    };
    using FontHandle = std::unique_ptr<_TTF_Font, FontCloser>;
    struct Shelf {
        int top = 0;
        int height = 0;
        int used = 0;
    };
    _TTF_Font* font_of(int pixel_size);
    bool find_room(int width, int height, int& x, int& y);

    SDL_Renderer& renderer_;
    std::string font_file_;
    bool is_ttf_started_ = false;
    bool has_font_ = false;
    TextureHandle texture_;
    std::map<int, FontHandle> fonts_;  // by pixel size
    std::unordered_map<std::uint64_t, Glyph> glyphs_;
    std::vector<Shelf> shelves_;
};

/// DejaVu Sans where the common systems keep it; "" if it is nowhere.
std::string default_font_file();

}  // namespace perigee
