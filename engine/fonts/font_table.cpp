// Reading fonts, and keeping texts.
#include "engine/fonts/font_table.h"

#include "ecs/base/suggest.h"
#include "engine/assets/decoder.h"
#include "engine/assets/image_size.h"
#include "engine/base/error_codes.h"
#include "engine/draw/text/text_metrics.h"
#include "engine/fonts/bitmap_font.h"
#include "engine/fonts/markup.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace perigee {

namespace {

namespace e = engine_errors;

constexpr std::string_view kOutlineFonts[] = {".ttf", ".otf", ".TTF", ".OTF"};

bool is_outline_font(std::string_view path) noexcept {
    return std::ranges::any_of(kOutlineFonts, [path](std::string_view end) { return path.ends_with(end); });
}

std::uint64_t key_of(std::string_view utf8, AssetHandle font, bool has_markup) noexcept {
    const std::uint64_t rest = std::uint64_t{font} << 1U | (has_markup ? 1U : 0U);
    return std::hash<std::string_view>{}(utf8) ^ (rest + 1) * 0x9E37'79B9'7F4A'7C15ULL;
}

}  // namespace

FontTable::FontTable(AssetStore& assets, ImageTable& images, ImageLoader& loader)
    : assets_(assets), images_(images), loader_(loader) {}

FontTable::~FontTable() = default;

bool FontTable::is_font_path(std::string_view path) noexcept {
    return is_outline_font(path) || path.ends_with(".fnt") || path.ends_with(".png");
}

void FontTable::describe(AssetHandle font, FontDescription description) {
    Font& known = fonts_[font];
    const bool is_other_picture =
        known.description.glyphs != description.glyphs || known.description.spacing != description.spacing;
    known.description = std::move(description);
    if (is_other_picture) known.is_read = false;
    forget_texts();
}

Result<void> FontTable::define_icon(std::string_view name, FrameId frame, float scale) {
    const auto known = icon_numbers_.find(std::string{name});
    if (known != icon_numbers_.end()) {
        icons_[known->second] = {frame, scale};
    } else {
        if (icons_.size() >= kMaxIcons) return Error{fmt::format(e::kTooManyIcons, kMaxIcons)};
        icon_numbers_.emplace(name, static_cast<std::uint32_t>(icons_.size()));
        icons_.push_back({frame, scale});
    }
    forget_texts();
    return {};
}

// ---- reading ----------------------------------------------------------------------------------------------

Decoder& FontTable::decoder() {
    if (decoder_ != nullptr) return *decoder_;
    if (!own_decoder_) own_decoder_ = std::make_unique<Decoder>();
    return *own_decoder_;
}

std::shared_ptr<FontFace> FontTable::face_of(AssetHandle asset) {
    if (!assets_.is_handle(asset)) return nullptr;
    Font& font = fonts_[asset];
    if (font.face && !font.face->is_answering() && !std::exchange(font.has_stopped, true))
        reports_.push_back(fmt::format(e::kFontStopped, assets_.name_of(asset)));
    if (std::exchange(font.is_read, true)) return font.face;
    font.face = nullptr;
    if (assets_[asset].is_missing) return nullptr;  // which the store reports
    if (!font.takes_room) {
        if (!room_.take(assets_[asset].mount, 1)) {
            reports_.push_back(fmt::format(e::kFontUnusable, assets_.name_of(asset),
                                           fmt::format(e::kTooManyFonts, kMaxFonts)));
            return nullptr;
        }
        font.takes_room = true;
    }
    Result<std::shared_ptr<FontFace>> face = read_face(asset, font);
    if (!face) {
        reports_.push_back(fmt::format(e::kFontUnusable, assets_.name_of(asset), face.error().message));
        return nullptr;
    }
    font.face = std::move(face).value();
    return font.face;
}

