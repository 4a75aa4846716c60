// Converts a value of an old schema to its changed schema: fields are carried over by name.
//
// Invariant: a field without a counterpart gets the new schema's default; a number that the new type cannot
// represent is clamped; labels are matched by name. Every value that changes in the process is counted as a
// loss, so that the caller can refuse the change. Removing a field that had its default value is no loss.
// Ranges are not applied: they restrict writing, not existing values.
#pragma once

#include "ecs/base/entity.h"
#include "ecs/base/result.h"
#include "ecs/schema/registry.h"
#include "ecs/schema/text_pool.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace perigee::internal {

/// Values of one field that are not carried over unchanged.
struct FieldLoss {
    std::string change;     ///< "field 'hp' (u8) goes", "field 'hp' turns from f32 to u8"
    std::size_t count = 0;  ///< values
    std::string first;      ///< the first of them, as text
    Entity owner;           ///< its entity; null if none
};

class ValueCarry {
public:
    /// Expects: both descriptions and `texts` must outlive this.
    ValueCarry(const ComponentInfo& from, const ComponentInfo& to, TextPool& texts);

    /// Writes the new value, pad bytes included. Errors: the text pool is full.
    Result<void> carry(const std::byte* before, std::byte* now, Entity owner);

    /// Every field that lost something.
    std::vector<FieldLoss> losses() const;

private:
    enum class Conversion : std::uint8_t { copy, number, label, labels, string, intern, spell, drop };
    struct Step {
        Conversion conversion;
        const Leaf* from;
        const Leaf* to;           ///< null: the field is removed
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
