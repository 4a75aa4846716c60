// Making the value of a changed schema from one of the schema before: fields are carried by name.
//
// Invariant: what has no counterpart is the new schema's default; numbers that the new type cannot hold
// become the nearest one that it can; labels go by their words. All that does not come over as it was is
// counted as a loss, so that whoever changes the schema can refuse. A field that goes is no loss where it
// held its default. Ranges are not applied: they say what may be written, not what is there.
#pragma once

#include "ecs/entity.h"
#include "ecs/registry.h"
#include "ecs/result.h"
#include "ecs/text_pool.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace perigee::internal {

/// Values of one field that do not come over as they were.
struct FieldLoss {
    std::string change;     ///< "field 'hp' (u8) goes", "field 'hp' turns from f32 to u8"
    std::size_t count = 0;  ///< values
    std::string first;      ///< the first of them, as text
    Entity owner;           ///< whose it was; null when no entity's
};

class ValueCarry {
public:
    /// Expects: both descriptions and `texts` outlive this.
    ValueCarry(const ComponentInfo& from, const ComponentInfo& to, TextPool& texts);

    /// Writes the new value, pad bytes included. Errors: the pool of texts is full.
    Result<void> carry(const std::byte* before, std::byte* now, Entity owner);

    /// Every field that lost something.
    std::vector<FieldLoss> losses() const;

private:
    enum class Way : std::uint8_t { copy, number, label, labels, string, intern, spell, drop };
    struct Step {
        Way way;
        const Leaf* from;
        const Leaf* to;           ///< null: it goes
        std::vector<int> places;  ///< of labels: their new numbers, or -1
        FieldLoss loss;
    };

    Result<bool> apply(Step& step, const std::byte* before, std::byte* now);
    Step step_for(const Leaf& from) const;

    const ComponentInfo& from_;
    const ComponentInfo& to_;
    TextPool& texts_;
    std::vector<Step> steps_;
};

}  // namespace perigee::internal