Result<std::shared_ptr<FontFace>> FontTable::read_face(AssetHandle asset, Font& font) {
    const std::string path = assets_[asset].path;
    font.pages.clear();
    if (path.ends_with(".png")) return read_strip(asset, font);
    if (!is_font_path(path)) return Error{e::kFontKind};
    const Result<std::string> file = assets_.read(asset, kMaxFileBytes + 1);
    if (!file) return file.error();
    if (file.value().size() > kMaxFileBytes)
        return Error{fmt::format(e::kFontTooLarge, kMaxFileBytes >> 20U)};
    if (is_outline_font(path)) {
        Result<FontProcess> process = decoder().font(file.value());
        if (!process) return process.error();
        return std::make_shared<FontFace>(std::move(process).value());
    }
    const Result<BitmapFont> bitmap = parse_bmfont(file.value());
    if (!bitmap) return bitmap.error();
    const std::string folder = path.substr(0, path.find_last_of('/') + 1);
    for (const std::string& page : bitmap.value().pages) {
        const Result<AssetHandle> image = page.empty() ? Result<AssetHandle>{AssetHandle{0}}
                                                       : assets_.intern(assets_[asset].mount, folder + page);
        if (!image) return image.error();
        if (image.value() != 0) loader_.update(image.value());
        font.pages.push_back(image.value());
    }
    return bitmap_face(bitmap.value(), asset, font);
}

Result<std::shared_ptr<FontFace>> FontTable::read_strip(AssetHandle asset, Font& font) {
    if (font.description.glyphs.empty()) return Error{e::kStripNoList};
    const Result<std::string> file = assets_.read(asset, kMaxFileBytes);
    if (!file) return file.error();
    const std::optional<ImageSize> size = image_size(file.value());
    if (!size) return Error{e::kStripNoImage};
    const Result<DecodedBytes> pixels = decoder().image(file.value(), *size);
    if (!pixels) return pixels.error();
    const Result<BitmapFont> bitmap =
        read_glyph_strip({pixels.value().data(), pixels.value().size()}, size->width, size->height,
                         font.description.glyphs, font.description.spacing);
    if (!bitmap) return bitmap.error();
    font.pages = {asset};
    return bitmap_face(bitmap.value(), asset, font);
}

Result<std::shared_ptr<FontFace>> FontTable::bitmap_face(const BitmapFont& bitmap, AssetHandle asset,
                                                         Font& font) {
    std::vector<FrameId> frames;
    frames.reserve(bitmap.glyphs.size());
    for (const BitmapFont::Glyph& glyph : bitmap.glyphs) {
        if (glyph.width == 0 || glyph.height == 0) {
            frames.push_back(0);
            continue;
        }
        frames.push_back(images_.add_rectangle(font.pages[glyph.page], glyph.x, glyph.y, glyph.width,
                                               glyph.height, assets_[asset].mount));
        if (images_.is_full()) return Error{e::kTooManyFrames};
    }
    return std::make_shared<FontFace>(bitmap, frames);
}

// ---- texts ------------------------------------------------------------------------------------------------

std::shared_ptr<const ShapedText> FontTable::shape(std::string_view utf8, AssetHandle font, bool has_markup) {
    // Icons and glyphs of bitmap fonts are parts of images.
    if (image_version_ != images_.version()) {
        image_version_ = images_.version();
        forget_texts();
    }
    const std::uint64_t key = key_of(utf8, font, has_markup);
    const auto known = texts_.find(key);
    if (known != texts_.end()) {
        KeptText& kept = known->second;
        if (kept.font == font && kept.has_markup == has_markup && kept.text->source == utf8) {
            kept.used = ++uses_;
            return kept.text;
        }
    }
    std::shared_ptr<const ShapedText> text = make(utf8, font, has_markup);
    make_room();
    kept_glyphs_ += text->glyphs.size();
    texts_.insert_or_assign(key, KeptText{text, font, has_markup, ++uses_});
    return text;
}

// The half that was not used for the longest time goes.
void FontTable::make_room() {
    if (texts_.size() < kMaxTexts && kept_glyphs_ < kMaxGlyphs) return;
    std::vector<std::uint64_t> times;
    times.reserve(texts_.size());
    for (const auto& [key, kept] : texts_) times.push_back(kept.used);
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::nth_element(times.begin(), middle, times.end());
    const std::uint64_t oldest = *middle;
    std::erase_if(texts_, [oldest](const auto& each) { return each.second.used <= oldest; });
    kept_glyphs_ = 0;
    for (const auto& [key, kept] : texts_) kept_glyphs_ += kept.text->glyphs.size();
}

