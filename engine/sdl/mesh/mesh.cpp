// Corners go clockwise from the top left; a quad is the triangles 0 1 2 and 0 2 3, the order in which SDL's
// software renderer recognises a rectangle and copies it as one.
#include "engine/sdl/mesh/mesh.h"

#include "engine/draw/color.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace perigee {

namespace {

constexpr float kMaxBoxDistance = 2 * kFarthest;  // upright boxes are copied, not cut into triangles

bool is_near(const MeshVertex& vertex) noexcept {  // false for NaN
    return std::fabs(vertex.x) <= kFarthest && std::fabs(vertex.y) <= kFarthest;
}

// One axis of a box, and of the texture that it shows.
struct Axis {
    float low, high;
    float texture_low, texture_high;
};

// False if nothing is left.
bool put_in_order(Axis& axis) noexcept {
    if (axis.low > axis.high) {
        std::swap(axis.low, axis.high);
        std::swap(axis.texture_low, axis.texture_high);
    }
    return axis.low < axis.high && std::isfinite(axis.high - axis.low);
}

// Clips parts too far from low .. high, and the same fraction of the texture. False if nothing is left.
bool keep_near(Axis& axis) noexcept {
    if (!(axis.low < kMaxBoxDistance && axis.high > -kMaxBoxDistance)) return false;
    const float per_pixel = (axis.texture_high - axis.texture_low) / (axis.high - axis.low);
    const float near_low = std::max(axis.low, -kMaxBoxDistance);
    const float near_high = std::min(axis.high, kMaxBoxDistance);
    axis.texture_high -= (axis.high - near_high) * per_pixel;
    axis.texture_low += (near_low - axis.low) * per_pixel;
    axis.low = near_low;
    axis.high = near_high;
    return true;
}

// The part of a texture from which SDL makes this pixel: it drops fractions, so 6.9999 would be its
// neighbour.
float part_at(double pixel, int side) noexcept {
    auto part = static_cast<float>(pixel / side);
    while (static_cast<double>(part * static_cast<float>(side)) < pixel) part = std::nextafter(part, 2.0F);
    return part;
}

// Drops the pixels of the texture, `side` of them in all, that lie outside of what is visible. False if
// nothing is left.
bool drop_unseen(Axis& axis, int side, int visible_start, int visible_length) noexcept {
    constexpr double kSmoothed = 64.0;  // where pixels are larger, mixing at the cut is not seen
    constexpr double kWhole = 256.0;    // pixels that are larger are cut
    const double start = axis.low, end = axis.high;
    const double low = std::max<double>(start, visible_start);
    const double high = std::min<double>(end, visible_start + visible_length);
    if (!(low < high)) return false;
    const double from = std::round(double{axis.texture_low} * side);
    const double to = std::round(double{axis.texture_high} * side);
    const double count = std::max(std::fabs(to - from), 1.0), direction = to < from ? -1.0 : 1.0;
    const double pixel = (end - start) / count;
    const double margin = pixel <= kSmoothed ? 1.0 : 0.0;
    const double first = std::max(std::floor((low - start) / pixel) - margin, 0.0);
    const double last = std::min(std::ceil((high - start) / pixel) + margin, count);
    if (first > 0.0) axis.texture_low = part_at(from + direction * first, side);
    if (last < count) axis.texture_high = part_at(from + direction * last, side);
    const bool is_whole = pixel <= kWhole;
    if (first > 0.0 || !is_whole)
        axis.low = is_whole ? snapped(static_cast<float>(start + first * pixel)) : static_cast<float>(low);
    if (last < count || !is_whole)
        axis.high = is_whole ? snapped(static_cast<float>(start + last * pixel)) : static_cast<float>(high);
    return true;
}

// NaN is 0.
float part_of_texture(float part) noexcept { return part > 0.0F ? std::min(part, 1.0F) : 0.0F; }

// ---- clipping of triangles --------------------------------------------------------------------------------

// A triangle that is cut by four edges has at most seven corners.
struct Polygon {
    std::array<MeshVertex, 8> corners;
    std::size_t count = 0;
};

std::uint32_t mixed(std::uint32_t a, std::uint32_t b, double part) noexcept {
    std::uint32_t result = 0;
    for (unsigned shift = 0; shift < 32; shift += 8) {
        const double from = a >> shift & 0xFFU, to = b >> shift & 0xFFU;
        result |= static_cast<std::uint32_t>(std::lround(from + (to - from) * part)) << shift;
    }
    return result;
}

MeshVertex between(const MeshVertex& a, const MeshVertex& b, double part) noexcept {
    const auto mix = [part](float from, float to) {
        return static_cast<float>(from + (double{to} - double{from}) * part);
    };
    return {mix(a.x, b.x), mix(a.y, b.y), mixed(a.color, b.color, part), mix(a.u, b.u), mix(a.v, b.v)};
}

// How many images are between two places, of which the first is whole; 0 for numbers that are not finite.
int parts_between(float low, float high) noexcept {
    const float count = std::ceil(high) - low;
    return count >= 0.0F && count < 30'000.0F ? std::max(1, static_cast<int>(count)) : 0;
}

// Keeps the part where sign * coordinate <= limit.
void clip(Polygon& polygon, float MeshVertex::*coordinate, float sign, float limit) noexcept {
    Polygon kept;
    for (std::size_t i = 0; i < polygon.count; ++i) {
        const MeshVertex& here = polygon.corners[i];
        const MeshVertex& next = polygon.corners[(i + 1) % polygon.count];
        const double over = double{sign * here.*coordinate} - double{limit};
        const double next_over = double{sign * next.*coordinate} - double{limit};
        if (over <= 0.0) kept.corners[kept.count++] = here;
        if ((over <= 0.0) != (next_over <= 0.0)) {
            MeshVertex cut = between(here, next, over / (over - next_over));
            cut.*coordinate = sign * limit;
            kept.corners[kept.count++] = cut;
        }
    }
    polygon = kept;
}

// ---- images that are repeated -----------------------------------------------------------------------------

// How many images of this period are in start .. start + length.
std::uint64_t count_of(std::uint64_t start, std::uint64_t length, std::uint64_t period) noexcept {
    return (start + length + period - 1) / period - start / period;
}

// Cuts one axis of a frame at each end of the image. `joined`: so many images are shown as one.
void find_cuts(std::uint64_t start, std::uint64_t length, std::uint64_t joined_period, ImageWrap wrap,
               std::vector<TextureCut>& cuts) {
    cuts.clear();
    const std::uint64_t end = start + length;
    for (std::uint64_t at = start; at < end;) {
        const std::uint64_t number = at / joined_period;
        const std::uint64_t next = std::min(end, (number + 1) * joined_period);
        const auto part = [&](std::uint64_t place) {
            const float within =
                static_cast<float>(place - number * joined_period) / static_cast<float>(joined_period);
            return wrap == ImageWrap::mirror && number % 2 != 0 ? 1.0F - within : within;
        };
        cuts.push_back({static_cast<float>(at - start), part(at), part(next)});
        at = next;
    }
    cuts.push_back({static_cast<float>(length), 0.0F, 0.0F});
}

}  // namespace

