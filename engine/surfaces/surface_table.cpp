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
    return std::size_t{desc.width} * desc.height * (desc.is_multisampled ? 1U + kCanvasSamples : 1U);
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
    const std::size_t pixels = pixels_of(desc);
    const auto has = [&] {
        give_back_released();
        return given_back_pixels_ <= kMaxPixels && numbers_.room(desc.owner) > 0 &&
               pixels_.room(desc.owner) >= pixels;
    };
    return has() || (release_idle(desc.owner) && has());
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

void SurfaceTable::clear_canvas(std::uint32_t canvas, PackedColor color) {
    CanvasPicture& picture = picture_of(canvas);
    DrawState state = picture.list->immediate_state();
    state.shader = 0;  // they are cleared, too
    state.mask = 0;
    picture.list->clear();
    picture.list->set_state(state);
    picture.clear_color = color;
    passes_[picture.turn - 1].copied = 0;
}

void SurfaceTable::clear_canvas_before_frame(std::uint32_t canvas, PackedColor color) {
    Surface* const surface = find(canvas);
    ECS_EXPECTS(surface != nullptr && is_canvas(canvas), canvas);
    surface->next_clear_color = color;
    if (std::ranges::find(cleared_, canvas) == cleared_.end()) cleared_.push_back(canvas);
}

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
    remove_given_back(images);
    // They come before all others, which may show them.
    for (const std::uint32_t canvas : std::exchange(cleared_, {})) {
        const Surface* const surface = find(canvas);
        if (surface != nullptr && surface->next_clear_color) use_canvas(canvas);
    }
}

void SurfaceTable::remove_given_back(ImageTable& images) {
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
