// A strict reader of small XML documents: what it accepts, every XML parser accepts. No DTD, no CDATA, no
// comments; the five named entities.
#pragma once

#include <cctype>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace perigee::test {

struct XmlElement {
    std::string name;
    std::map<std::string, std::string> attributes;
    std::string text;  ///< directly inside it
    std::vector<XmlElement> children;

    /// Calls fn for this element and all inside it.
    void each(const std::function<void(const XmlElement&)>& fn) const {
        fn(*this);
        for (const XmlElement& child : children) child.each(fn);
    }
    /// Itself and the elements inside that have this name.
    std::vector<const XmlElement*> all(std::string_view wanted) const {
        std::vector<const XmlElement*> found;
        each([&](const XmlElement& one) {
            if (one.name == wanted) found.push_back(&one);
        });
        return found;
    }
};

/// Reads one document; throws std::runtime_error with the place of the first mistake.
class XmlReader {
public:
    explicit XmlReader(std::string_view text) : text_(text) {}

    XmlElement read() {
        space();
        XmlElement root = element();
        space();
        if (at_ != text_.size()) fail("something after the root");
        return root;
    }

private:
    [[noreturn]] void fail(const std::string& what) const {
        throw std::runtime_error(what + " at byte " + std::to_string(at_));
    }
    char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
    bool take(std::string_view word) {
        if (!text_.substr(at_).starts_with(word)) return false;
        at_ += word.size();
        return true;
    }
    void expect(std::string_view word) {
        if (!take(word)) fail("expected " + std::string(word));
    }
    void space() {
        while (peek() == ' ' || peek() == '\n') ++at_;
    }
    std::string word() {
        const std::size_t first = at_;
        while (std::isalnum(static_cast<unsigned char>(peek())) != 0 || peek() == '-') ++at_;
        if (at_ == first) fail("expected a name");
        return std::string(text_.substr(first, at_ - first));
    }
    // Up to `end`, which stays.
    std::string characters(char end) {
        std::string out;
        while (at_ < text_.size() && peek() != end) {
            const auto byte = static_cast<unsigned char>(peek());
            if (peek() == '<' || (byte < 0x20 && peek() != '\n')) fail("a character that must be escaped");
            if (peek() != '&') {
                out += text_[at_++];
            } else if (take("&amp;")) {
                out += '&';
            } else if (take("&lt;")) {
                out += '<';
            } else if (take("&gt;")) {
                out += '>';
            } else if (take("&quot;")) {
                out += '"';
            } else {
                fail("unknown entity");
            }
        }
        return out;
    }
    XmlElement element() {
        XmlElement result;
        expect("<");
        result.name = word();
        for (space(); peek() != '>' && peek() != '/'; space()) {
            const std::string key = word();
            expect("=\"");
            if (!result.attributes.emplace(key, characters('"')).second) fail("an attribute twice");
            expect("\"");
        }
        if (take("/>")) return result;
        for (expect(">"); !take("</");) {
            if (peek() == '<') {
                result.children.push_back(element());
            } else {
                result.text += characters('<');
            }
            if (at_ >= text_.size()) fail("the end inside " + result.name);
        }
        expect(result.name);
        expect(">");
        return result;
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

inline XmlElement xml_of(std::string_view text) { return XmlReader(text).read(); }

}  // namespace perigee::test
