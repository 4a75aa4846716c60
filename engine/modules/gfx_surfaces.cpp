// Coordinates are clamped to 32 bits before they are added up.
#include "engine/modules/gfx_surfaces.h"

#include "engine/assets/decoder.h"
#include "engine/assets/image_size.h"
#include "engine/base/error_codes.h"
#include "engine/fonts/font_table.h"
#include "engine/modules/gfx_module.h"
#include "engine/modules/in_turn.h"
#include "engine/modules/internal/module_number.h"
#include "engine/modules/internal/module_text.h"
#include "engine/save/player_data.h"
#include "engine/surfaces/canvas_drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <new>
#include <string>
#include <string_view>
#include <vector>

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

// The image, or 0 if there is no room (see error()). `make`: calls a function of the table.
template <typename Make> double made_surface(GfxContext& self, const SurfaceDesc& desc, Make make) noexcept {
    try {
        const std::uint32_t image = make();
        if (image == 0)
            self.error = fmt::format(engine_errors::kTooManySurfaces, desc.width, desc.height,
                                     SurfaceTable::kMaxPixels / 1'000'000);
        return image;
    } catch (const std::bad_alloc&) {
        self.error.clear();
        return 0;
    }
}

SurfaceDesc desc_of(const GfxContext& self, double width, double height) noexcept {
    return {whole<std::uint16_t>(width), whole<std::uint16_t>(height), self.mount};
}

/// Expects: sides from 1 to max_surface_side.
double make_pixels(void* context, double width, double height) noexcept {
    GfxContext& self = surfaces_of(context);
    const SurfaceDesc desc = desc_of(self, width, height);
    return made_surface(self, desc, [&] { return self.surfaces.make_pixels(desc, self.images); });
}

Result<void> load_file(GfxContext& self, PixelBuffer& buffer, AssetHandle file) {
    const Result<std::string> bytes = self.assets.read(file);
    if (!bytes) return bytes.error();
    // A file that has changed since then does not have this size, which is an error.
    const ImageSize size{static_cast<std::uint16_t>(buffer.width()),
                         static_cast<std::uint16_t>(buffer.height())};
    const Result<DecodedBytes> decoded = self.fonts->decoder().image(bytes.value(), size);
    if (!decoded) return decoded.error();
    buffer.assign({reinterpret_cast<const PackedColor*>(decoded.value().data()),
                   decoded.value().size() / sizeof(PackedColor)});
    return {};
}

/// The pixels become those of an image of this size. False: see error().
bool load_pixels(void* context, double image, double file) noexcept {
    GfxContext& self = surfaces_of(context);
    PixelBuffer* const buffer = buffer_of(context, image);
    const auto handle = whole<std::uint32_t>(file);
    if (buffer == nullptr || !self.assets.is_handle(handle) || self.fonts == nullptr) return false;
    try {
        const Result<void> loaded = load_file(self, *buffer, handle);
        if (!loaded) self.error = loaded.error().message;
        return loaded.ok();
    } catch (const std::bad_alloc&) {
        self.error.clear();
        return false;
    }
}

/// Expects: sides from 1 to max_surface_side.
double make_canvas(void* context, double width, double height, bool is_multisampled) noexcept {
    GfxContext& self = surfaces_of(context);
    SurfaceDesc desc = desc_of(self, width, height);
    desc.is_multisampled = is_multisampled;
    return made_surface(self, desc, [&] { return self.surfaces.make_canvas(desc, self.images); });
}

// 0 if it is none.
std::uint32_t canvas_of(const GfxContext& self, double image) noexcept {
    const auto id = whole<std::uint32_t>(image);
    return is_canvas(id) && self.surfaces.find(id) != nullptr ? id : 0;
}

/// The canvas takes over the name.
void name_canvas(void* context, const char* name, double length, double image) noexcept {
    GfxContext& self = surfaces_of(context);
    if (const std::uint32_t canvas = canvas_of(self, image); canvas != 0)
        self.surfaces.name_canvas(canvas, internal::text_of(name, length));
}

// Results of functions that may begin a pass: how many pixels it has; or that the painter is closed; or that
// there is no room for it, see error().
constexpr double kIsClosed = -1, kIsRefused = -2;

double result_of(GfxContext& self, const Result<std::uint32_t>& pixels) {
    if (pixels) return pixels.value();
    self.error = pixels.error().message;
    return kIsRefused;
}

CanvasDrawing drawing(GfxContext& self) noexcept { return {self.painter, self.surfaces, self.images}; }

/// 0: the screen.
double set_canvas(void* context, double image) noexcept {
    GfxContext& self = surfaces_of(context);
    if (!self.painter.is_open()) return kIsClosed;
    if (const std::uint32_t canvas = canvas_of(self, image); canvas != 0)
        return result_of(self, drawing(self).draw_into(canvas, self.mount));
    drawing(self).leave();
    return 0;
}

/// The canvas of this mod that is drawn into; 0: the screen.
double current_canvas(void* context) noexcept {
    GfxContext& self = surfaces_of(context);
    if (!self.painter.is_open()) return 0;
    self.painter.draw_for(self.mount);
    return self.painter.canvas();
}