void Mesh::clear() noexcept {
    vertices_.clear();
    indices_.clear();
}

void Mesh::add_quad(const MeshVertex (&corners)[4]) {
    if (!std::ranges::all_of(corners, is_near) || is_too_large(corners[0], corners[1], corners[2]) ||
        is_too_large(corners[0], corners[2], corners[3])) {
        add_triangle({corners[0], corners[1], corners[2]});
        add_triangle({corners[0], corners[2], corners[3]});
        return;
    }
    const int first = static_cast<int>(vertices_.size());
    for (const MeshVertex& corner : corners) vertices_.push_back(within_texture(corner));
    indices_.insert(indices_.end(), {first, first + 1, first + 2, first, first + 2, first + 3});
}

MeshVertex Mesh::within_texture(MeshVertex vertex) const noexcept {
    if (texture_size.width != 0) {
        const float last = 1.0F - 0.5F / static_cast<float>(texture_side());
        vertex.u = std::min(vertex.u, last);
        vertex.v = std::min(vertex.v, last);
    }
    return vertex;
}

void Mesh::add_triangle(const MeshVertex (&corners)[3]) {
    Polygon polygon{{corners[0], corners[1], corners[2]}, 3};
    if (!std::ranges::all_of(corners, is_near)) {
        if (!std::ranges::all_of(
                corners, [](const MeshVertex& v) { return std::isfinite(v.x) && std::isfinite(v.y); }))
            return;
        for (const float sign : {-1.0F, 1.0F}) {
            clip(polygon, &MeshVertex::x, sign, kFarthest);
            clip(polygon, &MeshVertex::y, sign, kFarthest);
        }
    }
    for (std::size_t i = 2; i < polygon.count; ++i)
        add_divided(polygon.corners[0], polygon.corners[i - 1], polygon.corners[i]);
}

