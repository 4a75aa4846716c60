// The frame of an extraction, from the camera and the game's Position; each kind of item has a loop of its
// own.
#include "engine/extract/extract.h"

#include "ecs/base/contract.h"
#include "ecs/schema/registry.h"
#include "ecs/schema/schema.h"
#include "ecs/storage/resource_store.h"
#include "ecs/world/world.h"
#include "engine/base/error_codes.h"
#include "engine/extract/internal/kept_sprites.h"
#include "engine/extract/internal/moved_places.h"
#include "engine/extract/internal/shapes.h"
#include "engine/extract/internal/sprites.h"
#include "engine/extract/internal/texts.h"
#include "engine/extract/particles.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

namespace perigee {

namespace {

Camera camera_of(const World& world, ComponentId id) {
    Camera camera;
    std::memcpy(&camera, world.resources().data(id), sizeof camera);
    return camera;
}

internal::SeenLayer seen_through(const DrawCamera& camera, float width, float height, LayerSort sort,
                                 std::int16_t layer) noexcept {
    float half_width = width / 2.0F / camera.zoom;
    float half_height = height / 2.0F / camera.zoom;
    if (camera.rotation != 0.0F) {  // the box around what it shows
        const float cosine = std::fabs(std::cos(camera.rotation)),
                    sine = std::fabs(std::sin(camera.rotation));
        const float across = half_width * cosine + half_height * sine;
        half_height = half_width * sine + half_height * cosine;
        half_width = across;
    }
    return {layer,
            sort,
            camera.x - half_width,
            camera.y - half_height,
            camera.x + half_width,
            camera.y + half_height};
}

}  // namespace

EntityExtractor::EntityExtractor(World& world, const EngineComponents& components)
    : world_(world), components_(components), kept_sprites_(std::make_unique<internal::KeptSprites>()) {
    const std::optional<ComponentId> position = world.registry().find(kPositionName);
    if (!position) return;
    const Schema& schema = world.registry().info(*position).schema;
    const Field* x = schema.field("x");
    const Field* y = schema.field("y");
    const auto is_number = [](const Field* field) {
        return field != nullptr && field->type == FieldType::f32 && field->array_length == 0;
    };
    if (schema.kind != ComponentKind::component || !is_number(x) || !is_number(y)) {
        problem_ = engine_errors::kPositionShape;
        return;
    }
    position_ = {*position, schema.size, x->offset, y->offset};
    const std::vector<ComponentId> drawn = {components.sprite, components.shape,        components.emitter,
                                            components.text,   components.trail,        components.view,
                                            components.light,  components.shadow_caster};
    const auto query = [&](const QueryDesc& desc) {
        const Result<Query*> made = world.query(desc);
        ECS_INVARIANT(made.ok(), made ? "" : made.error().message);
        return made.value();
    };
    const auto with = [&](ComponentId component) {
        return query(
            {.terms = {{*position, Access::read}, {component, Access::read}}, .any = {}, .without = {}});
    };
    placed_ = query({.terms = {{*position, Access::read}}, .any = drawn, .without = {}});
    sprites_ = with(components.sprite);
    shapes_ = with(components.shape);
    texts_ = with(components.text);
    emitters_ = with(components.emitter);
    trails_query_ = with(components.trail);
    views_.emplace(world, components, position_);
    lights_.emplace(world, components, position_);
    reads_ = drawn;
    reads_.push_back(components.shake);
    reads_.push_back(components.lighting);
    reads_.push_back(*position);
    reads_.push_back(components.camera);
}

EntityExtractor::~EntityExtractor() = default;

void EntityExtractor::begin_world() {
    trails_.clear();
    kept_sprites_->clear();
    remembered_ = 0;
}

DrawCamera EntityExtractor::camera() const {
    const Camera camera = camera_of(world_, components_.camera);
    return usable_camera(camera.x, camera.y, camera.zoom, camera.rotation);
}

DrawCamera EntityExtractor::camera_between(float alpha) const {
    const DrawCamera now = camera();
    constexpr float kMaxDistance = PreviousPositions::kMaxStepDistance;
    const float dx = now.x - previous_camera_.x;
    const float dy = now.y - previous_camera_.y;
    if (!has_previous_camera_ || !(std::fabs(dx) < kMaxDistance) || !(std::fabs(dy) < kMaxDistance))
        return now;
    const float back = 1.0F - alpha;
    const float turn = now.rotation - previous_camera_.rotation;
    return {now.x - dx * back, now.y - dy * back, now.zoom - (now.zoom - previous_camera_.zoom) * back,
            std::fabs(turn) < kMaxCameraTurn ? now.rotation - turn * back : now.rotation};
}

void EntityExtractor::set_layers(std::span<const LayerLook> looks, std::uint64_t version) {
    if (std::exchange(layers_version_, version) == version) return;
    // Keys of kept sprites have the order of such layers.
    const auto ordered = [&](std::span<const LayerLook> of) {
        std::vector<std::pair<std::int16_t, bool>> numbers;
        for (const LayerLook& look : of)
            if (look.sort == LayerSort::order || look.is_screen)
                numbers.emplace_back(look.layer, look.is_screen);
        return numbers;
    };
    if (ordered(looks) != ordered(layers_)) ++ordered_version_;
    layers_.assign(looks.begin(), looks.end());
}

void EntityExtractor::remember() {
    previous_camera_ = camera();
    has_previous_camera_ = true;
    if (views_) views_->remember();
    if (placed_ == nullptr) return;
    const ChangeVersion before = std::exchange(remembered_, world_.change_version());
    world_.advance_change_version();  // whatever is written from now on is newer
    world_.each_chunk(*placed_, [this, before](ChunkView& chunk) {
        if (!chunk.changed_since(0, before)) return;
        const std::byte* const positions = chunk.column_data(0);
        const ChunkSlot& slot = internal::slot_of(chunk);
        const bool are_same_rows = slot.rows_version <= before;
        const auto rows = previous_.remember_rows(slot.unit, chunk.entities(), are_same_rows);
        if (!rows.empty()) {
            internal::copy_positions(position_, positions, rows);
            return;
        }
        std::size_t row = 0;
        std::uint32_t last = 0;
        for (const Entity entity : chunk.entities()) last = std::max(last, entity.index());
        previous_.reserve(last + 1);
        for (const Entity entity : chunk.entities()) {
            const auto [x, y] = position_.at(positions, row++);
            previous_.remember(entity, x, y);
        }
    });
}

void EntityExtractor::step(Particles& particles, float dt) {
    if (trails_query_ != nullptr) trails_.step(world_, position_, *trails_query_);
    particles.step(world_, position_, emitters_, dt);
}

void EntityExtractor::extract(const ImageTable& images, float alpha, float screen_width, float screen_height,
                              DrawList& list, Particles* particles, float dt, FontTable* fonts) {
    extract_part(Part::all, images, alpha, camera_between(alpha), screen_width, screen_height, list,
                 particles, dt, fonts);
}

void EntityExtractor::extract_view(const ImageTable& images, float alpha, const DrawCamera& camera,
                                   float width, float height, DrawList& list, Particles* particles, float dt,
                                   FontTable* fonts) {
    extract_part(Part::world, images, alpha, camera, width, height, list, particles, dt, fonts);
}

void EntityExtractor::extract_screen(const ImageTable& images, float alpha, float screen_width,
                                     float screen_height, DrawList& list, Particles* particles, float dt,
                                     FontTable* fonts) {
    if (std::ranges::any_of(layers_, &LayerLook::is_screen))
        extract_part(Part::screen, images, alpha, {}, screen_width, screen_height, list, particles, dt,
                     fonts);
}

// What is seen of a layer; null: of all others. Nothing is in the part of the world of one that is left out.
internal::SeenLayer EntityExtractor::seen(const LayerLook* look, Part part, const DrawCamera& camera,
                                          float width, float height, LayerSort sort) const noexcept {
    const bool is_screen = look != nullptr && look->is_screen;
    const std::int16_t layer = look != nullptr ? look->layer : std::int16_t{0};
    const DrawCamera fixed{width / 2.0F, height / 2.0F, 1.0F};
    const DrawCamera by = is_screen ? fixed : look != nullptr ? look->seen_by(camera) : camera;
    internal::SeenLayer seen = seen_through(by, width, height, sort, layer);
    if (is_screen) seen.flags = kDrawScreen;
    if (part != Part::all && is_screen != (part == Part::screen)) {
        seen.left = seen.top = std::numeric_limits<float>::infinity();
        seen.right = seen.bottom = -seen.left;
    }
    return seen;
}

void EntityExtractor::extract_part(Part part, const ImageTable& images, float alpha, const DrawCamera& camera,
                                   float width, float height, DrawList& list, Particles* particles, float dt,
                                   FontTable* fonts) {
    undrawn_ = {};
    const LayerSort sort = camera_of(world_, components_.camera).y_sort ? LayerSort::y : LayerSort::none;
    seen_layers_.clear();
    for (const LayerLook& look : layers_) {
        const LayerSort own = look.sort == LayerSort::camera ? sort : look.sort;
        if (look.moves() || look.is_screen || own != sort)
            seen_layers_.push_back(seen(&look, part, camera, width, height, own));
    }
    const internal::ExtractFrame frame{.world = world_,
                                       .position = position_,
                                       .previous = previous_,
                                       .images = images,
                                       .seen = seen(nullptr, part, camera, width, height, sort),
                                       .layers = seen_layers_,
                                       .ordered_version = ordered_version_,
                                       .alpha = alpha,
                                       .remembered = remembered_,
                                       .undrawn = &undrawn_,
                                       .list = list,
                                       .fonts = fonts};
    if (placed_ != nullptr) {
        internal::extract_sprites(frame, *sprites_, *kept_sprites_);
        internal::extract_shapes(frame, *shapes_);
        internal::extract_texts(frame, *texts_);
        trails_.draw(frame, *trails_query_);
    }
    if (particles != nullptr) particles->draw(frame, dt);
}

}  // namespace perigee
