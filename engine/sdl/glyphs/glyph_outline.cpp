// Squared distances row by row, then column by column: each is the lower envelope of parabolas.
#include "engine/sdl/glyphs/glyph_outline.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace perigee {

namespace {

constexpr float kFar = 1e10F;

class Distances {
public:
    explicit Distances(std::size_t longest) : values_(longest), places_(longest), bounds_(longest + 1) {}

    // Of `count` values, `step` apart, in place.
    void transform(float* first, std::size_t step, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) values_[i] = first[i * step];
        std::size_t last = 0;
        places_[0] = 0;
        bounds_[0] = -kFar;
        bounds_[1] = kFar;
        for (std::size_t i = 1; i < count; ++i) {
            float meets = meeting(i, places_[last]);
            while (meets <= bounds_[last] && last > 0) meets = meeting(i, places_[--last]);
            if (meets <= bounds_[last]) {
                places_[last] = i;  // below the only one, everywhere
            } else {
                places_[++last] = i;
                bounds_[last] = meets;
            }
            bounds_[last + 1] = kFar;
        }
        std::size_t at = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const auto position = static_cast<float>(i);
            while (bounds_[at + 1] < position) ++at;
            const float apart = position - static_cast<float>(places_[at]);
            first[i * step] = apart * apart + values_[places_[at]];
        }
    }

private:
    // Where the parabolas over these two places meet.
    float meeting(std::size_t right, std::size_t left) const noexcept {
        const auto r = static_cast<float>(right), l = static_cast<float>(left);
        return ((values_[right] + r * r) - (values_[left] + l * l)) / (2.0F * (r - l));
    }

    std::vector<float> values_;
    std::vector<std::size_t> places_;
    std::vector<float> bounds_;
};

}  // namespace

GlyphBitmap spread_out(const GlyphBitmap& glyph, float pixels) {
    const int border = static_cast<int>(std::ceil(pixels)) + 1;
    GlyphBitmap outline;
    outline.width = glyph.width + 2 * border;
    outline.height = glyph.height + 2 * border;
    outline.left = glyph.left - border;
    outline.top = glyph.top - border;
    const auto width = static_cast<std::size_t>(outline.width),
               height = static_cast<std::size_t>(outline.height);
    std::vector<float> squares(width * height, kFar);
    for (int y = 0; y < glyph.height; ++y)
        for (int x = 0; x < glyph.width; ++x) {
            const float ink =
                glyph.coverage[static_cast<std::size_t>(y) * static_cast<std::size_t>(glyph.width) +
                               static_cast<std::size_t>(x)] /
                255.0F;
            if (ink <= 0.0F) continue;
            // The edge is about this far from the middle of a pixel that it crosses.
            const float outside = std::max(0.0F, 0.5F - ink);
            squares[static_cast<std::size_t>(y + border) * width + static_cast<std::size_t>(x + border)] =
                outside * outside;
        }
    Distances distances(std::max(width, height));
    for (std::size_t x = 0; x < width; ++x) distances.transform(&squares[x], width, height);
    for (std::size_t y = 0; y < height; ++y) distances.transform(&squares[y * width], 1, width);
    outline.coverage.reserve(width * height);
    for (const float square : squares) {
        const float ink = pixels + 0.5F - std::sqrt(square);
        outline.coverage.push_back(static_cast<std::uint8_t>(std::clamp(ink, 0.0F, 1.0F) * 255.0F + 0.5F));
    }
    return outline;
}

}  // namespace perigee
