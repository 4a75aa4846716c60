// Conversion has one step per leaf of the old schema.
#include "ecs/migrate/internal/value_carry.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string_view>

namespace perigee::internal {

namespace {

// ---- numbers ----

/// Any number of a row: whole with sign and magnitude, or real.
struct Number {
    bool is_real = false;
    bool is_negative = false;
    std::uint64_t magnitude = 0;
    double real = 0;
};

bool is_number(FieldType type) noexcept { return type <= FieldType::f64; }
bool is_signed(FieldType type) noexcept {
    return type == FieldType::i8 || type == FieldType::i16 || type == FieldType::i32 ||
           type == FieldType::i64;
}
bool holds_reals(FieldType type) noexcept { return type == FieldType::f32 || type == FieldType::f64; }

std::uint64_t raw_bits(const std::byte* at, std::uint32_t size) noexcept {
    std::uint64_t bits = 0;
    std::memcpy(&bits, at, size);
    return bits;
}

Number number_at(FieldType type, const std::byte* at) noexcept {
    Number number;
    if (type == FieldType::f64) {
        number.is_real = true;
        std::memcpy(&number.real, at, sizeof number.real);
    } else if (type == FieldType::f32) {
        float single = 0;
        std::memcpy(&single, at, sizeof single);
        number.is_real = true;
        number.real = static_cast<double>(single);
    } else {
        const std::uint32_t size = field_type_info(type).size, shift = 64 - 8 * size;
        number.magnitude = raw_bits(at, size);
        if (is_signed(type)) {
            const std::int64_t whole = static_cast<std::int64_t>(number.magnitude << shift) >> shift;
            number.is_negative = whole < 0;
            number.magnitude = number.is_negative ? 0 - static_cast<std::uint64_t>(whole)
                                                  : static_cast<std::uint64_t>(whole);
        }
    }
    return number;
}

/// Largest magnitude of an integer type on one side of zero.
std::uint64_t max_magnitude(FieldType type, bool is_negative) noexcept {
    if (type == FieldType::boolean) return is_negative ? 0 : 1;
    const std::uint32_t bits = 8 * field_type_info(type).size;
    if (is_signed(type)) return (std::uint64_t{1} << (bits - 1)) - (is_negative ? 0 : 1);
    return is_negative ? 0 : std::numeric_limits<std::uint64_t>::max() >> (64 - bits);
}

// True if the type represents the number exactly.
bool put_whole(FieldType type, const Number& number, std::byte* at) noexcept {
    Number whole = number;
    bool is_same = true;
    if (number.is_real) {
        const double cut = std::trunc(number.real);
        is_same = cut == number.real;
        whole.is_negative = cut < 0;
        const double magnitude = std::fabs(cut);
        if (std::isnan(cut)) {
            whole.magnitude = 0;
        } else {
            const bool fits = magnitude < 18446744073709551616.0;
            whole.magnitude =
                fits ? static_cast<std::uint64_t>(magnitude) : std::numeric_limits<std::uint64_t>::max();
            is_same = is_same && fits;
        }
    }
    const std::uint64_t limit = max_magnitude(type, whole.is_negative);
    is_same = is_same && whole.magnitude <= limit;
    const std::uint64_t magnitude = std::min(whole.magnitude, limit);
    const std::uint64_t bits = whole.is_negative ? 0 - magnitude : magnitude;
    std::memcpy(at, &bits, field_type_info(type).size);
    return is_same;
}

// Rounding a real number is no loss; rounding an integer is one.
bool put_real(FieldType type, const Number& number, std::byte* at) noexcept {
    double real = number.real;
    bool is_same = true;
    if (!number.is_real) {
        real = static_cast<double>(number.magnitude);
        is_same = real < 18446744073709551616.0 && static_cast<std::uint64_t>(real) == number.magnitude;
        if (number.is_negative) real = -real;
    }
    if (type == FieldType::f64) {
        std::memcpy(at, &real, sizeof real);
        return is_same;
    }
    constexpr double kLargest = static_cast<double>(std::numeric_limits<float>::max());
    float single = 0;
    if (std::isfinite(real) && std::fabs(real) > kLargest) {
        single = std::copysign(std::numeric_limits<float>::max(), real < 0 ? -1.0F : 1.0F);
        is_same = false;
    } else {
        single = static_cast<float>(real);
        is_same = is_same && (number.is_real || static_cast<double>(single) == real);
    }
    std::memcpy(at, &single, sizeof single);
    return is_same;
}

bool put_number(FieldType type, const Number& number, std::byte* at) noexcept {
    return holds_reals(type) ? put_real(type, number, at) : put_whole(type, number, at);
}

// ---- labels and texts ----

std::string type_word(const Leaf& leaf) {
    const std::string_view name = field_type_info(leaf.type).name;
    return leaf.type == FieldType::string ? fmt::format("{}({})", name, leaf.size) : std::string(name);
}

std::string_view string_at(const Leaf& leaf, const std::byte* value) noexcept {
    const auto* const text = reinterpret_cast<const char*>(value + leaf.offset);
    return {text, ::strnlen(text, leaf.size)};
}

std::string text_of(const Leaf& leaf, const std::byte* value, const TextPool& texts) {
    const std::byte* const at = value + leaf.offset;
    if (leaf.type == FieldType::string) return fmt::format("'{}'", string_at(leaf, value));
    if (leaf.type == FieldType::text)
        return fmt::format("'{}'", texts.text({static_cast<std::uint32_t>(raw_bits(at, leaf.size))}));
    if (leaf.type == FieldType::enumeration) {
        const std::uint64_t label = raw_bits(at, leaf.size);
        const std::vector<std::string>& labels = leaf.field->labels;
        if (label < labels.size()) return fmt::format("'{}'", labels[static_cast<std::size_t>(label)]);
    }
    if (!is_number(leaf.type)) return fmt::format("{}", raw_bits(at, leaf.size));
    const Number number = number_at(leaf.type, at);
    if (number.is_real) return fmt::format("{}", number.real);
    return fmt::format("{}{}", number.is_negative ? "-" : "", number.magnitude);
}

std::vector<int> label_places(const std::vector<std::string>& from, const std::vector<std::string>& to) {
    std::vector<int> places;
    for (const std::string& label : from) {
        const auto found = std::find(to.begin(), to.end(), label);
        places.push_back(found == to.end() ? -1 : static_cast<int>(found - to.begin()));
    }
    return places;
}

// Longer texts are truncated at a whole character.
std::string_view cut_to(std::string_view text, std::size_t max_bytes) noexcept {
    if (text.size() <= max_bytes) return text;
    std::size_t size = max_bytes;
    while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) --size;
    return text.substr(0, size);
}

bool put_string(const Leaf& leaf, std::string_view text, std::byte* value) noexcept {
    const std::string_view kept = cut_to(text, leaf.size);
    std::memset(value + leaf.offset, 0, leaf.size);
    kept.copy(reinterpret_cast<char*>(value) + leaf.offset, kept.size());
    return kept.size() == text.size();
}

}  // namespace

