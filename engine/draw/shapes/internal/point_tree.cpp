// A search leaves out a branch whose box lies outside of one side of the triangle.
#include "engine/draw/shapes/internal/point_tree.h"

#include <algorithm>

namespace perigee {
namespace {

constexpr std::size_t kLeafSize = 8;
constexpr std::size_t kRootNode = 1;

// A side of a triangle as a function that is positive inside.
struct Side {
    Vec from;
    Vec along;

    Side(Point a, Point b) : from(vec_of(a)), along(vec_of(b) - vec_of(a)) {}
    double inside(Point point) const { return cross(along, vec_of(point) - from); }
    // Of the corner of a box where it is largest.
    double max_inside(Point low, Point high) const {
        return inside({along.y > 0.0 ? low.x : high.x, along.x > 0.0 ? high.y : low.y});
    }
};

}  // namespace

void PointTree::build(std::span<const Point> points, std::span<const std::uint32_t> ids) {
    items_.clear();
    for (const std::uint32_t id : ids) items_.push_back({points[id], id});
    std::size_t node_count = kRootNode + 1;
    for (std::size_t size = items_.size(); size > kLeafSize; size = (size + 1) / 2) node_count *= 2;
    nodes_.assign(node_count, Node{});
    build_node(kRootNode, 0, items_.size());
    places_.resize(points.size());
    for (std::size_t i = 0; i < items_.size(); ++i) places_[items_[i].id] = static_cast<std::uint32_t>(i);
}

void PointTree::build_node(std::size_t node, std::size_t begin, std::size_t end) {
    if (begin == end) return;
    Point low = items_[begin].at;
    Point high = low;
    for (std::size_t i = begin + 1; i < end; ++i) {
        const Point at = items_[i].at;
        low = {std::min(low.x, at.x), std::min(low.y, at.y)};
        high = {std::max(high.x, at.x), std::max(high.y, at.y)};
    }
    nodes_[node] = {low, high, static_cast<std::uint32_t>(end - begin)};
    if (end - begin <= kLeafSize) return;
    const std::size_t middle = begin + (end - begin) / 2;
    const auto first = items_.begin();
    const auto at = [&](std::size_t i) { return first + static_cast<std::ptrdiff_t>(i); };
    if (high.x - low.x > high.y - low.y) {
        std::ranges::nth_element(at(begin), at(middle), at(end), {},
                                 [](const Item& item) { return item.at.x; });
    } else {
        std::ranges::nth_element(at(begin), at(middle), at(end), {},
                                 [](const Item& item) { return item.at.y; });
    }
    build_node(2 * node, begin, middle);
    build_node(2 * node + 1, middle, end);
}

void PointTree::remove(std::uint32_t id) {
    const std::size_t place = places_[id];
    items_[place].is_removed = true;
    std::size_t node = kRootNode;
    std::size_t begin = 0;
    std::size_t end = items_.size();
    while (true) {
        --nodes_[node].count;
        if (end - begin <= kLeafSize) return;
        const std::size_t middle = begin + (end - begin) / 2;
        node *= 2;
        if (place < middle) {
            end = middle;
        } else {
            begin = middle;
            ++node;
        }
    }
}

bool PointTree::has_point_in(Point a, Point b, Point c, bool is_border_in, std::uint64_t& work) const {
    const Side sides[] = {{a, b}, {b, c}, {c, a}};
    const Point low{std::min({a.x, b.x, c.x}), std::min({a.y, b.y, c.y})};
    const Point high{std::max({a.x, b.x, c.x}), std::max({a.y, b.y, c.y})};
    const auto is_in = [&](const Item& item) {
        const Point at = item.at;
        if (item.is_removed || at.x < low.x || at.x > high.x || at.y < low.y || at.y > high.y) return false;
        for (const Side& side : sides) {
            const double inside = side.inside(at);
            if (is_border_in ? inside < 0.0 : inside <= 0.0) return false;
        }
        return at != a && at != b && at != c;
    };

    struct Range {
        std::size_t node, begin, end;
    };
    Range waiting[40];  // deeper than a tree of 2^32 points
    std::size_t waiting_count = 0;
    if (!items_.empty()) waiting[waiting_count++] = {kRootNode, 0, items_.size()};
    while (waiting_count > 0) {
        const Range range = waiting[--waiting_count];
        const Node& node = nodes_[range.node];
        ++work;
        if (node.count == 0) continue;
        if (node.high.x < low.x || node.low.x > high.x || node.high.y < low.y || node.low.y > high.y)
            continue;
        if (std::ranges::any_of(sides,
                                [&](const Side& side) { return side.max_inside(node.low, node.high) < 0.0; }))
            continue;
        if (range.end - range.begin > kLeafSize) {
            const std::size_t middle = range.begin + (range.end - range.begin) / 2;
            waiting[waiting_count++] = {2 * range.node, range.begin, middle};
            waiting[waiting_count++] = {2 * range.node + 1, middle, range.end};
            continue;
        }
        work += range.end - range.begin;
        for (std::size_t i = range.begin; i < range.end; ++i) {
            if (is_in(items_[i])) return true;
        }
    }
    return false;
}

}  // namespace perigee
