// Released surfaces lose their charge when another surface needs room, and their memory at the start of a
// frame.
#include "engine/surfaces/surface_table.h"

#include "ecs/base/contract.h"
#include "ecs/base/suggest.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace perigee {

namespace {

std::size_t pixels_of(const SurfaceDesc& desc) noexcept {
    constexpr std::size_t kSamples = 4;
    return std::size_t{desc.width} * desc.height * (desc.is_multisampled ? 1 + kSamples : 1);
}

}  // namespace

SurfaceTable::SurfaceTable()
    : surfaces_(kEndOfSurfaces - kFirstSurface), numbers_(kEndOfSurfaces - kFirstPixels) {}

void SurfaceTable::set_owners(std::size_t count) {
    pixels_.set_members(count);
    numbers_.set_members(count);
}

Surface* SurfaceTable::find(std::uint32_t image) noexcept {
    return is_surface(image) ? surfaces_[surface_number(image)].get() : nullptr;
}

const Surface* SurfaceTable::find(std::uint32_t image) const noexcept {
    return is_surface(image) ? surfaces_[surface_number(image)].get() : nullptr;
}

// A surface that is dropped and made again in each frame counts once. Until the frame ends, there may be
// twice the memory.
bool SurfaceTable::has_room(const SurfaceDesc& desc) noexcept {
    ECS_EXPECTS(desc.width > 0 && desc.height > 0 && desc.width <= kMaxSide && desc.height <= kMaxSide,
                desc.width, desc.height);
    give_back_released();
    const std::size_t pixels = pixels_of(desc);
    return given_back_pixels_ <= kMaxPixels && numbers_.room(desc.owner) > 0 &&
           pixels_.room(desc.owner) >= pixels;
}

Surface* SurfaceTable::make(std::uint32_t first, std::uint32_t end, const SurfaceDesc& desc,
                            ImageTable& images) {
    std::uint32_t image = first;
    while (image < end && find(image) != nullptr) ++image;
    if (image == end) return nullptr;
    static_cast<void>(pixels_.take(desc.owner, pixels_of(desc)) && numbers_.take(desc.owner, 1));
    auto& surface = surfaces_[surface_number(image)];
    surface = std::make_unique<Surface>();
    surface->desc = desc;
    surface->image = image;
    surface->serial = ++last_serial_;
    images.add_surface(image, desc.width, desc.height, desc.owner);
    ++count_;
    return surface.get();
}

std::uint32_t SurfaceTable::make_pixels(const SurfaceDesc& desc, ImageTable& images) {
    if (!has_room(desc)) return 0;
    auto pixels = std::make_unique<PixelBuffer>(desc.width, desc.height);
    Surface* const surface = make(kFirstPixels, kEndOfSurfaces, desc, images);
    if (surface == nullptr) return 0;
    surface->pixels = std::move(pixels);
    return surface->image;
}

std::uint32_t SurfaceTable::make_canvas(const SurfaceDesc& desc, ImageTable& images) {
    if (!has_room(desc)) return 0;
    const Surface* const surface = make(kFirstSurface, kFirstPixels, desc, images);
    return surface != nullptr ? surface->image : 0;
}

void SurfaceTable::name_canvas(std::uint32_t canvas, std::string_view name) {
    Surface* const surface = find(canvas);
    ECS_EXPECTS(surface != nullptr && is_canvas(canvas), canvas);
    surface->name = name;
    names_.insert_or_assign(surface->name, canvas);
}

std::uint32_t SurfaceTable::find_canvas(std::string_view name) const noexcept {
    const auto found = names_.find(name);
    return found != names_.end() ? found->second : 0;
}

std::string SurfaceTable::suggested_canvas(std::string_view name) const {
    std::vector<std::string_view> known;
    for (const auto& [other, canvas] : names_) known.push_back(other);
    return did_you_mean(name, known);
}

// ---- canvases ---------------------------------------------------------------------------------------------

CanvasPicture& SurfaceTable::picture_of(std::uint32_t canvas) {
    Surface* const surface = find(canvas);
    ECS_EXPECTS(surface != nullptr && is_canvas(canvas), canvas);
    CanvasPicture& picture = surface->picture;
    if (picture.list) return picture;
    if (spare_lists_.empty()) spare_lists_.push_back(std::make_unique<DrawList>());
    picture.list = std::move(spare_lists_.back());
    spare_lists_.pop_back();
    picture.list->camera = {surface->desc.width / 2.0F, surface->desc.height / 2.0F, 1.0F};
    picture.clear_color = std::exchange(surface->next_clear_color, std::nullopt);
    used_.push_back(canvas);
    picture.turn = static_cast<std::uint32_t>(used_.size());
    return picture;
}

DrawList& SurfaceTable::use_canvas(std::uint32_t canvas) { return *picture_of(canvas).list; }

