// One function per kind of item. Corners go clockwise from the top left; a quad is the triangles 0 1 2 and
// 0 2 3, the order in which SDL's software renderer recognises a rectangle and copies it as one.
#include "engine/sdl/draw/mesh.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace perigee {

namespace {

constexpr std::uint16_t kQuarterTurn = 65536 / 4;

// No window is larger. SDL's software renderer uses 32 bits for triangles: beyond this, it reads outside
// textures.
constexpr float kFarthest = 8192.0F;
constexpr float kMaxBoxDistance = 16384.0F;  // upright boxes are copied, not cut into triangles

bool is_near(const MeshVertex& vertex) noexcept {  // false for NaN
    return std::fabs(vertex.x) <= kFarthest && std::fabs(vertex.y) <= kFarthest;
}

float nearer(float pixels) noexcept { return std::clamp(pixels, -kFarthest, kFarthest); }

// Clips parts too far from low .. high, and the same fraction of the texture. False if nothing is left.
bool cut(float& low, float& high, float& texture_low, float& texture_high) noexcept {
    if (!(low < high && low < kMaxBoxDistance && high > -kMaxBoxDistance) || !std::isfinite(high - low))
        return false;
    const float per_pixel = (texture_high - texture_low) / (high - low);
    const float near_low = std::max(low, -kMaxBoxDistance);
    const float near_high = std::min(high, kMaxBoxDistance);
    texture_high -= (high - near_high) * per_pixel;
    texture_low += (near_low - low) * per_pixel;
    low = near_low;
    high = near_high;
    return true;
}

// Where the line from `start` at `slope` per unit is inside, narrowed into first .. last (0 to 1).
void cut_line(float start, float slope, float& first, float& last) noexcept {
    if (slope == 0.0F) {
        if (std::fabs(start) > kFarthest) last = -1.0F;
        return;
    }
    const float at_low = (-kFarthest - start) / slope;
    const float at_high = (kFarthest - start) / slope;
    first = std::max(first, std::min(at_low, at_high));
    last = std::min(last, std::max(at_low, at_high));
}

// Rounds an edge to the boundary between two pixels.
float snapped(float pixels) noexcept { return std::nearbyintf(pixels); }

// Enough corners that a side is never more than a quarter of a pixel away from the circle.
int circle_corners(float radius_pixels) noexcept {
    // From 8192 pixels on there are no more than 256 corners, and the formula below runs out of digits.
    const float radius = std::clamp(radius_pixels, 0.5F, 8192.0F);
    const float corners = std::numbers::pi_v<float> / std::acos(1.0F - 0.25F / radius);
    return std::clamp(static_cast<int>(std::ceil(corners)), 8, 256);
}

float stroke_in_window(const DrawItem& item, const ViewTransform& view) noexcept {
    return std::max(1.0F, item.stroke_pixels() * view.scale);
}

}  // namespace

ViewTransform screen_transform(const Letterbox& box) noexcept {
    return {box.scale, static_cast<float>(box.x), static_cast<float>(box.y)};
}

ViewTransform world_transform(const Letterbox& box, PixelSize logical, const DrawCamera& camera) noexcept {
    // In double: far from the origin the two large terms nearly cancel.
    const double scale = static_cast<double>(camera.zoom) * box.scale;
    const double x = box.x + 0.5 * logical.width * box.scale - camera.x * scale;
    const double y = box.y + 0.5 * logical.height * box.scale - camera.y * scale;
    return {static_cast<float>(scale), static_cast<float>(x), static_cast<float>(y)};
}

void Mesh::clear() noexcept {
    vertices_.clear();
    indices_.clear();
}

void Mesh::add_quad(const MeshVertex (&corners)[4]) {
    const int first = static_cast<int>(vertices_.size());
    vertices_.insert(vertices_.end(), std::begin(corners), std::end(corners));
    indices_.insert(indices_.end(), {first, first + 1, first + 2, first, first + 2, first + 3});
}

void Mesh::add_box(float left, float top, float right, float bottom, std::uint32_t color,
                   TextureBox texture) {
    if (!cut(left, right, texture.left, texture.right) || !cut(top, bottom, texture.top, texture.bottom))
        return;
    add_quad({{left, top, color, texture.left, texture.top},
              {right, top, color, texture.right, texture.top},
              {right, bottom, color, texture.right, texture.bottom},
              {left, bottom, color, texture.left, texture.bottom}});
}

