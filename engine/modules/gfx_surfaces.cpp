// Coordinates are clamped to 32 bits before they are added up.
#include "engine/modules/gfx_surfaces.h"

#include "engine/base/error_codes.h"
#include "engine/modules/gfx_module.h"
#include "engine/modules/in_turn.h"
#include "engine/modules/module_number.h"

#include <fmt/format.h>

#include <cstdint>
#include <new>

namespace perigee {

namespace {

using internal::whole;

GfxContext& surfaces_of(void* context) noexcept { return *static_cast<GfxContext*>(context); }

Surface* surface_of(void* context, double image) noexcept {
    return surfaces_of(context).surfaces.find(whole<std::uint32_t>(image));
}

PixelBuffer* buffer_of(void* context, double image) noexcept {
    Surface* const surface = surface_of(context, image);
    return surface != nullptr ? surface->pixels.get() : nullptr;
}

/// The image, or 0 if there is no room (see error()). Expects: sides from 1 to max_surface_side.
double make_pixels(void* context, double width, double height, bool is_linear) noexcept {
    GfxContext& self = surfaces_of(context);
    const SurfaceDesc desc{whole<std::uint16_t>(width), whole<std::uint16_t>(height),
                           is_linear ? SurfaceFilter::linear : SurfaceFilter::nearest, self.mount};
    try {
        const std::uint32_t image = self.surfaces.make_pixels(desc, self.images);
        if (image == 0)
            self.error = fmt::format(engine_errors::kTooManySurfaces, desc.width, desc.height,
                                     SurfaceTable::kMaxPixels / 1'000'000);
        return image;
    } catch (const std::bad_alloc&) {
        self.error.clear();
        return 0;
    }
}

/// The one function that finalisers call, at any time.
void release_surface(void* context, double image) noexcept {
    surfaces_of(context).surfaces.release(whole<std::uint32_t>(image));
}

/// See PixelBuffer for what is there.
void* pixel_memory(void* context, double image) noexcept {
    PixelBuffer* const buffer = buffer_of(context, image);
    return buffer != nullptr ? buffer->memory() : nullptr;
}

void fill_pixels(void* context, double image, double x, double y, double width, double height,
                 double color) noexcept {
    if (PixelBuffer* const buffer = buffer_of(context, image); buffer != nullptr)
        buffer->fill(whole<std::int32_t>(x), whole<std::int32_t>(y), whole<std::int32_t>(width),
                     whole<std::int32_t>(height), internal::color_from_lua(color));
}

void copy_pixels(void* context, double to, double from, double x, double y) noexcept {
    PixelBuffer* const target = buffer_of(context, to);
    const PixelBuffer* const source = buffer_of(context, from);
    if (target != nullptr && source != nullptr)
        target->copy(*source, whole<std::int32_t>(x), whole<std::int32_t>(y));
}

}  // namespace

std::vector<NativeFunction> gfx_surface_functions() {
    return {
        function_in_turn<&make_pixels>("make_pixels"),  native_function<&release_surface>("release_surface"),
        native_function<&pixel_memory>("pixel_memory"), native_function<&fill_pixels>("fill_pixels"),
        native_function<&copy_pixels>("copy_pixels"),
    };
}

}  // namespace perigee
