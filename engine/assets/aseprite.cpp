// What the file lacks has a default; what has another type than expected makes it another file.
#include "engine/assets/aseprite.h"

#include "engine/base/error_codes.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <limits>

namespace perigee {

namespace {

namespace e = engine_errors;
// Frames of the form "Hash" are in the order of their keys in the file.
using Ordered = nlohmann::ordered_json;

const Ordered& member(const Ordered& object, const char* name) {
    static const Ordered kNone;
    if (!object.is_object()) return kNone;
    const auto found = object.find(name);
    return found == object.end() ? kNone : *found;
}

double number(const Ordered& object, const char* name, double fallback = 0) {
    const Ordered& value = member(object, name);
    return value.is_number() ? value.get<double>() : fallback;
}

std::string string_member(const Ordered& object, const char* name) {
    const Ordered& value = member(object, name);
    return value.is_string() ? value.get<std::string>() : std::string{};
}

std::uint16_t pixels(const Ordered& object, const char* name) {
    return static_cast<std::uint16_t>(std::clamp(number(object, name), 0.0, 65535.0));
}

AsepriteSheet::Tag tag_of(const Ordered& json, std::size_t from, std::size_t to) {
    AsepriteSheet::Tag tag;
    tag.name = string_member(json, "name");
    for (std::size_t i = from; i <= to; ++i) tag.frames.push_back(static_cast<std::uint16_t>(i));
    const std::string direction = string_member(json, "direction");
    if (direction == "reverse" || direction == "pingpong_reverse") std::ranges::reverse(tag.frames);
    tag.returns = direction.starts_with("pingpong");
    // A number as a text; without it a tag repeats for ever.
    const std::string times = string_member(json, "repeat");
    std::from_chars(times.data(), times.data() + times.size(), tag.times);
    return tag;
}

}  // namespace

Result<AsepriteSheet> read_aseprite(std::string_view json, std::string_view name) {
    const Ordered file = Ordered::parse(json, nullptr, false);
    const Ordered& frames = member(file, "frames");
    const Ordered& meta = member(file, "meta");
    if (!(frames.is_array() || frames.is_object()) || frames.empty() || !meta.is_object() ||
        frames.size() > std::numeric_limits<std::uint16_t>::max())
        return Error{fmt::format(e::kAsepriteShape, name)};
    AsepriteSheet sheet;
    sheet.image = string_member(meta, "image");
    for (const Ordered& entry : frames) {
        const Ordered& place = member(entry, "frame");
        if (!place.is_object()) return Error{fmt::format(e::kAsepriteShape, name)};
        const Ordered& trimmed = member(entry, "trimmed");
        if (trimmed.is_boolean() && trimmed.get<bool>()) return Error{fmt::format(e::kAsepriteTrimmed, name)};
        const double seconds = std::clamp(number(entry, "duration", 100) / 1000, 0.0, 1000.0);
        sheet.frames.push_back({pixels(place, "x"), pixels(place, "y"), pixels(place, "w"),
                                pixels(place, "h"), static_cast<float>(seconds)});
    }
    for (const Ordered& entry : member(meta, "frameTags")) {
        const double from = number(entry, "from"), to = number(entry, "to");
        if (!(from >= 0 && to >= from && to < static_cast<double>(sheet.frames.size())))
            return Error{fmt::format(e::kAsepriteTag, name, string_member(entry, "name"), from, to,
                                     sheet.frames.size())};
        sheet.tags.push_back(tag_of(entry, static_cast<std::size_t>(from), static_cast<std::size_t>(to)));
    }
    return sheet;
}

}  // namespace perigee