void Mesh::add_turned(const DrawItem& item, const ViewTransform& view, float left, float top, float right,
                      float bottom, const TextureBox& texture) {
    const auto angle = static_cast<float>(item.angle_radians());
    const float cosine = std::cos(angle) * view.scale;
    const float sine = std::sin(angle) * view.scale;
    const float pivot_x = item.x * view.scale + view.x;
    const float pivot_y = item.y * view.scale + view.y;
    const auto corner = [&](float x, float y, float u, float v) {
        return MeshVertex{pivot_x + x * cosine - y * sine, pivot_y + x * sine + y * cosine, item.color, u, v};
    };
    // SDL's software renderer takes any quad with level edges for an upright copy and would lose the turn, so
    // a quarter turn is kept from being quite level.
    const float askew = item.angle % kQuarterTurn == 0 ? 1.0F / 256.0F / view.scale : 0.0F;
    const MeshVertex corners[4] = {corner(left + askew, top + askew, texture.left, texture.top),
                                   corner(right, top, texture.right, texture.top),
                                   corner(right, bottom, texture.right, texture.bottom),
                                   corner(left, bottom, texture.left, texture.bottom)};
    if (std::ranges::all_of(corners, is_near)) add_quad(corners);
}

void Mesh::add_placed(const DrawItem& item, const ViewTransform& view, const TextureBox& texture) {
    const float left = -item.w * static_cast<float>(item.origin_x) / 128.0F;
    const float top = -item.h * static_cast<float>(item.origin_y) / 128.0F;
    if (item.angle != 0) {
        add_turned(item, view, left, top, left + item.w, top + item.h, texture);
        return;
    }
    const auto [x0, x1] = std::minmax({item.x + left, item.x + left + item.w});
    const auto [y0, y1] = std::minmax({item.y + top, item.y + top + item.h});
    add_box(snapped(x0 * view.scale + view.x), snapped(y0 * view.scale + view.y),
            snapped(x1 * view.scale + view.x), snapped(y1 * view.scale + view.y), item.color, texture);
}

void Mesh::add_sprite(const DrawItem& item, const ImageTable& images, const ViewTransform& view) {
    const ImageFrame& frame = images[item.ref];
    TextureBox box;
    // By the size in the table, not the texture's: the placeholder of a broken file is shown completely.
    if (const ImageTable::Size size = images.size_of(frame.image); size.width != 0) {
        box.left = static_cast<float>(frame.x) / size.width;
        box.top = static_cast<float>(frame.y) / size.height;
        box.right = static_cast<float>(frame.x + frame.width) / size.width;
        box.bottom = static_cast<float>(frame.y + frame.height) / size.height;
    }
    if ((item.flags & kDrawFlipX) != 0) std::swap(box.left, box.right);
    if ((item.flags & kDrawFlipY) != 0) std::swap(box.top, box.bottom);
    add_placed(item, view, box);
}

void Mesh::add_shape(const DrawItem& item, const ViewTransform& view, float longest_piece) {
    switch (item.kind) {
        case DrawKind::circle:
            add_circle(item, view);
            break;
        case DrawKind::line:
            if (const auto line = line_in_window(item, view)) add_line(*line, item.color, longest_piece);
            break;
        case DrawKind::rectangle:
            if (item.stroke == 0)
                add_placed(item, view, {});
            else
                add_outline(item, view);
            break;
        case DrawKind::arc:
        case DrawKind::mesh:
        case DrawKind::sprite:
        case DrawKind::text:
            break;  // not shapes
    }
}

// Four bars that meet without overlapping, so that a transparent outline is evenly transparent.
void Mesh::add_outline(const DrawItem& item, const ViewTransform& view) {
    const float origin_x = static_cast<float>(item.origin_x) / 128.0F;
    const float origin_y = static_cast<float>(item.origin_y) / 128.0F;
    const float width = std::fabs(item.w);
    const float height = std::fabs(item.h);
    const float left = std::min(0.0F, item.w) - item.w * origin_x;
    const float top = std::min(0.0F, item.h) - item.h * origin_y;
    const float bar = stroke_in_window(item, view) / view.scale;
    const float bar_x = std::min(bar, width / 2.0F);
    const float bar_y = std::min(bar, height / 2.0F);
    const float bars[4][4] = {{left, top, left + width, top + bar_y},
                              {left, top + height - bar_y, left + width, top + height},
                              {left, top + bar_y, left + bar_x, top + height - bar_y},
                              {left + width - bar_x, top + bar_y, left + width, top + height - bar_y}};
    for (const auto& [x0, y0, x1, y1] : bars) {
        if (item.angle != 0) {
            add_turned(item, view, x0, y0, x1, y1, {});
        } else {
            add_box(snapped((item.x + x0) * view.scale + view.x),
                    snapped((item.y + y0) * view.scale + view.y),
                    snapped((item.x + x1) * view.scale + view.x),
                    snapped((item.y + y1) * view.scale + view.y), item.color);
        }
    }
}

