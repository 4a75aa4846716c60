// Canvases of maps are kept from frame to frame.
#include "engine/session/internal/light_maps.h"

#include "engine/base/error_codes.h"
#include "engine/draw/color.h"
#include "engine/extract/extract.h"
#include "engine/session/internal/game_files.h"
#include "engine/session/internal/session_log.h"
#include "engine/session/internal/session_mods.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace perigee {

namespace {

namespace e = engine_errors;

constexpr float kScale = 0.5F;  // of a map, to what it lights

std::uint16_t side_of(float size) noexcept {
    return static_cast<std::uint16_t>(
        std::clamp(std::ceil(size * kScale), 1.0F, float{SurfaceTable::kMaxSide}));
}

}  // namespace

LightMaps::LightMaps(EntityExtractor& extractor, GameFiles& files, SharedByMods& shared, SessionLog& log)
    : extractor_(extractor), files_(files), shared_(shared), log_(log) {}

void LightMaps::report_once(const char* message) {
    if (std::exchange(reported_, message) != message) log_.notice(message);
}

bool LightMaps::has_falloff() {
    if (falloff_ != 0) return true;
    falloff_ = shared_.surfaces.make_pixels({.width = kFalloffSide, .height = kFalloffSide}, files_.images());
    if (falloff_ == 0) return false;
    shared_.surfaces.find(falloff_)->pixels->assign(falloff_pixels());
    files_.images().set_filter(falloff_, ImageFilter::linear);
    return true;
}

void LightMaps::begin_map(std::size_t number, float width, float height) {
    if (number >= maps_.size()) maps_.resize(number + 1);
    Map& map = maps_[number];
    const std::uint16_t map_width = side_of(width), map_height = side_of(height);
    if (map.canvas == 0 || map.width != map_width || map.height != map_height) {
        if (map.canvas != 0) shared_.surfaces.release(map.canvas);
        map = {shared_.surfaces.make_canvas({.width = map_width, .height = map_height}, files_.images()),
               map_width, map_height};
        if (map.canvas == 0) return report_once(e::kNoRoomForLights);
        files_.images().set_filter(map.canvas, ImageFilter::linear);
    }
    shared_.surfaces.use_canvas(map.canvas);
}

void LightMaps::begin_frame(float alpha, const std::vector<ShownView>& views, bool has_screen) {
    Lights* const lights = extractor_.lights();
    lighting_ = lights != nullptr ? lights->lighting() : std::nullopt;
    if (lighting_ && !has_falloff()) {
        report_once(e::kNoRoomForLights);
        lighting_.reset();
    }
    if (!lighting_) return;
    has_screen_ = has_screen;
    lights->collect(extractor_.previous(), alpha);
    if (lights->has_left_out()) report_once(e::kTooManyLights);
    for (std::size_t i = 0; i < views.size(); ++i)
        begin_map(i, views[i].viewport.width, views[i].viewport.height);
    if (has_screen)
        begin_map(views.size(), static_cast<float>(shared_.screen.width),
                  static_cast<float>(shared_.screen.height));
}

void LightMaps::add_map(const Map& map, const DrawCamera& camera, DrawList& list) {
    if (map.canvas == 0) return;
    const Color& ambient = lighting_->ambient;
    shared_.surfaces.clear_canvas(map.canvas, pack_color(ambient.r, ambient.g, ambient.b));
    DrawList& lights = shared_.surfaces.use_canvas(map.canvas);
    lights.camera = camera;
    lights.camera.zoom *= kScale;
    const float width = map.width / kScale, height = map.height / kScale;
    extractor_.lights()->draw(camera, width, height, ambient, falloff_, lights);
    DrawItem item{.x = camera.x, .y = camera.y, .w = width / camera.zoom, .h = height / camera.zoom};
    item.ref = files_.images().frame_of(map.canvas, 0);
    item.angle = quantised_angle(camera.rotation);
    item.origin_x = item.origin_y = quantised_origin(0.5F);
    item.kind = DrawKind::sprite;
    item.flags = static_cast<std::uint8_t>(BlendMode::multiply);
    list.add(item, {lighting_->layer, kDrawOrderAbove}, map.canvas);
}

void LightMaps::end_frame(const std::vector<ShownView>& views, DrawList& screen) {
    if (!lighting_) return;
    for (std::size_t i = 0; i < views.size(); ++i) add_map(maps_[i], views[i].camera, *views[i].list);
    if (has_screen_) add_map(maps_[views.size()], screen.camera, screen);
}

}  // namespace perigee
