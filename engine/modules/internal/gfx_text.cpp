// Plain texts in the default font, from left to right, need no table, and are measured by systems that run at
// the same time; all others go through the FontTable, in turn.
#include "engine/modules/internal/gfx_text.h"

#include "engine/base/error_codes.h"
#include "engine/draw/shaped_lines.h"
#include "engine/draw/text/text_metrics.h"
#include "engine/fonts/text_direction.h"
#include "engine/modules/gfx_module.h"
#include "engine/modules/in_turn.h"
#include "engine/modules/internal/gfx_painting.h"
#include "engine/modules/internal/module_number.h"
#include "engine/modules/internal/module_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <new>
#include <string>
#include <string_view>

namespace perigee {

namespace {

using internal::change;
using internal::color_from_lua;
using internal::painted;
using internal::whole;

GfxContext& texting(void* context) noexcept { return *static_cast<GfxContext*>(context); }

float to_float(double number) noexcept { return static_cast<float>(number); }

TextAlign align_of(double number) noexcept {
    constexpr std::uint8_t kLast = kTextAlignNames.size() - 1;
    return static_cast<TextAlign>(std::min(whole<std::uint8_t>(number), kLast));
}

// ---- drawing ----------------------------------------------------------------------------------------------

std::int32_t drawn_text(std::int32_t drawn, bool is_ordered) noexcept {
    const bool is_yes = drawn == static_cast<std::int32_t>(internal::Drawn::yes);
    return is_yes && is_ordered ? static_cast<std::int32_t>(internal::Drawn::ordered) : drawn;
}

/// In the font of the state.
std::int32_t print(void* context, const char* text, double length, double x, double y, double size,
                   double width, double align, double color) noexcept {
    const std::string_view utf8 = internal::text_of(text, length);
    const bool is_ordered = internal::runs_right_to_left(utf8);
    const std::int32_t drawn = painted(context, color, [&](Painter& painter) {
        const TextStyle style{to_float(size), to_float(width), align_of(align)};
        if ((painter.font == 0 && !is_ordered) || texting(context).fonts == nullptr) {
            painter.text(utf8, to_float(x), to_float(y), style);
            return;
        }
        const TextLook look{.text = texting(context).fonts->shape(utf8, painter.font, false)};
        painter.text(utf8, look, to_float(x), to_float(y), style);
    });
    return drawn_text(drawn, is_ordered);
}

/// Lengths in pixels. `font` below 0: that of the state; `reveal` below 0: all.
std::int32_t print_styled(void* context, const char* text, double length, double x, double y, double size,
                          double width, double align, double color, double font, bool has_markup,
                          double reveal, double outline, double outline_color, double shadow_x,
                          double shadow_y, double shadow_color) noexcept {
    const std::string_view utf8 = internal::text_of(text, length);
    const bool is_ordered = internal::runs_right_to_left(utf8);
    const std::int32_t drawn = painted(context, color, [&](Painter& painter) {
        FontTable* const fonts = texting(context).fonts;
        const TextStyle style{to_float(size), to_float(width), align_of(align)};
        const float em = style.size > 0.0F ? style.size : painter.font_size;
        const auto in_em = [em](double pixels) { return std::clamp(to_float(pixels) / em, -2.0F, 2.0F); };
        const AssetHandle used = font >= 0.0 ? whole<AssetHandle>(font) : painter.font;
        TextLook look;
        const bool is_plain = used == 0 && !has_markup && reveal < 0.0 && !is_ordered;
        if (fonts != nullptr && !is_plain) look.text = fonts->shape(utf8, used, has_markup);
        if (reveal >= 0.0) look.revealed = whole<std::uint32_t>(reveal);
        look.outline = std::max(0.0F, in_em(outline));
        look.outline_color = color_from_lua(outline_color);
        look.shadow_x = in_em(shadow_x);
        look.shadow_y = in_em(shadow_y);
        if (look.shadow_x != 0.0F || look.shadow_y != 0.0F) look.shadow_color = color_from_lua(shadow_color);
        painter.text(utf8, look, to_float(x), to_float(y), style);
    });
    return drawn_text(drawn, is_ordered);
}

void set_size(Painter& painter, double size) noexcept {
    if (size > 0.0 && size < 1000.0) painter.font_size = to_float(size);
}

bool set_font_size(void* context, double size) noexcept {
    return change(context, [=](Painter& painter) { set_size(painter, size); });
}

/// `font` 0: the default font. `size` 0: the own size of a bitmap font, else as it is.
bool set_font(void* context, double font, double size) noexcept {
    GfxContext& self = texting(context);
    return change(context, [&](Painter& painter) {
        painter.font = whole<AssetHandle>(font);
        if (!self.assets.is_handle(painter.font)) painter.font = 0;
        const bool has_own = size <= 0.0 && painter.font != 0 && self.fonts != nullptr;
        set_size(painter, has_own ? double{self.fonts->own_size(painter.font)} : size);
    });
}

/// Of later texts. 0: the default font.
double font(void* context) noexcept { return texting(context).painter.font; }
double font_size(void* context) noexcept { return double{texting(context).painter.font_size}; }

// ---- measuring --------------------------------------------------------------------------------------------

/// Whether a text in the default font is not plain either.
bool runs_right_to_left(const char* text, double length) noexcept {
    return internal::runs_right_to_left(internal::text_of(text, length));
}

/// Width of the widest line of a text that is wrapped at box_width; 0 = not wrapped.
double text_width_of(const char* text, double length, double size, double box_width) noexcept {
    float widest = 0.0F;
    for (std::string_view rest = internal::text_of(text, length); !rest.empty();)
        widest = std::max(widest,
                          text_width(next_line(rest, to_float(size), to_float(box_width)), to_float(size)));
    return widest;
}

/// Height of a text that is wrapped at box_width; 0 = not wrapped.
double text_height_of(const char* text, double length, double size, double box_width) noexcept {
    std::string_view rest = internal::text_of(text, length);
    double lines = 0;
    for (; !rest.empty(); ++lines) next_line(rest, to_float(size), to_float(box_width));
    return lines * line_height(to_float(size));
}

std::shared_ptr<const ShapedText> shaped(void* context, const char* text, double length, double font,
                                         bool has_markup) {
    return texting(context).fonts->shape(internal::text_of(text, length), whole<AssetHandle>(font),
                                         has_markup);
}

double styled_width(void* context, const char* text, double length, double size, double box_width,
                    double font, bool has_markup) noexcept {
    const auto made = shaped(context, text, length, font, has_markup);
    return text_size(*made, to_float(size), to_float(box_width)).width;
}

double styled_height(void* context, const char* text, double length, double size, double box_width,
                     double font, bool has_markup) noexcept {
    const auto made = shaped(context, text, length, font, has_markup);
    return text_size(*made, to_float(size), to_float(box_width)).height;
}

// The characters of a text in their order, up to a number each time.
class Characters {
public:
    explicit Characters(std::string_view utf8) noexcept : rest_(utf8) {}

