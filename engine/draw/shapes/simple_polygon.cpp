// The edges that the sweep crosses are a sorted vector: polygons of games cross it few times, and moving
// numbers is cheaper than a tree.
#include "engine/draw/shapes/simple_polygon.h"

#include "engine/draw/shapes/internal/vec.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

namespace perigee {
namespace {

bool is_left(Point a, Point b) { return a.x < b.x || (a.x == b.x && a.y < b.y); }

class Sweep {
public:
    Sweep(std::span<const Point> corners, SweepScratch& scratch)
        : corners_(corners), order_(scratch.corners), edges_(scratch.edges) {}

    bool finds_no_contact() {
        order_.resize(corners_.size());
        std::iota(order_.begin(), order_.end(), 0U);
        std::ranges::sort(order_, is_left, [&](std::uint32_t corner) { return corners_[corner]; });
        edges_.clear();
        const auto is_same = [&](std::uint32_t a, std::uint32_t b) { return corners_[a] == corners_[b]; };
        if (std::ranges::adjacent_find(order_, is_same) != order_.end()) return false;
        return std::ranges::all_of(order_, [&](std::uint32_t corner) { return pass(corner); });
    }

private:
    std::uint32_t after(std::uint32_t corner) const { return corner + 1 < corners_.size() ? corner + 1 : 0; }
    Vec left(std::uint32_t edge) const {
        const Point a = corners_[edge];
        const Point b = corners_[after(edge)];
        return vec_of(is_left(a, b) ? a : b);
    }
    Vec right(std::uint32_t edge) const {
        const Point a = corners_[edge];
        const Point b = corners_[after(edge)];
        return vec_of(is_left(a, b) ? b : a);
    }
    // Positive: the point is above the edge.
    double height(std::uint32_t edge, Vec point) const {
        return doubled_area(left(edge), right(edge), point);
    }

    // False if a contact was found.
    bool pass(std::uint32_t corner) {
        const Vec at = vec_of(corners_[corner]);
        const std::uint32_t own[] = {
            corner, corner > 0 ? corner - 1 : static_cast<std::uint32_t>(corners_.size() - 1)};
        const auto starts = [&](std::uint32_t edge) {
            return is_left(corners_[corner], corners_[edge == corner ? after(corner) : edge]);
        };
        const std::size_t start_count = std::size_t{starts(own[0])} + std::size_t{starts(own[1])};
        const std::size_t end_count = 2 - start_count;

        // The edges that end here are the only ones that are neither below nor above.
        const auto first =
            std::ranges::partition_point(edges_, [&](std::uint32_t edge) { return height(edge, at) > 0.0; });
        const auto place = static_cast<std::size_t>(first - edges_.begin());
        if (edges_.size() - place < end_count) return false;
        for (std::size_t i = place; i < place + end_count; ++i) {
            const bool ends = (edges_[i] == own[0] || edges_[i] == own[1]) && !starts(edges_[i]);
            if (!ends) return false;
        }
        if (place + end_count < edges_.size() && height(edges_[place + end_count], at) >= 0.0) return false;

        if (start_count == 0) {
            edges_.erase(first, first + 2);
            return place == 0 || place == edges_.size() || !do_meet(place - 1, place);
        }
        if (start_count == 1) {
            *first = starts(own[0]) ? own[0] : own[1];
            return is_free(place);
        }
        const double turn = cross(right(own[0]) - at, right(own[1]) - at);
        if (turn == 0.0) return false;
        const std::uint32_t lower = turn > 0.0 ? own[0] : own[1];
        const std::uint32_t upper = turn > 0.0 ? own[1] : own[0];
        edges_.insert(first, {lower, upper});
        return is_free(place) && is_free(place + 1);
    }

    // Whether the edge at this place meets neither the one below nor the one above.
    bool is_free(std::size_t place) const {
        return (place == 0 || !do_meet(place - 1, place)) &&
               (place + 1 == edges_.size() || !do_meet(place, place + 1));
    }

    // Neighbours in the polygon meet in their corner and, as they do not start in one direction, nowhere
    // else.
    bool do_meet(std::size_t lower, std::size_t upper) const {
        const std::uint32_t a = edges_[lower];
        const std::uint32_t b = edges_[upper];
        if (after(a) == b || after(b) == a) return false;
        const double left_of_b = height(a, left(b));
        const double right_of_b = height(a, right(b));
        const double left_of_a = height(b, left(a));
        const double right_of_a = height(b, right(a));
        const auto are_apart = [](double x, double y) {
            return (x > 0.0 && y > 0.0) || (x < 0.0 && y < 0.0);
        };
        return !are_apart(left_of_b, right_of_b) && !are_apart(left_of_a, right_of_a);
    }

    std::span<const Point> corners_;
    std::vector<std::uint32_t>& order_;
    std::vector<std::uint32_t>& edges_;
};

}  // namespace

bool is_simple_polygon(std::span<const Point> corners, SweepScratch& scratch) {
    return Sweep(corners, scratch).finds_no_contact();
}

}  // namespace perigee
