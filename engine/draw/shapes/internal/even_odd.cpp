// Strip by strip, with a look at every edge for each: the limits keep both numbers small.
#include "engine/draw/shapes/internal/even_odd.h"

#include "engine/draw/shapes/internal/mesh_writer.h"
#include "engine/draw/shapes/internal/vec.h"

#include <algorithm>

namespace perigee {
namespace {

struct Edge {
    Vec low;  // the end with the smaller y
    Vec high;

    double x_at(double y) const {
        if (y <= low.y) return low.x;
        if (y >= high.y) return high.x;
        return low.x + (high.x - low.x) * ((y - low.y) / (high.y - low.y));
    }
};

Edge edge_of(const std::vector<Point>& corners, std::size_t i) {
    const Vec a = vec_of(corners[i]);
    const Vec b = vec_of(corners[(i + 1) % corners.size()]);
    return a.y <= b.y ? Edge{a, b} : Edge{b, a};
}

// Crossings at an end are levels anyway.
void add_level_of_crossing(const Edge& a, const Edge& b, std::vector<double>& levels) {
    const Vec along_a = a.high - a.low;
    const Vec along_b = b.high - b.low;
    const double sine = cross(along_a, along_b);
    if (sine == 0.0) return;
    const double on_a = cross(b.low - a.low, along_b) / sine;
    const double on_b = cross(b.low - a.low, along_a) / sine;
    if (on_a > 0.0 && on_a < 1.0 && on_b > 0.0 && on_b < 1.0) levels.push_back(a.low.y + along_a.y * on_a);
}

}  // namespace

bool add_even_odd(PolygonScratch& scratch, std::uint32_t color, std::vector<MeshPoint>& out) {
    const std::vector<Point>& corners = scratch.corners;
    if (corners.size() > kMaxEvenOddCorners) return false;
    const std::size_t first = out.size();
    std::vector<double>& levels = scratch.levels;
    levels.clear();
    for (std::size_t i = 0; i < corners.size(); ++i) {
        levels.push_back(corners[i].y);
        for (std::size_t j = 0; j < i; ++j) {
            add_level_of_crossing(edge_of(corners, i), edge_of(corners, j), levels);
        }
    }
    std::ranges::sort(levels);

    std::vector<EdgeSpan>& spans = scratch.spans;
    for (std::size_t level = 0; level + 1 < levels.size(); ++level) {
        const double low = levels[level];
        const double high = levels[level + 1];
        if (low == high) continue;
        spans.clear();
        for (std::size_t i = 0; i < corners.size(); ++i) {
            const Edge edge = edge_of(corners, i);
            if (edge.low.y <= low && edge.high.y >= high) spans.push_back({edge.x_at(low), edge.x_at(high)});
        }
        std::ranges::sort(spans, {}, [](const EdgeSpan& span) { return span.low_x + span.high_x; });
        for (std::size_t i = 0; i + 1 < spans.size(); i += 2) {
            const EdgeSpan left = spans[i];
            const EdgeSpan right = spans[i + 1];
            add_quad({{left.low_x, low}, color}, {{right.low_x, low}, color}, {{right.high_x, high}, color},
                     {{left.high_x, high}, color}, Backward::drop, out);
        }
        if (out.size() - first > kMaxEvenOddPoints) {
            out.resize(first);
            return false;
        }
    }
    return true;
}

}  // namespace perigee
