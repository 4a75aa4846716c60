// Texts: laid out into glyph items, or drawn from what is on the card.
#include "engine/sdl/gl/gl_renderer.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>

namespace perigee::gl {

void GlRenderer::add_texts(const DrawList& list, const DrawRun& run, Batch batch, const ImageTable& images) {
    batch.stream = Stream::glyphs;
    batch.first = glyph_items_.size();
    const auto finish = [&] {
        batch.count = glyph_items_.size() - batch.first;
        batch.texture = glyph_texture_.name();
        add_batch(batch);
    };
    const auto clear_atlas = [&] {
        finish();
        draw_batches(list, images);
        forget_batches();
        batch.first = 0;
        glyphs_.clear();
    };
    // A reference fits into a function object without memory of its own.
    const std::function<void()> make_room = std::ref(clear_atlas);
    const auto add = [&](const DrawItem& item) {
        add_glyphs(item, list.text(item), list.look(item), batch.view, batch.clip, glyphs_, glyph_items_,
                   make_room);
    };
    std::span<const DrawItem> items = list.items_of(run);
    if (batch.shader != 0) {  // each has places of its own
        for (const DrawItem& item : items) {
            batch.text_part = text_part_of(item, list.text(item), list.look(item), batch.view);
            add(item);
            finish();
            batch.first = glyph_items_.size();
        }
        return;
    }
    while (!items.empty()) {
        const std::span<const DrawItem> texts = items.first(std::min(items.size(), KeptTexts::kGroupTexts));
        items = items.subspan(texts.size());
        const std::uint64_t atlas = glyphs_.version();
        KeptTexts::Group* const group = kept_texts_.find(list, texts, {batch.view, batch.clip, atlas});
        if (group != nullptr && group->is_kept()) {
            finish();
            batch.first = glyph_items_.size();
            add_kept_glyphs(batch, *group);
            continue;
        }
        const std::size_t first = glyph_items_.size();
        for (const DrawItem& item : texts) add(item);
        if (group != nullptr && group->is_steady() && glyphs_.version() == atlas)
            kept_texts_.keep(*group, std::span{glyph_items_}.subspan(first));
    }
    finish();
}

void GlRenderer::add_kept_glyphs(const Batch& of_run, const KeptTexts::Group& group) {
    Batch batch = of_run;
    batch.stream = Stream::kept_glyphs;
    batch.texture = glyph_texture_.name();
    batch.buffer = group.buffer.name();
    batch.first = 0;
    batch.count = group.count;
    add_batch(batch);
}

}  // namespace perigee::gl
