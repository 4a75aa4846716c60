// Rectangles filled with an image: a quad for each tile that can be seen, or one for all of an image that
// wraps.
#include "ecs/base/contract.h"
#include "engine/draw/internal/path_scratch.h"
#include "engine/draw/painter.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace perigee {

namespace {

// Of a pixel, so that rounding shows nothing of what is beside a frame in its image.
constexpr double kInset = 1.0 / 512.0;

struct Corner {
    double x, y, u, v;
};

void add_quad(const Corner& low, const Corner& high, std::vector<MeshPoint>& points) {
    const auto point = [&points](double x, double y, double u, double v) {
        points.push_back(
            {static_cast<float>(x), static_cast<float>(y), static_cast<float>(u), static_cast<float>(v)});
    };
    // In the order in which SDL's software renderer finds the rectangle.
    point(low.x, low.y, low.u, low.v);
    point(high.x, low.y, high.u, low.v);
    point(high.x, high.y, high.u, high.v);
    point(low.x, low.y, low.u, low.v);
    point(high.x, high.y, high.u, high.v);
    point(low.x, high.y, low.u, high.v);
}

}  // namespace

// The box around what a camera sees, in coordinates of the transform. Expects: it has an inverse.
Painter::TileBox Painter::seen_by(const DrawCamera& camera, float width, float height) const noexcept {
    constexpr double kFar = std::numeric_limits<double>::infinity();
    const DrawMatrix& m = placement_.matrix();
    const double area = m.determinant();
    const double cosine = std::cos(double{camera.rotation}), sine = std::sin(double{camera.rotation});
    const double half_width = width / 2.0, half_height = height / 2.0;
    TileBox seen{kFar, kFar, -kFar, -kFar};
    for (const double side_x : {-1.0, 1.0})
        for (const double side_y : {-1.0, 1.0}) {
            double x = half_width * (1.0 + side_x), y = half_height * (1.0 + side_y);
            if (!is_item_screen_) {
                const double right = half_width * side_x / camera.zoom;
                const double down = half_height * side_y / camera.zoom;
                x = camera.x + right * cosine - down * sine;
                y = camera.y + right * sine + down * cosine;
            }
            x -= m.x0;
            y -= m.y0;
            const double own_x = (m.yy * x - m.xy * y) / area, own_y = (m.xx * y - m.yx * x) / area;
            seen = {std::min(seen.left, own_x), std::min(seen.top, own_y), std::max(seen.right, own_x),
                    std::max(seen.bottom, own_y)};
        }
    return seen;
}

// The part of a box that the screen, or one of the views, may show; all of it on canvases, whose size is not
// known here.
Painter::TileBox Painter::visible_part(const TileBox& box) const noexcept {
    if (target_.canvas != 0 || surface_.width <= 0.0F || placement_.matrix().determinant() == 0.0F)
        return box;
    TileBox seen = seen_by(item_camera(), surface_.width, surface_.height);
    if (!is_item_screen_)
        for (const PaintedView& view : views_) {
            const TileBox more = seen_by(list_->camera_of(item_layer_, view.camera), view.width, view.height);
            seen = {std::min(seen.left, more.left), std::min(seen.top, more.top),
                    std::max(seen.right, more.right), std::max(seen.bottom, more.bottom)};
        }
    return {std::max(box.left, seen.left), std::max(box.top, seen.top), std::min(box.right, seen.right),
            std::min(box.bottom, seen.bottom)};
}

bool Painter::tiled(FrameId frame, float x, float y, float width, float height, const TileStyle& style) {
    begin_path();
    const ImageFrame& source = (*images_)[frame];
    const double tile_width = 1.0 * source.width * style.scale_x;
    const double tile_height = 1.0 * source.height * style.scale_y;
    const bool is_good = std::isfinite(x + width) && std::isfinite(y + height) &&
                         std::isfinite(style.offset_x) && std::isfinite(style.offset_y) &&
                         std::isfinite(tile_width * tile_height);
    if (!is_good || !(width > 0.0F && height > 0.0F && tile_width > 0.0 && tile_height > 0.0)) return true;
    const ImageTable::Size size = images_->size_of(source.image);
    if (size.width == 0) {  // it is missing
        add({.x = x, .y = y, .w = width, .h = height, .kind = DrawKind::sprite});
        return true;
    }
    const double origin_x = double{x} + style.offset_x, origin_y = double{y} + style.offset_y;
    const TileBox box = visible_part({x, y, double{x} + width, double{y} + height});
    if (!(box.left < box.right && box.top < box.bottom)) return true;
    const bool is_whole = source.width == size.width && source.height == size.height;
    if (is_whole && images_->sampling_of(source.image).wraps()) {
        add_quad({box.left, box.top, (box.left - origin_x) / tile_width, (box.top - origin_y) / tile_height},
                 {box.right, box.bottom, (box.right - origin_x) / tile_width,
                  (box.bottom - origin_y) / tile_height},
                 paths_->triangles);
        end_path(source.image);
        return true;
    }
    const double first_column = std::floor((box.left - origin_x) / tile_width);
    const double first_row = std::floor((box.top - origin_y) / tile_height);
    const double columns = std::ceil((box.right - origin_x) / tile_width) - first_column;
    const double rows = std::ceil((box.bottom - origin_y) / tile_height) - first_row;
    if (!(columns * rows <= static_cast<double>(kMaxTiles))) return false;
    // Neighbours compute their common edge in the same way, so there is no gap between them.
    for (double row = first_row; row < first_row + rows; ++row)
        for (double column = first_column; column < first_column + columns; ++column) {
            const double left = origin_x + column * tile_width,
                         right = origin_x + (column + 1.0) * tile_width;
            const double top = origin_y + row * tile_height, bottom = origin_y + (row + 1.0) * tile_height;
            const auto part = [](double pixel, double length) {
                return std::clamp(pixel, kInset, length - kInset);
            };
            const auto corner = [&](double at_x, double at_y) {
                return Corner{at_x, at_y,
                              (source.x + part((at_x - left) / style.scale_x, source.width)) / size.width,
                              (source.y + part((at_y - top) / style.scale_y, source.height)) / size.height};
            };
            add_quad(corner(std::max(left, box.left), std::max(top, box.top)),
                     corner(std::min(right, box.right), std::min(bottom, box.bottom)), paths_->triangles);
        }
    end_path(source.image);
    return true;
}

}  // namespace perigee
