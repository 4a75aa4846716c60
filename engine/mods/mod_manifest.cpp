// One reader per kind of value; each records errors with their path and keeps the default.
#include "engine/mods/mod_manifest.h"

#include "ecs/base/suggest.h"
#include "engine/base/error_codes.h"
#include "engine/base/internal/shallow_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <span>
#include <utility>

namespace perigee {

namespace {

namespace e = engine_errors;
using Json = nlohmann::json;

constexpr std::size_t kMaxLineBytes = 200;
constexpr std::size_t kMaxDescriptionBytes = 10'000;
constexpr std::size_t kMaxEntries = 1000;
constexpr std::size_t kMaxIdLength = 64;

bool is_id_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

bool is_id(std::string_view id) {
    return !id.empty() && id.size() <= kMaxIdLength && std::ranges::all_of(id, is_id_character);
}

// A value of the file and its path in it.
struct Place {
    const Json& value;
    std::string path;

    Place at(const std::string& key) const { return {value.at(key), path.empty() ? key : path + "." + key}; }
};

class ManifestReader {
public:
    explicit ManifestReader(std::vector<ManifestMistake>& mistakes) : mistakes_(mistakes) {}

    void expected(const Place& place, std::string_view what) {
        // A quotation ends between two characters.
        std::string got = place.value.dump(-1, ' ', false, Json::error_handler_t::replace);
        std::size_t length = std::min<std::size_t>(got.size(), 60);
        while (length < got.size() && (static_cast<unsigned char>(got[length]) & 0xC0U) == 0x80U) --length;
        note(place.path, fmt::format(e::kManifestValue, place.path, what, got.substr(0, length)));
    }
    /// `text` begins with the name of the file.
    void note(const std::string& path, std::string text) {
        mistakes_.push_back({std::move(text), path, kManifestFile.size()});
    }

    void text(const Place& place, std::string& out, std::size_t max_bytes = kMaxLineBytes) {
        if (!place.value.is_string() || place.value.get_ref<const std::string&>().size() > max_bytes)
            return expected(place, fmt::format("a text of at most {} bytes", max_bytes));
        out = place.value.get<std::string>();
    }
    void id(const Place& place, std::string& out) {
        if (!place.value.is_string() || !is_id(place.value.get_ref<const std::string&>()))
            return expected(place, "1 to 64 letters, digits, '_' or '-'");
        out = place.value.get<std::string>();
    }
    template <typename T> void whole(const Place& place, std::int64_t min, std::int64_t max, T& out) {
        const Json& value = place.value;
        const bool fits = value.is_number_unsigned() ? value.get<std::uint64_t>() <= std::uint64_t(max)
                                                     : value.is_number_integer();
        if (!fits || value.get<std::int64_t>() < min || value.get<std::int64_t>() > max)
            return expected(place, fmt::format("a whole number from {} to {}", min, max));
        out = static_cast<typename T::value_type>(value.get<std::int64_t>());
    }
    void flag(const Place& place, std::optional<bool>& out) {
        if (!place.value.is_boolean()) return expected(place, "true or false");
        out = place.value.get<bool>();
    }
    void flag(const Place& place, bool& out) {
        std::optional<bool> read = out;
        flag(place, read);
        out = *read;
    }
    void side(const Place& place, std::uint16_t& out) {
        std::optional<std::uint16_t> read = out;
        whole(place, kMinScreenSide, kMaxScreenSide, read);
        out = *read;
    }
    void fit(const Place& place, ScreenFit& out) {
        const std::string name = place.value.is_string() ? place.value.get<std::string>() : "";
        const auto found = std::ranges::find(kScreenFitNames, name);
        if (found == kScreenFitNames.end()) return expected(place, "letterbox, integer, stretch or expand");
        out = static_cast<ScreenFit>(found - kScreenFitNames.begin());
    }
    void version(const Place& place, SemanticVersion& out) {
        if (place.value.is_string())
            if (Result<SemanticVersion> read = SemanticVersion::parse(place.value.get<std::string>())) {
                out = std::move(read).value();
                return;
            }
        expected(place, "a version such as \"1.2.0\"");
    }
    void range(const Place& place, VersionRange& out) {
        if (place.value.is_string())
            if (Result<VersionRange> read = VersionRange::parse(place.value.get<std::string>())) {
                out = std::move(read).value();
                return;
            }
        expected(place, "a range of versions such as \"^1.2\" or \">=1.2 <3\"");
    }
    void names(const Place& place, std::vector<std::string>& out, std::string_view what = "a list of names") {
        const Json& value = place.value;
        const auto is_name = [](const Json& name) { return name.is_string(); };
        if (!value.is_array() || value.size() > kMaxEntries || !std::ranges::all_of(value, is_name))
            return expected(place, what);
        out = value.get<std::vector<std::string>>();
    }
    void references(const Place& place, std::vector<ModReference>& out) {
        if (!place.value.is_object() || place.value.size() > kMaxEntries)
            return expected(place, "an object { \"mod\": \"^1.0\", … }");
        for (const auto& [id, range_text] : place.value.items()) {
            if (!is_id(id)) {
                note(place.path, fmt::format(e::kManifestNoId, place.path, id.substr(0, 60), kMaxIdLength));
                continue;
            }
            ModReference reference{id, {}};
            range({range_text, place.path + "." + id}, reference.range);
            out.push_back(std::move(reference));
        }
    }

