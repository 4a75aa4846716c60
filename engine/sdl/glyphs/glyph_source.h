// GlyphSource: rasterises characters, from the font file with SDL_ttf, or from the built-in pixel font.
//
// Invariant: every drawn character has a glyph: its own, or a box. The file is read once, for the first
// glyph: a game without text needs neither its memory nor its time. Not here: advance widths
// (engine/draw/text/text_metrics.h).
#pragma once

#include "engine/draw/text/pixel_font.h"

#include <memory>
#include <string>
#include <utility>

struct _TTF_Font;

namespace perigee {

class GlyphSource {
public:
    /// Uses the pixel font without a file, or if the file is not DejaVu Sans (whose widths text_metrics.h
    /// has).
    explicit GlyphSource(std::string font_file) : file_(std::move(font_file)) {}
    ~GlyphSource();
    GlyphSource(const GlyphSource&) = delete;
    GlyphSource& operator=(const GlyphSource&) = delete;

    /// Reads the file, if nothing has yet.
    bool has_font();
    /// True if the file was read but the pixel font is used.
    bool lacks_font() const noexcept { return is_open_ && font_ == nullptr; }

    /// Cropped to its ink. Expects: pixel_size > 0.
    GlyphBitmap rasterise(char32_t character, int pixel_size);

private:
    struct FontCloser {
        void operator()(_TTF_Font* font) const noexcept;
    };
    void open();

    const std::string file_;
    std::string bytes_;  // of the file: SDL_ttf reads from it
    bool is_open_ = false;
    bool is_ttf_started_ = false;
    std::unique_ptr<_TTF_Font, FontCloser> font_;
    int pixel_size_ = 0;  // current size of the font
};

}  // namespace perigee