    std::string_view up_to(std::uint32_t number) noexcept {
        const std::string_view before = rest_;
        for (; number_ < number && !rest_.empty(); ++number_) next_character(rest_);
        return before.substr(0, before.size() - rest_.size());
    }

private:
    std::string_view rest_;
    std::uint32_t number_ = 0;
};

std::string in_lines(std::string_view utf8, const ShapedText& text, float size, float box_width) {
    std::string lines;
    Characters characters(utf8);
    const auto number_at = [&text](std::uint32_t glyph) {
        return glyph < text.glyphs.size() ? text.glyphs[glyph].number : text.length;
    };
    std::uint32_t next = 0;
    const float limit = box_width > 0.0F ? box_width / size : 0.0F;
    for (TextLine line; next_line(text, next, limit, line);) {
        if (line.first != 0) lines += '\n';
        characters.up_to(number_at(line.first));
        lines += characters.up_to(number_at(line.end));
        while (lines.ends_with(' ')) lines.pop_back();
    }
    return lines;
}

/// The text with a line break wherever gfx.print begins a new line. Lifetime: until the next call. Empty: no
/// memory.
const char* wrapped_text(void* context, const char* text, double length, double size, double box_width,
                         double font) noexcept {
    GfxContext& self = texting(context);
    std::string_view rest = internal::text_of(text, length);
    std::string& lines = self.font_maker.wrapped;
    lines.clear();
    try {
        if (font != 0.0 || internal::runs_right_to_left(rest)) {
            lines = in_lines(rest, *shaped(context, text, length, font, false), to_float(size),
                             to_float(box_width));
        } else {
            while (!rest.empty()) {
                lines += next_line(rest, to_float(size), to_float(box_width));
                if (!rest.empty()) lines += '\n';
            }
        }
    } catch (const std::bad_alloc&) {
        lines.clear();
    }
    return lines.c_str();
}

/// In characters; an icon is one.
double text_length(void* context, const char* text, double length, bool has_markup) noexcept {
    return shaped(context, text, length, 0, has_markup)->length;
}

double font_ascent(void* context, double font, double size) noexcept {
    return texting(context).fonts->metrics(whole<AssetHandle>(font)).ascent * to_float(size);
}
double font_line_height(void* context, double font, double size) noexcept {
    return texting(context).fonts->metrics(whole<AssetHandle>(font)).line_height * to_float(size);
}
/// 0 for fonts that have none.
double font_own_size(void* context, double font) noexcept {
    return texting(context).fonts->own_size(whole<AssetHandle>(font));
}

// ---- fonts and icons --------------------------------------------------------------------------------------

/// The first mistake in the markup of a text; empty: there is none.
const char* markup_mistake(void* context, const char* text, double length) noexcept {
    GfxContext& self = texting(context);
    try {
        self.error = self.fonts->markup_mistake(internal::text_of(text, length));
    } catch (const std::bad_alloc&) {
        self.error.clear();
    }
    return self.error.c_str();
}

void font_begin(void* context, const char* glyphs, double length, double spacing,
                double line_height) noexcept {
    FontDescription& description = texting(context).font_maker.description;
    description = {};
    description.spacing = to_float(spacing);
    description.line_height = to_float(line_height);
    try {
        for (std::string_view rest = internal::text_of(glyphs, length); !rest.empty();)
            description.glyphs += next_character(rest);
    } catch (const std::bad_alloc&) {
        description.glyphs.clear();
    }
}

void font_fallback(void* context, double font) noexcept {
    std::vector<AssetHandle>& fallback = texting(context).font_maker.description.fallback;
    if (fallback.size() < 16) fallback.push_back(whole<AssetHandle>(font));
}

void font_end(void* context, double font) noexcept {
    GfxContext& self = texting(context);
    self.fonts->describe(whole<AssetHandle>(font), self.font_maker.description);
}

/// False: there is no room (see error()).
bool icon(void* context, const char* name, double length, double frame, double scale) noexcept {
    GfxContext& self = texting(context);
    FontMaker& maker = self.font_maker;
    try {
        maker.icon = maker.prefix + std::string{internal::text_of(name, length)};
        const auto number = whole<FrameId>(frame);
        if (number >= self.images.frames().size()) return true;
        const Result<void> defined = self.fonts->define_icon(maker.icon, number, to_float(scale));
        if (!defined) self.error = defined.error().message;
        return defined.ok();
    } catch (const std::bad_alloc&) {
        self.error.clear();
        return false;
    }
}

/// The name of the last icon, as texts have it.
const char* icon_name(void* context) noexcept { return texting(context).font_maker.icon.c_str(); }

}  // namespace

std::vector<NativeFunction> gfx_text_functions() {
    return {native_function<&print>("print"),
            native_function<&print_styled>("print_styled"),
            native_function<&set_font_size>("set_font_size"),
            native_function<&set_font>("set_font"),
            native_function<&font>("font"),
            native_function<&font_size>("font_size"),
            native_function<&runs_right_to_left>("runs_right_to_left"),
            native_function<&text_width_of>("text_width"),
            native_function<&text_height_of>("text_height"),
            function_in_turn<&styled_width>("styled_width"),
            function_in_turn<&styled_height>("styled_height"),
            function_in_turn<&text_length>("text_length"),
            function_in_turn<&wrapped_text>("wrapped_text"),
            function_in_turn<&font_ascent>("font_ascent"),
            function_in_turn<&font_line_height>("font_line_height"),
            function_in_turn<&font_own_size>("font_own_size"),
            function_in_turn<&markup_mistake>("markup_mistake"),
            native_function<&font_begin>("font_begin"),
            native_function<&font_fallback>("font_fallback"),
            function_in_turn<&font_end>("font_end"),
            function_in_turn<&icon>("icon"),
            native_function<&icon_name>("icon_name")};
}

}  // namespace perigee
