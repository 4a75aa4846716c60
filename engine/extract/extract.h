// Extraction: every visible entity with Position and gfx:Sprite or another component that draws becomes items
// of the draw list.
//
// Invariant: it reads the world and changes nothing; what it adds depends on the world, the positions one
// step ago and alpha alone. What is outside the camera's view is culled by its largest possible extent, so
// nothing visible is. The game's Position may have further fields; x and y are found by name. It does not
// sort (DrawList does) and knows no pixels (ImageTable does).
#pragma once

#include "ecs/schema/component.h"
#include "engine/assets/image_table.h"
#include "engine/draw/draw_list.h"
#include "engine/draw/layer_look.h"
#include "engine/extract/components.h"
#include "engine/extract/internal/extract_frame.h"
#include "engine/extract/interpolation.h"
#include "engine/extract/lights.h"
#include "engine/extract/trails.h"
#include "engine/extract/views.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace perigee {

class FontTable;
class Particles;
class Query;
class World;
namespace internal {
class KeptSprites;
}

class EntityExtractor {
public:
    /// Lifetime: the world must outlive it. Without a usable Position it does nothing; see problem().
    EntityExtractor(World& world, const EngineComponents& components);
    ~EntityExtractor();

    /// Why no entity can be drawn; empty if there is no problem or the game has no Position at all.
    const std::string& problem() const noexcept { return problem_; }

    /// Called before each step: remembers the positions of what is drawn and the camera.
    void remember();

    /// What the last extraction could not draw.
    const Undrawn& undrawn() const noexcept { return undrawn_; }

    /// Called after each step: trails grow, particles move, and emitters emit.
    void step(Particles& particles, float dt);
    /// Called when the world is another one than before.
    void begin_world();

    /// The layers that differ from others, for later extractions. `version`: another one for other looks,
    /// never 0.
    void set_layers(std::span<const LayerLook> looks, std::uint64_t version);

    /// Adds the entities visible to `camera_between(alpha)` to `list`. alpha: 0 = as remembered, 1 = as now.
    /// Cost: about 10 ns per visible sprite that changed, 20 ns per shape; nothing for what did not change.
    /// `particles` may be null; `dt`: of a step. `fonts` null: there is only the default font.
    void extract(const ImageTable& images, float alpha, float screen_width, float screen_height,
                 DrawList& list, Particles* particles = nullptr, float dt = 0.0F, FontTable* fonts = nullptr);

    /// The same for another camera than the resource, with a screen of its own size: a view. Layers on the
    /// screen are not part of it.
    void extract_view(const ImageTable& images, float alpha, const DrawCamera& camera, float width,
                      float height, DrawList& list, Particles* particles = nullptr, float dt = 0.0F,
                      FontTable* fonts = nullptr);

    /// The same for entities in screen layers only.
    void extract_screen(const ImageTable& images, float alpha, float screen_width, float screen_height,
                        DrawList& list, Particles* particles = nullptr, float dt = 0.0F,
                        FontTable* fonts = nullptr);

    /// The entities with gfx:View; null without a usable Position.
    const Views* views() const noexcept { return views_ ? &*views_ : nullptr; }
    /// The lights of entities with gfx:Light; null without a usable Position.
    Lights* lights() noexcept { return lights_ ? &*lights_ : nullptr; }
    const PreviousPositions& previous() const noexcept { return previous_; }
    const PositionColumn& position() const noexcept { return position_; }

    /// The camera resource as it is now.
    DrawCamera camera() const;
    DrawCamera camera_between(float alpha) const;

    /// The components that it reads; empty when no entity can be drawn.
    const std::vector<ComponentId>& reads() const noexcept { return reads_; }

private:
    enum class Part { all, world, screen };
    void extract_part(Part part, const ImageTable& images, float alpha, const DrawCamera& camera, float width,
                      float height, DrawList& list, Particles* particles, float dt, FontTable* fonts);
    internal::SeenLayer seen(const LayerLook* look, Part part, const DrawCamera& camera, float width,
                             float height, LayerSort sort) const noexcept;

    World& world_;
    EngineComponents components_;
    PositionColumn position_;
    std::vector<ComponentId> reads_;
    Query* placed_ = nullptr;  ///< term 0 Position, of all that is drawn; null when nothing can be
    Query* sprites_ = nullptr;
    Query* shapes_ = nullptr;
    Query* texts_ = nullptr;
    Query* emitters_ = nullptr;
    Query* trails_query_ = nullptr;
    Trails trails_;
    std::optional<Views> views_;
    std::optional<Lights> lights_;
    PreviousPositions previous_;
    ChangeVersion remembered_ = 0;  ///< when previous_ was filled
    std::unique_ptr<internal::KeptSprites> kept_sprites_;
    std::vector<LayerLook> layers_;
    std::uint64_t layers_version_ = 0;
    // Another one for other layers of LayerSort::order, or on the screen: their keys differ.
    std::uint64_t ordered_version_ = 0;
    std::vector<internal::SeenLayer> seen_layers_;  // scratch
    DrawCamera previous_camera_;
    bool has_previous_camera_ = false;
    Undrawn undrawn_;
    std::string problem_;
};

}  // namespace perigee