bool Mesh::is_too_large(const MeshVertex& a, const MeshVertex& b, const MeshVertex& c) const noexcept {
    constexpr double kLargest = 1U << 28U;  // SDL counts half pixels, and with a sign
    const double twice_area =
        (double{b.x} - a.x) * (double{c.y} - a.y) - (double{b.y} - a.y) * (double{c.x} - a.x);
    return std::fabs(twice_area) * texture_side() > kLargest;
}

int Mesh::texture_side() const noexcept { return std::max(texture_size.width, texture_size.height); }

// Cuts the longest side in half until the parts are small enough.
void Mesh::add_divided(const MeshVertex& a, const MeshVertex& b, const MeshVertex& c) {
    if (is_too_large(a, b, c)) {
        const auto length = [](const MeshVertex& from, const MeshVertex& to) {
            return std::hypot(to.x - from.x, to.y - from.y);
        };
        const float ab = length(a, b), bc = length(b, c), ca = length(c, a);
        if (ab < bc || ab < ca) {
            add_divided(b, c, a);
            return;
        }
        const MeshVertex middle = between(a, b, 0.5);
        add_divided(a, middle, c);
        add_divided(middle, b, c);
        return;
    }
    const int first = static_cast<int>(vertices_.size());
    vertices_.insert(vertices_.end(), {within_texture(a), within_texture(b), within_texture(c)});
    indices_.insert(indices_.end(), {first, first + 1, first + 2});
}

bool Mesh::costs_more_than_seen(float width, float height) const noexcept {
    constexpr double kSmall = 256.0 * 256.0;
    const double seen = static_cast<double>(visible.width) * visible.height;
    return texture_size.width != 0 && double{width} * height > std::max(kSmall, 2.0 * seen);
}

void Mesh::add_box(WindowBox box, std::uint32_t color, TextureBox texture) {
    Axis x{box.left, box.right, texture.left, texture.right};
    Axis y{box.top, box.bottom, texture.top, texture.bottom};
    if (!put_in_order(x) || !put_in_order(y)) return;
    if (costs_more_than_seen(x.high - x.low, y.high - y.low) &&
        !(drop_unseen(x, texture_size.width, visible.x, visible.width) &&
          drop_unseen(y, texture_size.height, visible.y, visible.height)))
        return;
    if (!keep_near(x) || !keep_near(y)) return;
    const int first = static_cast<int>(vertices_.size());
    vertices_.insert(vertices_.end(), {{x.low, y.low, color, x.texture_low, y.texture_low},
                                       {x.high, y.low, color, x.texture_high, y.texture_low},
                                       {x.high, y.high, color, x.texture_high, y.texture_high},
                                       {x.low, y.high, color, x.texture_low, y.texture_high}});
    indices_.insert(indices_.end(), {first, first + 1, first + 2, first, first + 2, first + 3});
}

void Mesh::add_textured_quad(const WindowPoint (&corners)[4], std::uint32_t color,
                             const TextureBox& texture) {
    constexpr float kAskew = 1.0F / 256.0F;
    WindowPoint at[4];
    std::ranges::transform(corners, at, [this](WindowPoint corner) { return whole(corner); });
    const auto is_level = [](WindowPoint a, WindowPoint b) {
        return std::fabs(a.x - b.x) < kAskew || std::fabs(a.y - b.y) < kAskew;
    };
    if (is_level(at[0], at[1]) && is_level(at[1], at[2])) {
        // Away from zero, towards which SDL cuts.
        at[0].x += std::copysign(kAskew, at[0].x);
        at[0].y += std::copysign(kAskew, at[0].y);
    }
    add_quad({{at[0].x, at[0].y, color, texture.left, texture.top},
              {at[1].x, at[1].y, color, texture.right, texture.top},
              {at[2].x, at[2].y, color, texture.right, texture.bottom},
              {at[3].x, at[3].y, color, texture.left, texture.bottom}});
}