void FontTable::forget_texts() {
    texts_.clear();
    kept_glyphs_ = 0;
}

std::optional<std::uint32_t> FontTable::find_icon(std::string_view name) const {
    const auto known = icon_numbers_.find(std::string{name});
    if (known == icon_numbers_.end()) return std::nullopt;
    return known->second;
}

std::shared_ptr<const ShapedText> FontTable::make(std::string_view utf8, AssetHandle font, bool has_markup) {
    auto text = std::make_shared<ShapedText>();
    text->source = utf8;
    text->font = font;
    units_.clear();
    if (has_markup) {
        bool has_all_icons = true;
        std::string mistake;
        const auto find = [&](std::string_view name) {
            const auto icon = find_icon(name);
            has_all_icons = has_all_icons && icon.has_value();
            return icon;
        };
        internal::read_markup(utf8, find, units_, mistake);
        if (!has_all_icons || !mistake.empty()) report_mistake(utf8);
    } else {
        internal::read_plain(utf8, units_);
    }
    const FontDescription description = fonts_.contains(font) ? fonts_[font].description : FontDescription{};
    const auto face_at = [&](std::size_t index) -> std::shared_ptr<FontFace> {
        // A font that cannot be read has no fallbacks: the default font is one.
        std::shared_ptr<FontFace> first = face_of(font);
        if (!first || index == 0) return first;
        for (std::size_t i = 0, found = 0; i < description.fallback.size(); ++i) {
            std::shared_ptr<FontFace> next = face_of(description.fallback[i]);
            if (next && ++found == index) return next;
        }
        return nullptr;
    };
    const auto icon_at = [&](std::uint32_t number, float ascent, float line_height) {
        const Icon& icon = icons_[number];
        const ImageFrame& frame = images_[icon.frame];
        const float height = icon.scale;
        const float width = frame.height != 0
                                ? height * static_cast<float>(frame.width) / static_cast<float>(frame.height)
                                : height;
        internal::IconPicture shown;
        shown.advance = width;
        shown.picture = {.frame = icon.frame,
                         .left = 0.0F,
                         .top = (line_height - height) / 2.0F - ascent,
                         .width = width,
                         .height = height,
                         .is_tinted = false};
        return shown;
    };
    shaper_.shape(units_, face_at, icon_at, description.line_height, *text);
    return text;
}

// Of texts of entities: gfx.print raises before.
void FontTable::report_mistake(std::string_view utf8) {
    constexpr std::size_t kMaxReports = 16, kShownBytes = 60;
    if (mistake_count_ >= kMaxReports) return;
    ++mistake_count_;
    reports_.push_back(fmt::format(e::kMarkupInText, utf8.substr(0, kShownBytes), markup_mistake(utf8)));
}

std::string FontTable::markup_mistake(std::string_view utf8) const {
    std::vector<internal::TextUnit> units;
    std::string mistake;
    std::string unknown;
    const auto find = [&](std::string_view name) {
        const auto icon = find_icon(name);
        if (!icon && unknown.empty()) {
            std::vector<std::string_view> names;
            for (const auto& [known, number] : icon_numbers_) names.push_back(known);
            std::ranges::sort(names);
            unknown = fmt::format(e::kMarkupNoIcon, name, did_you_mean(name, names));
        }
        return icon;
    };
    internal::read_markup(utf8, find, units, mistake);
    return unknown.empty() ? mistake : unknown;
}

float FontTable::own_size(AssetHandle font) {
    const std::shared_ptr<FontFace> face = face_of(font);
    return face ? face->own_size() : 0.0F;
}

FontTable::Metrics FontTable::metrics(AssetHandle font) {
    const std::shared_ptr<FontFace> face = face_of(font);
    if (!face) return {kTextAscent, line_height(1.0F)};
    return {face->ascent(), face->line_height() * fonts_[font].description.line_height};
}

void FontTable::reload(AssetHandle asset) {
    for (auto& [handle, font] : fonts_) {
        if (handle != asset && std::ranges::find(font.pages, asset) == font.pages.end()) continue;
        font.is_read = false;
        font.has_stopped = false;
    }
    forget_texts();
}

std::vector<std::string> FontTable::take_reports() { return std::exchange(reports_, {}); }

}  // namespace perigee
