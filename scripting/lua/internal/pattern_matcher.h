// Lua patterns with a step limit: the same matches, captures and messages as LuaJIT's string.find.
//
// Invariant: no call takes more steps than it was given, for any pattern, and the C stack has a bounded
// depth. A step is one character compared, about 2 ns; eight characters of a set are one step. Steps are
// charged before the work is done. Not here: the use of a match (pattern_api.h).
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace perigee::internal {

class PatternMatcher {
public:
    struct Capture {
        const char* begin;
        std::ptrdiff_t length;  ///< or kOpen, kPosition
    };
    struct Match {
        std::size_t begin;  ///< offsets into the subject
        std::size_t end;
    };
    static constexpr std::ptrdiff_t kOpen = -1;
    static constexpr std::ptrdiff_t kPosition = -2;

    /// Expects: `pattern` ends with a zero byte, as strings of Lua do; an earlier zero byte ends it. `stop`:
    /// when it becomes true, no steps are left. Null: never.
    PatternMatcher(std::string_view subject, const char* pattern, double steps,
                   const std::atomic<bool>* stop = nullptr) noexcept
        : subject_(subject), pattern_(pattern), steps_left_(steps), stop_(stop) {}

    /// The first match at or after `from`; with is_anchored only at `from`. A '^' is an ordinary character
    /// here.
    std::optional<Match> search(std::size_t from, bool is_anchored) noexcept;

    /// Why the last search found nothing, if not for lack of a match: an error in the pattern, or no steps
    /// left.
    const char* mistake() const noexcept { return mistake_; }
    bool is_out_of_steps() const noexcept { return is_out_of_steps_; }
    double steps_left() const noexcept { return steps_left_; }

    std::size_t capture_count() const noexcept { return level_; }
    const Capture& capture(std::size_t i) const noexcept { return captures_[i]; }

private:
    const char* match(const char* s, const char* p) noexcept;
    const char* match_here(const char* s, const char* p) noexcept;
    const char* match_single(const char* s, const char* p, bool& goes_on, const char*& next) noexcept;
    const char* expand(const char* s, const char* p, const char* behind) noexcept;
    const char* expand_little(const char* s, const char* p, const char* behind) noexcept;
    const char* open_capture(const char* s, const char* p, std::ptrdiff_t length) noexcept;
    const char* close_capture(const char* s, const char* p) noexcept;
    const char* balance(const char* s, const char* p) noexcept;
    const char* repeat_capture(const char* s, char digit) noexcept;
    bool is_frontier(const char* s, const char* set, const char* set_end) noexcept;
    const char* item_end(const char* p) noexcept;
    bool fits(const char* s, const char* p, const char* behind) noexcept;
    bool is_in(unsigned char letter, const char* set, const char* last) noexcept;
    bool take_steps(double count) noexcept;
    const char* refuse(const char* mistake) noexcept;
    const char* end() const noexcept { return subject_.data() + subject_.size(); }
    bool has_stopped() const noexcept { return mistake_ != nullptr || is_out_of_steps_; }

    std::string_view subject_;
    const char* pattern_;
    double steps_left_;
    const std::atomic<bool>* stop_;
    const char* mistake_ = nullptr;
    bool is_out_of_steps_ = false;
    int depth_ = 0;
    std::size_t level_ = 0;
    std::array<Capture, 32> captures_{};
};

}  // namespace perigee::internal
