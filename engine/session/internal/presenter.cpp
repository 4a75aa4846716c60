// Entities are drawn by a system of the group presentation, like everything else.
#include "engine/session/internal/presenter.h"

#include "ecs/base/contract.h"
#include "ecs/base/counted.h"
#include "ecs/schedule/schedule.h"
#include "engine/base/error_codes.h"
#include "engine/base/stopwatch.h"
#include "engine/draw/text/text_metrics.h"
#include "engine/extract/animation.h"
#include "engine/extract/camera_moves.h"
#include "engine/session/internal/game_files.h"
#include "engine/session/internal/session_log.h"
#include "engine/session/internal/session_mods.h"
#include "engine/surfaces/canvas_drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace perigee {

namespace {

namespace e = engine_errors;

constexpr float kNoteSize = 32.0F;

void draw_note(Painter& painter, std::string_view note, float width, float height) {
    painter.is_screen = true;
    painter.layer = 32766;  // below the error card
    painter.blend = BlendMode::alpha;
    painter.color = pack_color(0, 0, 0, 160);
    painter.rectangle(true, 0, height / 2 - kNoteSize, width, 2 * kNoteSize);
    painter.color = kWhite;
    painter.text(note, 0, height / 2 - line_height(kNoteSize) / 2, {kNoteSize, width, TextAlign::center});
}

}  // namespace

Presenter::Presenter(World& world, Schedule& schedule, const EngineComponents& components, GameFiles& files,
                     SharedByMods& shared, SessionLog& log, float dt)
    : schedule_(schedule),
      components_(components),
      files_(files),
      shared_(shared),
      log_(log),
      extractor_(world, components),
      views_(world, extractor_, files, shared, log),
      dt_(dt) {
    shared_.camera = extractor_.camera();
    // Once: without room, a frame has none for all that follows.
    shared_.painter.set_shown_image(
        [&shared, &files, &log, is_reported = false](std::uint32_t image) mutable {
            const Result<std::uint32_t> shown =
                CanvasDrawing{shared.painter, shared.surfaces, files.images()}.shown_now(image);
            if (!shown && !std::exchange(is_reported, true)) log.notice(shown.error().message);
            return shown ? shown.value() : image;
        });
    views_.update();
    if (!extractor_.problem().empty()) log_.report(files_.manifest().id, extractor_.problem());
    if (extractor_.reads().empty()) return;
    add_extraction();
    const Result<void> added =
        add_camera_systems(world, schedule, components, extractor_.position(), shared.screen);
    ECS_INVARIANT(added.ok(), added ? "" : added.error().message);
}

void Presenter::add_extraction() {
    extracts_ = true;
    SystemDesc desc;
    desc.name = "gfx:extract";
    desc.group = kPresentation;
    desc.access.read = extractor_.reads();
    if (desc.access.read.empty()) desc.access.read = {components_.camera};  // particles alone
    desc.run = [this](SystemContext& context) -> Result<void> {
        const Stopwatch watch;
        views_.extract(static_cast<float>(context.time.alpha), *list_, shared_.particles, dt_);
        times_.extract = watch.elapsed();
        return {};
    };
    const Result<SystemId> added = schedule_.add(std::move(desc));
    ECS_INVARIANT(added.ok(), added ? "" : added.error().message);
}

void Presenter::systems_needed() {
    if (!shared_.particles.is_empty() && !extracts_) add_extraction();
    if (shared_.clips.is_empty() || std::exchange(animates_, true)) return;
    const Result<void> added = add_animation_system(schedule_, components_, shared_.clips);
    ECS_INVARIANT(added.ok(), added ? "" : added.error().message);
}

void Presenter::end_step() {
    shared_.camera = extractor_.camera();
    views_.update();
    extractor_.step(shared_.particles, dt_);
    log_.notice(shared_.clips.take_reports());
    log_.notice(shared_.shaders.take_reports());
    log_.notice(shared_.particles.take_reports());
}

void Presenter::begin_world() {
    shared_.camera = extractor_.camera();
    views_.update();
    shared_.particles.clear();
    extractor_.begin_world();
}

void Presenter::present(const TickTime& time, std::string_view note, DrawList& list) {
    Painter& painter = shared_.painter;
    Stopwatch watch;
    times_ = {};
    list.clear();
    shared_.surfaces.begin_frame(files_.images());
    list.camera = extractor_.camera_between(static_cast<float>(time.alpha));
    list_ = &list;
    views_.begin_frame(time, list);
    shared_.shaders.time = std::max(0.0, time.time - (1.0 - time.alpha) * time.dt);
    painter.begin_frame(list, files_.images(), &shared_.shaders);
    painter.set_views(views_.painted());
    files_.assets().set_presenting(true);
    // An order that cannot be resolved was reported at load; then nothing runs.
    [[maybe_unused]] const Result<void> ran = schedule_.run_group(kPresentation, time);
    files_.assets().set_presenting(false);
    report_undrawn();
    log_.notice(files_.take_reports());
    log_.notice(shared_.shaders.take_reports());
    list.background = shared_.background;
    painter.set_canvas(nullptr, 0, 0);
    painter.use_budget(nullptr, {});
    painter.reset();
    painter.matrix = {};
    if (!note.empty()) draw_note(painter, note, shared_.screen.width, shared_.screen.height);
    // Errors stay readable.
    const bool has_effect = log_.card().is_empty();
    log_.card().draw(painter, shared_.screen.width, shared_.screen.height);
    painter.end_frame();
    views_.end_frame(list, has_effect);
    list_ = nullptr;
    times_.draw = watch.restart() - times_.extract;
    list.sort(files_.images());
    shared_.surfaces.end_frame(files_.images());
    times_.sort = watch.elapsed();
}

// Once: a bug that makes one such position soon makes many.
void Presenter::report_undrawn() {
    const Undrawn& undrawn = extractor_.undrawn();
    if (undrawn.count == 0 || std::exchange(has_reported_undrawn_, true)) return;
    log_.notice(fmt::format(e::kUndrawable, counted(undrawn.count, "entity", "entities"),
                            undrawn.first.index(), undrawn.first.generation()));
}

}  // namespace perigee
