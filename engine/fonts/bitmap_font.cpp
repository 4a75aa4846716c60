// BMFont: lines of a word and "key=value"; a value may be in quotes.
#include "engine/fonts/bitmap_font.h"

#include "engine/base/error_codes.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <optional>
#include <tuple>
#include <utility>

namespace perigee {

namespace {

namespace e = engine_errors;

constexpr int kMaxNumber = 1'000'000;

std::string_view value_of(std::string_view line, std::string_view key) {
    for (std::size_t at = line.find(key); at != line.npos; at = line.find(key, at + 1)) {
        const std::size_t end = at + key.size();
        const bool is_word = at > 0 && (line[at - 1] == ' ' || line[at - 1] == '\t');
        if (!is_word || end >= line.size() || line[end] != '=') continue;
        std::string_view value = line.substr(end + 1);
        if (value.starts_with('"')) {
            value.remove_prefix(1);
            return value.substr(0, value.find('"'));
        }
        return value.substr(0, value.find_first_of(" \t\r"));
    }
    return {};
}

std::optional<int> number_of(std::string_view line, std::string_view key) {
    const std::string_view value = value_of(line, key);
    int number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error != std::errc{} || end != value.data() + value.size() || std::abs(number) > kMaxNumber)
        return std::nullopt;
    return number;
}

class Parser {
public:
    Result<BitmapFont> parse(std::string_view file) {
        if (file.starts_with("BMF")) return Error{e::kBmfontBinary};
        if (file.starts_with("<")) return Error{e::kBmfontXml};
        for (int number = 1; !file.empty(); ++number) {
            const std::size_t end = std::min(file.find('\n'), file.size());
            if (Result<void> read = read_line(file.substr(0, end)); !read)
                return Error{fmt::format(e::kBmfontLine, number, read.error().message)};
            file.remove_prefix(std::min(end + 1, file.size()));
        }
        return finish();
    }

private:
    Result<void> read_line(std::string_view line) {
        const std::string_view word = line.substr(0, line.find_first_of(" \t\r"));
        if (word == "info") {
            if (const auto size = number_of(line, "size")) font_.size = static_cast<float>(std::abs(*size));
            return {};
        }
        if (word == "common") {
            if (Result<int> height = need(line, "lineHeight"); !height)
                return height.error();
            else
                font_.line_height = static_cast<float>(height.value());
            if (Result<int> base = need(line, "base"); !base)
                return base.error();
            else
                font_.base = static_cast<float>(base.value());
            return {};
        }
        if (word == "page") return read_page(line);
        if (word == "char") return read_glyph(line);
        if (word == "kerning") return read_pair(line);
        return {};
    }

    static Result<int> need(std::string_view line, std::string_view key) {
        const auto number = number_of(line, key);
        if (!number) return Error{fmt::format(e::kBmfontNumber, line.substr(0, line.find(' ')), key)};
        return *number;
    }

    Result<void> read_page(std::string_view line) {
        const Result<int> id = need(line, "id");
        if (!id) return id.error();
        const std::string_view file = value_of(line, "file");
        if (file.empty() || id.value() < 0 || id.value() >= static_cast<int>(BitmapFont::kMaxPages))
            return Error{fmt::format(e::kBmfontPage, id.value(), BitmapFont::kMaxPages)};
        const auto number = static_cast<std::size_t>(id.value());
        if (number >= font_.pages.size()) font_.pages.resize(number + 1);
        font_.pages[number] = file;
        return {};
    }

    Result<void> read_glyph(std::string_view line) {
        constexpr std::string_view kKeys[] = {"id",     "x",       "y",       "width",
                                              "height", "xoffset", "yoffset", "xadvance"};
        int numbers[8];
        for (std::size_t i = 0; i < 8; ++i) {
            const Result<int> number = need(line, kKeys[i]);
            if (!number) return number.error();
            numbers[i] = number.value();
        }
        if (font_.glyphs.size() >= BitmapFont::kMaxGlyphs)
            return Error{fmt::format(e::kBmfontTooMany, BitmapFont::kMaxGlyphs)};
        if (numbers[0] < 0) return {};  // the box for what is missing
        const auto small = [](int number) {
            return static_cast<std::uint16_t>(std::clamp(number, 0, 65535));
        };
        font_.glyphs.push_back({.code = static_cast<char32_t>(numbers[0]),
                                .page = small(number_of(line, "page").value_or(0)),
                                .x = small(numbers[1]),
                                .y = small(numbers[2]),
                                .width = small(numbers[3]),
                                .height = small(numbers[4]),
                                .left = static_cast<float>(numbers[5]),
                                .top = static_cast<float>(numbers[6]),
                                .advance = static_cast<float>(std::max(numbers[7], 0))});
        return {};
    }

