// GlyphSource: pictures of characters, from the font file by SDL_ttf, or from the font of last resort.
//
// Invariant: every character that is drawn has a picture: its own, or a box. The file is read once, when the
// source is made, so nothing needs it later. How far the pen moves is engine/text_metrics.h.
#pragma once

#include "engine/pixel_font.h"

#include <memory>
#include <string>

struct _TTF_Font;

namespace perigee {

class GlyphSource {
public:
    /// Without a file, or with one that is no DejaVu Sans (whose widths text_metrics.h has), the pixel font.
    explicit GlyphSource(const std::string& font_file);
    ~GlyphSource();
    GlyphSource(const GlyphSource&) = delete;
    GlyphSource& operator=(const GlyphSource&) = delete;

    bool has_font() const noexcept { return font_ != nullptr; }

    /// Cropped to its ink. Expects: pixel_size > 0.
    GlyphPicture picture(char32_t character, int pixel_size);

private:
    struct FontCloser {
        void operator()(_TTF_Font* font) const noexcept;
    };
    std::string bytes_;  // of the file: SDL_ttf reads in it
    bool is_ttf_started_ = false;
    std::unique_ptr<_TTF_Font, FontCloser> font_;
    int pixel_size_ = 0;  // of the font now
};

}  // namespace perigee
