// The state, and how items get into the list: block first, then placed, checked and charged. Items with NaN
// or infinity are dropped here, so back ends need not check.
#include "engine/draw/painter.h"

#include "ecs/base/contract.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <utility>

namespace perigee {

namespace {

// Its memory is shared with Lua, see item_block.h.
static_assert(sizeof(perigee_draw_item) == sizeof(DrawItem));
static_assert(offsetof(perigee_draw_item, color) == offsetof(DrawItem, color) &&
              offsetof(perigee_draw_item, angle) == offsetof(DrawItem, angle) &&
              offsetof(perigee_draw_item, kind) == offsetof(DrawItem, kind) &&
              offsetof(perigee_draw_item, flags) == offsetof(DrawItem, flags));
static_assert(sizeof(perigee_mesh_head) == VertexMesh::kHeadBytes);
static_assert(sizeof(perigee_mesh_point) == sizeof(MeshPoint) &&
              offsetof(perigee_mesh_point, u) == offsetof(MeshPoint, u) &&
              offsetof(perigee_mesh_point, r) == offsetof(MeshPoint, color));

// For numbers in registers. Each difference is zero, or NaN.
bool is_finite(float a, float b, float c, float d) noexcept {
    return (a - a) + (b - b) + (c - c) + (d - d) == 0.0F;
}

// For an item in memory, two numbers at once: one that is not finite has all bits of its exponent set, so one
// more is carried into the sign.
bool is_finite(const DrawItem& item) noexcept {
    constexpr std::uint64_t kExponents = 0x7F80'0000'7F80'0000, kOnes = 0x0080'0000'0080'0000,
                            kSigns = 0x8000'0000'8000'0000;
    std::array<std::uint64_t, 2> pairs;
    static_assert(offsetof(DrawItem, x) == 0 && offsetof(DrawItem, color) == sizeof pairs);
    std::memcpy(pairs.data(), &item, sizeof pairs);
    return ((((pairs[0] & kExponents) + kOnes) | ((pairs[1] & kExponents) + kOnes)) & kSigns) == 0;
}

// A size by factors of that of the frame, and how it flips the frame.
struct FrameSize {
    float w, h;
    std::uint8_t flips = 0;

    FrameSize(float width, float height) noexcept : w(width), h(height) {}
    FrameSize(float x, float y, const ImageFrame& frame) noexcept
        : w(frame.width * std::fabs(x)),
          h(frame.height * std::fabs(y)),
          flips(static_cast<std::uint8_t>((x < 0.0F ? unsigned{kDrawFlipX} : 0U) |
                                          (y < 0.0F ? unsigned{kDrawFlipY} : 0U))) {}

