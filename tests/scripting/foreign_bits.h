// Rows whose floats have any bits, with the same bits beside them as integers, and Lua code that
// compares both.
//
// What a script reads of a float must be the number that the integers spell, and a NaN where they spell one,
// whatever its payload. A value of another type must not come out of any bits.
#pragma once

#include "ecs/base/random.h"

#include <cstdint>

namespace perigee {

/// As `fields` of kForeignFields lays it out.
struct ForeignRow {
    std::uint32_t narrow = 0, narrow_bits = 0;
    std::uint64_t wide = 0;
    std::uint32_t low = 0, high = 0;
};
static_assert(sizeof(ForeignRow) == 24);

/// Nothing but floats, so that a column is one array. The bits are in the entity's TripleBits.
struct TripleRow {
    std::uint32_t x = 0, y = 0, z = 0;
};

/// Every third number is one that forges a value where its bits are not looked at.
class ForeignBits {
public:
    explicit ForeignBits(std::uint64_t seed) : random_(seed) {}

    std::uint32_t narrow() {
        const auto bits = static_cast<std::uint32_t>(random_.next());
        switch (random_.next() % 6) {
            case 0:
                return bits | 0xFF800000;
            case 1:
                return (bits & 0x807FFFFF) | 0x7F800000;
            case 2:
                return bits & 0xFF800000;
            default:
                return bits;
        }
    }
    std::uint64_t wide() {
        const std::uint64_t bits = random_.next();
        switch (random_.next() % 6) {
            case 0:
                return bits | 0xFFF8000000000000;
            case 1:
                return 0xFFF4000041414141 + ((bits & 0xFF) << 46U);
            case 2:
                return bits & 0xFFF0000000000000;
            default:
                return bits;
        }
    }
    ForeignRow row() {
        ForeignRow row{narrow(), 0, wide(), 0, 0};
        row.narrow_bits = row.narrow;
        row.low = static_cast<std::uint32_t>(row.wide);
        row.high = static_cast<std::uint32_t>(row.wide >> 32U);
        return row;
    }
    TripleRow triple() { return {narrow(), narrow(), narrow()}; }

private:
    Random random_;
};

/// Globals for schema.lua: `fields`, and three types of nothing but floats and nothing but their bits.
inline constexpr const char* kForeignFields = R"(local ecs = require "ecs"
function fields(kind)
  return { kind = kind, { "narrow", "f32" }, { "narrow_bits", "u32" }, { "wide", "f64" }, { "low", "u32" },
    { "high", "u32" } }
end
ecs.component("Triple", { { "x", "f32" }, { "y", "f32" }, { "z", "f32" } })
ecs.component("TripleBits", { { "x", "u32" }, { "y", "u32" }, { "z", "u32" } })
)";

/// Globals for main.lua: `check_narrow(value, bits)`, `check_wide(value, low, high)`, `check_row(row)`, which
/// count in `checked` and `nans`.
inline constexpr const char* kForeignChecks = R"(local ecs = require "ecs"
local C = ecs.components
checked, nans = 0, 0
local function check(value, is_nan, expected)
  checked = checked + 1
  if type(value) ~= "number" then error("a " .. type(value) .. " came out") end
  if type(-value) ~= "number" or type(value + 1) ~= "number" then error("arithmetic gives something else") end
  if is_nan then
    nans = nans + 1
    if value == value then error("a NaN reads as " .. value) end
    return
  end
  if value ~= expected or 1 / value ~= 1 / expected then error(expected .. " reads as " .. value) end
end
local function spelled(sign, exponent, fraction, bias, unit)
  if exponent == 2 * bias + 1 then return fraction ~= 0, sign / 0 end
  if exponent == 0 then return false, sign * (fraction * unit * 2 ^ (1 - bias)) end
  return false, sign * ((1 + fraction * unit) * 2 ^ (exponent - bias))
end
local floor = math.floor
function check_narrow(value, bits)
  local sign = bits >= 2 ^ 31 and -1 or 1
  check(value, spelled(sign, floor(bits / 2 ^ 23) % 256, bits % 2 ^ 23, 127, 2 ^ -23))
end
function check_wide(value, low, high)
  local sign = high >= 2 ^ 31 and -1 or 1
  check(value, spelled(sign, floor(high / 2 ^ 20) % 2048, high % 2 ^ 20 * 2 ^ 32 + low, 1023, 2 ^ -52))
end
function check_row(row)
  check_narrow(row.narrow, row.narrow_bits)
  check_wide(row.wide, row.low, row.high)
end
function check_columns(columns, count)
  local narrow, narrow_bits, wide, low, high = columns.narrow, columns.narrow_bits, columns.wide, columns.low,
    columns.high
  for i = 1, count do
    check_narrow(narrow[i], narrow_bits[i])
    check_wide(wide[i], low[i], high[i])
  end
  for i = 1, count do check_row(columns[i]) end
end
)";

}  // namespace perigee
