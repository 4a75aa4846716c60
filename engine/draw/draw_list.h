// DrawList: the contents of one frame as plain data, between the game and the back end.
//
// A list may have views: lists of its own for parts of the picture, such as the halves of a split screen,
// which are drawn before its items.
//
// Filled in any order, then sorted once by a packed 64-bit key. Invariant after sort(): items are in painting
// order, the order depends only on what was added (ties are broken by the entity, so the picture does not
// flicker), and runs() splits them into maximal runs that a back end can draw with one state. It does not
// draw, owns no texture, and does not know the size of a window.
//
//   key, high to low:  screen 1 | layer 16 | order 23 | image 16 | blend 3 | kind 3 | zeros 2
//   (image and the fields after it fill whole bytes, which suits the radix sort)
#pragma once

#include "engine/base/raw_vector.h"
#include "engine/draw/draw_item.h"
#include "engine/draw/draw_state.h"
#include "engine/draw/kept_items.h"
#include "engine/draw/layer_look.h"
#include "engine/draw/shapes/mesh_point.h"
#include "engine/draw/shapes/vertex_mesh.h"
#include "engine/draw/text_look.h"
#include "engine/shaders/shader_table.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perigee {

class DrawList;
class ImageTable;

/// Consecutive items that a back end can draw with one state.
struct DrawRun {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
    std::uint32_t image = 0;  ///< asset handle; 0 for shapes, texts, meshes without an image, and missing
                              ///< images (draw the placeholder)
    DrawKind kind = DrawKind::sprite;  ///< sprite, text, mesh, or rectangle for all shapes
    BlendMode blend = BlendMode::alpha;
    bool screen = false;              ///< in screen coordinates, without a camera
    std::uint32_t state = 0;          ///< for DrawList::state_of()
    std::uint32_t look = 0;           ///< the same: of its layer; 0: the camera is that of the list
    std::uint32_t whole = 0;          ///< of the list: the look with which it is drawn as a whole; 0: none
    const KeptItems* kept = nullptr;  ///< to which `first` refers; null: the items of the list
    std::uint32_t looks = 0;          ///< not 0: `first` refers to its particles, and looks_of() has looks
    std::uint32_t places = 0;  ///< of kept items that moved, not 0: places() has where they are, the first
                               ///< at places - 1

    friend bool operator==(const DrawRun&, const DrawRun&) = default;
};

/// A step of drawing a list: runs, or layers that are drawn as a whole. These begin with a picture of one
/// colour, onto which the runs up to their end are drawn; then it is drawn itself. They nest.
struct DrawPart {
    enum class Step : std::uint8_t { runs, begin, end };
    Step step = Step::runs;
    BlendMode blend = BlendMode::alpha;  ///< of the picture, at its end
    std::uint32_t shader = 0;            ///< the same: a number of DrawList::shader(); 0: none
    std::uint32_t background = 0;        ///< what the picture is filled with at its beginning
    std::uint32_t first = 0;             ///< run
    std::uint32_t count = 0;             ///< of runs

    friend bool operator==(const DrawPart&, const DrawPart&) = default;
};

/// A shader with its values at one moment of the frame.
struct ShaderUse {
    std::shared_ptr<const ShaderSource> source;
    std::uint64_t stamp = 0;        ///< of the Shader
    std::uint32_t first_value = 0;  ///< for DrawList::values_of()
    float time = 0.0F;
    /// For the images of the source: asset handles or surfaces; 0: white.
    std::array<std::uint32_t, kMaxShaderImages> images{};
};

/// A shape that keeps drawing inside or outside of it.
///
/// Shape: a list of its own, without masks. It covers the pixels in which one of its items has an opacity of
/// at least one half, whatever their colour and blend mode.
struct DrawMask {
    std::unique_ptr<DrawList> list;
    std::uint32_t outer = 0;   ///< drawing is kept within this mask, too; 0: none
    bool is_inverted = false;  ///< drawing is kept outside
};

/// The drawing order of an item.
struct DrawOrder {
    std::int16_t layer = 0;   ///< higher is nearer
    std::uint32_t order = 0;  ///< within the layer, below kDrawOrderCount
};