void Mesh::add_circle(const DrawItem& item, const ViewTransform& view) {
    const float outer = std::fabs(item.w) * view.scale;
    const bool is_filled = item.stroke == 0;
    const float inner = is_filled ? 0.0F : std::max(0.0F, outer - stroke_in_window(item, view));
    const float center_x = item.x * view.scale + view.x;
    const float center_y = item.y * view.scale + view.y;
    if (!std::isfinite(outer) || !std::isfinite(center_x) || !std::isfinite(center_y)) return;
    const int corners = circle_corners(outer);
    const int first = static_cast<int>(vertices_.size());

    // Vertex pairs (inner, outer) round the circle; a filled circle has one common inner vertex.
    const int stride = is_filled ? 1 : 2;
    const int base = is_filled ? first + 1 : first;
    if (is_filled) vertices_.push_back({nearer(center_x), nearer(center_y), item.color});
    for (int i = 0; i < corners; ++i) {
        const float angle =
            2.0F * std::numbers::pi_v<float> * static_cast<float>(i) / static_cast<float>(corners);
        const float x = std::cos(angle);
        const float y = std::sin(angle);
        const auto add = [&](float radius) {
            vertices_.push_back({nearer(center_x + x * radius), nearer(center_y + y * radius), item.color});
        };
        if (!is_filled) add(inner);
        add(outer);
    }
    for (int i = 0; i < corners; ++i) {
        const int here = base + i * stride;
        const int next = base + (i + 1) % corners * stride;
        if (is_filled)
            indices_.insert(indices_.end(), {first, here, next});
        else
            indices_.insert(indices_.end(), {here, here + 1, next + 1, here, next + 1, next});
    }
}

std::optional<WindowLine> line_in_window(const DrawItem& item, const ViewTransform& view) {
    float x0 = item.x * view.scale + view.x;
    float y0 = item.y * view.scale + view.y;
    float x1 = item.w * view.scale + view.x;
    float y1 = item.h * view.scale + view.y;
    if (!std::isfinite(x1 - x0) || !std::isfinite(y1 - y0)) return std::nullopt;
    float first = 0.0F;
    float last = 1.0F;
    cut_line(x0, x1 - x0, first, last);
    cut_line(y0, y1 - y0, first, last);
    if (!(first < last)) return std::nullopt;
    if (last < 1.0F) {
        x1 = x0 + (x1 - x0) * last;
        y1 = y0 + (y1 - y0) * last;
    }
    if (first > 0.0F) {
        x0 += (x1 - x0) * (first / last);
        y0 += (y1 - y0) * (first / last);
    }
    if (x0 == x1 && y0 == y1) return std::nullopt;
    return WindowLine{x0, y0, x1, y1, std::min(stroke_in_window(item, view), 2 * kFarthest)};
}

void Mesh::add_line(const WindowLine& line, std::uint32_t color, float longest_piece) {
    const float dx = line.x1 - line.x0;
    const float dy = line.y1 - line.y0;
    const float length = std::hypot(dx, dy);
    if (!(length > 0.0F)) return;
    const float half = line.width / 2.0F;
    const float across_x = -dy / length * half;
    const float across_y = dx / length * half;
    // The box of a level or upright line is the line.
    const bool is_slanting = std::min(std::fabs(dx), std::fabs(dy)) > line.width;
    const float pieces = is_slanting ? std::ceil(length / longest_piece) : 1.0F;
    for (float piece = 0.0F; piece < pieces; piece += 1.0F) {
        const float begin = piece / pieces;
        const float end = (piece + 1.0F) / pieces;
        const float x0 = line.x0 + dx * begin;
        const float y0 = line.y0 + dy * begin;
        const float x1 = line.x0 + dx * end;
        const float y1 = line.y0 + dy * end;
        add_quad({{x0 + across_x, y0 + across_y, color},
                  {x1 + across_x, y1 + across_y, color},
                  {x1 - across_x, y1 - across_y, color},
                  {x0 - across_x, y0 - across_y, color}});
    }
}

}  // namespace perigee
