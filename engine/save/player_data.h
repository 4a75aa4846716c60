// PlayerData: save data of games and mods across runs, as named byte strings.
//
// A place is "<game id>/<mod id>", or world_place of it for the worlds that a game saves. Invariant: the
// bytes are opaque, and answers depend only on the stored data. Answers are part of a recording
// (engine/replay/recorded_data.h), so scripts read the same data in a replay. Systems of different mods may
// call it at the same time, each for its own place. Not here: limits of a mod (SaveContext,
// engine/modules/save_module.h).
#pragma once

#include "ecs/base/result.h"

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perigee {

inline constexpr std::size_t kMaxSaveBytes = std::size_t{1} << 20U;    ///< in one file
inline constexpr std::size_t kMaxWorldBytes = std::size_t{64} << 20U;  ///< in one saved world
inline constexpr std::size_t kMaxSaveFiles = 100;                      ///< at one place
inline constexpr std::size_t kMaxSaveNameBytes = 64;

/// Letters, digits, '-', '_' and '.', not at the beginning: names a file and cannot leave its folder.
bool is_save_name(std::string_view name) noexcept;

/// Where the saved worlds of a mod are; beside its other files, so that both may have the same names.
std::string world_place(std::string_view place_of_mod);
bool is_world_place(std::string_view place) noexcept;
/// The limit of one file: kMaxSaveBytes or kMaxWorldBytes.
std::size_t max_save_bytes(std::string_view place) noexcept;

class PlayerData {
public:
    struct File {
        std::string name;
        std::uint64_t bytes = 0;
    };
    struct Content {
        std::string bytes;
        bool is_previous = false;  ///< the newest version is damaged or missing
    };
    enum class Version { newest_intact, previous };
    using Make = std::function<Result<std::string>()>;

    PlayerData() = default;
    PlayerData(const PlayerData&) = delete;
    PlayerData& operator=(const PlayerData&) = delete;
    virtual ~PlayerData() = default;

    /// The files in name order, at most kMaxSaveFiles.
    virtual Result<std::vector<File>> list(const std::string& place) = 0;
    /// None: there is no such file. Errors: it is damaged, it cannot be read. At most max_save_bytes.
    virtual Result<std::optional<Content>> read(const std::string& place, const std::string& name,
                                                Version version) = 0;
    /// The old contents become the previous version. After an error they are still the newest.
    virtual Result<void> write(const std::string& place, const std::string& name, std::string_view bytes) = 0;
    /// The same with bytes that are made only if they are written somewhere, which a replay does not do.
    /// Errors: also those of `make`.
    virtual Result<void> write_made(const std::string& place, const std::string& name, const Make& make);
    /// Removes the file and its previous version.
    virtual Result<void> remove(const std::string& place, const std::string& name) = 0;
};

/// Keeps data in memory for the lifetime of this object, for runs that must not write files and for tests.
/// Initially empty.
class MemoryData final : public PlayerData {
public:
    Result<std::vector<File>> list(const std::string& place) override;
    Result<std::optional<Content>> read(const std::string& place, const std::string& name,
                                        Version version) override;
    Result<void> write(const std::string& place, const std::string& name, std::string_view bytes) override;
    Result<void> remove(const std::string& place, const std::string& name) override;

private:
    struct Versions {
        std::string newest;
        std::optional<std::string> previous;
    };
    std::mutex mutex_;
    std::map<std::string, std::map<std::string, Versions>> places_;
};

}  // namespace perigee
