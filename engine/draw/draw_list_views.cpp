// Views: lists in a list, and what they get of it.
#include "engine/draw/draw_list.h"

#include <algorithm>
#include <utility>

namespace perigee {

DrawList& DrawList::add_view(const DrawClip& viewport_of_view, const DrawCamera& camera_of_view) {
    if (view_count_ == views_.size()) views_.push_back(std::make_unique<DrawList>());
    DrawList& view = *views_[view_count_++];
    view.viewport = viewport_of_view;
    view.camera = camera_of_view;
    view.clear_color.reset();
    return view;
}

std::size_t DrawList::item_count() const noexcept {
    std::size_t count = items_.size() + kept_count_ + particles_.size();
    for (const auto& view : views()) count += view->item_count();
    return count;
}

std::size_t DrawList::dropped() const noexcept {
    std::size_t count = dropped_;
    for (const auto& view : views()) count += view->dropped();
    return count;
}

// All items of an entry are of one layer and space. Kept ones that go still count.
template <typename Keep> void DrawList::keep_if(Keep keep) {
    const auto dropped = std::erase_if(entries_, [&](const Entry& entry) { return !keep(entry.key); });
    has_gaps_ |= dropped != 0;
    neighbour_ = {};
}

void DrawList::drop_world() {
    keep_if([](std::uint64_t key) { return key >> 63U != 0; });
}

void DrawList::keep_layers(const std::function<bool(std::int16_t layer)>& is_kept) {
    keep_if([&](std::uint64_t key) { return is_kept(layer_of(key)); });
}

void DrawList::add_world_of(const DrawList& from, std::uint32_t without) {
    add_calls_of(from, without, false);
}

// Returns how many masks this list had before: the new ones have these numbers more than in `from`.
std::uint32_t DrawList::add_masks_of(const DrawList& from, std::uint32_t without) {
    const auto before = static_cast<std::uint32_t>(mask_count_);
    for (std::size_t i = 0; i < from.mask_count_; ++i) {
        const DrawMask& mask = from.masks_[i];
        const std::uint32_t added = add_mask(mask.is_inverted, mask.outer != 0 ? mask.outer + before : 0);
        if (added == 0) break;
        DrawList& list = *masks_[added - 1].list;
        list.camera = mask.list->camera == from.camera ? camera : mask.list->camera;
        list.add_calls_of(*mask.list, without, true);
    }
    return before;
}

void DrawList::continue_from(const DrawList& from) {
    camera = from.camera;
    set_state({.camera = from.immediate_state().camera, .matrix = {}, .clip = {}});
    static_cast<void>(add_masks_of(from, 0));
}

void DrawList::add_calls_of(const DrawList& from, std::uint32_t without, bool has_screen) {
    const auto is_immediate = [](std::uint64_t key) {
        return (key >> 24U & (kDrawOrderCount - 1)) >= kDrawOrderImmediate;
    };
    // Those of this list count on from those of the other one.
    const std::uint32_t before = from.immediate_count_;
    if (before == 0) return;
    for (Entry& entry : entries_)
        if (is_immediate(entry.key)) entry.key += std::uint64_t{before} << 24U;
    for (StateChange& change : states_) change.first += before;
    immediate_count_ += before;

    const auto texts = static_cast<std::uint32_t>(text_ends_.size() - 1);
    const auto text_bytes = static_cast<std::uint32_t>(text_arena_.size());
    const bool has_text_room = from.text_arena_.size() <= kMaxTextBytes - text_arena_.size();
    if (has_text_room) {
        text_arena_ += from.text_arena_;
        for (std::size_t i = 1; i < from.text_ends_.size(); ++i)
            text_ends_.push_back(text_bytes + from.text_ends_[i]);
    }
    const auto meshes = static_cast<std::uint32_t>(meshes_.size());
    const auto points = static_cast<std::uint32_t>(mesh_points_.size());
    const bool has_mesh_room = from.mesh_points_.size() <= kMaxMeshPoints - mesh_points_.size();
    if (has_mesh_room) {
        mesh_points_.insert(mesh_points_.end(), from.mesh_points_.begin(), from.mesh_points_.end());
        const auto kept = static_cast<std::uint32_t>(vertex_meshes_.size());
        vertex_meshes_.insert(vertex_meshes_.end(), from.vertex_meshes_.begin(), from.vertex_meshes_.end());
        for (const Mesh& mesh : from.meshes_)
            meshes_.push_back(
                {points + mesh.end, mesh.image, mesh.vertex_mesh != 0 ? mesh.vertex_mesh + kept : 0});
    }
    const auto looks = static_cast<std::uint32_t>(looks_.size());
    const bool has_look_room = from.looks_.size() <= kMaxLooks - looks_.size();
    if (has_look_room) looks_.insert(looks_.end(), from.looks_.begin(), from.looks_.end());
    const std::uint32_t masks = add_masks_of(from, without);
    const auto shaders = static_cast<std::uint32_t>(shader_uses_.size());
    const auto values = static_cast<std::uint32_t>(shader_values_.size());
    shader_values_.insert(shader_values_.end(), from.shader_values_.begin(), from.shader_values_.end());
    for (ShaderUse use : from.shader_uses_) {
        use.first_value += values;
        shader_uses_.push_back(std::move(use));
    }

    // Its own items begin with the state that they had.
    const std::size_t changes = from.states_.size();
    if (changes != 0 && (states_.empty() || states_.front().first != before))
        states_.insert(states_.begin(), {before, {.camera = camera, .matrix = {}, .clip = {}}});
    states_.insert(states_.begin(), from.states_.begin(), from.states_.end());
    for (StateChange& change : std::span{states_}.first(changes)) {
        if (change.state.camera == from.camera) change.state.camera = camera;
        if (change.state.shader != 0) change.state.shader += shaders;
        if (change.state.mask != 0)
            change.state.mask = change.state.mask + masks <= mask_count_ ? change.state.mask + masks : 0;
    }

    for (Entry entry : from.entries_) {
        if ((entry.key >> 63U != 0 && !has_screen) || !is_immediate(entry.key)) continue;
        const std::span<const DrawItem> items = from.items_of(entry);
        // Those of one entry have one kind and one image.
        const DrawItem& one = items.front();
        const std::uint32_t image = one.kind == DrawKind::mesh
                                        ? from.image_of_mesh(one.ref)
                                        : static_cast<std::uint32_t>(entry.key >> 8U & 0xFFFFU);
        if (without != 0 && image == without) continue;
        if (items_.size() + items.size() > kMaxItems) {
            dropped_ += items.size();
            continue;
        }
        entry.item = static_cast<std::uint32_t>(items_.size());
        if (items.size() > 1) {
            ranges_.push_back(
                {.first = entry.item, .count = static_cast<std::uint32_t>(items.size()), .kept = {}});
            entry.item = kRange | static_cast<std::uint32_t>(ranges_.size() - 1);
        }
        for (DrawItem item : items) {
            if (item.ref != 0 && item.kind == DrawKind::mesh)
                item.ref = has_mesh_room ? item.ref + meshes : 0;
            if (item.ref != 0 && item.kind == DrawKind::text) item.ref = has_text_room ? item.ref + texts : 0;
            if (const std::uint16_t look = item.kind == DrawKind::text ? item.look() : std::uint16_t{0};
                look != 0)
                item.set_look(has_look_room ? static_cast<std::uint16_t>(look + looks) : std::uint16_t{0});
            items_.push_back(item);
            ties_.push_back(0);
        }
        entries_.push_back(entry);
    }
    neighbour_ = {};
}

}  // namespace perigee
