// Reads the JSON that Aseprite exports beside a sprite sheet: the frames in the image, how long each is
// shown, and the tags.
//
// Both forms of the export are read, "Array" and "Hash" (--format json-array and json-hash of its command
// line, https://www.aseprite.org/docs/cli/). Invariant: any text gives a sheet or an error. Not here: the
// image, and what becomes of the tags (engine/modules/gfx_animation.h).
#pragma once

#include "ecs/base/result.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace perigee {

struct AsepriteSheet {
    struct Frame {
        std::uint16_t x = 0, y = 0, width = 0, height = 0;
        float seconds = 0.0F;
    };
    struct Tag {
        std::string name;
        std::vector<std::uint16_t> frames;  ///< in the order in which the tag shows them, one way
        bool returns = false;               ///< shows its inner frames again on the way back
        std::uint32_t times = 0;            ///< one way, or back, is once; 0: for ever
    };
    std::string image;  ///< as the file names it
    std::vector<Frame> frames;
    std::vector<Tag> tags;
};

inline constexpr std::size_t kMaxAsepriteBytes = std::size_t{4} << 20U;

/// `name`: of the file, for messages. Errors: not JSON, other JSON, trimmed frames, a tag of frames that do
/// not exist.
Result<AsepriteSheet> read_aseprite(std::string_view json, std::string_view name);

}  // namespace perigee
