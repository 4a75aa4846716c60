// AssetStore: the files of a game and its mods, by relative path, and the handles that components store.
//
// Invariant: a path names a file inside its mount or nothing. "..", absolute paths, backslashes, drive
// letters and symbolic links are errors. A handle refers to the same path for the life of the store. Files
// under assets/ get their handles in bytewise order when they are mounted, so handles do not depend on the
// order of requests. Other paths get handles on request. Paths that only presentation requests get reserved
// handles, so the number of frames does not affect handles in components. Folders and zip archives
// behave the same. It does not decode anything; see engine/assets/image_size.h and engine/sdl.
#pragma once

#include "ecs/base/divided_pool.h"
#include "ecs/base/result.h"

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

/// The value of an `asset` field. 0 = none. Never the id of a surface (surface_id.h).
using AssetHandle = std::uint32_t;

/// Index of a mount in its store, in order of mounting; the root game is 0.
using MountId = std::uint32_t;

/// Errors: why a path cannot name a file of a game: empty, absolute, leaving the folder, …
Result<void> check_asset_path(std::string_view path);
/// The reason alone ("is absolute; …"), null for a good path.
const char* why_bad_path(std::string_view path) noexcept;

class AssetStore {
public:
    static constexpr std::size_t kMaxFileBytes = std::size_t{256} << 20U;
    static constexpr std::size_t kMaxPathBytes = 255;
    /// Limit of requested but missing files per mount; each keeps its handle.
    static constexpr std::size_t kMaxMissing = 1000;
    static constexpr std::size_t kMaxFolderDepth = 32;  ///< folders above a file
    static constexpr std::size_t kMaxListedFiles = 50'000;
    static constexpr std::size_t kPresentationHandles = 1024;

    AssetStore();
    ~AssetStore();
    AssetStore(const AssetStore&) = delete;
    AssetStore& operator=(const AssetStore&) = delete;

    /// Makes a folder or zip archive readable under a name (the mod's id), and assigns handles to all files
    /// below its assets/. Errors: no such folder, not an archive (engine/assets/internal/zip_directory.h), a
    /// name in use, too many files below assets/, or folders nested too deeply.
    Result<MountId> mount(std::string_view name, const std::filesystem::path& folder_or_archive);

    /// The same for a folder inside a mount: "mods/storms". Errors: a bad path, a name in use.
    Result<MountId> mount_inside(std::string_view name, MountId parent, std::string_view folder);

    /// The bytes of a file, at most `max_bytes` from its start.
    /// Errors: a bad path, no such file, a directory, a symbolic link, larger than kMaxFileBytes.
    Result<std::string> read(MountId mount, std::string_view path,
                             std::size_t max_bytes = kMaxFileBytes) const;
    /// Like read, but the error is the end of a sentence that begins with the path: "does not exist".
    Result<std::string> read_or_why(MountId mount, std::string_view path,
                                    std::size_t max_bytes = kMaxFileBytes) const;
    bool has(MountId mount, std::string_view path) const;
    /// True also if the name belongs to something other than a regular file: a directory, a pipe or a link.
    bool is_taken(MountId mount, std::string_view path) const;

    /// The game's is 0, then the mods'.
    std::size_t mount_count() const noexcept { return mounts_.size(); }

    /// The mount of a name; nothing if there is none.
    std::optional<MountId> find_mount(std::string_view name) const noexcept;

    /// All files below a folder of a mount ("" = all), as paths from the mount's root, sorted bytewise.
    /// Errors: more than kMaxListedFiles, or folders nested more than kMaxFolderDepth deep.
    Result<std::vector<std::string>> list(MountId mount, std::string_view folder) const;

    /// The handle of a path. A missing file gets one too: it is drawn as the placeholder, and take_missing()
    /// reports its first use. Errors: a bad path; the mount has kMaxMissing missing files already; too many
    /// handles requested only by presentation.
    Result<AssetHandle> intern(MountId mount, std::string_view path);
    /// The same for a path as written in scripts: "assets/a.png" in the requesting mod,
    /// "weather:assets/a.png" in another one; the game is named by its id. Errors: also an unknown mod.
    Result<AssetHandle> intern_for(MountId asking, std::string_view path);
    /// Why a path for intern_for names no file, as a sentence with the nearest file; empty if it names one.
    std::string why_missing(MountId asking, std::string_view path) const;
    /// Sets the id by which paths name the game.
    void name_game(std::string id) { game_name_ = std::move(id); }
    /// Reserves kPresentationHandles handles for presentation. Called when a game has loaded.
    void reserve_presentation_handles();
    /// Whether requests from now on come from presentation. Expects: reserve_presentation_handles().
    void set_presenting(bool is_presenting) noexcept { is_presenting_ = is_presenting; }

    struct Asset {
        MountId mount = 0;
        std::string path;
        bool is_missing = false;
    };
    /// Expects: a handle of this store, not 0. Lifetime: until the next intern or mount.
    const Asset& operator[](AssetHandle handle) const;
    bool is_handle(std::uint32_t value) const noexcept { return value != 0 && value < assets_.size(); }
    /// "assets/a.png" in the root game, "mod:assets/a.png" elsewhere, "none" for 0 and for invalid handles.
    std::string name_of(AssetHandle handle) const;
    Result<std::string> read(AssetHandle handle, std::size_t max_bytes = kMaxFileBytes) const;
    /// Handles are 1 .. handle_count(). Reserved handles not yet used are missing files without a path.
    std::size_t handle_count() const noexcept { return assets_.size() - 1; }

    /// Called when a file was saved, created or deleted: checks whether it exists and returns the handle of
    /// its path, if any.
    std::optional<AssetHandle> refresh(MountId mount, std::string_view path);

    /// One message per missing file requested since the last call, with the nearest existing file.
    std::vector<std::string> take_missing();
    /// Records where a script requested a file, "game/main.lua:12". The message about a missing file begins
    /// with it if it has not been taken yet.
    void set_request_place(AssetHandle handle, std::string_view place);

private:
    class Mount;
    Result<MountId> add_mount(std::string_view name, std::optional<std::string> folder_prefix,
                              const std::filesystem::path& folder_or_archive);
    void pass_surfaces(std::size_t count);
    std::string full_path(MountId mount, std::string_view path) const;
    std::string display_path(MountId mount, std::string_view path) const;
    Result<MountId> mount_of(MountId asking, std::string_view& path) const;
    std::string nearest_file(MountId mount, std::string_view path) const;

    std::vector<std::unique_ptr<Mount>> mounts_;
    std::vector<Asset> assets_{1};  // by handle; 0 is none
    using Handles = std::map<std::pair<MountId, std::string>, AssetHandle, std::less<>>;
    Handles handles_;
    Handles presentation_handles_;  // reserved: next .. end are unused
    AssetHandle next_reserved_ = 0;
    AssetHandle end_reserved_ = 0;
    DividedPool presentation_room_{kPresentationHandles};
    bool is_presenting_ = false;
    struct Missing {
        AssetHandle handle;
        std::string place;
    };
    std::vector<Missing> missing_;
    std::string game_name_;
    std::vector<std::size_t> missing_counts_;  ///< by mount, in total
};

}  // namespace perigee
