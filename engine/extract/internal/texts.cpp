// A text is measured in each frame: its box has an origin, like an image.
#include "engine/extract/internal/texts.h"

#include "ecs/schema/text_pool.h"
#include "ecs/world/world.h"
#include "engine/draw/text_metrics.h"
#include "engine/extract/components.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string_view>

namespace perigee::internal {

namespace {

constexpr float kMaxTextSize = 1000.0F;
constexpr float kWidestGlyph = 4.0F;  // in sizes; for culling before a text is measured

TextSize size_of(std::string_view text, float font_size, float box_width) noexcept {
    TextSize size;
    while (!text.empty()) {
        size.width = std::max(size.width, text_width(next_line(text, font_size, box_width), font_size));
        size.height += line_height(font_size);
    }
    return size;
}

void make_item(const Text& text, std::string_view content, DrawItem& item) noexcept {
    const bool is_wrapped = text.width > 0.0F;
    const TextSize size = size_of(content, text.size, is_wrapped ? text.width : 0.0F);
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
    std::memcpy(&item.color, &text.color, sizeof item.color);
}

}  // namespace

void extract_texts(const ExtractFrame& frame, const Query& query) {
    const TextPool& contents = frame.world.texts();
    const DrawList::Batch batch = frame.list.begin_batch(query.entity_count());
    std::size_t written = 0;
    frame.world.each_chunk(query, [&](ChunkView& chunk) {
        const std::size_t count = std::min<std::size_t>(chunk.row_count(), batch.count - written);
        const Entity* const entities = chunk.entities().data();
        const std::byte* const positions = chunk.column_data(0);
        const auto* const texts = reinterpret_cast<const Text*>(chunk.column_data(1));
        for (std::size_t row = 0; row < count; ++row) {
            const Text& text = texts[row];
            const std::string_view content = contents.text(text.text);
            if (content.empty()) continue;
            const auto [x, y] = frame.place(entities[row], frame.position.at(positions, row));
            const float reach = 2.0F * (std::fabs(text.width) + std::fabs(text.size) * kWidestGlyph *
                                                                    static_cast<float>(content.size() + 1));
            if (!frame.shows(entities[row], x, y, reach)) continue;
            if (!(text.size > 0.0F && text.size < kMaxTextSize)) continue;
            DrawItem& item = batch.items[written];
            item = {.x = x, .y = y};
            item.ref = frame.list.add_text(content);
            if (item.ref == 0) return;  // there is no more room for texts
            make_item(text, content, item);
            batch.entries[written] = {draw_key(item, {text.layer, frame.order_at(y)}, 0),
                                      entities[row].index(),
                                      batch.first_item + static_cast<std::uint32_t>(written)};
            ++written;
        }
    });
    frame.list.end_batch(batch, written);
}

}  // namespace perigee::internal
