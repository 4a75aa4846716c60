// Views are few, and looked up by walking over them.
#include "engine/session/internal/view_lists.h"

#include "ecs/schedule/system.h"
#include "ecs/schema/text_pool.h"
#include "ecs/world/world.h"
#include "engine/base/error_codes.h"
#include "engine/draw/color.h"
#include "engine/session/internal/game_files.h"
#include "engine/session/internal/session_log.h"
#include "engine/session/internal/session_mods.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace perigee {

namespace {

namespace e = engine_errors;

PackedColor packed(const Color& color) noexcept { return pack_color(color.r, color.g, color.b, color.a); }

}  // namespace

ViewLists::ViewLists(const World& world, EntityExtractor& extractor, GameFiles& files, SharedByMods& shared,
                     SessionLog& log)
    : world_(world),
      extractor_(extractor),
      files_(files),
      shared_(shared),
      log_(log),
      light_maps_(extractor, files, shared, log) {}

void ViewLists::report_once(std::string message) {
    if (reported_.insert(message).second) log_.notice(message);
}

const LayerSet& ViewLists::layers_of(TextHandle text) {
    const TextPool& texts = world_.texts();
    const auto [place, is_new] = layers_.try_emplace(text.index == 0 ? 0 : texts.content_hash(text));
    if (is_new && text.index != 0) {
        const LayerTable& named = shared_.layers;
        Result<LayerSet> parsed = LayerSet::parse(
            texts.text(text), [&](std::string_view name) { return named.find(name); },
            [&](std::string_view name) { return named.suggestion(name); });
        if (parsed)
            place->second = std::move(parsed).value();
        else
            report_once(parsed.error().message);
    }
    return place->second;
}

std::uint32_t ViewLists::canvas_of(TextHandle name) {
    const std::string_view text = world_.texts().text(name);
    const std::uint32_t canvas = shared_.surfaces.find_canvas(text);
    // Once a name: what is near it changes.
    if (canvas == 0 && reported_.insert(std::string(text)).second)
        log_.notice(fmt::format(e::kNoCanvasOfView, text, shared_.surfaces.suggested_canvas(text)));
    return canvas;
}

void ViewLists::show(const std::vector<EntityView>& views, std::vector<ShownView>& shown) {
    shown.clear();
    for (const EntityView& view : views) {
        auto width = static_cast<float>(shared_.screen.width);
        auto height = static_cast<float>(shared_.screen.height);
        ShownView next{.entity = view.entity, .camera = view.camera, .viewport = {}};
        if (view.look.canvas.index != 0) {
            next.canvas = canvas_of(view.look.canvas);
            if (next.canvas == 0) continue;
            const SurfaceDesc& desc = shared_.surfaces.find(next.canvas)->desc;
            width = desc.width;
            height = desc.height;
        }
        next.viewport = viewport_of(view.look, width, height);
        shown.push_back(next);
    }
}

void ViewLists::update() {
    if (extractor_.views() == nullptr) return;
    extractor_.views()->collect(views_);
    show(views_, shared_.views.after_step);
}

// What scripts change while the picture is drawn belongs to the next one.
void ViewLists::begin_layers(DrawList& screen) {
    const LayerTable& layers = shared_.layers;
    if (layers_version_ != layers.version()) {
        layers_version_ = layers.version();
        looks_ = layers.looks();
        layers_.clear();
    }
    extractor_.set_layers(looks_, layers_version_);
    screen.set_layers(looks_);
}

void ViewLists::begin_frame(const TickTime& time, DrawList& screen) {
    std::vector<ShownView>& shown = shared_.views.of_frame;
    shown.clear();
    layers_of_view_.clear();
    painted_.clear();
    begin_layers(screen);
    is_on_screen_ = false;
    if (extractor_.views() == nullptr) return;
    const auto alpha = static_cast<float>(time.alpha);
    extractor_.views()->collect_between(
        extractor_.previous(), alpha, time.time - (1.0 - time.alpha) * time.dt, shared_.views.shake, views_);
    show(views_, shown);
    for (const ShownView& view : shown) is_on_screen_ |= view.canvas == 0;
    light_maps_.begin_frame(alpha, shown, !is_on_screen_);
    for (ShownView& view : shown) {
        const CameraView& look = std::ranges::find(views_, view.entity, &EntityView::entity)->look;
        layers_of_view_.push_back(&layers_of(look.layers));
        DrawList* list = &screen;
        if (view.canvas != 0) {
            list = &shared_.surfaces.use_canvas_of_views(view.canvas);
            // Like the screen, it begins empty in each frame.
            if (list->views().empty()) shared_.surfaces.find(view.canvas)->picture.clear_color = 0;
        }
        view.list = &list->add_view(view.viewport, view.camera);
        view.list->set_layers(looks_);
        painted_.push_back({view.camera, view.viewport.width, view.viewport.height});
        if (look.background.a != 0) view.list->clear_color = packed(look.background);
    }
}

void ViewLists::extract(float alpha, DrawList& screen, Particles& particles, float dt) {
    const auto width = static_cast<float>(shared_.screen.width);
    const auto height = static_cast<float>(shared_.screen.height);
    if (!is_on_screen_)
        extractor_.extract(files_.images(), alpha, width, height, screen, &particles, dt, &files_.fonts());
    for (const ShownView& view : shared_.views.of_frame)
        extractor_.extract_view(files_.images(), alpha, view.camera, view.viewport.width,
                                view.viewport.height, *view.list, &particles, dt, &files_.fonts());
    if (is_on_screen_)
        extractor_.extract_screen(files_.images(), alpha, width, height, screen, &particles, dt,
                                  &files_.fonts());
}

void ViewLists::end_frame(DrawList& screen, bool has_effect) {
    const std::vector<ShownView>& shown = shared_.views.of_frame;
    for (std::size_t i = 0; i < shown.size(); ++i) {
        shown[i].list->add_world_of(screen, shown[i].canvas);
        const LayerSet& layers = *layers_of_view_[i];
        if (!layers.has_all())
            shown[i].list->keep_layers([&](std::int16_t layer) { return layers.has(layer); });
    }
    if (is_on_screen_) screen.drop_world();
    light_maps_.end_frame(shown, screen);
    const auto content = [this](std::uint32_t image) { return shared_.surfaces.content_of(image); };
    for (const ShownView& view : shown) view.list->use_effects(shared_.shaders, content);
    screen.use_effects(shared_.shaders, content);
    if (has_effect) screen.use_picture_effect(shared_.picture_effect, shared_.shaders, content);
}

}  // namespace perigee
