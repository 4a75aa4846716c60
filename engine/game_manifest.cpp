// Each key has one line that knows its type and range; the rest is messages.
#include "engine/game_manifest.h"

#include "ecs/suggest.h"
#include "engine/error_codes.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace perigee {

namespace {

namespace e = engine_errors;
using Json = nlohmann::json;

constexpr std::size_t kMaxTextBytes = 200;
constexpr std::int64_t kSmallestSide = 16;
constexpr std::int64_t kLargestSide = 8192;
constexpr std::array<std::string_view, 6> kKeys = {"height", "id", "native", "title", "version", "width"};

bool is_id_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

bool is_id(std::string_view id) {
    return !id.empty() && id.size() <= 64 && std::ranges::all_of(id, is_id_character);
}

Error wrong(std::string_view key, std::string_view expected, const Json& got) {
    return Error{fmt::format(e::kManifestValue, key, expected,
                             got.dump(-1, ' ', false, Json::error_handler_t::replace).substr(0, 60))};
}

Result<void> read_text(const Json& value, std::string_view key, std::string& out) {
    if (!value.is_string() || value.get_ref<const std::string&>().size() > kMaxTextBytes)
        return wrong(key, "a text of at most 200 bytes", value);
    out = value.get<std::string>();
    return {};
}

Result<void> read_side(const Json& value, std::string_view key, std::uint16_t& out) {
    if (!value.is_number_integer() || value.get<std::int64_t>() < kSmallestSide ||
        value.get<std::int64_t>() > kLargestSide)
        return wrong(key, "a whole number from 16 to 8192", value);
    out = value.get<std::uint16_t>();
    return {};
}

Result<void> read_key(const std::string& key, const Json& value, GameManifest& manifest) {
    if (key == "id") {
        if (!value.is_string() || !is_id(value.get_ref<const std::string&>()))
            return wrong(key, "1 to 64 letters, digits, '_' or '-'", value);
        manifest.id = value.get<std::string>();
        return {};
    }
    if (key == "title") return read_text(value, key, manifest.title);
    if (key == "version") return read_text(value, key, manifest.version);
    if (key == "width") return read_side(value, key, manifest.width);
    if (key == "height") return read_side(value, key, manifest.height);
    if (key == "native") {
        if (!value.is_array()) return wrong(key, "a list of names", value);
        for (const Json& name : value)
            if (!name.is_string()) return wrong(key, "a list of names", value);
        manifest.native = value.get<std::vector<std::string>>();
        return {};
    }
    const std::string_view nearest = nearest_name(key, kKeys);
    if (nearest.empty()) return Error{fmt::format(e::kManifestUnknownKey, key)};
    return Error{fmt::format(e::kManifestUnknownKeyDidYouMean, key, nearest)};
}

}  // namespace

GameManifest default_manifest(std::string_view folder_name) {
    GameManifest manifest;
    std::string id;
    for (const char c : folder_name.substr(0, 64)) id += is_id_character(c) ? c : '_';
    if (!id.empty()) manifest.id = id;
    manifest.title = folder_name.empty() ? manifest.id : std::string{folder_name.substr(0, kMaxTextBytes)};
    return manifest;
}

Result<GameManifest> parse_manifest(std::string_view json, std::string_view default_id) {
    // The parser reports through exceptions; they end here.
    Json root;
    try {
        root = Json::parse(json);
    } catch (const Json::exception& error) {
        return Error{fmt::format(e::kManifestNoJson, error.what())};
    }
    if (!root.is_object()) return Error{e::kManifestNoObject};

    GameManifest manifest = default_manifest(default_id);
    const bool has_title = root.contains("title");
    for (const auto& [key, value] : root.items())
        if (Result<void> read = read_key(key, value, manifest); !read) return read.error();
    if (!has_title && root.contains("id")) manifest.title = manifest.id;
    return manifest;
}

}  // namespace perigee
