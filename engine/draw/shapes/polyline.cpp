// A line is a strip of quads from one cross-section to the next. At a corner, the inner rails of both
// segments meet in one point, and the gap on the outer side is filled by the join:
//
//           outer
//        A0 ----- A1           I = P + inner normal * r - direction * r * tan(turn / 2)
//       /  \ join / \          A0, A1: at r from P, square to the segment before and after
//      /    \ P  /   \         .
//     /      \  /     \        Where a segment is too short for I, a sharp corner lets both segments overlap;
//     a gentle
//              I               one takes the largest r that fits, which makes a thick tight curve one disc.
//           inner
#include "engine/draw/shapes/polyline.h"

#include "engine/draw/shapes/internal/mesh_writer.h"
#include "engine/draw/shapes/internal/vec.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace perigee {
namespace {

constexpr double kSharpCosine = 0.5;  // of 60 degrees
constexpr double kMaxTangent = 1e9;
constexpr double kMaxArcSteps = 128;  // of half a circle

struct Segment {
    Vec from;
    Vec direction;
    double length = 0.0;

    Vec normal() const { return left_of(direction); }
    Vec at(double along) const { return from + direction * along; }
};

// A corner, as far as it is known before its neighbours are.
struct Turn {
    double side = 0.0;     // +1: the inner side is the left one; -1: the right one; 0: an end, which has both
    double cosine = 1.0;   // of the angle by which the direction turns
    double tangent = 0.0;  // of half of it
    double need = 0.0;     // how much of each segment the inner point takes
    bool is_overlapping = false;
};

// From left to right: edge, core, core, edge.
struct Section {
    Vec at[4];
};

// Where a segment begins or ends.
struct SegmentEnd {
    Section section;
    double reach = 0.0;  // how far the section lies inside of the segment
    double full = 0.0;   // where the full width begins, if the section is narrower
};

Turn turn_between(const Segment& before, const Segment& after, double radius) {
    Turn turn;
    const double sine = cross(before.direction, after.direction);
    turn.cosine = std::clamp(dot(before.direction, after.direction), -1.0, 1.0);
    turn.side = sine < 0.0 ? -1.0 : 1.0;
    turn.tangent = std::min(std::abs(sine) / std::max(1.0 + turn.cosine, 1e-12), kMaxTangent);
    if (turn.cosine < -0.999'999) turn.tangent = kMaxTangent;
    turn.need = radius * turn.tangent;
    if (turn.cosine < kSharpCosine && turn.need > std::min(before.length, after.length)) {
        turn.is_overlapping = true;
        turn.need = 0.0;
    }
    return turn;
}

// How much of a segment a turn may take.
double room_for(const Turn& own, const Turn& other, double length) {
    if (other.side != 0.0 && other.side != own.side) return length;
    const double both = own.need + other.need;
    return both <= length ? length - other.need : length * own.need / both;
}

class Stroker {
public:
    Stroker(const PolylineStyle& style, std::vector<MeshPoint>& out) : style_(style), out_(out) {
        const double width = style.width;
        fringe_ = is_drawable(style.fringe) ? std::max(0.0, double{style.fringe}) : 0.0;
        half_ = std::max(width, fringe_) / 2.0;
        core_ = half_ - fringe_ / 2.0;
        outer_ = half_ + fringe_ / 2.0;
        color_ = width < fringe_ ? faded(style.color, width / fringe_) : style.color;
        edge_color_ = color_ & 0x00FF'FFFFU;
        tolerance_ = style.tolerance > 0.0F && is_drawable(style.tolerance) ? style.tolerance : 0.25;
        const double cosine = std::max(1.0 - tolerance_ / outer_, 0.0);
        arc_step_ = std::max(2.0 * std::acos(cosine), std::numbers::pi / kMaxArcSteps);
        miter_limit_ = style.miter_limit >= 1.0F ? double{style.miter_limit} : 1.0;
    }

    void draw(std::span<const Point> points) {
        points_ = points;
        std::size_t count = 1;  // of the points that count
        std::size_t last = 0;   // the last of them, and the one before
        std::size_t before_last = 0;
        std::size_t previous = 0;
        for (std::size_t i = next_distinct(0); i < points_.size(); i = next_distinct(i)) {
            ++count;
            if (!style_.is_closed || is_distinct(i, 0)) {
                last = i;
                before_last = previous;
                distinct_ = count;
            }
            previous = i;
        }
        if (distinct_ == 1) {
            draw_dot();
        } else if (style_.is_closed && distinct_ >= 3) {
            draw_closed(before_last, last);
        } else {
            draw_open();
        }
    }

private:
    // -- points
    // ----------------------------------------------------------------------------------------------------

    bool is_distinct(std::size_t i, std::size_t j) const {
        return length(vec_of(points_[i]) - vec_of(points_[j])) > tolerance_ / 16.0;
    }
    std::size_t next_distinct(std::size_t i) const {
        std::size_t next = i + 1;
        while (next < points_.size() && !is_distinct(next, i)) ++next;
        return next;
    }
    Segment segment(std::size_t from, std::size_t to) const {
        const Vec along = vec_of(points_[to]) - vec_of(points_[from]);
        const double whole = length(along);
        return {vec_of(points_[from]), along * (1.0 / whole), whole};
    }

    // -- walks
    // -----------------------------------------------------------------------------------------------------

    void draw_dot() {
        const Segment none{vec_of(points_[0]), {1.0, 0.0}, 0.0};
        if (style_.cap == LineCap::butt) return;
        strip(cap(none, true).section, cap(none, false).section);
    }

    void draw_open() {
        std::size_t to = next_distinct(0);
        before_ = segment(0, to);
        start_ = cap(before_, true);
        turn_before_ = end_turn(start_);
        if (distinct_ > 2) {
            const std::size_t second = next_distinct(to);
            after_ = segment(to, second);
            to = second;
            turn_ = turn_between(before_, after_, outer_);
            for (std::size_t i = 3; i < distinct_; ++i) {
                const std::size_t next = next_distinct(to);
                step(segment(to, next), true, true);
                to = next;
            }
            const SegmentEnd end = cap(after_, false);
            SegmentEnd begin;
            draw_segment(before_, start_, join(end_turn(end), begin, true));
            draw_segment(after_, begin, end);
        } else {
            draw_segment(before_, start_, cap(before_, false));
        }
    }

    void draw_closed(std::size_t before_last, std::size_t last) {
        std::size_t to = next_distinct(0);
        const Segment first = segment(0, to);
        const Segment closing = segment(last, 0);
        turn_before_ = turn_between(segment(before_last, last), closing, outer_);
        before_ = closing;
        after_ = first;
        turn_ = turn_between(before_, after_, outer_);
        const std::size_t second = next_distinct(to);
        for (std::size_t i = 2; i < distinct_;
             ++i) {  // the join at the first point comes first, and draws no segment
            const std::size_t next = next_distinct(to);
            step(segment(to, next), i > 2, true);
            to = next;
        }
        step(closing, true, true);
        step(first, true, true);
        // Again the join at the first point, for the end of the closing segment; it is drawn already.
        step(segment(next_distinct(0), second), true, false);
    }

    // Takes one more segment: the join before the last one can be made now.
    void step(const Segment& next, bool draws_segment, bool draws_join) {
        const Turn turn_after = turn_between(after_, next, outer_);
        SegmentEnd begin;
        const SegmentEnd end = join(turn_after, begin, draws_join);
        if (draws_segment) draw_segment(before_, start_, end);
        start_ = begin;
        before_ = after_;
        after_ = next;
        turn_before_ = turn_;
        turn_ = turn_after;
    }

    static Turn end_turn(const SegmentEnd& end) {
        Turn turn;
        turn.need = end.reach;
        return turn;
    }

    // -- joins
    // -----------------------------------------------------------------------------------------------------

    // Between before_ and after_. Returns the end of the one, and sets the beginning of the other.
    SegmentEnd join(const Turn& turn_after, SegmentEnd& begin, bool draws) {
        const Vec at = after_.from;
        const Vec inward_before = before_.normal() * turn_.side;
        const Vec inward_after = after_.normal() * turn_.side;
        const double room = std::min(room_for(turn_, turn_before_, before_.length),
                                     room_for(turn_, turn_after, after_.length));
        const bool is_tight = turn_.need > room * (1.0 + 1e-9);
        const bool is_overlapping = turn_.is_overlapping || (is_tight && turn_.cosine < kSharpCosine);
        const double inner = is_tight ? room / turn_.tangent : outer_;

        SegmentEnd end;
        Vec pivot = at;  // where the triangles of the join meet
        Vec inner_before[2];
        Vec inner_after[2];
        const double radii[] = {outer_, core_};
        for (int i = 0; i < 2; ++i) {
            if (is_overlapping) {
                inner_before[i] = at + inward_before * radii[i];
                inner_after[i] = at + inward_after * radii[i];
            } else {
                const double radius = std::min(radii[i], inner);
                const double back = radius * turn_.tangent;
                inner_before[i] = inner_after[i] = at + inward_before * radius - before_.direction * back;
                if (i == 1) pivot = inner_before[i];
            }
        }
        if (!is_overlapping) {
            end.reach = begin.reach = std::min(inner, outer_) * turn_.tangent;
            if (is_tight) end.full = begin.full = turn_.need;
        }

        Vec outer_before[2];
        Vec outer_after[2];
        const double half_cosine = std::sqrt((1.0 + turn_.cosine) / 2.0);
        const bool is_smooth = outer_ * (1.0 - half_cosine) <= tolerance_ / 4.0 * half_cosine;
        if (is_smooth || (style_.join == LineJoin::miter && miter_limit_ * half_cosine >= 1.0)) {
            for (int i = 0; i < 2; ++i) {  // leaves no gap
                outer_before[i] = outer_after[i] =
                    at - inward_before * radii[i] + before_.direction * (radii[i] * turn_.tangent);
            }
        } else if (style_.join == LineJoin::round) {
            for (int i = 0; i < 2; ++i) {
                outer_before[i] = at - inward_before * radii[i];
                outer_after[i] = at - inward_after * radii[i];
            }
            if (draws) fill_round(at, pivot, -inward_before, -inward_after);
        } else {
            // The edge of the bevel is as soft as that of the segments.
            const Vec sum =
                turn_.cosine > 0.0 ? -(inward_before + inward_after) : before_.direction - after_.direction;
            const Vec outward = sum * (1.0 / length(sum));
            const double soft = fringe_ / (1.0 - dot(inward_before, outward));
            outer_before[1] = at - inward_before * core_;
            outer_after[1] = at - inward_after * core_;
            outer_before[0] = outer_before[1] + (outward - inward_before) * soft;
            outer_after[0] = outer_after[1] + (outward - inward_after) * soft;
            if (draws) fill_bevel(pivot, outer_before, outer_after);
        }

        end.section = section(inner_before, outer_before);
        begin.section = section(inner_after, outer_after);
        return end;
    }

    void fill_bevel(Vec pivot, const Vec (&before)[2], const Vec (&after)[2]) {
        add_core(pivot, before[1], after[1]);
        add_soft(before[1], before[0], after[0], after[1]);
    }

    // A pie, whose arc is that of a circle about `at` and whose tip is `pivot`, with its soft edge.
    void fill_round(Vec at, Vec pivot, Vec from, Vec to) {
        const double angle = std::atan2(std::abs(cross(from, to)), dot(from, to)) * turn_.side;
        fill_arc(at, pivot, from, to, angle);
    }

    void fill_arc(Vec at, Vec pivot, Vec from, Vec to, double angle) {
        const int steps = std::max(1, static_cast<int>(std::ceil(std::abs(angle) / arc_step_)));
        const double cosine = std::cos(angle / steps);
        const double sine = std::sin(angle / steps);
        Vec last = from;
        for (int i = 1; i <= steps; ++i) {
            const Vec next = i == steps ? to : last * cosine + left_of(last) * sine;
            add_core(pivot, at + last * core_, at + next * core_);
            add_soft(at + last * core_, at + last * outer_, at + next * outer_, at + next * core_);
            last = next;
        }
    }

    Section section(const Vec (&inner)[2], const Vec (&outer)[2]) const {
        return turn_.side > 0.0 ? Section{{inner[0], inner[1], outer[1], outer[0]}}
                                : Section{{outer[0], outer[1], inner[1], inner[0]}};
    }

    // -- caps
    // ------------------------------------------------------------------------------------------------------

    SegmentEnd cap(const Segment& of, bool is_start) {
        const Vec at = is_start ? of.from : of.at(of.length);
        const Vec out = is_start ? -of.direction : of.direction;
        SegmentEnd end;
        if (style_.cap == LineCap::round) {
            end.section = across(at, of.normal());
            const Vec from = of.normal();
            fill_arc(at, at, from, -from, is_start ? std::numbers::pi : -std::numbers::pi);
            return end;
        }
        const double base = style_.cap == LineCap::square ? half_ : 0.0;
        const double inset = std::min(fringe_ / 2.0, base + of.length / 4.0);
        end.reach = std::max(0.0, inset - base);
        end.section = across(at + out * (base - inset), of.normal());
        if (fringe_ > 0.0) {
            const Section tip = across(at + out * (base + fringe_ / 2.0), of.normal());
            const Vec(&near)[4] = end.section.at;
            add_soft(near[1], tip.at[1], tip.at[2], near[2]);
            add_soft_corner(near[1], near[0], tip.at[0], tip.at[1]);
            add_soft_corner(near[2], near[3], tip.at[3], tip.at[2]);
        }
        return end;
    }

    Section across(Vec at, Vec normal) const {
        return {{at + normal * outer_, at + normal * core_, at - normal * core_, at - normal * outer_}};
    }

    // -- triangles
    // -------------------------------------------------------------------------------------------------

    void draw_segment(const Segment& along, const SegmentEnd& start, const SegmentEnd& end) {
        const double reach_start = std::max(start.reach, start.full);
        const double reach_end = std::max(end.reach, end.full);
        Section last = start.section;
        if (reach_start + reach_end <= along.length) {
            const auto widen = [&](double at) {
                const Section full = across(along.at(at), along.normal());
                strip(last, full);
                last = full;
            };
            if (start.full > 0.0) widen(start.full);
            if (end.full > 0.0) widen(along.length - end.full);
        }
        strip(last, end.section);
    }

    void strip(const Section& a, const Section& b) {
        add_soft(a.at[1], a.at[0], b.at[0], b.at[1]);
        if (core_ > 0.0) {
            add_quad({a.at[1], color_}, {a.at[2], color_}, {b.at[2], color_}, {b.at[1], color_},
                     Backward::turn_around, out_);
        }
        add_soft(a.at[2], a.at[3], b.at[3], b.at[2]);
    }

    void add_core(Vec a, Vec b, Vec c) {
        if (core_ > 0.0) add_triangle({a, color_}, {b, color_}, {c, color_}, Backward::turn_around, out_);
    }
    // Full at the ends, transparent in the middle.
    void add_soft(Vec core_a, Vec edge_a, Vec edge_b, Vec core_b) {
        if (fringe_ <= 0.0) return;
        add_quad({core_a, color_}, {edge_a, edge_color_}, {edge_b, edge_color_}, {core_b, color_},
                 Backward::turn_around, out_);
    }
    // Full at the first point, transparent at the others.
    void add_soft_corner(Vec core, Vec a, Vec tip, Vec b) {
        add_quad({core, color_}, {a, edge_color_}, {tip, edge_color_}, {b, edge_color_},
                 Backward::turn_around, out_);
    }

    const PolylineStyle& style_;
    std::vector<MeshPoint>& out_;
    std::span<const Point> points_;
    std::size_t distinct_ = 1;

    double fringe_ = 0.0;
    double half_ = 0.0;   // of the width
    double core_ = 0.0;   // from the middle to where the opacity begins to fall
    double outer_ = 0.0;  // from the middle to where it is 0
    double tolerance_ = 0.25;
    double arc_step_ = 0.1;
    double miter_limit_ = 10.0;
    std::uint32_t color_ = 0;
    std::uint32_t edge_color_ = 0;

    // Two segments, and the turns at the beginning of each; where the first one starts.
    Segment before_;
    Segment after_;
    Turn turn_before_;
    Turn turn_;
    SegmentEnd start_;
};

}  // namespace

void add_polyline(std::span<const Point> points, const PolylineStyle& style, std::vector<MeshPoint>& out) {
    if (points.empty() || !(style.width > 0.0F) || !is_drawable(style.width) || !are_drawable(points)) return;
    Stroker(style, out).draw(points);
}

}  // namespace perigee
