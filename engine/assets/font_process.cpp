// Blocking calls with a deadline: an answer takes microseconds, or it does not come.
#include "engine/assets/font_process.h"

#include "engine/assets/internal/font_protocol.h"
#include "engine/base/error_codes.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <utility>

namespace perigee {

namespace {

namespace d = decoding;
namespace e = engine_errors;

constexpr std::int32_t kMaxUnits = 1 << 20;  // of any length

bool is_sane(std::int32_t units) noexcept { return units > -kMaxUnits && units < kMaxUnits; }

static_assert(sizeof(FontProcess::PositionedGlyph) == 20 && sizeof(char32_t) == 4);

}  // namespace

Result<FontProcess> FontProcess::begin(int socket, std::uint32_t max_milliseconds) {
    FontProcess process{socket, max_milliseconds};
    if (Result<void> read = process.read_facts(); !read) return read.error();
    return process;
}

FontProcess::~FontProcess() { close(); }

FontProcess::FontProcess(FontProcess&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)),
      max_milliseconds_(other.max_milliseconds_),
      facts_(std::move(other.facts_)) {}

FontProcess& FontProcess::operator=(FontProcess&& other) noexcept {
    std::swap(socket_, other.socket_);
    std::swap(max_milliseconds_, other.max_milliseconds_);
    std::swap(facts_, other.facts_);
    return *this;
}

void FontProcess::close() noexcept {
    if (socket_ >= 0) ::close(socket_);
    socket_ = -1;
}

bool FontProcess::receive(void* to, std::size_t bytes) {
    auto* at = static_cast<char*>(to);
    while (bytes > 0 && socket_ >= 0) {
        pollfd answer{socket_, POLLIN, 0};
        const int ready = ::poll(&answer, 1, static_cast<int>(max_milliseconds_));
        if (ready < 0 && errno == EINTR) continue;
        const ssize_t got = ready == 1 ? ::recv(socket_, at, bytes, MSG_DONTWAIT) : -1;
        if (got <= 0) {
            close();
            return false;
        }
        at += got;
        bytes -= static_cast<std::size_t>(got);
    }
    return socket_ >= 0;
}

bool FontProcess::send(const void* from, std::size_t bytes) {
    const auto* at = static_cast<const char*>(from);
    while (bytes > 0 && socket_ >= 0) {
        pollfd room{socket_, POLLOUT, 0};
        const int ready = ::poll(&room, 1, static_cast<int>(max_milliseconds_));
        if (ready < 0 && errno == EINTR) continue;
        const ssize_t sent = ready == 1 ? ::send(socket_, at, bytes, MSG_NOSIGNAL | MSG_DONTWAIT) : -1;
        if (sent <= 0) {
            close();
            return false;
        }
        at += sent;
        bytes -= static_cast<std::size_t>(sent);
    }
    return socket_ >= 0;
}

Result<void> FontProcess::read_facts() {
    d::FontHead head;
    if (!receive(&head, sizeof head) || head.magic != d::kFontMagic) return Error{e::kDecodingCrashed};
    if (head.units_per_em == 0) return Error{e::kNoFontFile};
    constexpr std::uint32_t kPairs = d::kKernedCharacters * d::kKernedCharacters;
    const bool is_good = head.units_per_em <= 65535 && is_sane(head.ascent) && is_sane(head.descent) &&
                         is_sane(head.line_gap) && head.character_count <= d::kMaxCharacters &&
                         (head.kerning_count == 0 || head.kerning_count == kPairs);
    std::vector<d::FontCharacter> characters(is_good ? head.character_count : 0);
    facts_.kerning.resize(is_good ? head.kerning_count : 0);
    if (!is_good || !receive(characters.data(), characters.size() * sizeof characters[0]) ||
        !receive(facts_.kerning.data(), facts_.kerning.size() * sizeof facts_.kerning[0]))
        return Error{e::kDecodingCrashed};
    facts_.units_per_em = head.units_per_em;
    facts_.ascent = head.ascent;
    facts_.descent = head.descent;
    facts_.line_gap = head.line_gap;
    facts_.is_sandboxed = head.is_sandboxed != 0;
    facts_.characters.reserve(characters.size());
    for (const d::FontCharacter& each : characters) {
        const bool is_rising = facts_.characters.empty() || each.code > facts_.characters.back().code;
        if (!is_rising || !is_sane(each.advance)) return Error{e::kDecodingCrashed};
        facts_.characters.push_back({each.code, each.glyph, std::max(each.advance, 0)});
    }
    return {};
}

