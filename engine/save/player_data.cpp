// Names, and the store in memory.
#include "engine/save/player_data.h"

#include <algorithm>
#include <utility>

namespace perigee {

namespace {

constexpr char kWorldFolder[] = "/worlds";

}  // namespace

bool is_save_name(std::string_view name) noexcept {
    const auto is_fine = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
               c == '_' || c == '.';
    };
    return !name.empty() && name.size() <= kMaxSaveNameBytes && name.front() != '.' &&
           std::ranges::all_of(name, is_fine);
}

std::string world_place(std::string_view place_of_mod) { return std::string(place_of_mod) + kWorldFolder; }

// Mods may have the id "worlds".
bool is_world_place(std::string_view place) noexcept {
    return place.ends_with(kWorldFolder) && place.find('/') != place.rfind('/');
}

std::size_t max_save_bytes(std::string_view place) noexcept {
    return is_world_place(place) ? kMaxWorldBytes : kMaxSaveBytes;
}

Result<void> PlayerData::write_made(const std::string& place, const std::string& name, const Make& make) {
    const Result<std::string> bytes = make();
    return bytes ? write(place, name, bytes.value()) : bytes.error();
}

Result<std::vector<PlayerData::File>> MemoryData::list(const std::string& place) {
    const std::scoped_lock lock(mutex_);
    std::vector<File> files;
    for (const auto& [name, versions] : places_[place]) files.push_back({name, versions.newest.size()});
    return files;
}

Result<std::optional<PlayerData::Content>> MemoryData::read(const std::string& place, const std::string& name,
                                                            Version version) {
    const std::scoped_lock lock(mutex_);
    const auto found = places_[place].find(name);
    if (found == places_[place].end()) return std::optional<Content>{};
    if (version == Version::newest_intact)
        return std::optional<Content>{Content{found->second.newest, false}};
    if (!found->second.previous) return std::optional<Content>{};
    return std::optional<Content>{Content{*found->second.previous, true}};
}

Result<void> MemoryData::write(const std::string& place, const std::string& name, std::string_view bytes) {
    const std::scoped_lock lock(mutex_);
    const auto [found, is_new] = places_[place].try_emplace(name);
    if (!is_new) found->second.previous = std::move(found->second.newest);
    found->second.newest = bytes;
    return {};
}

Result<void> MemoryData::remove(const std::string& place, const std::string& name) {
    const std::scoped_lock lock(mutex_);
    places_[place].erase(name);
    return {};
}

}  // namespace perigee