WindowPoint Mesh::whole(WindowPoint corner) const noexcept {
    return rounds_corners ? WindowPoint{snapped(corner.x), snapped(corner.y)} : corner;
}

// ---- items ------------------------------------------------------------------------------------------------

void Mesh::add_sprite(const DrawItem& item, const ImageTable& images, const View& view) {
    const ImageFrame& frame = images[item.ref];
    if (images.has_repeating_frames() && images.sampling_of(frame.image).wraps() &&
        images.parts_of(frame) > 1) {
        add_repeated(item, frame, images, view);
        return;
    }
    TextureBox box;
    // By the size in the table, not the texture's: the placeholder of a broken file is shown completely.
    if (const ImageTable::Size size = images.size_of(frame.image); size.width != 0) {
        box.left = part_of_texture(part_at(frame.x, size.width));
        box.top = part_of_texture(part_at(frame.y, size.height));
        box.right = part_of_texture(part_at(frame.x + frame.width, size.width));
        box.bottom = part_of_texture(part_at(frame.y + frame.height, size.height));
    }
    if ((item.flags & kDrawFlipX) != 0) std::swap(box.left, box.right);
    if ((item.flags & kDrawFlipY) != 0) std::swap(box.top, box.bottom);

    const float left = -item.w * static_cast<float>(item.origin_x) / 128.0F;
    const float top = -item.h * static_cast<float>(item.origin_y) / 128.0F;
    add_sprite_part(item, {left, top, left + item.w, top + item.h}, box, view);
}

void Mesh::add_sprite_part(const DrawItem& item, const SpritePart& part, const TextureBox& texture,
                           const View& view) {
    if (item.angle == 0 && view.is_upright) {
        const WindowPoint a = view.placed(item.x + part.left, item.y + part.top);
        const WindowPoint b = view.placed(item.x + part.right, item.y + part.bottom);
        add_box({snapped(a.x), snapped(a.y), snapped(b.x), snapped(b.y)}, item.color, texture);
        return;
    }
    const auto angle = static_cast<float>(item.angle_radians());
    const float cosine = std::cos(angle);
    const float sine = std::sin(angle);
    const auto corner = [&](float x, float y) {
        return view.placed(item.x + (x * cosine - y * sine), item.y + (x * sine + y * cosine));
    };
    add_textured_quad({corner(part.left, part.top), corner(part.right, part.top),
                       corner(part.right, part.bottom), corner(part.left, part.bottom)},
                      item.color, texture);
}

void Mesh::add_repeated(const DrawItem& item, const ImageFrame& frame, const ImageTable& images,
                        const View& view) {
    const ImageTable::Size size = images.size_of(frame.image);
    const ImageWrap wrap = images.sampling_of(frame.image).wrap;
    // If there would be too many parts, several images are shown as one, smaller than a pixel in most
    // pictures.
    std::uint64_t joined = 1;
    while (count_of(frame.x, frame.width, size.width * joined) *
               count_of(frame.y, frame.height, size.height * joined) >
           ImageTable::kMaxFrameParts)
        joined *= 2;
    find_cuts(frame.x, frame.width, size.width * joined, wrap, columns_);
    find_cuts(frame.y, frame.height, size.height * joined, wrap, rows_);
    const auto place = [](float at, float length, float total, std::uint8_t origin, bool is_flipped) {
        const float part = is_flipped ? length - at : at;
        return (part / length - static_cast<float>(origin) / 128.0F) * total;
    };
    const auto width = static_cast<float>(frame.width), height = static_cast<float>(frame.height);
    const bool flips_x = (item.flags & kDrawFlipX) != 0, flips_y = (item.flags & kDrawFlipY) != 0;
    for (std::size_t y = 0; y + 1 < rows_.size(); ++y)
        for (std::size_t x = 0; x + 1 < columns_.size(); ++x) {
            const TextureCut &column = columns_[x], &row = rows_[y];
            add_sprite_part(item,
                            {place(column.at, width, item.w, item.origin_x, flips_x),
                             place(row.at, height, item.h, item.origin_y, flips_y),
                             place(columns_[x + 1].at, width, item.w, item.origin_x, flips_x),
                             place(rows_[y + 1].at, height, item.h, item.origin_y, flips_y)},
                            {column.from, row.from, column.to, row.to}, view);
        }
}