    /// Calls the reader of each key of an object, and notes the unknown ones.
    using Readers = std::map<std::string, std::function<void(const Place&)>, std::less<>>;
    void object(const Place& place, const Readers& readers) {
        if (!place.value.is_object()) return expected(place, "an object { … }");
        for (const auto& [key, value] : place.value.items()) {
            const Place child = place.at(key);
            if (const auto reader = readers.find(key); reader != readers.end())
                reader->second(child);
            else
                unknown(child.path, key, readers);
        }
    }

private:
    void unknown(const std::string& path, std::string_view key, const Readers& readers) {
        std::vector<std::string_view> known;
        for (const auto& [name, reader] : readers) known.push_back(name);
        note(path, fmt::format(e::kManifestUnknownKey, path, did_you_mean(key, known)));
    }

    std::vector<ManifestMistake>& mistakes_;
};

std::optional<SettingValue> setting_value_from(const Json& value) {
    if (value.is_boolean()) return value.get<bool>();
    if (value.is_number()) return value.get<double>();
    if (value.is_string()) return value.get<std::string>();
    return std::nullopt;
}

bool is_setting_name(std::string_view name) {
    return is_id(name) && name.find('-') == name.npos && !(name.front() >= '0' && name.front() <= '9');
}

void read_bound(ManifestReader& reader, const Place& place, double& out) {
    if (!place.value.is_number()) return reader.expected(place, "a number");
    out = place.value.get<double>();
}

// The value of a setting without a default in the file: false, 0 (or the nearest number in range), "", the
// first choice.
SettingValue natural_value(const ModSetting& setting) {
    switch (setting.type) {
        case ModSetting::Type::boolean:
            return false;
        case ModSetting::Type::number:
            return std::min(std::max(0.0, setting.min), setting.max);
        case ModSetting::Type::text:
            return std::string{};
        case ModSetting::Type::choice:
            break;
    }
    return setting.choices.empty() ? std::string{} : setting.choices.front();
}

void read_setting(ManifestReader& reader, const Place& place, ModSetting& setting) {
    static const std::map<std::string, ModSetting::Type, std::less<>> kTypes = {
        {"bool", ModSetting::Type::boolean},
        {"number", ModSetting::Type::number},
        {"string", ModSetting::Type::text},
        {"choice", ModSetting::Type::choice}};
    const Json* initial = nullptr;
    reader.object(place, {{"type",
                           [&](const Place& type) {
                               const bool is_text = type.value.is_string();
                               const auto found = kTypes.find(is_text ? type.value.get<std::string>() : "");
                               if (found == kTypes.end())
                                   return reader.expected(type, "bool, number, string or choice");
                               setting.type = found->second;
                           }},
                          {"default", [&](const Place& value) { initial = &value.value; }},
                          {"min", [&](const Place& value) { read_bound(reader, value, setting.min); }},
                          {"max", [&](const Place& value) { read_bound(reader, value, setting.max); }},
                          {"choices", [&](const Place& value) { reader.names(value, setting.choices); }},
                          {"title", [&](const Place& value) { reader.text(value, setting.title); }},
                          {"doc", [&](const Place& value) { reader.text(value, setting.doc, 1000); }}});
    if (!place.value.is_object()) return;
    if (!place.value.contains("type"))
        reader.note(place.path, fmt::format(e::kManifestSettingType, place.path));
    if (setting.type == ModSetting::Type::choice && setting.choices.empty())
        reader.note(place.path, fmt::format(e::kManifestNoChoices, place.path));
    if (!(setting.min <= setting.max)) {
        reader.note(place.path, fmt::format(e::kManifestEmptyRange, place.path));
        setting.max = setting.min;
    }
    setting.initial = natural_value(setting);
    if (initial == nullptr) return;
    const std::optional<SettingValue> value = setting_value_from(*initial);
    if (value && accepts(setting, *value))
        setting.initial = *value;
    else
        reader.expected({*initial, place.path + ".default"}, expected_by(setting));
}

void read_settings(ManifestReader& reader, const Place& place, std::vector<ModSetting>& settings) {
    if (!place.value.is_object() || place.value.size() > kMaxEntries)
        return reader.expected(place, "an object { \"name\": { \"type\": … }, … }");
    for (const auto& [name, value] : place.value.items()) {
        if (!is_setting_name(name)) {
            reader.note(place.path, fmt::format(e::kManifestSettingName, place.path, name.substr(0, 60)));
            continue;
        }
        ModSetting setting;
        setting.name = name;
        read_setting(reader, place.at(name), setting);
        settings.push_back(std::move(setting));
    }
}

void read_manifest(ManifestReader& reader, const Json& root, ModManifest& manifest) {
    ModPermissions& requested = manifest.permissions;
    using P = const Place&;
    const ManifestReader::Readers permissions = {
        {"memory_mb", [&](P p) { reader.whole(p, 1, 4096, requested.memory_mb); }},
        {"instructions", [&](P p) { reader.whole(p, 1000, 1'000'000'000'000, requested.instructions); }},
        {"log_lines", [&](P p) { reader.whole(p, 0, 100'000, requested.log_lines); }},
        {"save_mb", [&](P p) { reader.whole(p, 1, 1024, requested.save_mb); }},
        {"entities", [&](P p) { reader.whole(p, 0, 100'000'000, requested.entities); }},
        {"app", [&](P p) { reader.flag(p, requested.app); }},
        {"shaders", [&](P p) { reader.flag(p, requested.shaders); }}};
    reader.object({root, ""},
                  {{"id", [&](P p) { reader.id(p, manifest.id); }},
                   {"title", [&](P p) { reader.text(p, manifest.title); }},
                   {"version", [&](P p) { reader.version(p, manifest.version); }},
                   {"author", [&](P p) { reader.text(p, manifest.author); }},
                   {"license", [&](P p) { reader.text(p, manifest.license); }},
                   {"description", [&](P p) { reader.text(p, manifest.description, kMaxDescriptionBytes); }},
                   {"api", [&](P p) { reader.range(p, manifest.api); }},
                   {"depends", [&](P p) { reader.references(p, manifest.depends); }},
                   {"optional", [&](P p) { reader.references(p, manifest.optional); }},
                   {"conflicts", [&](P p) { reader.references(p, manifest.conflicts); }},
                   {"load_after", [&](P p) { reader.names(p, manifest.load_after); }},
                   {"load_before", [&](P p) { reader.names(p, manifest.load_before); }},
                   {"settings", [&](P p) { read_settings(reader, p, manifest.settings); }},
                   {"permissions", [&](P p) { reader.object(p, permissions); }},
                   {"native", [&](P p) { reader.names(p, manifest.native); }},
                   {"width", [&](P p) { reader.side(p, manifest.width); }},
                   {"height", [&](P p) { reader.side(p, manifest.height); }},
                   {"fit", [&](P p) { reader.fit(p, manifest.fit); }},
                   {"pixel_art", [&](P p) { reader.flag(p, manifest.is_pixel_art); }}});
}

}  // namespace

ModManifest default_manifest(std::string_view folder_name) {
    ModManifest manifest;
    std::string id;
    for (const char c : folder_name.substr(0, kMaxIdLength)) id += is_id_character(c) ? c : '_';
    if (!id.empty()) manifest.id = id;
    manifest.title = folder_name.empty() ? manifest.id : std::string{folder_name.substr(0, kMaxLineBytes)};
    return manifest;
}

ParsedManifest parse_manifest(std::string_view json, std::string_view default_id) {
    ParsedManifest parsed{default_manifest(default_id), {}};
    std::string refused_at;
    const Result<Json> read = internal::parse_json(json, kManifestFile, internal::kShallow, &refused_at);
    if (!read) {
        parsed.mistakes.push_back({read.error().message, {}, refused_at.size()});
        return parsed;
    }
    const Json& root = read.value();
    if (!root.is_object()) {
        parsed.mistakes.push_back({e::kManifestNoObject, {}, kManifestFile.size()});
        return parsed;
    }
    ManifestReader reader{parsed.mistakes};
    read_manifest(reader, root, parsed.manifest);
    if (!root.contains("title") && root.contains("id")) parsed.manifest.title = parsed.manifest.id;
    return parsed;
}

}  // namespace perigee