/// Orders below the middle are for extraction (0, or the y of a y-sorted world); immediate drawing counts up
/// from it, so draw() paints over the sprites of the same layer, in call order.
inline constexpr std::uint32_t kDrawOrderCount = 1U << 23U;
inline constexpr std::uint32_t kDrawOrderImmediate = kDrawOrderCount / 2;
/// The order of items that lie above a layer drawn as a whole; the camera of the list shows them.
inline constexpr std::uint32_t kDrawOrderAbove = kDrawOrderCount - 1;

/// The kind of run that an item belongs to. Shapes need no texture, so all of them share the kind
/// `rectangle`.
inline DrawKind run_kind(DrawKind kind) noexcept {
    const bool is_own = kind == DrawKind::sprite || kind == DrawKind::text || kind == DrawKind::mesh;
    return is_own ? kind : DrawKind::rectangle;
}

[[gnu::always_inline]] inline std::uint64_t draw_key(DrawKind kind, std::uint8_t flags, DrawOrder order,
                                                     std::uint32_t image) noexcept {
    const std::uint64_t screen = (flags & kDrawScreen) != 0 ? 1 : 0;
    const auto layer = static_cast<std::uint64_t>(static_cast<std::int32_t>(order.layer) + 32768);
    const std::uint64_t within = order.order < kDrawOrderCount ? order.order : kDrawOrderCount - 1;
    return screen << 63U | layer << 47U | within << 24U | std::uint64_t{image & 0xFFFFU} << 8U |
           static_cast<std::uint64_t>(flags & kDrawBlend) << 5U |
           static_cast<std::uint64_t>(run_kind(kind)) << 2U;
}
inline std::uint64_t draw_key(const DrawItem& item, DrawOrder order, std::uint32_t image) noexcept {
    return draw_key(item.kind, item.flags, order, image);
}

/// Whether items of one layer and one image can be drawn by one call.
inline bool share_run(const DrawItem& a, const DrawItem& b) noexcept {
    return ((a.flags ^ b.flags) & kRunFlags) == 0 && run_kind(a.kind) == run_kind(b.kind);
}

inline std::int16_t layer_of(std::uint64_t key) noexcept {
    return static_cast<std::int16_t>(static_cast<std::int32_t>(key >> 47U & 0xFFFFU) - 32768);
}

class DrawList {
public:
    static constexpr std::size_t kMaxItems = std::size_t{1} << 20U;
    static constexpr std::size_t kMaxTextBytes = std::size_t{4} << 20U;
    static constexpr std::size_t kMaxLooks = 65535;
    static constexpr std::size_t kMaxMeshPoints = std::size_t{1} << 21U;
    static constexpr std::size_t kMaxShaderUses = 4096;
    static constexpr std::size_t kMaxShaderValues = std::size_t{1} << 18U;
    static constexpr std::size_t kMaxMasks = 1024;
    static constexpr std::size_t kMaxMaskDepth = 16;  ///< masks within masks
    static constexpr std::size_t kMaxLayerDepth = 4;  ///< layers that are drawn as a whole, within others

    /// One sortable item or range of items; kept apart from the items so that sorting moves 16 bytes.
    struct Entry {
        std::uint64_t key = 0;
        std::uint32_t tie = 0;   ///< entity index, 0 if none; of a range: the first
        std::uint32_t item = 0;  ///< with kRange: a number of add_range
    };
    static constexpr std::uint32_t kRange = 1U << 31U;

    /// Clears the frame and keeps the memory.
    void clear() noexcept;

    DrawCamera camera;                       ///< for all items before set_state()
    std::uint32_t background = 0xFF00'0000;  ///< black
    /// The part of the logical screen that a view covers, in whole pixels. Items of the view are clipped to
    /// it; the coordinates of screen items start at its corner.
    DrawClip viewport;
    std::optional<std::uint32_t> clear_color;  ///< of a view: what it is filled with before its items

    /// Adds an empty view, above those before. Lifetime: until clear().
    DrawList& add_view(const DrawClip& viewport, const DrawCamera& camera);
    std::span<const std::unique_ptr<DrawList>> views() const noexcept {
        return std::span{views_}.first(view_count_);
    }

