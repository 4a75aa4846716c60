// Numbers become those of the ImageTable, which knows what is possible.
#include "engine/modules/internal/gfx_images.h"

#include "engine/base/error_codes.h"
#include "engine/modules/gfx_module.h"
#include "engine/modules/in_turn.h"
#include "engine/modules/internal/gfx_painting.h"
#include "engine/modules/internal/module_number.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

namespace perigee {

namespace {

using internal::whole;

GfxContext& imaging(void* context) noexcept { return *static_cast<GfxContext*>(context); }

double frame(void* context, double image, double number) noexcept {
    return imaging(context).images.frame_of(whole<std::uint32_t>(image), whole<std::uint32_t>(number));
}

// Where a part of an image begins. One that wraps is the same again after its size, or after twice its size.
std::uint16_t start_of(double at, std::uint16_t size, ImageWrap wrap) noexcept {
    if (wrap == ImageWrap::clamp || size == 0) return whole<std::uint16_t>(at);
    const double period = (wrap == ImageWrap::mirror ? 2.0 : 1.0) * size;
    return whole<std::uint16_t>(at - std::floor(at / period) * period);
}

double part(void* context, double image, double x, double y, double w, double h) noexcept {
    GfxContext& self = imaging(context);
    const auto id = whole<std::uint32_t>(image);
    const ImageTable::Size size = self.images.size_of(id);
    const ImageWrap wrap = self.images.sampling_of(id).wrap;
    const FrameId made =
        self.images.add_rectangle(id, start_of(x, size.width, wrap), start_of(y, size.height, wrap),
                                  whole<std::uint16_t>(w), whole<std::uint16_t>(h), self.mount);
    return self.images.is_full() ? -1.0 : made;
}

bool sheet(void* context, double image, double frame_width, double frame_height) noexcept {
    GfxContext& self = imaging(context);
    return self.images.set_grid(whole<std::uint32_t>(image), whole<std::uint16_t>(frame_width),
                                whole<std::uint16_t>(frame_height), self.mount);
}

void atlas_begin(void* context) noexcept { imaging(context).atlas.clear(); }

void atlas_add(void* context, double x, double y, double w, double h) noexcept {
    if (imaging(context).atlas.size() >= ImageTable::kMaxFrames) return;
    imaging(context).atlas.push_back({0, whole<std::uint16_t>(x), whole<std::uint16_t>(y),
                                      whole<std::uint16_t>(w), whole<std::uint16_t>(h)});
}

bool atlas_end(void* context, double image) noexcept {
    GfxContext& self = imaging(context);
    return self.images.set_frames(whole<std::uint32_t>(image), self.atlas, self.mount);
}

/// True if there is no room for more frames; then error() has the message.
bool frames_full(void* context) noexcept {
    GfxContext& self = imaging(context);
    if (self.images.is_full()) self.error = engine_errors::kTooManyFrames;
    return self.images.is_full();
}

double frame_count(void* context, double image) noexcept {
    return imaging(context).images.frame_count(whole<std::uint32_t>(image));
}
double image_width(void* context, double image) noexcept {
    return imaging(context).images.size_of(whole<std::uint32_t>(image)).width;
}
double image_height(void* context, double image) noexcept {
    return imaging(context).images.size_of(whole<std::uint32_t>(image)).height;
}

// ---- tiles ------------------------------------------------------------------------------------------------

// The result of tiled, besides those of Drawn.
constexpr std::int32_t kTooManyTiles = 3;

std::int32_t tiled(void* context, double frame_id, double x, double y, double width, double height,
                   double offset_x, double offset_y, double scale_x, double scale_y, double color) noexcept {
    GfxContext& self = imaging(context);
    const auto real = [](double number) { return static_cast<float>(number); };
    const std::uint32_t id = whole<std::uint32_t>(frame_id);
    bool is_drawn = true;
    const std::int32_t drawn = internal::painted(context, color, [&](Painter& painter) {
        is_drawn =
            painter.tiled(id < self.images.frames().size() ? id : 0, real(x), real(y), real(width),
                          real(height), {real(offset_x), real(offset_y), real(scale_x), real(scale_y)});
    });
    return is_drawn ? drawn : kTooManyTiles;
}

// ---- sampling ---------------------------------------------------------------------------------------------

ImageFilter filter_of(double number) noexcept {
    return number == 0.0 ? ImageFilter::nearest : ImageFilter::linear;
}

/// A number below 0: the default.
void set_filter(void* context, double image, double filter) noexcept {
    const std::optional<ImageFilter> wanted = filter < 0.0 ? std::nullopt : std::optional{filter_of(filter)};
    imaging(context).images.set_filter(whole<std::uint32_t>(image), wanted);
}

void set_wrap(void* context, double image, double wrap) noexcept {
    const auto wanted = std::min<std::uint8_t>(whole<std::uint8_t>(wrap), kImageWrapNames.size() - 1);
    imaging(context).images.set_wrap(whole<std::uint32_t>(image), static_cast<ImageWrap>(wanted));
}

/// For the images of this mod.
void set_default_filter(void* context, double filter) noexcept {
    GfxContext& self = imaging(context);
    self.images.set_default_filter(self.mount, filter_of(filter));
}

}  // namespace

std::vector<NativeFunction> gfx_image_functions() {
    return {
        function_in_turn<&frame>("frame"),
        function_in_turn<&part>("part"),
        function_in_turn<&sheet>("sheet"),
        native_function<&atlas_begin>("atlas_begin"),
        native_function<&atlas_add>("atlas_add"),
        function_in_turn<&atlas_end>("atlas_end"),
        function_in_turn<&frames_full>("frames_full"),
        function_in_turn<&frame_count>("frame_count"),
        function_in_turn<&image_width>("image_width"),
        function_in_turn<&image_height>("image_height"),
        native_function<&tiled>("tiled"),
        function_in_turn<&set_filter>("set_filter"),
        function_in_turn<&set_wrap>("set_wrap"),
        function_in_turn<&set_default_filter>("set_default_filter"),
    };
}

}  // namespace perigee
