// One pass with the path to where it is.
#include "engine/base/json_place.h"

#include <span>
#include <string>
#include <utility>
#include <vector>

namespace perigee {

namespace {

class PlaceFinder {
public:
    PlaceFinder(std::string_view json, std::span<const std::string_view> paths)
        : json_(json), paths_(paths), found_(paths.size()) {}

    std::vector<int> find() {
        while (at_ < json_.size()) take();
        std::vector<int> lines;
        lines.reserve(found_.size());
        for (const Found& found : found_) lines.push_back(found.line);
        return lines;
    }

private:
    struct Container {
        bool is_list;
        bool awaits_element;   ///< of a list: the next value has not begun
        std::size_t index;     ///< of a list
        std::size_t own_size;  ///< of here_, without the key or index of what is inside
    };
    struct Found {
        std::size_t size = 0;  ///< of the path that leads there
        int line = 1;
    };

    void take() {
        const char c = json_[at_];
        if (c == '\n') ++line_;
        if (std::string_view(" \t\r\n:").find(c) == std::string_view::npos && c != ']' && c != ',')
            begin_element();
        if (c == '"') return take_text();
        if (c == '{' || c == '[') containers_.push_back({c == '[', c == '[', 0, here_.size()});
        if ((c == '}' || c == ']') && !containers_.empty()) {
            here_.resize(containers_.back().own_size);
            containers_.pop_back();
        }
        if (c == ',' && !containers_.empty() && containers_.back().is_list) {
            ++containers_.back().index;
            containers_.back().awaits_element = true;
        }
        ++at_;
    }

    void begin_element() {
        if (containers_.empty() || !std::exchange(containers_.back().awaits_element, false)) return;
        enter("[" + std::to_string(containers_.back().index) + "]");
    }

    // At a quote: a key when a colon follows.
    void take_text() {
        std::string text;
        for (++at_; at_ < json_.size() && json_[at_] != '"'; ++at_) {
            if (json_[at_] == '\\') ++at_;
            if (at_ < json_.size()) text += json_[at_];
        }
        ++at_;
        std::size_t after = at_;
        while (after < json_.size() &&
               std::string_view(" \t\r\n").find(json_[after]) != std::string_view::npos)
            ++after;
        const bool is_key = after < json_.size() && json_[after] == ':';
        if (!is_key || containers_.empty() || containers_.back().is_list) return;
        enter(containers_.back().own_size > 0 ? "." + text : text);
    }

    // What is inside of the innermost container begins here.
    void enter(const std::string& step) {
        here_.resize(containers_.back().own_size);
        here_ += step;
        for (std::size_t i = 0; i < paths_.size(); ++i) {
            const std::string_view path = paths_[i];
            if (here_.size() <= found_[i].size || !path.starts_with(here_)) continue;
            const bool is_whole =
                path.size() == here_.size() || path[here_.size()] == '.' || path[here_.size()] == '[';
            if (is_whole) found_[i] = {here_.size(), line_};
        }
    }

    std::string_view json_;
    std::span<const std::string_view> paths_;
    std::vector<Found> found_;
    std::size_t at_ = 0;
    int line_ = 1;
    std::vector<Container> containers_;  ///< around this place
    std::string here_;                   ///< the path to it
};

}  // namespace

std::vector<int> lines_of_paths(std::string_view json, std::span<const std::string_view> paths) {
    return PlaceFinder(json, paths).find();
}

int line_of_path(std::string_view json, std::string_view path) {
    return lines_of_paths(json, {&path, 1}).front();
}

}  // namespace perigee