    /// Adds an item. A full list drops it and counts it in dropped().
    void add(const DrawItem& item, DrawOrder order, std::uint32_t image = 0, std::uint32_t tie = 0);

    /// Adds an item above all items added this way before in its layer: painter's order.
    void add_immediate(const DrawItem& item, std::int16_t layer, std::uint32_t image = 0) {
        add_immediate_items({&item, 1}, layer, image);
    }
    /// The same for items that share a run: they are no meshes, or there is one. Expects: share_run() of each
    /// and the first.
    void add_immediate_items(std::span<const DrawItem> items, std::int16_t layer, std::uint32_t image = 0);

    /// Sets the state for items added by add_immediate from now on. Items added by add have the camera of the
    /// list and no other state.
    void set_state(const DrawState& state);
    DrawState immediate_state() const noexcept { return state_at(states_.size()); }
    DrawState state_of(const DrawRun& run) const noexcept {
        DrawState state = state_at(run.state);
        if (run.look != 0) state.camera = shown_layers_[run.look - 1].look.seen_by(state.camera);
        return state;
    }

    /// How layers look that do not look like others. Lifetime: until clear(). Expects: rising numbers, and
    /// before add_mask.
    void set_layers(std::span<const LayerLook> looks);
    /// Stores the effects of those that have items. Call it before sort(). `shown`: what is shown in place of
    /// an image of a shader; none: the same.
    using ShownImage = std::function<std::uint32_t(std::uint32_t image)>;
    void use_effects(const ShaderTable& shaders, const ShownImage& shown = {});
    /// The same for the picture as a whole, with its views and what is fixed on the screen: it is drawn onto
    /// a picture filled with `background`, and that with this effect. Without a shader of this id, it is not.
    void use_picture_effect(ShaderId effect, const ShaderTable& shaders, const ShownImage& shown = {});
    /// A number of shader(), or 0: the picture has no effect.
    std::uint32_t picture_effect() const noexcept { return picture_effect_; }
    /// Whether everything in a layer is fixed on the screen.
    bool is_on_screen(std::int16_t layer) const noexcept;
    /// The camera that sees a layer, in the place of `camera`.
    DrawCamera camera_of(std::int16_t layer, const DrawCamera& of_list) const noexcept;

    /// Adds the items of the world that `from` has by add_immediate, with their states, below those added to
    /// this list. The camera of `from` becomes the one of this list. Items of the image `without` are left
    /// out. Expects: neither list is sorted.
    void add_world_of(const DrawList& from, std::uint32_t without = 0);
    /// Goes on where another list has ended: with its camera, the camera of its state, and its masks under
    /// their numbers. Expects: an empty list, and before sort().
    void continue_from(const DrawList& from);
    /// Drops the items of the world, or those of layers that are not kept. Expects: before sort().
    void drop_world();
    void keep_layers(const std::function<bool(std::int16_t layer)>& is_kept);

    /// Stores a text for this frame and returns the number for DrawItem::ref; 0 (an empty text) when the
    /// arena is full.
    std::uint32_t add_text(std::string_view text);

    /// Stores a look for this frame and returns the number for DrawItem::set_look(); 0 (none) when the list
    /// is full.
    std::uint16_t add_look(const TextLook& look);

    /// Stores triangles for this frame, three points each, and returns the number for DrawItem::ref; 0
    /// (nothing to draw) when the list is full. `image`: asset handle, 0 = none.
    std::uint32_t add_mesh(std::span<const MeshPoint> points, std::uint32_t image = 0);
    /// The same for a mesh that exists beyond the frame; it is not copied. The item has where it is, its
    /// scale and its angle, as a sprite has, but for scales instead of a size.
    std::uint32_t add_mesh(const std::shared_ptr<const VertexMesh>& mesh) {
        return add_mesh(mesh, mesh->image);
    }
    /// The same, with `image` in place of the mesh's own image.
    std::uint32_t add_mesh(const std::shared_ptr<const VertexMesh>& mesh, std::uint32_t image);
    /// The mesh of an item; null if the item's triangles belong to this frame only.
    const std::shared_ptr<const VertexMesh>& vertex_mesh(const DrawItem& item) const noexcept;

