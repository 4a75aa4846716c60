// The passes of a frame. The list of a canvas stays where it is, since others hold it: what is in it moves to
// another list when its pass has ended.
#include "ecs/base/contract.h"
#include "engine/base/error_codes.h"
#include "engine/surfaces/surface_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace perigee {

namespace {

namespace e = engine_errors;

// What all masks may have that are copied in a frame.
constexpr std::size_t kMaxCopiedItems = std::size_t{1} << 18U;

std::size_t mask_items(const DrawList& list) noexcept {
    std::size_t count = list.mask_count();
    for (std::size_t i = 0; i < list.mask_count(); ++i)
        count += list.mask(static_cast<std::uint32_t>(i + 1)).list->item_count();
    return count;
}

}  // namespace

// ---- lists ------------------------------------------------------------------------------------------------

std::unique_ptr<DrawList> SurfaceTable::spare_list() {
    if (spare_lists_.empty()) spare_lists_.push_back(std::make_unique<DrawList>());
    std::unique_ptr<DrawList> list = std::move(spare_lists_.back());
    spare_lists_.pop_back();
    return list;
}

CanvasPicture& SurfaceTable::begin_picture(Surface& canvas) {
    CanvasPicture& picture = canvas.picture;
    picture.list = spare_list();
    picture.list->camera = {canvas.desc.width / 2.0F, canvas.desc.height / 2.0F, 1.0F};
    picture.clear_color = std::exchange(canvas.next_clear_color, std::nullopt);
    used_.push_back(canvas.image);
    return picture;
}

void SurfaceTable::add_pass(Surface& canvas) {
    Pass& pass = passes_.emplace_back();
    pass.canvas = canvas.image;
    pass.target = content_of(canvas.image);
    canvas.picture.turn = static_cast<std::uint32_t>(passes_.size());
}

CanvasPicture& SurfaceTable::picture_of(std::uint32_t canvas) {
    Surface* const surface = find(canvas);
    ECS_EXPECTS(surface != nullptr && is_canvas(canvas), canvas);
    CanvasPicture& picture = surface->picture;
    if (!picture.list) begin_picture(*surface);
    if (picture.turn == 0) add_pass(*surface);
    return picture;
}

DrawList& SurfaceTable::use_canvas(std::uint32_t canvas) { return *picture_of(canvas).list; }

DrawList& SurfaceTable::use_canvas_of_views(std::uint32_t canvas) {
    Surface* const surface = find(canvas);
    ECS_EXPECTS(surface != nullptr && is_canvas(canvas), canvas);
    CanvasPicture& picture = surface->picture;
    return picture.list ? *picture.list : *begin_picture(*surface).list;
}

// ---- the order --------------------------------------------------------------------------------------------

void SurfaceTable::count_turns() {
    for (std::size_t i = 0; i < passes_.size(); ++i)
        find(passes_[i].canvas)->picture.turn = static_cast<std::uint32_t>(i + 1);
}

// For a canvas of views: it has no pass yet.
void SurfaceTable::place_before(Surface& canvas, const Surface& target) {
    add_pass(canvas);
    const auto place = passes_.begin() + static_cast<std::ptrdiff_t>(target.picture.turn) - 1;
    std::rotate(place, passes_.end() - 1, passes_.end());
    count_turns();
}

// Whether nothing depends on when its last pass is drawn.
bool SurfaceTable::is_blank(const Surface& canvas) const noexcept {
    const CanvasPicture& picture = canvas.picture;
    return !picture.is_shown && picture.list->item_count() == 0 && picture.list->mask_count() == 0 &&
           picture.list->views().empty();
}

void SurfaceTable::move_to_end(const Surface& canvas) {
    const auto place = passes_.begin() + static_cast<std::ptrdiff_t>(canvas.picture.turn) - 1;
    std::rotate(place, place + 1, passes_.end());
    count_turns();
}

Result<void> SurfaceTable::next_pass(Surface& canvas, ImageTable& images) {
    CanvasPicture& picture = canvas.picture;
    std::size_t& further = further_passes_[canvas.desc.owner];
    const std::size_t items = picture.list ? mask_items(*picture.list) : 0;
    if (further >= kMaxFurtherPasses || items > kMaxCopiedItems - copied_items_)
        return Error{fmt::format(e::kTooManyPasses, kMaxFurtherPasses)};
    if (picture.list && picture.turn == 0) add_pass(canvas);  // of views; it was shown by the screen
    std::uint32_t copied = 0;
    if (picture.is_kept) {
        const Result<std::uint32_t> hidden = hidden_for(canvas, images);
        if (!hidden) return hidden.error();
        copied = content_of(canvas.image);
        if (picture.content == 0) changed_.push_back(canvas.image);
        picture.content = hidden.value();
    }
    if (picture.list) {
        ++further;
        copied_items_ += items;
        Pass& pass = passes_[picture.turn - 1];
        pass.list = spare_list();
        pass.clear_color = std::exchange(picture.clear_color, std::nullopt);
        std::swap(*pass.list, *picture.list);
        picture.list->continue_from(*pass.list);
    } else {
        begin_picture(canvas);
    }
    add_pass(canvas);
    passes_.back().copied = copied;
    picture.is_shown = picture.is_kept = false;
    return {};
}

