// LayerSet: some of the layers of a picture, as a text names them.
//
// Invariant: a layer is in it if a part of the text has it, or all parts begin with "!", and no part with "!"
// has it. An empty text has all layers. Not here: the names of layers, which the caller knows.
//
//   world hud 5 10..20     these layers          !icons !-3     all but these
#pragma once

#include "ecs/base/result.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perigee {

class LayerSet {
public:
    using NumberOf = std::function<std::optional<std::int16_t>(std::string_view name)>;
    using Suggestion = std::function<std::string(std::string_view name)>;

    /// Parts are separated by spaces or commas. Errors: a part is no name, no number of a layer and no range;
    /// the message ends with the suggestion for the part.
    static Result<LayerSet> parse(std::string_view text, const NumberOf& number_of,
                                  const Suggestion& suggestion = {});

    bool has(std::int16_t layer) const noexcept;
    bool has_all() const noexcept { return shown_.empty() && hidden_.empty(); }

private:
    struct Range {
        std::int16_t first = 0;
        std::int16_t last = 0;
    };
    std::vector<Range> shown_;  // empty: all
    std::vector<Range> hidden_;
};

}  // namespace perigee
