// One pass with a stack of keys.
#include "engine/json_place.h"

#include <string>
#include <vector>

namespace perigee {

namespace {

class KeyFinder {
public:
    KeyFinder(std::string_view json, std::string_view path) : json_(json), path_(path) {}

    int find() {
        while (at_ < json_.size()) {
            const char c = json_[at_];
            if (c == '\n') ++line_;
            if (c == '"') {
                take_text();
                continue;
            }
            if (c == '{') keys_.emplace_back();
            if (c == '}' && !keys_.empty()) keys_.pop_back();
            ++at_;
        }
        return best_line_;
    }

private:
    // At a quote: a key when a colon follows.
    void take_text() {
        std::string text;
        const int line = line_;
        for (++at_; at_ < json_.size() && json_[at_] != '"'; ++at_) {
            if (json_[at_] == '\\') ++at_;
            if (at_ < json_.size()) text += json_[at_];
        }
        ++at_;
        std::size_t after = at_;
        while (after < json_.size() &&
               std::string_view(" \t\r\n").find(json_[after]) != std::string_view::npos)
            ++after;
        if (after >= json_.size() || json_[after] != ':' || keys_.empty()) return;
        keys_.back() = std::move(text);
        note(line);
    }

    void note(int line) {
        std::string here;
        for (const std::string& key : keys_) here += (here.empty() ? "" : ".") + key;
        const bool leads_there = path_ == here || (path_.starts_with(here) && path_[here.size()] == '.');
        if (leads_there && here.size() > best_size_) {
            best_size_ = here.size();
            best_line_ = line;
        }
    }

    std::string_view json_;
    std::string_view path_;
    std::size_t at_ = 0;
    int line_ = 1;
    std::vector<std::string> keys_;  ///< of the objects around this place, the last one seen in each
    std::size_t best_size_ = 0;
    int best_line_ = 1;
};

}  // namespace

int line_of_key(std::string_view json, std::string_view path) { return KeyFinder(json, path).find(); }

int line_of_mistake(std::string_view json, std::string_view message) {
    for (std::size_t begin = message.find('\''); begin != message.npos;
         begin = message.find('\'', begin + 1)) {
        const std::size_t end = message.find('\'', begin + 1);
        if (end == message.npos) break;
        const int line = line_of_key(json, message.substr(begin + 1, end - begin - 1));
        if (line > 1) return line;
        begin = end;
    }
    return 1;
}

}  // namespace perigee