    Result<void> read_pair(std::string_view line) {
        const Result<int> left = need(line, "first"), right = need(line, "second"),
                          more = need(line, "amount");
        for (const Result<int>* each : {&left, &right, &more})
            if (!*each) return each->error();
        if (font_.pairs.size() >= BitmapFont::kMaxGlyphs)
            return Error{fmt::format(e::kBmfontTooMany, BitmapFont::kMaxGlyphs)};
        if (left.value() < 0 || right.value() < 0) return {};
        font_.pairs.push_back({static_cast<char32_t>(left.value()), static_cast<char32_t>(right.value()),
                               static_cast<float>(more.value())});
        return {};
    }

    Result<BitmapFont> finish() {
        if (font_.glyphs.empty()) return Error{e::kBmfontNoGlyphs};
        for (const BitmapFont::Glyph& glyph : font_.glyphs)
            if (glyph.page >= font_.pages.size() || font_.pages[glyph.page].empty())
                return Error{fmt::format(e::kBmfontPage, glyph.page, BitmapFont::kMaxPages)};
        if (!(font_.line_height > 0.0F)) font_.line_height = std::max(font_.size, 1.0F);
        if (!(font_.size > 0.0F)) font_.size = font_.line_height;
        std::ranges::stable_sort(font_.glyphs, {}, &BitmapFont::Glyph::code);
        const auto same = [](const auto& a, const auto& b) { return a.code == b.code; };
        font_.glyphs.erase(std::unique(font_.glyphs.begin(), font_.glyphs.end(), same), font_.glyphs.end());
        std::ranges::stable_sort(font_.pairs, [](const BitmapFont::Pair& a, const BitmapFont::Pair& b) {
            return std::tie(a.left, a.right) < std::tie(b.left, b.right);
        });
        return std::move(font_);
    }

    BitmapFont font_;
};

}  // namespace

Result<BitmapFont> parse_bmfont(std::string_view file) { return Parser{}.parse(file); }

Result<BitmapFont> read_glyph_strip(std::span<const std::uint8_t> rgba, std::uint16_t width,
                                    std::uint16_t height, std::u32string_view glyphs, float spacing) {
    if (width == 0 || height == 0 || rgba.size() < std::size_t{4} * width * height)
        return Error{e::kStripNoImage};
    const auto is_between = [&](std::size_t x) {
        return std::memcmp(rgba.data() + 4 * x, rgba.data(), 4) == 0;
    };
    BitmapFont font;
    font.size = font.line_height = font.base = height;
    font.pages.emplace_back();
    std::size_t count = 0;
    for (std::size_t x = 0; x < width;) {
        if (is_between(x)) {
            ++x;
            continue;
        }
        std::size_t end = x;
        while (end < width && !is_between(end)) ++end;
        if (count < glyphs.size() && count < BitmapFont::kMaxGlyphs)
            font.glyphs.push_back({.code = glyphs[count],
                                   .page = 0,
                                   .x = static_cast<std::uint16_t>(x),
                                   .y = 0,
                                   .width = static_cast<std::uint16_t>(end - x),
                                   .height = height,
                                   .left = 0.0F,
                                   .top = 0.0F,
                                   .advance = std::max(0.0F, static_cast<float>(end - x) + spacing)});
        ++count;
        x = end;
    }
    if (count != glyphs.size()) return Error{fmt::format(e::kStripGlyphs, count, glyphs.size())};
    std::ranges::stable_sort(font.glyphs, {}, &BitmapFont::Glyph::code);
    return font;
}

}  // namespace perigee