/// While nothing can be drawn: before the next frame.
double clear_canvas(void* context, double image, double color) noexcept {
    GfxContext& self = surfaces_of(context);
    const std::uint32_t canvas = canvas_of(self, image);
    if (canvas == 0) return 0;
    if (self.painter.is_open())
        return result_of(self, drawing(self).clear(canvas, internal::color_from_lua(color)));
    self.surfaces.clear_canvas_before_frame(canvas, internal::color_from_lua(color));
    return 0;
}

/// The image that shows a canvas where drawing goes now, plus kPassPixel for each pixel of a pass that
/// begins; 0: drawing goes into the canvas; kIsRefused.
constexpr double kPassPixel = 65536;

double show_canvas(void* context, double image) noexcept {
    GfxContext& self = surfaces_of(context);
    const std::uint32_t canvas = canvas_of(self, image);
    if (!self.painter.is_open() || canvas == 0) return image;
    if (current_canvas(context) == canvas) return 0;
    const Result<CanvasDrawing::Shown> shown = drawing(self).show(canvas);
    if (shown) return shown.value().image + kPassPixel * shown.value().pixels;
    self.error = shown.error().message;
    return kIsRefused;
}

// The result of read_canvas.
enum class Reading : std::int32_t { closed, later, done };

/// Reads a canvas into pixels of its size at the end of the frame; done: they have the end of the frame
/// before.
std::int32_t read_canvas(void* context, double image, double pixels) noexcept {
    GfxContext& self = surfaces_of(context);
    const std::uint32_t canvas = canvas_of(self, image);
    if (!self.painter.is_open()) return static_cast<std::int32_t>(Reading::closed);
    if (canvas == 0 || buffer_of(context, pixels) == nullptr)
        return static_cast<std::int32_t>(Reading::later);
    const bool is_done = self.surfaces.read_canvas(canvas, whole<std::uint32_t>(pixels));
    return static_cast<std::int32_t>(is_done ? Reading::done : Reading::later);
}

// The result of save_canvas and save_picture. `refused`: see error().
enum class Saving : std::int32_t { closed, asked, refused, bad_name };

// Fails if the mod may save no picture now; else it is counted.
Result<void> may_save_picture(GfxContext& self) {
    if (self.pictures.empty()) return Error{engine_errors::kNoPictures};
    const std::uint64_t now = self.surfaces.frame();
    const std::uint64_t busy = std::max(self.pictures_busy_until, now);
    if (busy - now > (kPictureBurst - 1) * kFramesPerPicture)
        return Error{fmt::format(engine_errors::kPicturesTooOften, kPictureBurst, kFramesPerPicture)};
    self.pictures_busy_until = busy + kFramesPerPicture;
    return {};
}

// Calls ask(file) if the mod may save a picture under this name now.
template <typename Ask> std::int32_t saving(GfxContext& self, std::string_view name, Ask ask) {
    Saving result = Saving::asked;
    if (!self.painter.is_open()) {
        result = Saving::closed;
    } else if (!is_save_name(name)) {
        result = Saving::bad_name;
    } else if (const Result<void> may = may_save_picture(self); !may) {
        self.error = may.error().message;
        result = Saving::refused;
    } else {
        ask(self.pictures / (std::string(name) + ".png"));
    }
    return static_cast<std::int32_t>(result);
}

std::int32_t save_canvas(void* context, const char* name, double length, double image) noexcept {
    GfxContext& self = surfaces_of(context);
    return saving(self, internal::text_of(name, length), [&](std::filesystem::path file) {
        if (const std::uint32_t canvas = canvas_of(self, image); canvas != 0)
            self.surfaces.save_canvas(canvas, std::move(file));
    });
}

/// The same for the whole picture of this frame.
std::int32_t save_picture(void* context, const char* name, double length) noexcept {
    GfxContext& self = surfaces_of(context);
    return saving(self, internal::text_of(name, length),
                  [&](std::filesystem::path file) { self.surfaces.save_picture(std::move(file)); });
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

std::vector<ScriptConstant> gfx_surface_constants() {
    return {
        {"pass_closed", kIsClosed},
        {"pass_refused", kIsRefused},
        {"pass_pixel", kPassPixel},
        {"reading_closed", static_cast<int>(Reading::closed)},
        {"reading_done", static_cast<int>(Reading::done)},
        {"saving_closed", static_cast<int>(Saving::closed)},
        {"saving_refused", static_cast<int>(Saving::refused)},
        {"saving_bad_name", static_cast<int>(Saving::bad_name)},
    };
}

std::vector<NativeFunction> gfx_surface_functions() {
    return {
        function_in_turn<&make_pixels>("make_pixels"),
        function_in_turn<&make_canvas>("make_canvas"),
        function_in_turn<&load_pixels>("load_pixels"),
        function_in_turn<&name_canvas>("name_canvas"),
        function_in_turn<&set_canvas>("set_canvas"),
        function_in_turn<&clear_canvas>("clear_canvas"),
        function_in_turn<&show_canvas>("show_canvas"),
        native_function<&read_canvas>("read_canvas"),
        native_function<&save_canvas>("save_canvas"),
        native_function<&current_canvas>("current_canvas"),
        native_function<&release_surface>("release_surface"),
        native_function<&pixel_memory>("pixel_memory"),
        native_function<&fill_pixels>("fill_pixels"),
        native_function<&copy_pixels>("copy_pixels"),
        native_function<&save_picture>("save_picture"),
    };
}

}  // namespace perigee