    std::uint8_t origin_x(std::uint8_t origin) const noexcept {
        return (flips & kDrawFlipX) != 0 ? mirrored_origin(origin) : origin;
    }
    std::uint8_t origin_y(std::uint8_t origin) const noexcept {
        return (flips & kDrawFlipY) != 0 ? mirrored_origin(origin) : origin;
    }
};

bool is_written_sprite(const perigee_draw_item& item) noexcept {
    return item.kind == static_cast<std::uint8_t>(DrawKind::sprite) || item.kind == kImageKind ||
           item.kind == kSizedKind;
}

// As share_run of the items that they become.
bool shares_run(const perigee_draw_item& a, const perigee_draw_item& b) noexcept {
    return is_written_sprite(a) == is_written_sprite(b) && ((a.flags ^ b.flags) & kRunFlags) == 0;
}

// Back ends scale widths by the average of all directions. A line gets the width that makes it as wide as the
// matrix makes a rectangle in its place.
void fit_width(DrawItem& line, const DrawMatrix& m) noexcept {
    const float x = line.w - line.x, y = line.h - line.y;
    const float along = std::hypot(m.xx * x + m.xy * y, m.yx * x + m.yy * y);
    const float factor = std::sqrt(std::fabs(m.determinant())) * std::hypot(x, y) / along;
    if (std::isfinite(factor) && factor > 0.0F) line.stroke = quantised_stroke(line.stroke_pixels() * factor);
}

// The outline of a rectangle: its top, bottom, left and right without the corners.
std::array<DrawItem, 4> sides_of(const DrawItem& outline) noexcept {
    const float left = std::min(outline.w, 0.0F), top = std::min(outline.h, 0.0F);
    const float width = std::fabs(outline.w), height = std::fabs(outline.h);
    const float stroke = std::min({outline.stroke_pixels(), width / 2, height / 2});
    const auto cosine = static_cast<float>(std::cos(outline.angle_radians()));
    const auto sine = static_cast<float>(std::sin(outline.angle_radians()));
    const auto side = [&](float x, float y, float w, float h) {
        DrawItem item = outline;
        item.x += cosine * (left + x) - sine * (top + y);
        item.y += sine * (left + x) + cosine * (top + y);
        item.w = w;
        item.h = h;
        item.stroke = 0;
        return item;
    };
    return {side(0, 0, width, stroke), side(0, height - stroke, width, stroke),
            side(0, stroke, stroke, height - 2 * stroke),
            side(width - stroke, stroke, stroke, height - 2 * stroke)};
}

}  // namespace

void Painter::begin_frame(DrawList& list, const ImageTable& images, const ShaderTable* shaders) noexcept {
    paint_state() = {};
    block_->owner = 0;
    block_->count = 0;
    saved_.clear();
    taken_.clear();
    placed_.reset();
    views_.clear();
    budget_ = nullptr;
    list_ = &list;
    frame_ = target_ = {&list, 0, 0};
    images_ = &images;
    shaders_ = shaders;
}

void Painter::set_canvas(DrawList* list, std::uint32_t canvas, std::uint32_t owner) {
    ECS_EXPECTS(is_open());
    close_block();
    end_mask();
    target_ = list != nullptr ? Target{list, canvas, owner} : frame_;
    list_ = target_.list;
}

void Painter::list_began_anew() noexcept {
    if (is_drawing_mask()) list_ = target_.list->mask(before_mask_.mask).list.get();
}

void Painter::draw_for(std::uint32_t owner) {
    if (is_drawing_mask() && owner != before_mask_.owner) end_mask();
    if (target_.list != frame_.list && owner != target_.owner) set_canvas(nullptr, 0, owner);
    who_draws_ = owner;
}

void Painter::end_frame() {
    close_block();
    end_mask();
    list_ = nullptr;
    target_ = {};
}

void Painter::use_budget(DrawBudget* budget, const DrawSurface& surface) {
    close_block();
    budget_ = budget;
    surface_ = surface;
}

// ---- the block --------------------------------------------------------------------------------------------

void Painter::open_block(std::uint32_t owner, DrawBudget* budget, const DrawSurface& surface) {
    ECS_EXPECTS(is_open() && owner != 0);
    use_budget(budget, surface);
    block_->color = color;
    block_->line_width = line_width;
    block_->point_size = point_size;
    block_->cap = static_cast<std::uint8_t>(cap);
    block_->stroke = quantised_stroke(line_width);
    block_->flags =
        static_cast<std::uint8_t>(static_cast<unsigned>(blend) | (is_screen ? unsigned{kDrawScreen} : 0U));
    block_->owner = owner;
}

void Painter::close_block() {
    if (block_->owner == 0) return;
    take_block();
    block_->owner = 0;
}

// The frames of the images that a block names: mostly one image after the same.
class Painter::WrittenFrames {
public:
    explicit WrittenFrames(const ImageTable& images) noexcept : images_(images) {}

