// The file is read whole; whether a value fits is decided per mod.
#include "engine/mods/player_settings.h"

#include "ecs/base/suggest.h"
#include "ecs/files/regular_file.h"
#include "engine/base/error_codes.h"
#include "engine/base/internal/shallow_json.h"
#include "engine/base/json_place.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace perigee {

namespace {

namespace e = engine_errors;
using Json = nlohmann::json;

constexpr std::string_view kAllMods = "*";
constexpr std::uintmax_t kMaxBytes = std::uintmax_t{1} << 20U;

bool read_value(const Json& value, SettingValue& out) {
    if (value.is_boolean()) out = value.get<bool>();
    if (value.is_number()) out = value.get<double>();
    if (value.is_string()) out = value.get<std::string>();
    return value.is_boolean() || value.is_number() || value.is_string();
}

template <typename T> bool read_amount(const Json& value, double min, double max, std::optional<T>& out) {
    if (!value.is_number()) return false;
    const auto number = value.get<double>();
    if (!(number >= min && number <= max) || number != std::floor(number)) return false;
    out = static_cast<T>(number);
    return true;
}

// A numeric permission and its range: larger than a mod's request may be, since it is the player's machine.
struct Amount {
    std::string_view name;
    double min;
    double max;
};
constexpr Amount kMemory{"memory_mb", 1, 65536}, kInstructions{"instructions", 1000, 1e15},
    kLogLines{"log_lines", 0, 1e6}, kSave{"save_mb", 1, 65536}, kLoadSeconds{"load_seconds", 1, 86400},
    kEntities{"entities", 0, 1e8};
constexpr std::array kOfMod{kMemory, kInstructions, kLogLines, kSave, kEntities};
constexpr std::string_view kApp = "app", kShaders = "shaders";  // true or false
constexpr std::array kOfAllMods{kMemory, kLoadSeconds, kEntities};

// Reads the file and records its errors, each with its line.
class SettingsReader {
public:
    SettingsReader(std::string_view json, std::string_view name) {
        player_.file = name;
        player_.json = json;
    }

    Result<PlayerSettings> read(const Json& root) {
        if (!root.is_object()) {
            expected("", kWhole, root);
        } else {
            for (const auto& [mod, choices] : root.items()) read_mod(mod, choices);
        }
        if (!mistakes_.empty()) return Error{fmt::format("{}", fmt::join(mistakes_, "\n"))};
        return std::move(player_);
    }

private:
    static constexpr std::string_view kWhole =
        "{ \"mod\": { \"settings\": { … }, \"permissions\": { … } }, … }";

    void expected(const std::string& path, std::string_view what, const Json& got) {
        const std::string shown = got.is_object() || got.is_array()
                                      ? std::string(got.type_name())
                                      : got.dump(-1, ' ', true, Json::error_handler_t::replace);
        mistakes_.push_back(fmt::format(e::kSettingsValue, player_.place(path),
                                        path.empty() ? "the file" : path, what, shown.substr(0, 60)));
    }
    void unknown(const std::string& path, std::string_view word, const std::vector<std::string_view>& known) {
        mistakes_.push_back(
            fmt::format(e::kSettingsKey, player_.place(path), path, did_you_mean(word, known)));
    }

    void read_mod(const std::string& mod, const Json& choices) {
        if (mod != kAllMods) player_.named.push_back(mod);
        if (!choices.is_object())
            return expected(mod, "{ \"settings\": { … }, \"permissions\": { … } }", choices);
        for (const auto& [what, values] : choices.items()) {
            const std::string path = mod + "." + what;
            const bool is_permissions = what == "permissions";
            if (!is_permissions && (what != "settings" || mod == kAllMods)) {
                unknown(path, what,
                        mod == kAllMods ? std::vector<std::string_view>{"permissions"}
                                        : std::vector<std::string_view>{"settings", "permissions"});
                continue;
            }
            if (!values.is_object()) {
                expected(path, "{ \"name\": value, … }", values);
                continue;
            }
            for (const auto& [word, value] : values.items()) {
                if (is_permissions)
                    read_permission(mod, path + "." + word, word, value);
                else if (!read_value(value, player_.mods[mod][word]))
                    expected(path + "." + word, "a number, a text, true or false", value);
            }
        }
    }

    void read_permission(const std::string& mod, const std::string& path, const std::string& word,
                         const Json& value) {
        const bool is_of_all = mod == kAllMods;
        const std::span<const Amount> amounts =
            is_of_all ? std::span<const Amount>(kOfAllMods) : std::span<const Amount>(kOfMod);
        const auto amount = std::ranges::find(amounts, word, &Amount::name);
        if (!is_of_all && (word == kApp || word == kShaders)) {
            if (!value.is_boolean()) return expected(path, "true or false", value);
            ModPermissions& own = player_.permissions[mod];
            (word == kApp ? own.app : own.shaders) = value.get<bool>();
            return;
        }
        if (amount == amounts.end()) {
            std::vector<std::string_view> known;
            for (const Amount& each : amounts) known.push_back(each.name);
            if (!is_of_all) known.insert(known.end(), {kApp, kShaders});
            return unknown(path, word, known);
        }
        ModPermissions none;
        ModPermissions& own = is_of_all ? none : player_.permissions[mod];
        PermissionsOfAllMods& all = player_.permissions_of_all;
        const auto read = [&](auto& out) { return read_amount(value, amount->min, amount->max, out); };
        const bool is_read = word == "instructions"   ? read(own.instructions)
                             : word == "log_lines"    ? read(own.log_lines)
                             : word == "save_mb"      ? read(own.save_mb)
                             : word == "load_seconds" ? read(all.load_seconds)
                             : word == "entities"     ? read(is_of_all ? all.entities : own.entities)
                             : is_of_all              ? read(all.memory_mb)
                                                      : read(own.memory_mb);
        if (!is_read)
            expected(path, fmt::format("a whole number from {:.0f} to {:.0f}", amount->min, amount->max),
                     value);
    }

    PlayerSettings player_;
    std::vector<std::string> mistakes_;
};

}  // namespace

std::string PlayerSettings::place(std::string_view path) const {
    return path.empty() ? file : fmt::format("{}:{}", file, line_of_path(json, path));
}

Result<PlayerSettings> parse_player_settings(std::string_view json, std::string_view name) {
    const Result<Json> root = internal::parse_json(json, name);
    if (!root) return root.error();
    return SettingsReader(json, name).read(root.value());
}

Result<PlayerSettings> read_player_settings(const std::filesystem::path& file) {
    const Result<std::string> json = read_regular_file(file, kMaxBytes);
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
            mistakes.push_back(fmt::format(e::kSettingValue,
                                           player.place(manifest.id + ".settings." + setting.name),
                                           manifest.id, setting.name, expected_by(setting)));
        settings.emplace_back(setting.name, is_fine ? choice->second : setting.initial);
    }
    for (const auto& [name, value] : chosen) {
        if (std::ranges::find(known, name) != known.end()) continue;
        mistakes.push_back(fmt::format(e::kUnknownSetting, player.place(manifest.id + ".settings." + name),
                                       manifest.id, name, did_you_mean(name, known)));
    }
    return settings;
}

std::vector<std::string> choices_of_no_mod(const PlayerSettings& player, std::span<const std::string> mods) {
    const std::vector<std::string_view> known(mods.begin(), mods.end());
    std::vector<std::string> mistakes;
    for (const std::string& mod : player.named)
        if (std::ranges::find(mods, mod) == mods.end())
            mistakes.push_back(
                fmt::format(e::kSettingsNoMod, player.place(mod), mod, did_you_mean(mod, known)));
    return mistakes;
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