    /// Stores a shader and its values for this frame, and returns the number for DrawState::shader; 0 (none)
    /// when it has no source or the list is full. `time`: in seconds.
    std::uint32_t use_shader(const Shader& shader, float time) {
        return use_shader(shader, time, shader.images);
    }
    /// The same, with `images` in place of the shader's own images.
    using ShaderImages = std::array<std::uint32_t, kMaxShaderImages>;
    std::uint32_t use_shader(const Shader& shader, float time, const ShaderImages& images);
    /// Null for 0.
    const ShaderUse* shader(std::uint32_t number) const noexcept {
        return number != 0 ? &shader_uses_[number - 1] : nullptr;
    }
    /// Four for each element of its source's uniforms. Lifetime: until the next change of the list.
    std::span<const float> values_of(const ShaderUse& use) const noexcept;
    bool has_shaders() const noexcept { return !shader_uses_.empty(); }
    std::span<const ShaderUse> shaders() const noexcept { return shader_uses_; }

    /// Adds an empty mask and returns the number for DrawState::mask; 0 if the list is full, or `outer` has
    /// kMaxMaskDepth masks around it. Fill its list before any sort(). Expects: outer is 0 or a mask.
    std::uint32_t add_mask(bool is_inverted, std::uint32_t outer = 0);
    /// Expects: a number from 1 to mask_count(). Lifetime: until clear(); the reference, until add_mask.
    const DrawMask& mask(std::uint32_t number) const noexcept { return masks_[number - 1]; }
    std::size_t mask_count() const noexcept { return mask_count_; }
    /// How many masks a mask is, with those around it.
    std::size_t mask_depth(std::uint32_t number) const noexcept;

    /// Room for `count` items to be written in place by an extraction loop; end_batch says how many it wrote.
    /// Entry i refers to first_item + i, or to a range of them. Lifetime: until end_batch.
    struct Batch {
        DrawItem* items = nullptr;
        std::uint32_t* ties = nullptr;  ///< of the items of ranges
        Entry* entries = nullptr;
        std::uint32_t first_item = 0;
        std::size_t count = 0;  ///< smaller than requested when the list is nearly full
    };
    Batch begin_batch(std::size_t count);
    void end_batch(const Batch& batch, std::size_t written) { end_batch(batch, written, written); }
    void end_batch(const Batch& batch, std::size_t written, std::size_t entry_count);
    /// All items of the batch have one key and one tie, and stay in their order.
    void end_batch_of_one_key(const Batch& batch, std::size_t written, std::uint64_t key, std::uint32_t tie);

    /// Room for `count` particles; end_particles says how many were written. All have this key and this tie,
    /// and stay in their order. Expects: steps below ParticleLooks::kSteps.
    std::span<ParticleItem> begin_particles(std::size_t count);
    void end_particles(std::span<const ParticleItem> batch, std::size_t written, const ParticleLooks& looks,
                       std::uint64_t key, std::uint32_t tie);

    /// Items of a batch with one key and rising ties; returns what their entry has as `item`. What lies
    /// between two of them in the painting order makes sort() split them. Expects: count > 0, and
    /// Batch::ties are written.
    std::uint32_t add_range(std::uint32_t first_item, std::uint32_t count, std::uint32_t last_tie);

    /// Adds items that stay the same from frame to frame, without copying them. What lies between two of them
    /// in the painting order makes sort() split them, and copy small pieces. Expects: the range is of `kept`.
    void add_kept(std::shared_ptr<const KeptItems> kept, const KeptRange& range);

    /// Room for where kept items are in this frame, one for each of them. Lifetime: until the next call.
    std::span<ItemPlace> add_places(std::size_t count);
    /// Gives the room back. Expects: of the last add_places, and nothing refers to it.
    void drop_places(std::span<const ItemPlace> places);
    /// The same as add_kept for items that moved. Expects: the places of all of `kept`, of add_places.
    void add_moved(std::shared_ptr<const KeptItems> kept, const KeptRange& range,
                   std::span<const ItemPlace> places);

    /// Sorts the items, and those of the views, into painting order and finds the runs. Cost: linear (radix
    /// sort over the bytes that differ).
    void sort(const ImageTable& images);