ValueCarry::ValueCarry(const ComponentInfo& from, const ComponentInfo& to, TextPool& texts)
    : from_(from), to_(to), texts_(texts) {
    for (const Leaf& leaf : from.leaves) steps_.push_back(step_for(leaf));
}

ValueCarry::Step ValueCarry::step_for(const Leaf& from) const {
    const auto found = std::find_if(to_.leaves.begin(), to_.leaves.end(),
                                    [&](const Leaf& leaf) { return leaf.path == from.path; });
    Step step{Conversion::drop, &from, found == to_.leaves.end() ? nullptr : &*found, {}, {}};
    if (step.to == nullptr) {
        step.loss.change = fmt::format("field '{}' ({}) goes", from.path, type_word(from));
        return step;
    }
    const Leaf& to = *step.to;
    step.loss.change =
        fmt::format("field '{}' turns from {} to {}", from.path, type_word(from), type_word(to));
    using enum FieldType;
    if (is_number(from.type) && is_number(to.type)) {
        step.conversion = from.type == to.type ? Conversion::copy : Conversion::number;
    } else if (from.type == string && to.type == text) {
        step.conversion = Conversion::intern;
    } else if (from.type == text && to.type == string) {
        step.conversion = Conversion::spell;
    } else if (from.type == to.type) {
        const bool has_labels = from.type == enumeration || from.type == flags;
        if (has_labels) step.places = label_places(from.field->labels, to.field->labels);
        if (from.type == enumeration) {
            step.conversion = Conversion::label;
        } else if (from.type == flags) {
            step.conversion = Conversion::labels;
        } else if (from.type == string) {
            step.conversion = Conversion::string;
        } else if (from.type != blob || from.field->labels == to.field->labels) {
            step.conversion = Conversion::copy;
        }
        if (has_labels) step.loss.change = fmt::format("field '{}' loses labels", from.path);
    }
    return step;
}

