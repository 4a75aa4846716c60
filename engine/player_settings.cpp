// The file is read whole; whether a value fits is decided per mod.
#include "engine/player_settings.h"

#include "ecs/suggest.h"
#include "engine/error_codes.h"
#include "engine/internal/shallow_json.h"
#include "scripting/regular_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace perigee {

namespace {

namespace e = engine_errors;
using Json = nlohmann::json;

constexpr std::string_view kAllMods = "*";
constexpr std::uintmax_t kMostBytes = std::uintmax_t{1} << 20U;

bool read_value(const Json& value, SettingValue& out) {
    if (value.is_boolean()) out = value.get<bool>();
    if (value.is_number()) out = value.get<double>();
    if (value.is_string()) out = value.get<std::string>();
    return value.is_boolean() || value.is_number() || value.is_string();
}

template <typename T> bool read_amount(const Json& value, double least, double most, std::optional<T>& out) {
    if (!value.is_number()) return false;
    const auto number = value.get<double>();
    if (!(number >= least && number <= most) || number != std::floor(number)) return false;
    out = static_cast<T>(number);
    return true;
}

// More than a wish can be: it is the player's machine.
bool read_permission(std::string_view word, const Json& value, ModPermissions& out) {
    if (word == "memory_mb") return read_amount(value, 1, 65536, out.memory_mb);
    if (word == "instructions") return read_amount(value, 1000, 1e15, out.instructions);
    if (word == "log_lines") return read_amount(value, 0, 1e6, out.log_lines);
    if (word == "save_mb") return read_amount(value, 1, 65536, out.save_mb);
    if (word == "app") {
        if (value.is_boolean()) out.app = value.get<bool>();
        return value.is_boolean();
    }
    return false;
}

// "*" has permissions and no settings.
Result<void> read_choices_of_all(const Json& choices, const std::string& name, PermissionsOfAllMods& out) {
    for (const auto& [what, values] : choices.items()) {
        if (what != "permissions" || !values.is_object()) return Error{fmt::format(e::kSettingsShape, name)};
        for (const auto& [word, value] : values.items()) {
            const bool is_read = word == "memory_mb" ? read_amount(value, 1, 65536, out.memory_mb)
                                                     : word == "load_seconds" &&
                                                           read_amount(value, 1, 86400, out.load_seconds);
            if (!is_read) return Error{fmt::format(e::kSettingsOfAll, name, word)};
        }
    }
    return {};
}

}  // namespace

Result<PlayerSettings> parse_player_settings(std::string_view json, std::string_view name) {
    Json root;
    try {
        root = internal::parse_shallow_json(json);
    } catch (const std::exception& error) {
        return Error{fmt::format(e::kSettingsNoJson, name, error.what())};
    }
    const Error shape{fmt::format(e::kSettingsShape, name)};
    if (!root.is_object()) return shape;
    PlayerSettings player;
    for (const auto& [mod, choices] : root.items()) {
        if (!choices.is_object()) return shape;
        if (mod == kAllMods) {
            const Result<void> read =
                read_choices_of_all(choices, std::string(name), player.permissions_of_all);
            if (!read) return read.error();
            continue;
        }
        for (const auto& [what, values] : choices.items()) {
            if ((what != "settings" && what != "permissions") || !values.is_object()) return shape;
            for (const auto& [word, value] : values.items()) {
                if (what == "settings") {
                    if (!read_value(value, player.mods[mod][word])) return shape;
                } else if (!read_permission(word, value, player.permissions[mod])) {
                    return Error{fmt::format(e::kSettingsPermission, name, mod, word)};
                }
            }
        }
    }
    return player;
}

Result<PlayerSettings> read_player_settings(const std::filesystem::path& file) {
    const Result<std::string> json = read_regular_file(file, kMostBytes);
    if (!json) return Error{fmt::format(e::kNoSettingsFile, file.string(), json.error().message)};
    return parse_player_settings(json.value(), file.string());
}

ModSettings chosen_settings(const ModManifest& manifest, const PlayerSettings& player,
                            std::vector<std::string>& mistakes) {
    static const std::map<std::string, SettingValue> kNothing;
    const auto mod = player.mods.find(manifest.id);
    const std::map<std::string, SettingValue>& chosen = mod != player.mods.end() ? mod->second : kNothing;
    ModSettings settings;
    std::vector<std::string_view> known;
    for (const ModSetting& setting : manifest.settings) {
        known.push_back(setting.name);
        const auto choice = chosen.find(setting.name);
        const bool is_fine = choice != chosen.end() && accepts(setting, choice->second);
        if (choice != chosen.end() && !is_fine)
            mistakes.push_back(
                fmt::format(e::kSettingValue, manifest.id, setting.name, expected_by(setting)));
        settings.emplace_back(setting.name, is_fine ? choice->second : setting.initial);
    }
    for (const auto& [name, value] : chosen) {
        if (std::ranges::find(known, name) != known.end()) continue;
        const std::string_view nearest = nearest_name(name, known);
        mistakes.push_back(nearest.empty()
                               ? fmt::format(e::kUnknownSetting, manifest.id, name)
                               : fmt::format(e::kUnknownSettingDidYouMean, manifest.id, name, nearest));
    }
    return settings;
}

std::string text_of_choices(const ModManifest& manifest, const ModSettings& settings) {
    std::string text;
    for (std::size_t i = 0; i < settings.size(); ++i) {
        if (settings[i].second == manifest.settings[i].initial) continue;
        const std::string value = std::visit(
            [](const auto& chosen) {
                return Json(chosen).dump(-1, ' ', true, Json::error_handler_t::replace);
            },
            settings[i].second);
        text += fmt::format(" {}.{}={}", manifest.id, settings[i].first, value);
    }
    return text;
}

}  // namespace perigee
