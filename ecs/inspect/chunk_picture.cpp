// Draws from top to bottom; `y_` is where the next part begins.
#include "ecs/inspect/chunk_picture.h"

#include "ecs/base/counted.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

namespace perigee {

namespace {

constexpr int kMargin = 24, kWidth = 1000, kInside = kWidth - 2 * kMargin;
constexpr int kCellsInLine = 45, kCellWidth = 16, kCellHeight = 22, kCellGap = 5;
constexpr int kBarHeight = 22;
constexpr double kLetter = 6.6;  // upper bound for the width of a letter at 12 px
constexpr std::size_t kMaxNameBytes = 60;

constexpr std::string_view kFull = "#3f7fbf", kHalf = "#e0a030", kLow = "#d05045";
constexpr std::string_view kFree = "#e4e8ed", kEnds = "#b4bcc6", kInk = "#1d2530", kFaint = "#5b6673";

std::string_view color_of(double filled) { return filled >= 0.75 ? kFull : filled >= 0.25 ? kHalf : kLow; }

double part_of(std::size_t part, std::size_t whole) {
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

// "1.5 MB"
std::string bytes_text(std::size_t bytes) {
    if (bytes < 10'000) return counted(bytes, "byte");
    const double number = static_cast<double>(bytes);
    if (bytes < 1'000'000) return fmt::format("{:.0f} KB", number / 1000);
    return fmt::format("{:.1f} MB", number / 1'000'000);
}

// "12,345"
std::string grouped(std::size_t number) {
    std::string text = std::to_string(number);
    for (std::size_t at = text.size(); at > 3;) {
        at -= 3;
        text.insert(at, ",");
    }
    return text;
}

std::string grouped(std::size_t number, std::string_view noun) {
    return fmt::format("{} {}{}", grouped(number), noun, number == 1 ? "" : "s");
}

// Bytes of the character at the start of `text`; 0 if XML does not allow it.
std::size_t character_bytes(std::string_view text) {
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
    const unsigned first = byte(0);
    if (first < 0x80) return first >= 0x20 && first != 0x7F ? 1 : 0;
    const std::size_t size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4 || text.size() < size) return 0;
    std::uint32_t code = first & (0xFFU >> (size + 1));
    for (std::size_t i = 1; i < size; ++i) {
        if ((byte(i) & 0xC0U) != 0x80) return 0;
        code = code << 6 | (byte(i) & 0x3FU);
    }
    constexpr std::array<std::uint32_t, 5> kLowest = {0, 0, 0x80, 0x800, 0x10000};
    const bool is_surrogate = code >= 0xD800 && code < 0xE000;
    return code < kLowest[size] || code > 0x10FFFF || is_surrogate || code == 0xFFFE || code == 0xFFFF ? 0
                                                                                                       : size;
}

// Escapes a text for XML; bytes that are not UTF-8 become U+FFFD.
std::string escaped(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const std::size_t size = character_bytes(text);
        switch (size == 0 ? '\0' : text[0]) {
            case '\0':
                out += "\uFFFD";
                break;
            case '&':
                out += "&amp;";
                break;
            case '<':
                out += "&lt;";
                break;
            case '>':
                out += "&gt;";
                break;
            case '"':
                out += "&quot;";
                break;
            default:
                out += text.substr(0, size);
        }
        text.remove_prefix(std::max<std::size_t>(size, 1));
    }
    return out;
}

std::size_t letters_in(std::string_view text) {
    return static_cast<std::size_t>(std::count_if(
        text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80; }));
}

// Cut at a whole character.
std::string shortened(std::string_view name) {
    if (name.size() <= kMaxNameBytes) return std::string(name);
    std::size_t size = kMaxNameBytes;
    while (size > 0 && (static_cast<unsigned char>(name[size]) & 0xC0U) == 0x80) --size;
    return std::string(name.substr(0, size)) + "…";
}

// The words of a list, in lines of at most `letters`.
std::vector<std::string> wrapped(const std::vector<std::string>& words, std::string_view separator,
                                 std::size_t letters) {
    std::vector<std::string> lines(1);
    std::size_t used = 0;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string word = words[i] + (i + 1 < words.size() ? std::string(separator) : "");
        const std::size_t size = letters_in(word);
        if (used > 0 && used + size > letters) {
            lines.emplace_back();
            used = 0;
        }
        lines.back() += word;
        used += size;
    }
    return lines;
}

