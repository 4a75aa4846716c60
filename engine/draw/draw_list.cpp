// Adding, sorting, cutting into runs, and printing a list. The sort itself is
// engine/draw/internal/draw_sort.h.
#include "engine/draw/draw_list.h"

#include "ecs/base/contract.h"
#include "engine/assets/image_table.h"
#include "engine/draw/internal/draw_sort.h"
#include "engine/draw/internal/layer_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <sstream>
#include <utility>

namespace perigee {

namespace {

constexpr std::string_view kind_name(DrawKind kind) {
    switch (kind) {
        case DrawKind::sprite:
            return "sprite";
        case DrawKind::rectangle:
            return "rectangle";
        case DrawKind::circle:
            return "circle";
        case DrawKind::line:
            return "line";
        case DrawKind::arc:
            return "arc";
        case DrawKind::mesh:
            return "mesh";
        case DrawKind::text:
            break;
    }
    return "text";
}

constexpr std::uint64_t kOrderBits = std::uint64_t{kDrawOrderCount - 1} << 24U;

std::string color_text(std::uint32_t c) {
    return fmt::format("#{:02x}{:02x}{:02x}{:02x}", c & 0xFFU, c >> 8U & 0xFFU, c >> 16U & 0xFFU, c >> 24U);
}

// A function that appends a formatted text.
auto appends_to(std::string& text) {
    return [&text](fmt::string_view format, const auto&... values) {
        text += fmt::vformat(format, fmt::make_format_args(values...));
    };
}

// What a look adds to the text of a list.
std::string text_of(const TextLook& look) {
    std::string text;
    const auto add = appends_to(text);
    if (look.text) add(" {} glyphs of {} fonts", look.text->glyphs.size(), look.text->faces.size());
    if (look.revealed != std::numeric_limits<std::uint32_t>::max()) add(" revealed {}", look.revealed);
    if (look.has_outline()) add(" outline {:g} em {}", look.outline, color_text(look.outline_color));
    if (look.has_shadow())
        add(" shadow {:g},{:g} em {}", look.shadow_x, look.shadow_y, color_text(look.shadow_color));
    return text;
}

// Bits could have more values than there are names; items are data and may come from anywhere.
template <typename Enum>
constexpr std::string_view name_at(std::span<const std::string_view> names, Enum value) {
    return names[std::min<std::size_t>(static_cast<std::size_t>(value), names.size() - 1)];
}

}  // namespace

void DrawList::clear() noexcept {
    items_.clear();
    entries_.clear();
    ties_.clear();
    ranges_.clear();
    particles_.clear();
    particle_looks_.clear();
    places_.clear();
    kept_count_ = 0;
    has_gaps_ = false;
    for (std::size_t i = 0; i < view_count_; ++i) views_[i]->clear();
    view_count_ = 0;
    runs_.clear();
    parts_.clear();
    shown_layers_.clear();
    states_.clear();
    mesh_points_.clear();
    meshes_.clear();
    vertex_meshes_.clear();
    shader_uses_.clear();
    shader_values_.clear();
    picture_effect_ = 0;
    looks_.clear();
    for (std::size_t i = 0; i < mask_count_; ++i) masks_[i].list->clear();
    mask_count_ = 0;
    text_arena_.clear();
    text_ends_.resize(1);
    immediate_count_ = 0;
    neighbour_ = {};
    dropped_ = 0;
}

void DrawList::add(const DrawItem& item, DrawOrder order, std::uint32_t image, std::uint32_t tie) {
    if (items_.size() >= kMaxItems) {
        ++dropped_;
        return;
    }
    entries_.push_back({draw_key(item, order, image), tie, static_cast<std::uint32_t>(items_.size())});
    items_.push_back(item);
    ties_.push_back(tie);
}

// Neighbours that differ in nothing but their order share an entry: nothing can come between them.
void DrawList::add_immediate_items(std::span<const DrawItem> items, std::int16_t layer, std::uint32_t image) {
    if (items.empty()) return;
    const DrawItem& item = items.front();
    const std::uint64_t key = draw_key(item, {layer, kDrawOrderImmediate + immediate_count_}, image);
    const std::uint32_t drawn_with = item.kind == DrawKind::mesh ? image_of_mesh(item.ref) : image;
    const Neighbour next{key & ~kOrderBits, drawn_with, static_cast<std::uint32_t>(states_.size()),
                         static_cast<std::uint32_t>(entries_.size())};
    immediate_count_ += static_cast<std::uint32_t>(items.size());
    const auto first = static_cast<std::uint32_t>(items_.size());
    const std::size_t count = std::min(items.size(), kMaxItems - std::min(kMaxItems, items_.size()));
    dropped_ += items.size() - count;
    if (count == 0) return;
    items_.resize(first + count);
    std::copy_n(items.begin(), count, items_.begin() + first);
    ties_.resize(first + count);
    std::fill_n(ties_.begin() + first, count, 0U);
    const bool is_apart = next != neighbour_ || entries_.empty();
    if (is_apart) {
        entries_.push_back({key, 0, first});
        neighbour_ = next;
        neighbour_.entry_count = static_cast<std::uint32_t>(entries_.size());
    }
    const std::size_t more = is_apart ? count - 1 : count;
    if (more == 0) return;
    Entry& entry = entries_.back();
    if ((entry.item & kRange) == 0) {
        ranges_.push_back({.first = entry.item, .count = 1, .kept = nullptr});
        entry.item = kRange | static_cast<std::uint32_t>(ranges_.size() - 1);
    }
    ranges_.back().count += static_cast<std::uint32_t>(more);
}

void DrawList::set_state(const DrawState& state) {
    if (state == immediate_state()) return;
    if (!states_.empty() && states_.back().first == immediate_count_) states_.pop_back();
    if (state == immediate_state()) return;
    states_.push_back({immediate_count_, state});
}

// An immediate item's order counts up, so its key tells when it was added.
std::uint32_t DrawList::state_number(std::uint64_t key) const noexcept {
    const auto order = static_cast<std::uint32_t>(key >> 24U & (kDrawOrderCount - 1));
    if (order < kDrawOrderImmediate) return 0;
    const auto change =
        std::ranges::upper_bound(states_, order - kDrawOrderImmediate, {}, &StateChange::first);
    return static_cast<std::uint32_t>(change - states_.begin());
}

std::uint32_t DrawList::add_text(std::string_view text) {
    if (text.empty() || text.size() > kMaxTextBytes - text_arena_.size()) return 0;
    text_arena_ += text;
    text_ends_.push_back(static_cast<std::uint32_t>(text_arena_.size()));
    return static_cast<std::uint32_t>(text_ends_.size() - 1);
}

std::string_view DrawList::text(const DrawItem& item) const noexcept {
    if (item.kind != DrawKind::text || item.ref == 0 || item.ref >= text_ends_.size()) return {};
    const std::uint32_t begin = text_ends_[item.ref - 1];
    return std::string_view{text_arena_}.substr(begin, text_ends_[item.ref] - begin);
}

std::uint16_t DrawList::add_look(const TextLook& look) {
    if (looks_.empty() || looks_.back() != look) {
        if (looks_.size() >= kMaxLooks) return 0;
        looks_.push_back(look);
    }
    return static_cast<std::uint16_t>(looks_.size());
}

std::uint32_t DrawList::add_mesh(std::span<const MeshPoint> points, std::uint32_t image) {
    const std::size_t count = points.size() / 3 * 3;
    if (count == 0 || count > kMaxMeshPoints - mesh_points_.size()) return 0;
    mesh_points_.insert(mesh_points_.end(), points.begin(),
                        points.begin() + static_cast<std::ptrdiff_t>(count));
    meshes_.push_back({static_cast<std::uint32_t>(mesh_points_.size()), image});
    return static_cast<std::uint32_t>(meshes_.size());
}

std::uint32_t DrawList::add_mesh(const std::shared_ptr<const VertexMesh>& mesh, std::uint32_t image) {
    // Often it is the one that was drawn before.
    const bool is_last = !meshes_.empty() && meshes_.back().vertex_mesh != 0 &&
                         vertex_meshes_.back() == mesh && meshes_.back().image == image;
    if (!is_last) {
        if (meshes_.size() >= kMaxItems) return 0;
        vertex_meshes_.push_back(mesh);
        meshes_.push_back({static_cast<std::uint32_t>(mesh_points_.size()), image,
                           static_cast<std::uint32_t>(vertex_meshes_.size())});
    }
    return static_cast<std::uint32_t>(meshes_.size());
}

const std::shared_ptr<const VertexMesh>& DrawList::vertex_mesh(const DrawItem& item) const noexcept {
    static const std::shared_ptr<const VertexMesh> kNone;
    if (item.kind != DrawKind::mesh || item.ref == 0 || item.ref > meshes_.size()) return kNone;
    const std::uint32_t number = meshes_[item.ref - 1].vertex_mesh;
    return number != 0 ? vertex_meshes_[number - 1] : kNone;
}

std::span<const MeshPoint> DrawList::mesh(const DrawItem& item) const noexcept {
    if (item.kind != DrawKind::mesh || item.ref == 0 || item.ref > meshes_.size()) return {};
    const std::size_t begin = item.ref == 1 ? 0 : meshes_[item.ref - 2].end;
    return mesh_points().subspan(begin, meshes_[item.ref - 1].end - begin);
}

std::size_t DrawList::mask_depth(std::uint32_t number) const noexcept {
    std::size_t depth = 0;
    for (; number != 0; number = mask(number).outer) ++depth;
    return depth;
}

std::uint32_t DrawList::add_mask(bool is_inverted, std::uint32_t outer) {
    ECS_EXPECTS(outer <= mask_count_, outer);
    if (mask_count_ >= kMaxMasks || mask_depth(outer) >= kMaxMaskDepth) return 0;
    if (mask_count_ == masks_.size()) masks_.push_back({std::make_unique<DrawList>()});
    DrawMask& mask = masks_[mask_count_++];
    mask.outer = outer;
    mask.is_inverted = is_inverted;
    mask.list->camera = immediate_state().camera;
    mask.list->shown_layers_ = shown_layers_;
    return static_cast<std::uint32_t>(mask_count_);
}

// ---- batches and ranges -----------------------------------------------------------------------------------

DrawList::Batch DrawList::begin_batch(std::size_t count) {
    const std::size_t first = items_.size();
    const std::size_t first_entry = entries_.size();
    const std::size_t granted = std::min(count, kMaxItems - std::min(kMaxItems, first));
    dropped_ += count - granted;
    items_.resize(first + granted);
    ties_.resize(first + granted);
    entries_.resize(first_entry + granted);
    return {items_.data() + first, ties_.data() + first, entries_.data() + first_entry,
            static_cast<std::uint32_t>(first), granted};
}

void DrawList::end_batch(const Batch& batch, std::size_t written, std::size_t entry_count) {
    const bool is_last = batch.first_item + batch.count == items_.size();
    ECS_EXPECTS(written <= batch.count && entry_count <= written && is_last, written, batch.count);
    items_.resize(batch.first_item + written);
    ties_.resize(items_.size());
    entries_.resize(entries_.size() - (batch.count - entry_count));
}

void DrawList::end_batch_of_one_key(const Batch& batch, std::size_t written, std::uint64_t key,
                                    std::uint32_t tie) {
    if (written != 0) {
        batch.entries[0] = {key, tie, kRange | static_cast<std::uint32_t>(ranges_.size())};
        ranges_.push_back({.first = batch.first_item,
                           .count = static_cast<std::uint32_t>(written),
                           .last_tie = tie,
                           .kept = nullptr});
    }
    end_batch(batch, written, written != 0 ? 1 : 0);
}

std::uint32_t DrawList::add_range(std::uint32_t first_item, std::uint32_t count, std::uint32_t last_tie) {
    ranges_.push_back(
        {.first = first_item, .count = count, .last_tie = last_tie, .has_ties = true, .kept = nullptr});
    return kRange | static_cast<std::uint32_t>(ranges_.size() - 1);
}

// ---- order and runs ---------------------------------------------------------------------------------------

void DrawList::sort(const ImageTable& images) {
    for (const auto& view : views()) view->sort(images);
    bool is_sorted = !sort_draw_entries(entries_, sorted_entries_) && !has_gaps_;
    if (!ranges_.empty() && is_interleaved()) {
        if (!split_interleaved()) sort_draw_entries(entries_, sorted_entries_);
        is_sorted = false;
    }
    if (!is_sorted) sort_items();
    find_runs(images);
    for (std::size_t i = 0; i < mask_count_; ++i) masks_[i].list->sort(images);
}

// Puts the items into the order of their entries.
void DrawList::sort_items() {
    sorted_items_.resize(items_.size());
    std::uint32_t next = 0;
    for (Entry& entry : entries_) {
        if ((entry.item & kRange) == 0) {
            sorted_items_[next] = items_[entry.item];
            entry.item = next++;
        } else if (Range& range = ranges_[entry.item & ~kRange]; range.kept == nullptr && range.looks == 0) {
            std::copy_n(items_.begin() + range.first, range.count, sorted_items_.begin() + next);
            range.first = std::exchange(next, next + range.count);
        }
    }
    sorted_items_.resize(next);
    items_.swap(sorted_items_);
    has_gaps_ = false;
}

std::uint32_t DrawList::image_of(const DrawItem& item, const ImageTable& images) const noexcept {
    if (item.kind == DrawKind::sprite) return images[item.ref].image;
    return item.kind == DrawKind::mesh ? image_of_mesh(item.ref) : 0;
}

void DrawList::find_runs(const ImageTable& images) {
    runs_.clear();
    // Of the last run, for comparison: items of the screen are the same through any camera.
    const auto look_alike = [this](const DrawRun& a, const DrawRun& b) {
        if (a.state == b.state) return true;
        DrawState first = state_of(a);
        if (a.screen) first.camera = state_of(b).camera;
        return first == state_of(b);
    };
    // Screen, and image, blend mode and kind. Most items differ from the one before in nothing else.
    constexpr std::uint64_t kAlways = 1ULL << 63U | 0xFF'FFFFULL, kLayer = 0xFFFFULL << 47U;
    const std::uint64_t of_run = shown_layers_.empty() ? kAlways : kAlways | kLayer;
    std::uint64_t last_key = 0;
    for (const Entry& entry : entries_) {
        const std::uint64_t differing = entry.key ^ std::exchange(last_key, entry.key);
        const Range* const range = (entry.item & kRange) != 0 ? &ranges_[entry.item & ~kRange] : nullptr;
        const std::uint32_t first = range != nullptr ? range->first : entry.item;
        const std::uint32_t count = range != nullptr ? range->count : 1;
        const KeptItems* const kept = range != nullptr ? range->kept.get() : nullptr;
        const std::uint32_t looks = range != nullptr ? range->looks : 0;
        const DrawItem& item = looks != 0        ? particle_looks_[looks - 1].items[0]
                               : kept != nullptr ? kept->items[first]
                                                 : items_[first];
        const std::uint32_t image = image_of(item, images);
        const bool may_go_on = !runs_.empty() && runs_.back().kept == nullptr && kept == nullptr &&
                               runs_.back().looks == 0 && looks == 0;
        const bool is_like_last = states_.empty() && (differing & of_run) == 0 &&
                                  (shown_layers_.empty() || !is_above_layer(entry.key));
        if (may_go_on && is_like_last && image == runs_.back().image) {
            runs_.back().count += count;
            continue;
        }
        const DrawRun run{.first = first,
                          .count = count,
                          .image = image,
                          .kind = run_kind(item.kind),
                          .blend = item.blend(),
                          .screen = item.is_screen(),
                          .state = states_.empty() ? 0 : state_number(entry.key),
                          .look = shown_layers_.empty() ? 0 : look_number(entry.key),
                          .whole = shown_layers_.empty() ? 0 : whole_number(entry.key),
                          .kept = kept,
                          .looks = looks,
                          .places = range != nullptr ? range->places : 0};
        if (may_go_on) {
            DrawRun& last = runs_.back();
            if (last.image == run.image && last.kind == run.kind && last.blend == run.blend &&
                last.screen == run.screen && last.look == run.look && last.whole == run.whole &&
                look_alike(last, run)) {
                last.count += count;
                continue;
            }
        }
        runs_.push_back(run);
    }
    find_parts();
}

std::string DrawList::dump(const ImageTable& images, const ImageName& image_name) const {
    std::string out;
    if (const ShaderUse* const use = shader(picture_effect_))
        out += "picture effect " + use->source->name + shown_images(*use, image_name) + '\n';
    for (const auto& view : views()) out += view->dump(images, image_name);
    if (!views().empty()) out += "over the views\n";
    if (!viewport.is_everything())
        out += fmt::format("view {:g},{:g} {:g}x{:g}{}\n", viewport.x, viewport.y, viewport.width,
                           viewport.height, clear_color ? " " + color_text(*clear_color) : "");
    DrawState shown;
    const auto show_camera = [&out](const DrawCamera& now) {
        out += fmt::format("camera {:g},{:g} zoom {:g}", now.x, now.y, now.zoom);
        if (now.rotation != 0.0F) out += fmt::format(" turned {:g}", now.rotation);
        out += '\n';
    };
    std::uint32_t shown_whole = 0;
    const auto show_whole = [&](std::uint32_t number) {
        if (std::exchange(shown_whole, number) == number) return;
        out += "drawn as a whole:";
        for (; number != 0; number = shown_layers_[number - 1].outer) {
            const ShownLayer& layer = shown_layers_[number - 1];
            out += fmt::format(" layer {} {}", layer.look.layer, name_at(kBlendNames, layer.look.blend));
            if (const ShaderUse* const use = shader(layer.shader))
                out += " shader " + use->source->name + shown_images(*use, image_name);
        }
        out += shown_whole == 0 ? " nothing\n" : "\n";
    };
    std::size_t shown_masks = 0;  // each is shown once
    const auto show_mask = [&](std::uint32_t number) {
        for (; shown_masks < number; ++shown_masks) {
            const DrawMask& one = masks_[shown_masks];
            out += fmt::format("mask {}{}", shown_masks + 1, one.is_inverted ? " outside" : " inside");
            if (one.outer != 0) out += fmt::format(" within {}", one.outer);
            out += " of\n";
            std::istringstream inner(one.list->dump(images, image_name));
            for (std::string line; std::getline(inner, line);) out += "  " + line + '\n';
        }
        out += number != 0 ? fmt::format("mask {}\n", number) : "mask none\n";
    };
    const auto show = [&](DrawState now, bool is_of_world) {
        if (!is_of_world) now.camera = shown.camera;
        if (now.camera != shown.camera) show_camera(now.camera);
        if (const DrawMatrix& m = now.matrix; m != shown.matrix)
            out +=
                fmt::format("matrix {:g} {:g} {:g} / {:g} {:g} {:g}\n", m.xx, m.xy, m.x0, m.yx, m.yy, m.y0);
        if (const DrawClip& c = now.clip; c != shown.clip) {
            if (c.is_everything())
                out += "clip nothing\n";
            else
                out += fmt::format("clip {:g},{:g} {:g}x{:g}\n", c.x, c.y, c.width, c.height);
        }
        if (now.shader != shown.shader) out += shown_shader(now.shader, image_name) + '\n';
        if (now.mask != shown.mask) show_mask(now.mask);
        shown = now;
    };
    show_camera(camera);
    shown.camera = camera;
    const auto print = [&](const DrawItem& item, std::uint64_t key) {
        DrawState state = state_at(state_number(key));
        const std::uint32_t moved = look_number(key);
        if (moved != 0) state.camera = shown_layers_[moved - 1].look.seen_by(state.camera);
        show(state, !item.is_screen());
        show_whole(whole_number(key));
        out += fmt::format("{} {} {} at {:g},{:g}", item.is_screen() ? "screen" : "world", layer_of(key),
                           kind_name(item.kind), item.x, item.y);
        const auto add = appends_to(out);
        switch (item.kind) {
            case DrawKind::circle:
            case DrawKind::arc:
                add(" radius {:g}", item.w);
                if (item.h != item.w) add("x{:g}", item.h);
                if (item.kind == DrawKind::arc)
                    add(" from {:g} to {:g} {}", (item.ref & 0xFFFFU) / 65536.0, (item.ref >> 16U) / 65536.0,
                        name_at(kArcShapeNames, static_cast<ArcShape>(item.origin_x)));
                if (item.kind == DrawKind::arc && item.origin_y != 0)
                    add(" {}", name_at(kLineCapNames, static_cast<LineCap>(item.origin_y)));
                break;
            case DrawKind::line:
                add(" to {:g},{:g}", item.w, item.h);
                if (item.origin_x != 0)
                    add(" {}", name_at(kLineCapNames, static_cast<LineCap>(item.origin_x)));
                break;
            case DrawKind::mesh:
                if (const auto& whole = vertex_mesh(item); whole != nullptr)
                    add(" of {} triangles, kept, scale {:g}x{:g}", whole->indices().size() / 3, item.w,
                        item.h);
                else
                    add(" of {} triangles", mesh(item).size() / 3);
                break;
            case DrawKind::text:
                add(" size {:g} {} \"{}\"", item.h, name_at(kTextAlignNames, item.align()), text(item));
                if (item.w != 0.0F) add(" width {:g}", item.w);
                if (const TextLook* const styled = look(item)) add("{}", text_of(*styled));
                break;
            case DrawKind::sprite: {
                const ImageFrame& frame = images[item.ref];
                const std::string name = frame.image == 0 ? "missing"
                                         : image_name     ? image_name(frame.image)
                                                          : fmt::format("#{}", frame.image);
                add(" size {:g}x{:g} {} [{},{} {}x{}]", item.w, item.h, name, frame.x, frame.y, frame.width,
                    frame.height);
                break;
            }
            case DrawKind::rectangle:
                add(" size {:g}x{:g}", item.w, item.h);
                if (item.ref != 0) add(" corners {:g}", item.corner_pixels());
                break;
        }
        const bool has_origin = item.kind == DrawKind::sprite || item.kind == DrawKind::rectangle;
        if (has_origin && (item.origin_x != 0 || item.origin_y != 0))
            add(" origin {:g},{:g}", item.origin_x / 128.0, item.origin_y / 128.0);
        if (item.angle != 0) add(" turned {:g}", item.angle / 65536.0);
        if (item.stroke != 0) add(" stroke {:g}", item.stroke_pixels());
        if ((item.flags & kDrawFlipX) != 0) out += " flip-x";
        if ((item.flags & kDrawFlipY) != 0) out += " flip-y";
        if (item.blend() != BlendMode::alpha) add(" {}", name_at(kBlendNames, item.blend()));
        add(" {}\n", color_text(item.color));
    };
    std::vector<DrawItem> scratch;
    for (const Entry& entry : entries_)
        for (const DrawItem& item : items_of(entry, scratch)) print(item, entry.key);
    return out;
}

}  // namespace perigee