    /// Lifetime of all: until the next change of the list. Kept items and particles are not among items().
    std::span<const DrawItem> items() const noexcept { return items_; }
    std::span<const DrawRun> runs() const noexcept { return runs_; }
    std::span<const DrawRun> runs_of(const DrawPart& part) const noexcept {
        return runs().subspan(part.first, part.count);
    }
    /// Has all runs, in their order.
    std::span<const DrawPart> parts() const noexcept { return parts_; }
    /// Expects: a run that has no particles and no places.
    std::span<const DrawItem> items_of(const DrawRun& run) const noexcept {
        const std::span<const DrawItem> items = run.kept != nullptr ? run.kept->items : this->items();
        return items.subspan(run.first, run.count);
    }
    /// The same for all runs: `scratch` gets the items of particles and those that moved, and keeps them.
    std::span<const DrawItem> items_of(const DrawRun& run, std::vector<DrawItem>& scratch) const;
    std::span<const ParticleItem> particles() const noexcept { return particles_; }
    std::span<const ItemPlace> places() const noexcept { return places_; }
    const ParticleLooks& looks_of(const DrawRun& run) const noexcept {
        return particle_looks_[run.looks - 1];
    }
    /// The number of all items, including kept items, particles and the items of views.
    std::size_t item_count() const noexcept;
    std::string_view text(const DrawItem& item) const noexcept;
    /// The look of a text; null if it has none.
    const TextLook* look(const DrawItem& item) const noexcept {
        const std::uint16_t number = item.look();
        return number != 0 && number <= looks_.size() ? &looks_[number - 1U] : nullptr;
    }
    /// Empty for items of other kinds.
    std::span<const MeshPoint> mesh(const DrawItem& item) const noexcept;
    std::span<const MeshPoint> mesh_points() const noexcept { return mesh_points_; }

    std::size_t dropped() const noexcept;

    /// One line per item, in the current order, for tests and bug reports; the views first.
    using ImageName = std::function<std::string(std::uint32_t image)>;
    std::string dump(const ImageTable& images, const ImageName& image_name = {}) const;

private:
    // The state of the immediate items from number `first` on.
    struct StateChange {
        std::uint32_t first = 0;
        DrawState state;
    };
    struct ShownLayer {
        LayerLook look;
        std::uint32_t shader = 0;
        bool is_whole = false;
        std::uint32_t outer = 0;  // the number of the smallest one that composes it, too; 0: none
    };
    struct Mesh {
        std::uint32_t end = 0;  // of its points; they begin where the mesh before ends
        std::uint32_t image = 0;
        std::uint32_t vertex_mesh = 0;  // number in vertex_meshes_, from 1; 0: none
    };
    // Neighbours of one key; entries refer to them by number.
    struct Range {
        std::uint32_t first = 0;
        std::uint32_t count = 0;
        std::uint32_t last_tie = 0;
        bool has_ties = false;                  // false: all have last_tie
        std::shared_ptr<const KeptItems> kept;  // to which `first` refers; null: items_
        std::uint32_t looks = 0;                // number in particle_looks_, from 1: `first` is in particles_
        std::uint32_t places = 0;               // number in places_, from 1, of the first item; 0: none
    };
    DrawState state_at(std::size_t number) const noexcept {
        return number == 0 ? DrawState{.camera = camera, .matrix = {}, .clip = {}}
                           : states_[number - 1].state;
    }
    std::uint32_t state_number(std::uint64_t key) const noexcept;
    std::uint32_t look_number(std::uint64_t key) const noexcept;
    std::uint32_t whole_number(std::uint64_t key) const noexcept;
    void find_parts();
    std::uint32_t use_effect(ShaderId effect, const ShaderTable& shaders, const ShownImage& of_image);
    std::string shown_shader(std::uint32_t number, const ImageName& image_name) const;
    static std::string shown_images(const ShaderUse& use, const ImageName& image_name);
    std::uint32_t image_of_mesh(std::uint32_t mesh) const noexcept {
        return mesh != 0 && mesh <= meshes_.size() ? meshes_[mesh - 1].image : 0;
    }
    std::uint32_t image_of(const DrawItem& item, const ImageTable& images) const noexcept;
    void sort_items();
    bool overlaps_next(std::size_t entry) const noexcept;
    bool is_interleaved() const noexcept;
    bool split_interleaved();
    bool find_pieces(std::span<const Entry> group, std::size_t cuts);
    void add_piece(const Entry& entry, std::uint32_t first, std::uint32_t count);
    void add_each(const Entry& entry);
    bool copy_kept(const Range& range, std::uint32_t item);
    std::span<const DrawItem> items_of(const Entry& entry) const noexcept;
    void find_runs(const ImageTable& images);
    template <typename Keep> void keep_if(Keep keep);
    std::span<const DrawItem> items_of_particles(std::uint32_t looks, std::uint32_t first,
                                                 std::uint32_t count, std::vector<DrawItem>& scratch) const;
    std::span<const DrawItem> moved_items(std::span<const DrawItem> items, std::uint32_t places,
                                          std::vector<DrawItem>& scratch) const;
    std::span<const DrawItem> items_of(const Entry& entry, std::vector<DrawItem>& scratch) const;
    void add_calls_of(const DrawList& from, std::uint32_t without, bool has_screen);
    std::uint32_t add_masks_of(const DrawList& from, std::uint32_t without);

