// PointTree: points in a k-d tree, to ask whether any of them lies in a triangle.
//
// Invariant: each node counts the points below it that were not removed, so a search passes over empty
// branches. The shape of the tree depends on the number of points alone: node k halves its range into nodes
// 2k and 2k + 1, until a range fits a leaf. Source: J. L. Bentley, "Multidimensional binary search trees",
// CACM 18(9), 1975.
#pragma once

#include "engine/draw/shapes/internal/vec.h"
#include "engine/draw/shapes/point.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace perigee {

class PointTree {
public:
    /// Builds the tree from `points[id]` for the ids. Keeps the memory of the last one. Expects: ids below
    /// point_count.
    void build(std::span<const Point> points, std::span<const std::uint32_t> ids);
    void remove(std::uint32_t id);

    /// Whether a point is in the triangle, in a corner's place excepted. Expects: a, b, c run from x to y.
    /// `is_border_in`: the sides belong to it. Adds to `work` what the search cost.
    bool has_point_in(Point a, Point b, Point c, bool is_border_in, std::uint64_t& work) const;

private:
    struct Node {
        Point low;  // of the points below it
        Point high;
        std::uint32_t count = 0;  // of the points that were not removed
    };
    struct Item {
        Point at;
        std::uint32_t id = 0;
        bool is_removed = false;
    };
    void build_node(std::size_t node, std::size_t begin, std::size_t end);

    std::vector<Node> nodes_;
    std::vector<Item> items_;
    std::vector<std::uint32_t> places_;  // of each id in items_
};

}  // namespace perigee