class Picture {
public:
    explicit Picture(const ChunkUsage& usage) : usage_(usage) {
        for (const ArchetypeUsage& one : usage.archetypes) order_.push_back(&one);
        std::stable_sort(order_.begin(), order_.end(), [](const ArchetypeUsage* a, const ArchetypeUsage* b) {
            return a->chunk_bytes > b->chunk_bytes;
        });
        choose_colors();
    }

    std::string draw(std::string_view title) {
        draw_head(title);
        draw_world();
        draw_legend();
        const std::size_t shown = std::min(order_.size(), kMaxPicturedArchetypes);
        for (std::size_t i = 0; i < shown; ++i) draw_archetype(*order_[i]);
        if (shown < order_.size()) draw_rest(shown);
        draw_remarks();
        return fmt::format(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
            "font-family=\"DejaVu Sans, Verdana, sans-serif\" font-size=\"12\" fill=\"{2}\">\n"
            "<title>{3}</title>\n<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n{4}</svg>\n",
            kWidth, y_ + kMargin, kInk, escaped(title), body_);
    }

private:
    // A component has one colour in the whole picture; neighbours in the list of all differ much.
    void choose_colors() {
        std::map<std::string, std::size_t> bytes;
        for (const ArchetypeUsage* one : order_) {
            for (const ColumnUsage& column : one->columns)
                bytes[column.component] += column.row_bytes * one->rows;
        }
        std::size_t i = 0;
        for (const auto& [name, unused] : bytes) {
            static_cast<void>(unused);
            const double hue = std::fmod(static_cast<double>(i++) * 0.61803398875, 1.0) * 6;
            const auto channel = [&](double shift) {
                const double at = std::fmod(hue + shift, 6.0);
                const double level = std::clamp(std::fabs(at - 3) - 1, 0.0, 1.0);
                return static_cast<int>(255 * (0.66 + 0.26 * level));
            };
            colors_[name] = fmt::format("#{:02x}{:02x}{:02x}", channel(0), channel(4), channel(2));
        }
        colors_[""] = "#cfd6de";
    }

    void add_text(int x, int y, std::string_view text, std::string_view style = "") {
        body_ += fmt::format("<text x=\"{}\" y=\"{}\"{}{}>{}</text>\n", x, y, style.empty() ? "" : " ", style,
                             escaped(text));
    }
    std::string faint() const { return fmt::format("fill=\"{}\"", kFaint); }

