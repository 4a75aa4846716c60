// Ears wait in a queue. Cutting one changes no corner but its neighbours, which wait again; when the queue is
// empty, what is left cannot be cut by the present rule, and a weaker one is tried.
#include "engine/draw/shapes/triangulate.h"

#include "engine/draw/shapes/internal/vec.h"

#include <algorithm>

namespace perigee {
namespace {

// What a corner must not have in its triangle to be cut. Each is tried if the one before finds nothing.
enum class EarRule {
    nothing_touches,  // any corner, also on its sides: no triangle has a corner of another one in its side
    nothing_inside,
    anything,  // cut at any price: the polygon crosses itself
};

// The bits of PolygonScratch::states.
constexpr std::uint8_t kGone = 1;
constexpr std::uint8_t kIsWaiting = 2;
constexpr std::uint8_t kIsDeferred = 4;  // its place in the queue is too early
constexpr std::uint8_t kInTree = 8;

// What the searches of a polygon may cost, per corner, until corners are cut at any price. Measured: 40 for
// 1,000 corners, 240 for 65,535. A scribble would take 5,000, for a picture that is no better.
constexpr std::uint64_t kWorkOfSimple = 1024;
constexpr std::uint64_t kWorkOfOthers = 128;

class EarCutter {
public:
    EarCutter(PolygonScratch& scratch, bool is_simple)
        : s_(scratch),
          count_(static_cast<std::uint32_t>(scratch.corners.size())),
          left_(count_),
          allowed_work_((is_simple ? kWorkOfSimple : kWorkOfOthers) * count_) {}

    // Returns whether it never cut at any price.
    bool cut() {
        link();
        plant();
        EarRule rule = EarRule::nothing_touches;
        bool is_exact = true;
        bool has_cut = false;  // by this rule
        bool is_exhausted = false;
        wait_all();
        while (left_ > 3) {
            if (!is_exhausted && work_ > allowed_work_) {
                is_exhausted = true;
                rule = EarRule::anything;
                wait_all();
            }
            if (waiting_count_ == 0) {  // nothing of what is left can be cut by this rule
                if (rule != EarRule::nothing_touches && has_cut && !is_exhausted) {
                    rule = EarRule::nothing_touches;
                } else if (rule == EarRule::anything) {
                    break;  // what is left has no area
                } else {
                    rule = static_cast<EarRule>(static_cast<int>(rule) + 1);
                }
                has_cut = false;
                wait_all();
            }
            const std::uint32_t corner = next_waiting();
            if (corner == count_ || !is_ear(corner, rule)) continue;
            add(corner);
            remove(corner);
            has_cut = true;
            if (rule != EarRule::anything) continue;
            is_exact = false;
            if (is_exhausted) continue;
            rule = EarRule::nothing_touches;  // one may be enough
            has_cut = false;
            wait_all();
        }
        if (left_ == 3) add(first_left());
        return is_exact;
    }

private:
    Vec at(std::uint32_t corner) const { return vec_of(s_.corners[corner]); }
    double turn(std::uint32_t corner) const {
        return doubled_area(at(s_.before[corner]), at(corner), at(s_.after[corner]));
    }

    void link() {
        s_.before.resize(count_);
        s_.after.resize(count_);
        for (std::uint32_t i = 0; i < count_; ++i) {
            s_.before[i] = i > 0 ? i - 1 : count_ - 1;
            s_.after[i] = i + 1 < count_ ? i + 1 : 0;
        }
        s_.states.assign(count_, 0);
        s_.waiting.resize(count_);
    }

    // If a corner is in a triangle, then one is that is not convex: only those are in the tree.
    void plant() {
        s_.reflex.clear();
        for (std::uint32_t i = 0; i < count_; ++i) {
            if (turn(i) > 0.0) continue;
            s_.reflex.push_back(i);
            s_.states[i] |= kInTree;
        }
        s_.tree.build(s_.corners, s_.reflex);
    }

    // -- the queue
    // -------------------------------------------------------------------------------------------------

    void wait(std::uint32_t corner) {
        if ((s_.states[corner] & kIsWaiting) != 0) {
            s_.states[corner] |= kIsDeferred;
            return;
        }
        s_.states[corner] |= kIsWaiting;
        const std::uint32_t place = first_waiting_ + waiting_count_;
        s_.waiting[place < count_ ? place : place - count_] = corner;
        ++waiting_count_;
    }
    void wait_all() {
        work_ += count_ / 4;
        for (std::uint32_t i = 0; i < count_; ++i) {
            if ((s_.states[i] & (kGone | kIsWaiting)) == 0) wait(i);
        }
    }
    // count_ if the first one is gone or moves to the end.
    std::uint32_t next_waiting() {
        const std::uint32_t corner = s_.waiting[first_waiting_];
        first_waiting_ = first_waiting_ + 1 < count_ ? first_waiting_ + 1 : 0;
        --waiting_count_;
        const std::uint8_t state = s_.states[corner];
        s_.states[corner] = static_cast<std::uint8_t>(state & ~(kIsWaiting | kIsDeferred));
        if ((state & kGone) != 0) return count_;
        if ((state & kIsDeferred) == 0) return corner;
        wait(corner);
        return count_;
    }
    std::uint32_t first_left() const {
        std::uint32_t corner = 0;
        while ((s_.states[corner] & kGone) != 0) ++corner;
        return corner;
    }