Result<bool> SurfaceTable::draw_into(std::uint32_t canvas, ImageTable& images) {
    Surface* const surface = find(canvas);
    ECS_EXPECTS(surface != nullptr && is_canvas(canvas), canvas);
    if (!surface->picture.is_shown) {
        picture_of(canvas);
        return false;
    }
    if (Result<void> next = next_pass(*surface, images); !next) return next.error();
    return true;
}

bool SurfaceTable::is_older(std::uint32_t target, std::uint32_t canvas) const noexcept {
    const Surface* const inner = find(canvas);
    const Surface* const outer = find(target);
    return inner != nullptr && outer != nullptr && outer->picture.turn != 0 &&
           inner->picture.turn > outer->picture.turn;
}

Result<bool> SurfaceTable::show_canvas(std::uint32_t canvas, std::uint32_t target, bool is_kept,
                                       ImageTable& images) {
    Surface* const inner = find(canvas);
    Surface* const outer = find(target);
    ECS_EXPECTS(inner != nullptr && is_canvas(canvas) && canvas != target, canvas, target);
    bool is_new = false;
    if (outer != nullptr) {
        if (inner->picture.list && inner->picture.turn == 0 && outer->picture.turn != 0)
            place_before(*inner, *outer);
        if (is_older(target, canvas)) {
            if (is_blank(*outer)) {
                move_to_end(*outer);
            } else {
                if (Result<void> next = next_pass(*outer, images); !next) return next.error();
                is_new = true;
            }
        }
    }
    CanvasPicture& picture = inner->picture;
    if (!std::exchange(picture.is_shown, true)) shown_.push_back(canvas);
    picture.is_kept |= is_kept || outer == nullptr;
    return is_new;
}

// ---- contents ---------------------------------------------------------------------------------------------

std::uint32_t SurfaceTable::content_of(std::uint32_t canvas) const noexcept {
    const Surface* const surface = find(canvas);
    return surface != nullptr && surface->picture.content != 0 ? surface->picture.content : canvas;
}

Result<std::uint32_t> SurfaceTable::hidden_for(const Surface& canvas, ImageTable& images) {
    const SurfaceDesc& desc = canvas.desc;
    std::size_t used = 0;
    Hidden* free = nullptr;
    for (Hidden& hidden : hidden_) {
        const SurfaceDesc& other = find(hidden.image)->desc;
        if (hidden.last_frame == frame_)
            used += other.owner == desc.owner ? 1 : 0;
        else if (free == nullptr && other == desc)
            free = &hidden;
    }
    if (used >= kMaxHidden) return Error{fmt::format(e::kTooManyContents, kMaxHidden)};
    if (free == nullptr) {
        const std::uint32_t image = make_canvas(desc, images);
        if (image == 0)
            return Error{fmt::format(e::kNoRoomForContent, desc.width, desc.height, kMaxPixels / 1'000'000)};
        free = &hidden_.emplace_back(Hidden{image, 0});
    }
    free->last_frame = frame_;
    const ImageSampling sampling = images.sampling_of(canvas.image);
    if (images.sampling_of(free->image) != sampling) {
        images.set_filter(free->image, sampling.filter);
        images.set_wrap(free->image, sampling.wrap);
    }
    return free->image;
}

// Makes room for others. False: there was nothing to release.
bool SurfaceTable::release_idle(std::size_t owner) noexcept {
    const auto released = std::erase_if(hidden_, [&](const Hidden& hidden) {
        const bool is_idle = hidden.last_frame != frame_ && find(hidden.image)->desc.owner == owner;
        if (is_idle) release(hidden.image);
        return is_idle;
    });
    return released != 0;
}

// ---- the frame --------------------------------------------------------------------------------------------

void SurfaceTable::end_frame(const ImageTable& images) {
    for (const std::uint32_t canvas : used_)
        static_cast<void>(picture_of(canvas));  // those of views are last
    for (const Pass& pass : passes_) (pass.list ? *pass.list : *find(pass.canvas)->picture.list).sort(images);
    has_passes_ = !passes_.empty();
}

std::vector<CanvasPass> SurfaceTable::take_passes() {
    std::vector<CanvasPass> taken;
    if (!std::exchange(has_passes_, false)) return taken;
    for (const Pass& pass : passes_) {
        const CanvasPicture& picture = find(pass.canvas)->picture;
        taken.push_back({find(pass.target), find(pass.copied),
                         pass.list ? pass.clear_color : picture.clear_color,
                         pass.list ? pass.list.get() : picture.list.get()});
    }
    return taken;
}

void SurfaceTable::forget_lists() {
    const auto keep = [this](std::unique_ptr<DrawList> list) {
        list->clear();
        spare_lists_.push_back(std::move(list));
    };
    for (Pass& pass : passes_)
        if (pass.list) keep(std::move(pass.list));
    for (const std::uint32_t canvas : used_) keep(std::move(find(canvas)->picture.list));
    for (const std::uint32_t canvas : used_) find(canvas)->picture = {};
    for (const std::uint32_t canvas : shown_) find(canvas)->picture = {};
    std::erase_if(hidden_, [this](const Hidden& hidden) {
        const bool is_old = frame_ - hidden.last_frame > kHiddenFrames;
        if (is_old) release(hidden.image);
        return is_old;
    });
    used_.clear();
    shown_.clear();
    changed_.clear();
    passes_.clear();
    further_passes_.clear();
    copied_items_ = 0;
    has_passes_ = false;
    to_read_.clear();
    to_save_.clear();
    picture_files_.clear();
    ++frame_;
}

}  // namespace perigee
