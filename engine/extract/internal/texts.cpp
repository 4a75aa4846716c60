// A text is measured in each frame: its box has an origin, like an image.
#include "engine/extract/internal/texts.h"

#include "ecs/schema/text_pool.h"
#include "ecs/world/world.h"
#include "engine/draw/shaped_lines.h"
#include "engine/draw/text/text_metrics.h"
#include "engine/extract/components.h"
#include "engine/fonts/font_table.h"
#include "engine/fonts/text_direction.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <string_view>
#include <utility>

namespace perigee::internal {

namespace {

constexpr float kMaxTextSize = 1000.0F;
constexpr float kWidestGlyph = 4.0F;  // in sizes; for culling before a text is measured

PackedColor packed(const Color& color) noexcept {
    PackedColor bits = 0;
    std::memcpy(&bits, &color, sizeof bits);
    return bits;
}

TextSize size_of(std::string_view text, float font_size, float box_width) noexcept {
    TextSize size;
    while (!text.empty()) {
        size.width = std::max(size.width, text_width(next_line(text, font_size, box_width), font_size));
        size.height += line_height(font_size);
    }
    return size;
}

// `size`: of the whole text. Expects: the item has a place.
void make_item(const Text& text, const TextSize& size, DrawItem& item) noexcept {
    const bool is_wrapped = text.width > 0.0F;
    const float width = is_wrapped ? text.width : size.width;
    item.x -= width * (quantised_origin(text.origin_x) / 128.0F);
    item.y -= size.height * (quantised_origin(text.origin_y) / 128.0F);
    item.h = text.size;
    item.kind = DrawKind::text;
    item.flags = blend_bits(text.blend);
    const unsigned align = std::min<unsigned>(text.align, kTextAlignNames.size() - 1);
    item.flags = static_cast<std::uint8_t>(item.flags | align << kDrawAlignShift);
    // Without wrapping, lines align in the width of the widest one.
    if (is_wrapped || align != 0) item.w = width;
    item.color = packed(text.color);
}

bool is_shaped(const Text& text, std::string_view content) noexcept {
    return text.font != 0 || text.markup || text.reveal >= 0.0F || runs_right_to_left(content);
}

bool has_look(const Text& text) noexcept {
    return text.reveal >= 0.0F || text.outline > 0.0F || text.shadow_x != 0.0F || text.shadow_y != 0.0F;
}

TextLook look_of(const Text& text, std::shared_ptr<const ShapedText> shaped) noexcept {
    TextLook look{.text = std::move(shaped)};
    const auto in_em = [&text](float pixels) {
        return std::isfinite(pixels) ? std::clamp(pixels / text.size, -2.0F, 2.0F) : 0.0F;
    };
    look.outline = std::max(0.0F, in_em(text.outline));
    look.outline_color = packed(text.outline_color);
    look.shadow_x = in_em(text.shadow_x);
    look.shadow_y = in_em(text.shadow_y);
    if (look.shadow_x != 0.0F || look.shadow_y != 0.0F) look.shadow_color = packed(text.shadow_color);
    constexpr float kMany = 1e9F;
    if (text.reveal >= 0.0F) look.revealed = static_cast<std::uint32_t>(std::min(text.reveal, kMany));
    return look;
}

// The texts of a frame, in one pass or two.
class TextExtraction {
public:
    explicit TextExtraction(const ExtractFrame& frame)
        : frame_(frame), layers_(frame), contents_(frame.world.texts()) {}

    // The item of a row that shows something, and its look; false for others. `shaped`: its text, if it has
    // a look with one.
    bool make(Entity entity, PreviousPositions::Point position, const Text& text, DrawItem& item,
              std::shared_ptr<const ShapedText>& shaped) {
        const std::string_view content = contents_.text(text.text);
        if (content.empty()) return false;
        const auto [x, y] = frame_.place(entity, position);
        const float reach = 2.0F * (std::fabs(text.width) + std::fabs(text.size) * kWidestGlyph *
                                                                static_cast<float>(content.size() + 1));
        const SeenLayer& seen = layers_.of(text.layer);
        if (!frame_.shows(seen, entity, x, y, reach)) return false;
        if (!(text.size > 0.0F && text.size < kMaxTextSize)) return false;
        item = {.x = x, .y = y};
        const float box_width = text.width > 0.0F ? text.width : 0.0F;
        if (is_shaped(text, content) && frame_.fonts != nullptr) {
            shaped = frame_.fonts->shape(content, text.font, text.markup);
            make_item(text, text_size(*shaped, text.size, box_width), item);
        } else {
            make_item(text, size_of(content, text.size, box_width), item);
        }
        item.flags |= seen.flags;
        order = {text.layer, seen.order_of(y, text.order)};
        return true;
    }

    std::string_view content(const Text& text) const { return contents_.text(text.text); }
    DrawOrder order;  ///< of the last row that make() took

private:
    const ExtractFrame& frame_;
    LayerCursor layers_;
    const TextPool& contents_;
};

// Icons, and letters that are pictures, which are rare: sprites, after the letters of all texts.
void add_pictures(const ExtractFrame& frame, const Query& query) {
    TextExtraction texts(frame);
    frame.world.each_chunk(query, [&](ChunkView& chunk) {
        const std::byte* const positions = chunk.column_data(0);
        const auto* const rows = reinterpret_cast<const Text*>(chunk.column_data(1));
        const Entity* const entities = chunk.entities().data();
        for (std::size_t row = 0; row < chunk.row_count(); ++row) {
            const Text& text = rows[row];
            if (text.font == 0 && !text.markup) continue;
            DrawItem item;
            std::shared_ptr<const ShapedText> shaped;
            if (!texts.make(entities[row], frame.position.at(positions, row), text, item, shaped)) continue;
            if (!shaped || shaped->pictures.empty()) continue;
            const DrawOrder order = texts.order;
            each_picture(*shaped, item, look_of(text, shaped), [&](const DrawItem& sprite) {
                frame.list.add(sprite, order, frame.images[sprite.ref].image, entities[row].index());
            });
        }
    });
}

}  // namespace

void extract_texts(const ExtractFrame& frame, const Query& query) {
    TextExtraction texts(frame);
    const DrawList::Batch batch = frame.list.begin_batch(query.entity_count());
    std::size_t written = 0;
    bool has_pictures = false;
    frame.world.each_chunk(query, [&](ChunkView& chunk) {
        const std::size_t count = std::min<std::size_t>(chunk.row_count(), batch.count - written);
        const Entity* const entities = chunk.entities().data();
        const std::byte* const positions = chunk.column_data(0);
        const auto* const rows = reinterpret_cast<const Text*>(chunk.column_data(1));
        for (std::size_t row = 0; row < count; ++row) {
            const Text& text = rows[row];
            DrawItem& item = batch.items[written];
            std::shared_ptr<const ShapedText> shaped;
            if (!texts.make(entities[row], frame.position.at(positions, row), text, item, shaped)) continue;
            item.ref = frame.list.add_text(texts.content(text));
            if (item.ref == 0) return;  // there is no more room for texts
            if (shaped && !shaped->pictures.empty()) has_pictures = true;
            if (shaped && !shaped->has_glyphs) continue;
            if (shaped || has_look(text))
                item.set_look(frame.list.add_look(look_of(text, std::move(shaped))));
            batch.entries[written] = {draw_key(item, texts.order, 0), entities[row].index(),
                                      batch.first_item + static_cast<std::uint32_t>(written)};
            ++written;
        }
    });
    frame.list.end_batch(batch, written);
    if (has_pictures) add_pictures(frame, query);
}

}  // namespace perigee::internal