    RawVector<DrawItem> items_;
    RawVector<std::uint32_t> ties_;  // of items_ in ranges
    RawVector<Entry> entries_;       // of all items, in their order
    RawVector<ParticleItem> particles_;
    std::vector<ParticleLooks> particle_looks_;
    RawVector<ItemPlace> places_;  // of kept items
    std::vector<Range> ranges_;
    std::size_t kept_count_ = 0;        // items of kept ranges
    bool has_gaps_ = false;             // some of items_ have no entry any more
    RawVector<DrawItem> sorted_items_;  // scratch of sort()
    RawVector<Entry> sorted_entries_;
    // Scratch of split_interleaved(): consecutive items of an entry.
    struct Piece {
        std::uint32_t tie = 0;    // of the first one
        std::uint32_t entry = 0;  // of its key
        std::uint32_t first = 0;  // as of a Range
        std::uint32_t end = 0;
    };
    std::vector<Piece> pieces_;       // in painting order
    std::vector<Piece> open_pieces_;  // the rest of entries of which a piece was taken
    std::vector<DrawRun> runs_;
    std::vector<DrawPart> parts_;
    std::vector<std::uint32_t> open_layers_;  // scratch of find_parts()
    std::vector<ShownLayer> shown_layers_;    // look n is shown_layers_[n - 1]; by rising number
    std::vector<StateChange> states_;         // by rising `first`
    std::vector<MeshPoint> mesh_points_;
    std::vector<Mesh> meshes_;  // mesh n is meshes_[n - 1]; mesh 0 is empty
    std::vector<std::shared_ptr<const VertexMesh>> vertex_meshes_;
    std::vector<ShaderUse> shader_uses_;  // use n is shader_uses_[n - 1]
    std::vector<float> shader_values_;
    std::uint32_t picture_effect_ = 0;
    std::vector<TextLook> looks_;  // look n is looks_[n - 1]
    std::vector<DrawMask> masks_;  // mask n is masks_[n - 1]; those after mask_count_ are kept for later
    std::size_t mask_count_ = 0;
    std::string text_arena_;
    std::vector<std::uint32_t> text_ends_{0};       // text n is arena[ends[n-1], ends[n]); text 0 is empty
    std::vector<std::unique_ptr<DrawList>> views_;  // the first ones are used, the others kept for later
    std::size_t view_count_ = 0;
    std::uint32_t immediate_count_ = 0;
    // What the next immediate item has in common with the last one if they share an entry.
    struct Neighbour {
        std::uint64_t key = 0;  // without its order
        std::uint32_t image = 0;
        std::uint32_t state_count = 0;
        std::uint32_t entry_count = 0;  // nothing else was added
        friend bool operator==(const Neighbour&, const Neighbour&) = default;
    };
    Neighbour neighbour_;
    std::size_t dropped_ = 0;
};

}  // namespace perigee
