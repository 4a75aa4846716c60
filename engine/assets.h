// AssetStore: the files of a game and its mods, by relative path, and the small numbers that components hold
// for them.
//
// Invariant: a path names a file inside its mount or nothing. "..", absolute paths, backslashes, drive
// letters and symbolic links are errors, never doors. A handle, once given, means the same path for the life
// of the store, and the files under assets/ get theirs in bytewise order when they are mounted, so handles do
// not depend on who asks first. Other paths get theirs as they are asked for; what only pictures ask for has
// handles that were set aside, so how often pictures are made changes none that a component holds. Folders
// and zip archives look alike. It does not decode anything; see engine/image_size.h and engine/sdl.
#pragma once

#include "ecs/divided_pool.h"
#include "ecs/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perigee {

/// The value of an `asset` field. 0 = none.
using AssetHandle = std::uint32_t;

/// Number of a mount in its store, in order of mounting; the root game is 0.
using MountId = std::uint32_t;

/// Says why a path cannot name a file of a game: empty, absolute, leaving the folder, …
Result<void> check_asset_path(std::string_view path);
/// The reason alone ("is absolute; …"), null for a good path.
const char* why_bad_path(std::string_view path) noexcept;

class AssetStore {
public:
    static constexpr std::size_t kMaxFileBytes = std::size_t{256} << 20U;
    static constexpr std::size_t kMaxPathBytes = 255;
    /// Files of one mount that were asked for and do not exist: each keeps its handle.
    static constexpr std::size_t kMostMissing = 1000;
    static constexpr std::size_t kMaxFolderDepth = 32;  ///< folders above a file
    static constexpr std::size_t kMaxListedFiles = 50'000;
    static constexpr std::size_t kPictureHandles = 1024;

    AssetStore();
    ~AssetStore();
    AssetStore(const AssetStore&) = delete;
    AssetStore& operator=(const AssetStore&) = delete;

    /// Makes a folder or zip archive readable under a name (the mod's id), and gives handles to all below its
    /// assets/. Errors: no such folder, not an archive (engine/internal/zip_directory.h), a name in use, too
    /// many files below assets/, or too many folders in each other.
    Result<MountId> mount(std::string_view name, const std::filesystem::path& folder_or_archive);

    /// The same for a folder inside a mount: "mods/storms". Errors: a bad path, a name in use.
    Result<MountId> mount_inside(std::string_view name, MountId parent, std::string_view folder);

    /// The bytes of a file, at most `most_bytes` from its start.
    /// Errors: a bad path, no such file, a directory, a symbolic link, larger than kMaxFileBytes.
    Result<std::string> read(MountId mount, std::string_view path,
                             std::size_t most_bytes = kMaxFileBytes) const;
    /// Like read, but the error is only the end of a sentence that begins with the path: "does not exist".
    Result<std::string> read_or_why(MountId mount, std::string_view path,
                                    std::size_t most_bytes = kMaxFileBytes) const;
    bool has(MountId mount, std::string_view path) const;
    /// True also for what is no regular file: a directory, a pipe or a link has this name.
    bool is_taken(MountId mount, std::string_view path) const;

    /// The game's is 0, then the mods'.
    std::size_t mount_count() const noexcept { return mounts_.size(); }

    /// The mount of a name; nothing if there is none.
    std::optional<MountId> find_mount(std::string_view name) const noexcept;

    /// All files below a folder of a mount ("" = all), as paths from the mount's root, sorted bytewise.
    /// Errors: more than kMaxListedFiles, or folders nested more than kMaxFolderDepth deep.
    Result<std::vector<std::string>> list(MountId mount, std::string_view folder) const;

    /// The handle of a path. A file that does not exist gets one too: it is drawn as the placeholder, and the
    /// first asking is reported by take_missing(). Errors: a bad path; kMostMissing of the mount are missing
    /// already; too many that only pictures ask for.
    Result<AssetHandle> intern(MountId mount, std::string_view path);
    /// The same for a path as scripts write it: "assets/a.png" in the mod that asks, "weather:assets/a.png"
    /// in another one, and the game's by its id. Errors: also no mod of this name.
    Result<AssetHandle> intern_for(MountId asking, std::string_view path);
    /// Why a path as intern_for takes it names no file: the whole sentence, with the nearest file; empty when
    /// it does.
    std::string why_missing(MountId asking, std::string_view path) const;
    /// The id by which paths name the game.
    void name_game(std::string id) { game_name_ = std::move(id); }
    /// Sets kPictureHandles handles aside, when a game has loaded.
    void set_aside();
    /// What is asked for from here on, or no longer, is for a picture. Expects: set_aside().
    void set_making_picture(bool is_making) noexcept { is_making_picture_ = is_making; }

    struct Asset {
        MountId mount = 0;
        std::string path;
        bool is_missing = false;
    };
    /// Expects: a handle of this store, not 0. Lifetime: until the next intern or mount.
    const Asset& operator[](AssetHandle handle) const;
    bool is_handle(std::uint32_t value) const noexcept { return value != 0 && value < assets_.size(); }
    /// "assets/a.png" in the root game, "mod:assets/a.png" elsewhere, "none" for 0 and for no handle.
    std::string name_of(AssetHandle handle) const;
    Result<std::string> read(AssetHandle handle, std::size_t most_bytes = kMaxFileBytes) const;
    /// Handles are 1 .. handle_count(); those set aside and not given yet are missing files without a path.
    std::size_t handle_count() const noexcept { return assets_.size() - 1; }

    /// A file was saved, or came or went: the handle that its path has, if any. Looks whether it is there.
    std::optional<AssetHandle> look_again(MountId mount, std::string_view path);

    /// One message per missing file asked for since the last call, with the nearest file that there is.
    std::vector<std::string> take_missing();
    /// Where a script asked for a file, "game/main.lua:12": the message begins with it when the file is
    /// missing and has not been taken.
    void place_missing(AssetHandle handle, std::string_view place);

private:
    class Mount;
    Result<MountId> add_mount(std::string_view name, std::optional<std::string> folder_prefix,
                              const std::filesystem::path& folder_or_archive);
    std::string full_path(MountId mount, std::string_view path) const;
    std::string display_path(MountId mount, std::string_view path) const;
    Result<MountId> mount_of(MountId asking, std::string_view& path) const;
    std::string nearest_file(MountId mount, std::string_view path) const;

    std::vector<std::unique_ptr<Mount>> mounts_;
    std::vector<Asset> assets_{1};  // by handle; 0 is none
    using Handles = std::map<std::pair<MountId, std::string>, AssetHandle, std::less<>>;
    Handles handles_;
    Handles picture_handles_;  // set aside: next .. end are yet to be given
    AssetHandle next_aside_ = 0;
    AssetHandle end_aside_ = 0;
    DividedPool picture_room_{kPictureHandles};
    bool is_making_picture_ = false;
    struct Missing {
        AssetHandle handle;
        std::string place;
    };
    std::vector<Missing> missing_;
    std::string game_name_;
    std::vector<std::size_t> missing_counts_;  ///< by mount, ever
};

}  // namespace perigee