void SurfaceTable::clear_canvas(std::uint32_t canvas, PackedColor color) {
    CanvasPicture& picture = picture_of(canvas);
    DrawState state = picture.list->immediate_state();
    state.shader = 0;  // they are cleared, too
    state.mask = 0;
    picture.list->clear();
    picture.list->set_state(state);
    picture.clear_color = color;
}

void SurfaceTable::clear_canvas_before_frame(std::uint32_t canvas, PackedColor color) {
    Surface* const surface = find(canvas);
    ECS_EXPECTS(surface != nullptr && is_canvas(canvas), canvas);
    surface->next_clear_color = color;
    if (std::ranges::find(cleared_, canvas) == cleared_.end()) cleared_.push_back(canvas);
}

SurfaceTable::Order SurfaceTable::order_of(std::uint32_t shown, std::uint32_t canvas) const noexcept {
    if (shown == canvas) return Order::itself;
    const Surface* const inner = find(shown);
    const Surface* const outer = find(canvas);
    const bool is_late = inner != nullptr && outer != nullptr && inner->picture.turn > outer->picture.turn;
    return is_late ? Order::too_late : Order::good;
}

void SurfaceTable::end_frame(const ImageTable& images) {
    // Canvases that are cleared and not drawn into come first: others of this frame may show them.
    const auto first_used = static_cast<std::ptrdiff_t>(used_.size());
    for (const std::uint32_t canvas : std::exchange(cleared_, {})) {
        const Surface* const surface = find(canvas);
        if (surface != nullptr && surface->next_clear_color) picture_of(canvas);
    }
    std::rotate(used_.begin(), used_.begin() + first_used, used_.end());
    for (const std::uint32_t canvas : used_) find(canvas)->picture.list->sort(images);
    to_draw_ = used_;
}

std::vector<std::uint32_t> SurfaceTable::take_canvases() { return std::exchange(to_draw_, {}); }

bool SurfaceTable::read_canvas(std::uint32_t canvas, std::uint32_t pixels) {
    Surface* const from = find(canvas);
    const Surface* const to = find(pixels);
    ECS_EXPECTS(from != nullptr && is_canvas(canvas) && to != nullptr && to->pixels, canvas, pixels);
    ECS_EXPECTS(from->desc.width == to->desc.width && from->desc.height == to->desc.height, canvas, pixels);
    if (std::ranges::find(to_read_, canvas) == to_read_.end()) to_read_.push_back(canvas);
    CanvasReading& reading = from->reading;
    if (reading.serial != to->serial) reading = {pixels, to->serial, 0};
    return reading.frame + 1 == frame_;
}

std::vector<std::uint32_t> SurfaceTable::take_readings() { return std::exchange(to_read_, {}); }

void SurfaceTable::save_canvas(std::uint32_t canvas, std::filesystem::path file) {
    ECS_EXPECTS(find(canvas) != nullptr && is_canvas(canvas), canvas);
    to_save_.push_back({canvas, std::move(file)});
}

std::vector<CanvasSave> SurfaceTable::take_saves() { return std::exchange(to_save_, {}); }

void SurfaceTable::deliver(std::uint32_t canvas, std::span<const PackedColor> pixels) {
    Surface* const from = find(canvas);
    Surface* const to = from != nullptr ? find(from->reading.pixels) : nullptr;
    if (to == nullptr || to->serial != from->reading.serial) return;
    to->pixels->assign(pixels);
    from->reading.frame = frame_;
}

void SurfaceTable::forget_lists() {
    for (const std::uint32_t canvas : used_) {
        CanvasPicture& picture = find(canvas)->picture;
        picture.list->clear();
        spare_lists_.push_back(std::move(picture.list));
        picture = {};
    }
    used_.clear();
    to_draw_.clear();
    to_read_.clear();
    to_save_.clear();
    ++frame_;
}

// ---- the end of a surface ---------------------------------------------------------------------------------

void SurfaceTable::release(std::uint32_t image) noexcept {
    Surface* const surface = find(image);
    if (surface != nullptr && !surface->is_released.exchange(true)) ++released_;
}

void SurfaceTable::give_back_released() noexcept {
    if (released_.exchange(0) == 0) return;
    for (const std::unique_ptr<Surface>& surface : surfaces_) {
        if (surface == nullptr || !surface->is_released || surface->is_given_back) continue;
        surface->is_given_back = true;
        const std::size_t pixels = pixels_of(surface->desc);
        pixels_.give_back(surface->desc.owner, pixels);
        numbers_.give_back(surface->desc.owner, 1);
        given_back_pixels_ += pixels;
    }
}

void SurfaceTable::begin_frame(ImageTable& images) {
    forget_lists();
    give_back_released();
    if (given_back_pixels_ == 0) return;
    given_back_pixels_ = 0;
    for (std::unique_ptr<Surface>& surface : surfaces_) {
        if (surface == nullptr || !surface->is_given_back) continue;
        images.remove_surface(surface->image);
        if (find_canvas(surface->name) == surface->image) names_.erase(surface->name);
        surface.reset();
        --count_;
    }
}

}  // namespace perigee