    // With a tooltip.
    void add_box(double x, double y, double width, double height, std::string_view fill,
                 std::string_view tip = "") {
        body_ += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"",
                             x, y, width, height, fill);
        body_ += tip.empty() ? "/>\n" : fmt::format("><title>{}</title></rect>\n", escaped(tip));
    }

    void draw_head(std::string_view title) {
        y_ = kMargin + 18;
        add_text(kMargin, y_, title, "font-size=\"20\" font-weight=\"bold\"");
        const WorldStats& total = usage_.total;
        y_ += 24;
        add_text(kMargin, y_,
                 fmt::format("{} {}, {}, {}; {} in chunks, {} of them unused ({:.1f} %)",
                             grouped(total.entities), total.entities == 1 ? "entity" : "entities",
                             grouped(order_.size(), "archetype"), grouped(total.chunks, "chunk"),
                             bytes_text(total.chunk_bytes), bytes_text(total.unused_bytes),
                             100 * part_of(total.unused_bytes, total.chunk_bytes)));
        y_ += 18;
    }

    // All chunk memory as one bar: the width of an archetype is its share, the coloured part is in use.
    void draw_world() {
        if (order_.empty()) {
            y_ += 14;
            add_text(kMargin, y_, "There are no chunks: no entity has been spawned.", faint());
            y_ += 10;
            return;
        }
        constexpr int kHeight = 64;
        std::size_t all = 0, before = 0;
        for (const ArchetypeUsage* one : order_) all += one->chunk_bytes;
        for (const ArchetypeUsage* one : order_) {
            const double x = kMargin + kInside * part_of(before, all),
                         width = kInside * part_of(one->chunk_bytes, all);
            before += one->chunk_bytes;
            if (width < 0.5) continue;  // all later ones are smaller still
            const double used = 1 - part_of(one->wasted_bytes, one->chunk_bytes);
            const std::string tip = fmt::format("archetype {}: {}, {:.1f} % in use", one->archetype,
                                                bytes_text(one->chunk_bytes), 100 * used);
            body_ += fmt::format("<a href=\"#archetype-{}\">\n", one->archetype);
            add_box(x, y_, std::max(width - 1, 0.5), kHeight, kFree, tip);
            add_box(x, y_ + kHeight * (1 - used), std::max(width - 1, 0.5), kHeight * used, color_of(used),
                    tip);
            const std::string number = std::to_string(one->archetype);
            if (width > 6 + kLetter * static_cast<double>(number.size()))
                add_text(static_cast<int>(x) + 4, y_ + 15, number, "font-weight=\"bold\"");
            body_ += "</a>\n";
        }
        y_ += kHeight + 16;
        add_text(kMargin, y_,
                 "All chunk memory. Each part is an archetype with its number; the coloured part is in use.",
                 faint());
    }

    void draw_legend() {
        if (order_.empty()) return;
        y_ += 22;
        int x = kMargin;
        const std::array<std::pair<std::string_view, std::string_view>, 5> entries = {
            {{kFull, "at least 75 % full"},
             {kHalf, "at least 25 %"},
             {kLow, "less"},
             {kFree, "room for more rows"},
             {kEnds, "padding and ends of chunks"}}};
        for (const auto& [color, text] : entries) {
            add_box(x, y_ - 11, 14, 14, color);
            add_text(x + 20, y_, text, faint());
            x += 44 + static_cast<int>(kLetter * static_cast<double>(text.size()));
        }
        y_ += 12;
    }

    void draw_archetype(const ArchetypeUsage& one) {
        y_ += 16;
        body_ += fmt::format("<g id=\"archetype-{}\">\n<path d=\"M{} {}h{}\" stroke=\"{}\"/>\n",
                             one.archetype, kMargin, y_, kInside, kFree);
        std::vector<std::string> names;
        names.reserve(one.components.size());
        for (const std::string& name : one.components) names.push_back(shortened(name));
        if (names.empty()) names.emplace_back("no components");
        y_ += 4;
        bool is_first = true;
        for (const std::string& line : wrapped(names, ", ", 96)) {
            y_ += 18;
            if (is_first)
                add_text(kMargin, y_, fmt::format("{}", one.archetype),
                         "font-weight=\"bold\" font-size=\"14\"");
            add_text(kMargin + 40, y_, line, "font-weight=\"bold\" font-size=\"14\"");
            is_first = false;
        }
        const std::size_t places = one.chunks * one.rows_per_chunk, row_bytes = one.row_bytes;
        const std::size_t free = (places - one.rows) * row_bytes, ends = one.wasted_bytes - free;
        y_ += 18;
        add_text(kMargin + 40, y_,
                 fmt::format("{} in {} with room for {}{}: {:.1f} % full", grouped(one.rows, "row"),
                             grouped(one.chunks, "chunk"), grouped(one.rows_per_chunk),
                             one.chunks == 1 ? "" : " each", 100 * part_of(one.rows, places)));
        y_ += 16;
        add_text(kMargin + 40, y_,
                 fmt::format("{} in chunks, {} unused: {} for more rows, {} of padding and ends of chunks",
                             bytes_text(one.chunk_bytes), bytes_text(one.wasted_bytes), bytes_text(free),
                             bytes_text(ends)),
                 faint());
        y_ += 8;
        draw_bytes(one, free, ends);
        draw_row(one);
        draw_chunks(one);
        body_ += "</g>\n";
    }

    // Used, free and useless bytes of its chunks.
    void draw_bytes(const ArchetypeUsage& one, std::size_t free, std::size_t ends) {
        double x = kMargin + 40;
        const double all = kInside - 40, used_part = 1 - part_of(one.wasted_bytes, one.chunk_bytes);
        const std::size_t used = one.chunk_bytes - one.wasted_bytes;
        const std::array<std::pair<std::string_view, std::pair<std::size_t, std::string_view>>, 3> parts = {
            {{color_of(used_part), {used, "in use"}},
             {kFree, {free, "for more rows"}},
             {kEnds, {ends, "of padding and ends of chunks"}}}};
        for (const auto& [color, part] : parts) {
            const double width = all * part_of(part.first, one.chunk_bytes);
            if (width > 0)
                add_box(x, y_, width, 8, color, fmt::format("{} {}", bytes_text(part.first), part.second));
            x += width;
        }
        y_ += 8;
    }

    // What a row consists of, to scale.
    void draw_row(const ArchetypeUsage& one) {
        y_ += 8;
        double x = kMargin + 40;
        for (const ColumnUsage& column : one.columns) {
            const double width = (kInside - 40) * part_of(column.row_bytes, one.row_bytes);
            const std::string name = column.component.empty() ? "entity" : shortened(column.component);
            const std::string label = fmt::format("{} {}", name, column.row_bytes);
            add_box(
                x, y_, std::max(width - 1, 0.5), kBarHeight, colors_.at(column.component),
                fmt::format("{}: {} of {} in a row", name, column.row_bytes, counted(one.row_bytes, "byte")));
            if (kLetter * static_cast<double>(letters_in(label)) + 8 <= width)
                add_text(static_cast<int>(x) + 4, y_ + 15, label);
            x += width;
        }
        y_ += kBarHeight + 15;
        add_text(kMargin + 40, y_, fmt::format("a row of {}, by component", counted(one.row_bytes, "byte")),
                 faint());
    }

    // One cell a chunk, filled from the bottom; or one for several.
    void draw_chunks(const ArchetypeUsage& one) {
        const std::size_t chunks = one.chunk_rows.size();
        const std::size_t step = (chunks + kMaxPicturedCells - 1) / kMaxPicturedCells;
        y_ += 10;
        int place = 0;
        for (std::size_t first = 0; first < chunks; first += step, ++place) {
            const std::size_t last = std::min(first + step, chunks);
            const std::size_t rows =
                std::accumulate(one.chunk_rows.begin() + static_cast<std::ptrdiff_t>(first),
                                one.chunk_rows.begin() + static_cast<std::ptrdiff_t>(last), std::size_t{0});
            const double filled = part_of(rows, (last - first) * one.rows_per_chunk);
            const int x = kMargin + 40 + place % kCellsInLine * (kCellWidth + kCellGap - 1);
            const int y = y_ + place / kCellsInLine * (kCellHeight + kCellGap);
            const std::string which = last - first == 1 ? fmt::format("chunk {}", first + 1)
                                                        : fmt::format("chunks {} to {}", first + 1, last);
            const std::string tip = fmt::format("{}: {} of {} rows", which, grouped(rows),
                                                grouped((last - first) * one.rows_per_chunk));
            const double height = std::max(kCellHeight * filled, 1.0);
            add_box(x, y, kCellWidth, kCellHeight, kFree, tip);
            add_box(x, y + kCellHeight - height, kCellWidth, height, color_of(filled), tip);
        }
        y_ += (place + kCellsInLine - 1) / kCellsInLine * (kCellHeight + kCellGap) + 10;
        add_text(kMargin + 40, y_,
                 chunks == 1 ? "its chunk, as full as it is drawn"
                 : step == 1
                     ? "its chunks, each as full as it is drawn"
                     : fmt::format("its chunks, {} in each box, as full as it is drawn", grouped(step)),
                 faint());
    }

    void draw_rest(std::size_t shown) {
        std::size_t bytes = 0;
        for (std::size_t i = shown; i < order_.size(); ++i) bytes += order_[i]->chunk_bytes;
        y_ += 34;
        add_text(kMargin, y_,
                 fmt::format("and {} more archetypes, each smaller than those above, with {} together",
                             grouped(order_.size() - shown), bytes_text(bytes)),
                 "font-weight=\"bold\"");
    }

    // Shared components and warnings.
    void draw_remarks() {
        if (!usage_.shared.empty() || !usage_.warnings.empty()) y_ += 20;
        for (const SharedUsage& one : usage_.shared) {
            y_ += 18;
            add_text(kMargin, y_,
                     fmt::format("shared {}: {}, {} in {}, {} without it", shortened(one.component),
                                 grouped(one.values, "value"), grouped(one.rows, "row"),
                                 grouped(one.chunks, "chunk"), grouped(one.chunks_needed)));
        }
        for (const std::string& warning : usage_.warnings) {
            std::vector<std::string> words;
            for (std::size_t at = 0; at <= warning.size();) {
                const std::size_t end = std::min(warning.find(' ', at), warning.size());
                words.push_back(warning.substr(at, end - at));
                at = end + 1;
            }
            words.insert(words.begin(), "warning:");
            for (const std::string& line : wrapped(words, " ", 130)) {
                y_ += 18;
                add_text(kMargin, y_, line, fmt::format("fill=\"{}\"", kLow));
            }
        }
    }

    const ChunkUsage& usage_;
    std::vector<const ArchetypeUsage*> order_;  ///< the largest first
    std::map<std::string, std::string> colors_;
    std::string body_;
    int y_ = 0;
};

}  // namespace

std::string svg_of(const ChunkUsage& usage, std::string_view title) { return Picture(usage).draw(title); }

}  // namespace perigee