    FrameId operator()(std::uint32_t image, std::uint32_t frame) noexcept {
        if (image != image_) {
            image_ = image;
            frames_ = images_.frames_of(image);
        }
        return frames_[frame];
    }

private:
    const ImageTable& images_;
    std::uint32_t image_ = 0;  // has the placeholder
    ImageTable::Frames frames_;
};

void Painter::take_block() {
    perigee_draw_block& block = *block_;
    color = block.color;
    line_width = block.line_width;
    point_size = block.point_size;
    cap = static_cast<LineCap>(block.cap);
    blend = static_cast<BlendMode>(block.flags & kDrawBlend);
    is_screen = (block.flags & kDrawScreen) != 0;
    const auto count = static_cast<std::size_t>(
        std::clamp(std::exchange(block.count, 0), 0, static_cast<std::int32_t>(std::size(block.items))));
    if (count == 0) return;
    // The space may have changed between two items, and matters only in a picture in the picture.
    const bool is_screen_now = is_screen;
    WrittenFrames frames(*images_);
    std::span<const perigee_draw_item> written = std::span{block.items}.first(count);
    for (bool is_prepared = false; !written.empty();) {
        const bool is_item_screen = (written.front().flags & kDrawScreen) != 0;
        if (!is_prepared || (is_placed() && is_item_screen != is_screen)) {
            is_screen = is_item_screen;
            prepare();
            is_prepared = true;
        }
        const bool is_sprite = is_written_sprite(written.front());
        written = written.subspan(is_sprite ? take_sprites(written, frames) : take_shapes(written));
        add_taken();
    }
    is_screen = is_screen_now;
}

// These two take the items at the beginning that share a run, and say how many they are.
std::size_t Painter::take_shapes(std::span<const perigee_draw_item> written) {
    const auto is_apart = [&first = written.front()](const perigee_draw_item& item) {
        return !shares_run(item, first);
    };
    const auto end = std::ranges::find_if(written, is_apart);
    written = written.first(static_cast<std::size_t>(end - written.begin()));
    const auto item_of = [this](const perigee_draw_item& next) {
        DrawItem item;
        std::memcpy(static_cast<void*>(&item), &next, sizeof item);
        if (sets_space_) item.flags = flags_in_space(item.flags);
        return item;
    };
    if (placement_.is_uneven()) {
        for (const perigee_draw_item& next : written) {
            DrawItem item = item_of(next);
            take(item, {});
        }
        return written.size();
    }
    const auto placed = [this, &item_of](const perigee_draw_item& next) {
        DrawItem item = item_of(next);
        placement_.apply(item);
        return item;
    };
    taken_.resize(written.size());
    taken_shown_ = {};
    std::ranges::transform(written, taken_.begin(), placed);
    std::erase_if(taken_, [](const DrawItem& item) { return !is_finite(item); });
    return written.size();
}

// The items are written field by field, and not read again here: to read the whole of an item of which a part
// has just been written takes a dozen cycles.
std::size_t Painter::take_sprites(std::span<const perigee_draw_item> written, WrittenFrames& frames) {
    taken_.resize(written.size());
    const bool is_moved = !placement_.is_identity();
    std::size_t count = 0, taken = 0;
    for (; count < written.size() && shares_run(written[count], written.front()); ++count) {
        const perigee_draw_item& next = written[count];
        const FrameId id = next.kind == kImageKind ? frames(next.ref & 0xFFFFU, next.ref >> 16U) : next.ref;
        if (id >= images_->frames().size()) continue;
        const ImageFrame& frame = (*images_)[id];
        if (frame.image != 0 && frame.image == target_.canvas) continue;
        const Shown shown{frame.image, images_->has_repeating_frames() ? images_->parts_of(frame) : 0};
        if (taken == 0) taken_shown_ = shown;
        if (shown != taken_shown_) break;
        FrameSize size(next.w, next.h, frame);
        if (next.kind == kSizedKind) size = {next.w, next.h};
        const auto flags = static_cast<std::uint8_t>(next.flags | size.flips);
        DrawItem& item = taken_[taken];
        item.x = next.x;
        item.y = next.y;
        item.w = size.w;
        item.h = size.h;
        item.color = next.color;
        item.ref = id;
        item.angle = next.angle;
        item.stroke = 0;
        item.origin_x = size.origin_x(next.origin_x);
        item.origin_y = size.origin_y(next.origin_y);
        item.kind = DrawKind::sprite;
        item.flags = sets_space_ ? flags_in_space(flags) : flags;
        if (is_moved) placement_.apply(item);
        const bool is_drawn = is_moved ? is_finite(item) : is_finite(next.x, next.y, size.w, size.h);
        if (is_drawn) ++taken;
    }
    taken_.resize(taken);
    return count;
}

std::uint8_t Painter::flags_in_space(std::uint8_t flags) const noexcept {
    const unsigned others = flags & (0xFFU ^ kDrawScreen);
    return static_cast<std::uint8_t>(others | (is_item_screen_ ? unsigned{kDrawScreen} : 0U));
}

// ---- items ------------------------------------------------------------------------------------------------

// From the state to what all items have that are added until it changes.
void Painter::prepare() {
    const std::uint32_t shader_number = shader_in_list();  // first, since it may start the list again
    placement_ = Placement(is_placed() ? whole_matrix() : matrix);
    item_layer_ = layer_in_place();
    sets_space_ = is_placed() || list_->is_on_screen(item_layer_);
    is_item_screen_ = is_placed() ? placed_->is_screen : is_screen || sets_space_;
    list_->set_state({.camera = list_->immediate_state().camera,
                      .matrix = placement_.state_matrix(),
                      .clip = clip_in_place(),
                      .shader = shader_number,
                      .mask = mask_in_list()});
}

// Of items of the world.
DrawCamera Painter::item_camera() const noexcept {
    return list_->camera_of(item_layer_, list_->immediate_state().camera);
}

// A mask is drawn without others.
std::uint32_t Painter::mask_in_list() const noexcept {
    if (is_drawing_mask()) return 0;
    if (mask_list == list_ && mask <= list_->mask_count() && mask != 0) return mask;
    return is_placed() && placed_->mask <= list_->mask_count() ? placed_->mask : 0;
}

std::uint32_t Painter::shader_in_list() {
    if (shader == 0 || shaders_ == nullptr || !shaders_->has(shader)) return 0;
    const Shader& used = (*shaders_)[shader];
    const auto time = static_cast<float>(shaders_->time);
    if (!shown_image_ || std::ranges::none_of(used.images, is_canvas)) return list_->use_shader(used, time);
    DrawList::ShaderImages shown = used.images;
    for (std::uint32_t& image : shown) image = shown_image_(image);
    return list_->use_shader(used, time, shown);
}

void Painter::add(DrawItem item, std::uint32_t image, std::size_t parts, std::uint32_t glyphs) {
    ECS_EXPECTS(is_open());
    close_block();
    prepare();
    item.color = color;
    item.flags |= static_cast<std::uint8_t>(blend);
    if (is_item_screen_) item.flags |= kDrawScreen;
    take(item, {image, static_cast<std::uint32_t>(parts)});
    add_taken(glyphs);
}

// Places an item; it is added together with those after it that can share its run.
void Painter::take(DrawItem& item, Shown shown) {
    if (shown.image != 0 && shown.image == target_.canvas) return;
    if (item.stroke != 0 && placement_.is_uneven() && take_uneven(item, shown)) return;
    placement_.apply(item);
    if (!is_finite(item)) return;
    if (!taken_.empty() &&
        !(shown == taken_shown_ && share_run(item, taken_.front()) && item.kind != DrawKind::mesh))
        add_taken();
    taken_shown_ = shown;
    taken_.push_back(item);
}

// Lines and outlines under a matrix that scales some directions more than others. False: the item is to be
// taken.
bool Painter::take_uneven(DrawItem& item, Shown shown) {
    if (item.kind == DrawKind::line) fit_width(item, placement_.state_matrix());
    if (item.kind != DrawKind::rectangle || item.ref != 0) return false;
    for (DrawItem side : sides_of(item))
        if (side.w > 0.0F && side.h > 0.0F) take(side, shown);
    return true;
}

void Painter::add_taken(std::uint32_t glyphs) {
    if (taken_.empty()) return;
    std::size_t count = taken_.size();
    if (budget_ != nullptr) {
        DrawSurface surface = surface_;
        surface.zoom = item_camera().zoom;
        count = budget_->take(taken_, surface, taken_shown_.parts, glyphs);
    }
    list_->add_immediate_items(std::span{taken_}.first(count), item_layer_, taken_shown_.image);
    taken_.clear();
}

void Painter::scale_to_frame(DrawItem& item, const ImageFrame& frame) noexcept {
    const FrameSize size(item.w, item.h, frame);
    item.w = size.w;
    item.h = size.h;
    item.flags |= size.flips;
    item.origin_x = size.origin_x(item.origin_x);
    item.origin_y = size.origin_y(item.origin_y);
}

// ---- the state --------------------------------------------------------------------------------------------

void Painter::set_camera(const DrawCamera& camera) {
    ECS_EXPECTS(is_open());
    close_block();
    if (!camera.is_drawable()) return;
    if (is_placed()) {
        placed_->camera = camera;
        return;
    }
    DrawState state = list_->immediate_state();
    state.camera = camera;
    list_->set_state(state);
}

bool Painter::push(bool is_everything) {
    close_block();
    if (saved_.size() >= kMaxPushes) return false;
    saved_.push_back({paint_state(), is_everything});
    return true;
}

bool Painter::pop() {
    close_block();
    if (saved_.size() <= (is_drawing_mask() ? before_mask_.saved : 0)) return false;
    const Saved& saved = saved_.back();
    if (saved.is_everything)
        paint_state() = saved.state;
    else
        matrix = saved.state.matrix;
    saved_.pop_back();
    return true;
}

void Painter::transform(const DrawMatrix& next) {
    close_block();
    const DrawMatrix product = matrix * next;
    if (product.is_finite()) matrix = product;
}

void Painter::intersect_scissor(float x, float y, float width, float height) {
    close_block();
    if (!std::isfinite(x + width) || !std::isfinite(y + height)) return;
    DrawClip next{x, y, std::max(width, 0.0F), std::max(height, 0.0F)};
    if (!clip.is_everything()) {
        next.x = std::max(x, clip.x);
        next.y = std::max(y, clip.y);
        next.width = std::max(0.0F, std::min(x + width, clip.x + clip.width) - next.x);
        next.height = std::max(0.0F, std::min(y + height, clip.y + clip.height) - next.y);
    }
    clip = next;
}

void Painter::reset() {
    close_block();
    const DrawMatrix kept = matrix;
    paint_state() = {};
    matrix = kept;
}

// ---- masks ------------------------------------------------------------------------------------------------

Painter::MaskStart Painter::begin_mask(bool is_inverted, bool is_within) {
    ECS_EXPECTS(is_open());
    close_block();
    if (is_drawing_mask()) return MaskStart::is_drawing_mask;
    const std::uint32_t outer = is_within ? mask_in_list() : is_placed() ? placed_->mask : 0;
    const std::uint32_t number = list_->add_mask(is_inverted, outer <= list_->mask_count() ? outer : 0);
    if (number == 0) return MaskStart::full;
    before_mask_ = {paint_state(), saved_.size(), number, who_draws_};
    list_ = list_->mask(number).list.get();
    return MaskStart::begun;
}

void Painter::end_mask() {
    close_block();
    if (!is_open() || !is_drawing_mask()) return;
    list_ = target_.list;
    paint_state() = before_mask_.state;
    saved_.resize(std::min(saved_.size(), before_mask_.saved));
    mask = before_mask_.mask;
    mask_list = list_;
}

void Painter::clear_mask() {
    close_block();
    mask = 0;
    mask_list = nullptr;
}

// ---- a picture in the picture -----------------------------------------------------------------------------

void Painter::draw_placed(const Place& place, const std::function<void()>& draw) {
    ECS_EXPECTS(is_open());
    close_block();
    class Restore {
    public:
        explicit Restore(Painter& painter)
            : painter_(painter),
              state_(painter.paint_state()),
              placed_(painter.placed_),
              frame_(painter.frame_),
              target_(painter.target_),
              list_(painter.list_),
              before_mask_(painter.before_mask_),
              saved_(std::move(painter.saved_)) {
            painter.saved_.clear();
        }
        ~Restore() {
            painter_.close_block();
            painter_.paint_state() = state_;
            painter_.placed_ = placed_;
            painter_.frame_ = frame_;
            painter_.target_ = target_;
            painter_.list_ = list_;
            painter_.before_mask_ = before_mask_;
            painter_.saved_ = std::move(saved_);
        }
        Restore(const Restore&) = delete;
        Restore& operator=(const Restore&) = delete;

    private:
        Painter& painter_;
        const PaintState state_;
        const std::optional<Placed> placed_;
        const Target frame_;
        const Target target_;
        DrawList* const list_;
        const BeforeMask before_mask_;
        std::vector<Saved> saved_;
    };
    const DrawMatrix own{place.scale, 0.0F, place.x, 0.0F, place.scale, place.y};
    const Placed placed{.matrix = whole_matrix() * own,
                        .camera = {place.width / 2, place.height / 2, 1.0F},
                        .clip = clip_in_place(),
                        .mask = mask_in_list(),
                        .width = place.width,
                        .height = place.height,
                        .layer = layer_in_place(),
                        .is_screen = is_placed() ? placed_->is_screen : is_screen};
    const Restore restore(*this);
    paint_state() = {};
    placed_ = placed;
    frame_ = target_;
    draw();
}

std::int16_t Painter::layer_in_place() const noexcept {
    if (!is_placed()) return layer;
    return static_cast<std::int16_t>(std::clamp(placed_->layer + layer, -32768, 32767));
}

// From coordinates of drawing to those of the list.
DrawMatrix Painter::whole_matrix() const noexcept {
    if (!is_placed()) return matrix;
    if (is_screen) return placed_->matrix * matrix;
    return placed_->matrix * camera_matrix(placed_->camera, placed_->width, placed_->height) * matrix;
}

// A scissor in the pixels of a picture in the picture is moved with it; the one around it stays.
DrawClip Painter::clip_in_place() const noexcept {
    if (!is_placed()) return clip;
    const DrawMatrix& m = placed_->matrix;
    // In the world, a rectangle of the screen around it is not known.
    if (clip.is_everything() || !placed_->is_screen) return placed_->clip;
    const DrawMatrix::Point at = m.apply(clip.x, clip.y);
    DrawClip moved{at.x, at.y, clip.width * m.xx, clip.height * m.yy};
    if (placed_->clip.is_everything()) return moved;
    const DrawClip& outer = placed_->clip;
    const float right = std::min(moved.x + moved.width, outer.x + outer.width);
    const float bottom = std::min(moved.y + moved.height, outer.y + outer.height);
    moved.x = std::max(moved.x, outer.x);
    moved.y = std::max(moved.y, outer.y);
    moved.width = std::max(0.0F, right - moved.x);
    moved.height = std::max(0.0F, bottom - moved.y);
    return moved;
}

}  // namespace perigee