Result<void> ValueCarry::carry(const std::byte* before, std::byte* now, Entity owner) {
    std::copy(to_.schema.defaults.begin(), to_.schema.defaults.end(), now);
    for (Step& step : steps_) {
        const Result<bool> is_same = apply(step, before, now);
        if (!is_same) return is_same.error();
        if (is_same.value() || step.loss.count++ != 0) continue;
        step.loss.first = text_of(*step.from, before, texts_);
        step.loss.owner = owner;
    }
    return {};
}

// True if the value is carried over unchanged.
Result<bool> ValueCarry::apply(Step& step, const std::byte* before, std::byte* now) {
    const Leaf& from = *step.from;
    const std::byte* const source = before + from.offset;
    if (step.conversion == Conversion::drop) {
        return std::memcmp(source, from_.schema.defaults.data() + from.offset, from.size) == 0;
    }
    const Leaf& to = *step.to;
    std::byte* const target = now + to.offset;
    switch (step.conversion) {
        case Conversion::number:
            return put_number(to.type, number_at(from.type, source), target);
        case Conversion::label: {
            const std::uint64_t label = raw_bits(source, from.size);
            const int place = label < step.places.size() ? step.places[static_cast<std::size_t>(label)] : -1;
            if (place < 0) return false;
            std::memcpy(target, &place, to.size);
            return true;
        }
        case Conversion::labels: {
            const std::uint64_t set = raw_bits(source, from.size);
            std::uint64_t kept = 0, lost = set >> step.places.size();
            for (std::size_t i = 0; i < step.places.size(); ++i) {
                if (((set >> i) & 1) == 0) continue;
                if (step.places[i] < 0) {
                    lost |= 1;
                } else {
                    kept |= std::uint64_t{1} << step.places[i];
                }
            }
            std::memcpy(target, &kept, to.size);
            return lost == 0;
        }
        case Conversion::string:
            return put_string(to, string_at(from, before), now);
        case Conversion::spell: {
            const TextHandle handle{static_cast<std::uint32_t>(raw_bits(source, from.size))};
            return put_string(to, texts_.text(handle), now);
        }
        case Conversion::intern: {
            const Result<TextHandle> handle = texts_.intern(string_at(from, before));
            if (!handle) return handle.error();
            std::memcpy(target, &handle.value().index, sizeof handle.value().index);
            return true;
        }
        default:
            std::memcpy(target, source, to.size);
            return true;
    }
}

std::vector<FieldLoss> ValueCarry::losses() const {
    std::vector<FieldLoss> all;
    for (const Step& step : steps_) {
        if (step.loss.count != 0) all.push_back(step.loss);
    }
    return all;
}

}  // namespace perigee::internal