    // -- ears
    // ------------------------------------------------------------------------------------------------------

    bool is_ear(std::uint32_t corner, EarRule rule) {
        if (rule == EarRule::anything) return turn(corner) != 0.0;
        if (!(turn(corner) > 0.0)) return false;
        return !s_.tree.has_point_in(s_.corners[s_.before[corner]], s_.corners[corner],
                                     s_.corners[s_.after[corner]], rule == EarRule::nothing_touches, work_);
    }

    void add(std::uint32_t corner) {
        const double area = turn(corner);
        if (area == 0.0) return;
        const std::uint32_t before = s_.before[corner];
        const std::uint32_t after = s_.after[corner];
        s_.triangles.push_back(area > 0.0 ? before : after);
        s_.triangles.push_back(corner);
        s_.triangles.push_back(area > 0.0 ? after : before);
    }

    void remove(std::uint32_t corner) {
        const std::uint32_t before = s_.before[corner];
        const std::uint32_t after = s_.after[corner];
        s_.after[before] = after;
        s_.before[after] = before;
        s_.states[corner] |= kGone;
        --left_;
        take_from_tree(corner);
        // Deferred, so that ears are cut all around: halving the corners gives thicker triangles than a fan.
        for (const std::uint32_t neighbour : {after, before}) {
            if (turn(neighbour) > 0.0) take_from_tree(neighbour);
            wait(neighbour);
        }
    }
    void take_from_tree(std::uint32_t corner) {
        if ((s_.states[corner] & kInTree) == 0) return;
        s_.states[corner] = static_cast<std::uint8_t>(s_.states[corner] & ~kInTree);
        s_.tree.remove(corner);
    }

    PolygonScratch& s_;
    const std::uint32_t count_;
    std::uint32_t left_ = 0;  // corners that were not cut
    std::uint32_t first_waiting_ = 0;
    std::uint32_t waiting_count_ = 0;
    std::uint64_t work_ = 0;
    const std::uint64_t allowed_work_;
};

// Fills ring and corners.
void read_ring(std::span<const Point> points, PolygonScratch& scratch) {
    scratch.ring.clear();
    for (std::uint32_t i = 0; i < points.size(); ++i) {
        if (scratch.ring.empty() || points[i] != points[scratch.ring.back()]) scratch.ring.push_back(i);
    }
    while (scratch.ring.size() > 1 && points[scratch.ring.back()] == points[scratch.ring.front()]) {
        scratch.ring.pop_back();
    }
    double area = 0.0;
    const Vec origin = vec_of(points[scratch.ring.front()]);
    for (std::size_t i = 2; i < scratch.ring.size(); ++i) {
        area += doubled_area(origin, vec_of(points[scratch.ring[i - 1]]), vec_of(points[scratch.ring[i]]));
    }
    if (area < 0.0) std::ranges::reverse(scratch.ring);
    scratch.corners.clear();
    for (const std::uint32_t i : scratch.ring) scratch.corners.push_back(points[i]);
}

// Whether the corners turn to one side only, and once around: they go left and right once each.
bool is_convex(std::span<const Point> corners) {
    int reversals = 0;
    double direction = 0.0;
    double first_direction = 0.0;
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const Point a = corners[i];
        const Point b = corners[(i + 1) % corners.size()];
        const Point c = corners[(i + 2) % corners.size()];
        const double area = doubled_area(vec_of(a), vec_of(b), vec_of(c));
        const double onward = dot(vec_of(b) - vec_of(a), vec_of(c) - vec_of(b));
        if (area < 0.0 || (area == 0.0 && onward <= 0.0)) return false;
        const double step = double{b.x} - double{a.x};
        if (step == 0.0) continue;
        if (direction == 0.0) first_direction = step;
        reversals += direction * step < 0.0;
        direction = step;
    }
    reversals += direction * first_direction < 0.0;
    return reversals == 2;
}

void cut_fan(PolygonScratch& scratch) {
    const auto& corners = scratch.corners;
    for (std::uint32_t i = 2; i < corners.size(); ++i) {
        if (doubled_area(vec_of(corners[0]), vec_of(corners[i - 1]), vec_of(corners[i])) <= 0.0) continue;
        scratch.triangles.insert(scratch.triangles.end(), {0, i - 1, i});
    }
}

}  // namespace

bool triangulate_corners(std::span<const Point> points, PolygonScratch& scratch) {
    scratch.triangles.clear();
    scratch.corners.clear();
    if (points.size() < 3 || points.size() > kMaxPolygonPoints || !are_drawable(points)) return false;
    read_ring(points, scratch);
    if (scratch.corners.size() < 3) return false;
    if (is_convex(scratch.corners)) {
        cut_fan(scratch);
        return true;
    }
    const bool is_simple = is_simple_polygon(scratch.corners, scratch.sweep);
    const bool is_exact = EarCutter(scratch, is_simple).cut();
    return is_simple && is_exact;
}

bool triangulate(std::span<const Point> points, PolygonScratch& scratch,
                 std::vector<std::uint32_t>& indices) {
    const bool is_simple = triangulate_corners(points, scratch);
    for (const std::uint32_t corner : scratch.triangles) indices.push_back(scratch.ring[corner]);
    return is_simple;
}

}  // namespace perigee