void Mesh::add_triangles(std::span<const MeshPoint> points, std::uint32_t color, const View& view,
                         bool is_premultiplied) {
    if (image_wrap != ImageWrap::clamp && add_repeated_rectangle(points, color, view, is_premultiplied))
        return;
    for (std::size_t i = 0; i + 2 < points.size(); i += 3)
        add_point_triangle(points[i], points[i + 1], points[i + 2], color, view, is_premultiplied);
}

// Painter::tiled makes two triangles of a rectangle. SDL copies rectangles exactly, and triangles not quite.
bool Mesh::add_repeated_rectangle(std::span<const MeshPoint> points, std::uint32_t color, const View& view,
                                  bool is_premultiplied) {
    if (points.size() != 6 || !view.is_upright) return false;
    const MeshPoint &low = points[0], &high = points[2];
    const bool is_rectangle = points[1] == MeshPoint{high.x, low.y, high.u, low.v, low.color} &&
                              points[3] == low && points[4] == high &&
                              points[5] == MeshPoint{low.x, high.y, low.u, high.v, low.color};
    if (!is_rectangle || high.color != low.color) return false;
    const auto cut_axis = [this](float from, float to, float low_part, float high_part) {
        cuts_.clear();
        const float first = std::floor(low_part);
        const int count = parts_between(first, high_part);
        for (int i = 0; i <= count && count > 0; ++i) {
            const float cell = first + static_cast<float>(i);
            const float begin = std::max(cell, low_part), end = std::min(cell + 1.0F, high_part);
            const bool is_mirrored = image_wrap == ImageWrap::mirror && std::fmod(cell, 2.0F) != 0.0F;
            const auto part = [&](float at) {
                return part_of_texture(is_mirrored ? 1.0F - (at - cell) : at - cell);
            };
            if (i < count)
                cuts_.push_back({from + (begin - low_part) / (high_part - low_part) * (to - from),
                                 part(begin), part(end)});
            else
                cuts_.push_back({to, 0.0F, 0.0F});
        }
    };
    cut_axis(low.x, high.x, low.u, high.u);
    columns_.swap(cuts_);
    cut_axis(low.y, high.y, low.v, high.v);
    rows_.swap(cuts_);
    if (columns_.empty() || rows_.empty() || columns_.size() * rows_.size() > ImageTable::kMaxFrameParts)
        return false;
    const std::uint32_t own = is_premultiplied ? premultiplied(low.color) : low.color;
    for (std::size_t y = 0; y + 1 < rows_.size(); ++y)
        for (std::size_t x = 0; x + 1 < columns_.size(); ++x) {
            const WindowPoint a = view.placed(columns_[x].at, rows_[y].at);
            const WindowPoint b = view.placed(columns_[x + 1].at, rows_[y + 1].at);
            add_box({snapped(a.x), snapped(a.y), snapped(b.x), snapped(b.y)}, multiplied(own, color),
                    {columns_[x].from, rows_[y].from, columns_[x].to, rows_[y].to});
        }
    return true;
}

void Mesh::add_triangles(const VertexMesh& mesh, std::uint32_t color, const View& view,
                         bool is_premultiplied) {
    const auto points = mesh.vertices();
    const auto indices = mesh.indices();
    for (std::size_t i = 0; i + 2 < indices.size(); i += 3)
        add_point_triangle(points[indices[i]], points[indices[i + 1]], points[indices[i + 2]], color, view,
                           is_premultiplied);
}

void Mesh::add_point_triangle(const MeshPoint& a, const MeshPoint& b, const MeshPoint& c, std::uint32_t color,
                              const View& view, bool is_premultiplied) {
    const auto vertex = [&](const MeshPoint& point) {
        const WindowPoint at = whole(view.placed(point.x, point.y));
        const std::uint32_t own = is_premultiplied ? premultiplied(point.color) : point.color;
        return MeshVertex{at.x, at.y, multiplied(own, color), point.u, point.v};
    };
    MeshVertex corners[3] = {vertex(a), vertex(b), vertex(c)};
    if (image_wrap != ImageWrap::clamp) {
        add_wrapped(corners);
        return;
    }
    for (MeshVertex& corner : corners) {
        corner.u = part_of_texture(corner.u);
        corner.v = part_of_texture(corner.v);
    }
    add_triangle(corners);
}

