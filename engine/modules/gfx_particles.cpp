// A preset is described by several calls, since numbers are what scripts pass quickly.
#include "engine/modules/gfx_particles.h"

#include "engine/extract/particles.h"
#include "engine/modules/gfx_module.h"
#include "engine/modules/in_turn.h"
#include "engine/modules/internal/module_number.h"
#include "engine/modules/internal/module_text.h"

#include <algorithm>
#include <iterator>
#include <new>

namespace perigee {

namespace {

GfxContext& particle_context(void* context) noexcept { return *static_cast<GfxContext*>(context); }

/// `image` 0: a shape.
void preset_begin(void* context, double image) noexcept {
    PresetMaker& maker = particle_context(context).preset_maker;
    maker.preset = {};
    maker.preset.image = static_cast<std::uint32_t>(std::max(image, 0.0));
    maker.sizes = maker.speed_factors = {};
    maker.colors = {};
    maker.frames = {};
}

void preset_set(void* context, double field, double first, double second) noexcept {
    const auto number = static_cast<std::size_t>(std::clamp(field, 0.0, kParticleFields.size() - 1.0));
    set_particle_field(particle_context(context).preset_maker.preset, number, first, second);
}

void preset_size(void* context, double size) noexcept {
    particle_context(context).preset_maker.sizes.add(static_cast<float>(size));
}

void preset_speed_factor(void* context, double factor) noexcept {
    particle_context(context).preset_maker.speed_factors.add(static_cast<float>(factor));
}

void preset_frame(void* context, double frame) noexcept {
    particle_context(context).preset_maker.frames.add(
        static_cast<std::uint16_t>(std::clamp(frame, 0.0, 65535.0)));
}

/// As Lua writes colours: 0xRRGGBBAA.
void preset_color(void* context, double color) noexcept {
    const auto number = static_cast<std::uint32_t>(std::clamp(color, 0.0, 4294967295.0));
    particle_context(context).preset_maker.colors.add(__builtin_bswap32(number));
}

/// The pixels of its collisions. Expects: an image of gfx.pixels.
void preset_grid(void* context, double image) noexcept {
    GfxContext& self = particle_context(context);
    const auto grid = internal::whole<std::uint32_t>(image);
    const Surface* const surface = self.surfaces.find(grid);
    if (surface == nullptr || surface->pixels == nullptr) return;
    self.preset_maker.preset.collisions.grid = grid;
    self.preset_maker.preset.collisions.serial = surface->serial;
}

/// False: see error().
bool preset_end(void* context, const char* name, double length, double blend, bool is_local) noexcept {
    GfxContext& self = particle_context(context);
    PresetMaker& maker = self.preset_maker;
    try {
        maker.preset.name = maker.prefix + std::string{internal::text_of(name, length)};
        maker.preset.blend =
            static_cast<BlendMode>(std::clamp(blend, 0.0, static_cast<double>(kBlendNames.size() - 1)));
        maker.preset.is_local = is_local;
        if (maker.sizes.count != 0) maker.preset.sizes = size_curve(maker.sizes.all());
        if (maker.colors.count != 0) maker.preset.colors = color_curve(maker.colors.all());
        if (maker.speed_factors.count != 0)
            maker.preset.speed_factors = speed_curve(maker.speed_factors.all());
        if (maker.frames.count != 0) maker.preset.frames = frame_curve(maker.frames.all());
        const Result<void> defined = self.particles->define(maker.preset, self.mount);
        if (!defined) self.error = defined.error().message;
        return defined.ok();
    } catch (const std::bad_alloc&) {
        self.error.clear();
        return false;
    }
}

/// The name of the preset that preset_end made.
const char* preset_name(void* context) noexcept {
    return particle_context(context).preset_maker.preset.name.c_str();
}

/// The number of a preset for burst(); -1: there is none, and error() says so.
double particle_preset(void* context, const char* name, double length) noexcept {
    GfxContext& self = particle_context(context);
    try {
        const auto number = self.particles->find(internal::text_of(name, length));
        if (number) return *number;
        self.error = self.particles->unknown(internal::text_of(name, length));
    } catch (const std::bad_alloc&) {
        self.error.clear();
    }
    return -1;
}

/// False: memory is exhausted.
bool burst(void* context, double preset, double x, double y, double count) noexcept {
    try {
        particle_context(context).particles->burst(static_cast<std::uint32_t>(preset), static_cast<float>(x),
                                                   static_cast<float>(y), count);
        return true;
    } catch (const std::bad_alloc&) {
        return false;
    }
}

}  // namespace

void add_particle_functions(NativeModule& gfx) {
    const NativeFunction functions[] = {
        native_function<&preset_begin>("preset_begin"),
        native_function<&preset_set>("preset_set"),
        native_function<&preset_size>("preset_size"),
        native_function<&preset_color>("preset_color"),
        native_function<&preset_frame>("preset_frame"),
        native_function<&preset_speed_factor>("preset_speed_factor"),
        function_in_turn<&preset_end>("preset_end"),
        native_function<&preset_name>("preset_name"),
        native_function<&preset_grid>("preset_grid"),
        native_function<&particle_preset>("particle_preset"),
        function_in_turn<&burst>("burst"),
    };
    gfx.functions.insert(gfx.functions.end(), std::begin(functions), std::end(functions));
    gfx.constants.push_back({"particle_fields", kParticleFields});
    gfx.constants.push_back({"hit_responses", kHitResponseNames});
    gfx.constants.push_back({"area_shapes", kAreaShapeNames});
    gfx.constants.push_back({"largest_particle_area", ParticleArea::kLargest});
    gfx.constants.push_back({"min_collision_cell", ParticleCollisions::kMinCell});
    gfx.constants.push_back({"max_collision_cell", ParticleCollisions::kMaxCell});
    gfx.constants.push_back({"farthest_collision_grid", ParticleCollisions::kFarthest});
}

}  // namespace perigee
