// FontProcess: a font of a game, read in a confined process of its own (engine/decoding/font_server.h).
//
// Invariant: nothing of the file reaches this process but numbers within their limits. A process that ends,
// hangs or answers with nonsense is broken from then on, and every later answer is empty. Not here: fonts as
// games know them (engine/fonts).
#pragma once

#include "ecs/base/result.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace perigee {

class FontProcess {
public:
    /// Lengths are in units of the font.
    struct Character {
        char32_t code = 0;
        std::uint32_t glyph = 0;
        std::int32_t advance = 0;
    };
    struct Facts {
        std::uint32_t units_per_em = 0;
        std::int32_t ascent = 0;
        std::int32_t descent = 0;  ///< below the base line, positive
        std::int32_t line_gap = 0;
        std::vector<Character> characters{};  ///< by rising code
        std::vector<std::int16_t> kerning{};  ///< of pairs, see font_protocol.h; empty: none
        bool is_sandboxed = false;
    };
    /// Shape: width * height bytes, row by row; 255: all of the pixel is ink.
    struct Picture {
        int width = 0;
        int height = 0;
        int left = 0;  ///< from the pen to the left edge
        int top = 0;   ///< from the base line to the top edge, negative = above
        std::vector<std::uint8_t> coverage{};
    };
    struct PositionedGlyph {
        std::uint32_t glyph = 0;
        std::uint32_t cluster = 0;  ///< index of the character to which it belongs
        std::int32_t advance = 0;
        std::int32_t dx = 0;
        std::int32_t dy = 0;  ///< upwards
    };

    /// Takes the socket, and waits for what the process says about its font.
    /// Errors: it is no font, or the process has ended.
    static Result<FontProcess> begin(int socket, std::uint32_t max_milliseconds);
    ~FontProcess();
    FontProcess(FontProcess&& other) noexcept;
    FontProcess& operator=(FontProcess&& other) noexcept;

    const Facts& facts() const noexcept { return facts_; }
    bool is_broken() const noexcept { return socket_ < 0; }

    /// Cost: about 20 us and the time to draw it. Expects: pixel_size > 0.
    Picture draw(std::uint32_t glyph, int pixel_size);
    /// The level of each character by the Unicode bidirectional algorithm: odd is from right to left. False:
    /// there is no answer.
    bool levels(std::span<const char32_t> text, std::vector<std::uint8_t>& levels);
    /// The glyphs of a part of a text, from left to right. False: there is no answer.
    bool shape(std::span<const char32_t> text, std::size_t first, std::size_t count, bool is_right_to_left,
               std::vector<PositionedGlyph>& glyphs);

    static constexpr std::size_t kMaxTextLength = 16 * 1024;  ///< code points of a request

private:
    FontProcess(int socket, std::uint32_t max_milliseconds) noexcept
        : socket_(socket), max_milliseconds_(max_milliseconds) {}
    Result<void> read_facts();
    bool receive(void* to, std::size_t bytes);
    bool send(const void* from, std::size_t bytes);
    void close() noexcept;

    int socket_ = -1;
    std::uint32_t max_milliseconds_ = 0;
    Facts facts_;
};

}  // namespace perigee