FontProcess::Picture FontProcess::draw(std::uint32_t glyph, int pixel_size) {
    d::FontRequest request;
    request.ask = d::FontAsk::glyph;
    request.glyph = glyph;
    request.pixel_size = static_cast<std::uint32_t>(pixel_size);
    d::FontReply reply;
    if (!send(&request, sizeof request) || !receive(&reply, sizeof reply)) return {};
    constexpr auto kMaxSide = static_cast<std::int32_t>(d::kMaxGlyphSide);
    const bool is_good =
        reply.magic == d::kFontMagic && reply.width >= 0 && reply.width <= kMaxSide && reply.height >= 0 &&
        reply.height <= kMaxSide && std::abs(reply.left) <= kMaxSide && std::abs(reply.top) <= kMaxSide &&
        reply.bytes == static_cast<std::uint32_t>(reply.width) * static_cast<std::uint32_t>(reply.height);
    Picture picture{reply.width, reply.height, reply.left, reply.top};
    if (is_good) picture.coverage.resize(reply.bytes);
    if (!is_good || !receive(picture.coverage.data(), picture.coverage.size())) {
        close();
        return {};
    }
    return picture;
}

bool FontProcess::levels(std::span<const char32_t> text, std::vector<std::uint8_t>& levels) {
    if (text.empty() || text.size() > kMaxTextLength) return false;
    d::FontRequest request;
    request.ask = d::FontAsk::levels;
    request.text_length = static_cast<std::uint32_t>(text.size());
    d::FontReply reply;
    levels.resize(text.size());
    const bool is_good = send(&request, sizeof request) && send(text.data(), text.size_bytes()) &&
                         receive(&reply, sizeof reply) && reply.magic == d::kFontMagic &&
                         reply.bytes == levels.size() && receive(levels.data(), levels.size());
    if (!is_good) close();
    return is_good;
}

bool FontProcess::shape(std::span<const char32_t> text, std::size_t first, std::size_t count,
                        bool is_right_to_left, std::vector<PositionedGlyph>& glyphs) {
    if (count == 0 || text.size() > kMaxTextLength || first + count > text.size()) return false;
    d::FontRequest request;
    request.ask = d::FontAsk::shape;
    request.text_length = static_cast<std::uint32_t>(text.size());
    request.first = static_cast<std::uint32_t>(first);
    request.count = static_cast<std::uint32_t>(count);
    request.is_right_to_left = is_right_to_left ? 1 : 0;
    d::FontReply reply;
    bool is_good = send(&request, sizeof request) && send(text.data(), text.size_bytes()) &&
                   receive(&reply, sizeof reply) && reply.magic == d::kFontMagic &&
                   reply.bytes % sizeof glyphs[0] == 0 &&
                   reply.bytes / sizeof glyphs[0] <= 16 * kMaxTextLength;
    if (is_good) {
        glyphs.resize(reply.bytes / sizeof glyphs[0]);
        is_good = receive(glyphs.data(), reply.bytes);
    }
    for (const PositionedGlyph& each : glyphs)
        is_good = is_good && each.cluster >= first && each.cluster < first + count && is_sane(each.advance) &&
                  is_sane(each.dx) && is_sane(each.dy);
    if (!is_good) close();
    return is_good;
}

}  // namespace perigee