// Cuts a triangle where its image begins again. If there would be too many parts, several images are shown as
// one.
void Mesh::add_wrapped(MeshVertex (&corners)[3]) {
    float left = 0.0F, top = 0.0F;
    int columns = 0, rows = 0;
    for (int tries = 0; tries < 200; ++tries) {
        const auto [low_u, high_u] = std::minmax({corners[0].u, corners[1].u, corners[2].u});
        const auto [low_v, high_v] = std::minmax({corners[0].v, corners[1].v, corners[2].v});
        left = std::floor(low_u);
        top = std::floor(low_v);
        columns = parts_between(left, high_u);
        rows = parts_between(top, high_v);
        const bool is_few = columns * rows <= static_cast<int>(ImageTable::kMaxFrameParts);
        if (columns != 0 && rows != 0 && is_few) break;
        columns = 0;
        for (MeshVertex& corner : corners) {
            corner.u /= 2.0F;
            corner.v /= 2.0F;
        }
    }
    const auto place = [this](float part, float cell) {
        const float within = part_of_texture(part - cell);
        return image_wrap == ImageWrap::mirror && std::fmod(cell, 2.0F) != 0.0F ? 1.0F - within : within;
    };
    for (int i = 0; i < columns * rows; ++i) {
        const float u = left + static_cast<float>(i % columns), v = top + static_cast<float>(i / columns);
        Polygon polygon{{corners[0], corners[1], corners[2]}, 3};
        clip(polygon, &MeshVertex::u, -1.0F, -u);
        clip(polygon, &MeshVertex::u, 1.0F, u + 1.0F);
        clip(polygon, &MeshVertex::v, -1.0F, -v);
        clip(polygon, &MeshVertex::v, 1.0F, v + 1.0F);
        for (std::size_t k = 0; k < polygon.count; ++k) {
            polygon.corners[k].u = place(polygon.corners[k].u, u);
            polygon.corners[k].v = place(polygon.corners[k].v, v);
        }
        for (std::size_t k = 2; k < polygon.count; ++k)
            add_triangle({polygon.corners[0], polygon.corners[k - 1], polygon.corners[k]});
    }
}

void Mesh::add_shape(const DrawItem& item, const View& view) {
    outline_.set(item, view);
    switch (outline_.form) {
        case ShapeOutline::Form::boxes:
            for (const WindowBox& box : outline_.boxes) add_box(box, item.color);
            break;
        case ShapeOutline::Form::fan:
            add_fan(item.color);
            break;
        case ShapeOutline::Form::ring:
        case ShapeOutline::Form::band:
            add_strip(item.color);
            break;
        case ShapeOutline::Form::nothing:
            break;
    }
}

void Mesh::add_fan(std::uint32_t color) {
    const std::vector<WindowPoint>& outer = outline_.outer;
    const auto vertex = [&](std::size_t i) { return MeshVertex{outer[i].x, outer[i].y, color}; };
    for (std::size_t i = 1; i + 2 < outer.size(); i += 2)
        add_quad({vertex(0), vertex(i), vertex(i + 1), vertex(i + 2)});
    if (outer.size() % 2 != 0) add_triangle({vertex(0), vertex(outer.size() - 2), vertex(outer.size() - 1)});
}

void Mesh::add_strip(std::uint32_t color) {
    const std::vector<WindowPoint>& outer = outline_.outer;
    const std::vector<WindowPoint>& inner = outline_.inner;
    const std::size_t count = outer.size();
    const std::size_t quads = outline_.form == ShapeOutline::Form::ring ? count : count - 1;
    const auto vertex = [color](WindowPoint point) { return MeshVertex{point.x, point.y, color}; };
    for (std::size_t i = 0; i < quads; ++i) {
        const std::size_t next = (i + 1) % count;
        add_quad({vertex(outer[i]), vertex(outer[next]), vertex(inner[next]), vertex(inner[i])});
    }
}

}  // namespace perigee
