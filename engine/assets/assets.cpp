// Paths are judged here before PhysFS sees them, so that the message can name the error.
#include "engine/assets/assets.h"

#include "ecs/base/contract.h"
#include "ecs/base/error_codes.h"
#include "ecs/base/suggest.h"
#include "engine/assets/internal/physfs_mount.h"
#include "engine/assets/surface_id.h"
#include "engine/base/error_codes.h"
#include "scripting/base/error_codes.h"

#include <fmt/format.h>
#include <physfs.h>

#include <algorithm>
#include <optional>

namespace perigee {

namespace {

namespace e = engine_errors;

Error bad_path(std::string_view path, const char* why) {
    // Control characters would spoil the terminal that shows the message.
    std::string shown{path.substr(0, 80)};
    std::ranges::replace_if(
        shown, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }, '?');
    return Error{fmt::format(e::kBadPath, shown, why)};
}

// PhysFS returns C handles; this closes them on every exit.
struct OpenFile {
    PHYSFS_File* file;
    explicit OpenFile(const std::string& path) : file(PHYSFS_openRead(path.c_str())) {}
    ~OpenFile() {
        if (file != nullptr) PHYSFS_close(file);
    }
    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;
};

// Not PHYSFS_enumerateFiles: it sorts by inserting, which takes seconds for a folder of many files.
Result<std::vector<std::string>> names_in(const std::string& folder) {
    std::vector<std::string> names;
    const PHYSFS_EnumerateCallback take = [](void* list, const char*, const char* name) {
        static_cast<std::vector<std::string>*>(list)->emplace_back(name);
        return PHYSFS_ENUM_OK;
    };
    // Half of the names would be another game.
    if (PHYSFS_enumerate(folder.c_str(), take, &names) == 0)
        return Error{errors::file_unreadable(physfs_reason())};
    return names;
}

std::size_t depth_of(std::string_view path) {
    return static_cast<std::size_t>(std::ranges::count(path, '/'));
}

}  // namespace

class AssetStore::Mount {
public:
    Mount(std::string name, std::string prefix, std::optional<PhysfsMount> share)
        : name_(std::move(name)), prefix_(std::move(prefix)), share_(std::move(share)) {}
    const std::string& name() const noexcept { return name_; }
    const std::string& prefix() const noexcept { return prefix_; }

private:
    std::string name_;
    std::string prefix_;
    std::optional<PhysfsMount> share_;  // none if it is inside another mount
};

AssetStore::AssetStore() = default;
AssetStore::~AssetStore() = default;

const char* why_bad_path(std::string_view path) noexcept {
    if (path.empty()) return e::kPathEmpty;
    if (path.size() > AssetStore::kMaxPathBytes) return e::kPathTooLong;
    if (path.front() == '/') return e::kPathAbsolute;
    if (path.find('\\') != std::string_view::npos) return e::kPathBackslash;
    if (path.find(':') != std::string_view::npos) return e::kPathColon;
    if (std::ranges::any_of(path, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }))
        return e::kPathControl;
    for (std::size_t begin = 0; begin <= path.size();) {
        const std::size_t end = std::min(path.find('/', begin), path.size());
        const std::string_view part = path.substr(begin, end - begin);
        if (part.empty()) return e::kPathEmptyPart;
        if (part == "." || part == "..") return e::kPathDots;
        begin = end + 1;
    }
    return nullptr;
}

Result<void> check_asset_path(std::string_view path) {
    if (const char* why = why_bad_path(path)) return bad_path(path, why);
    return {};
}

Result<MountId> AssetStore::mount(std::string_view name, const std::filesystem::path& folder_or_archive) {
    return add_mount(name, std::nullopt, folder_or_archive);
}

Result<MountId> AssetStore::mount_inside(std::string_view name, MountId parent, std::string_view folder) {
    ECS_EXPECTS(parent < mounts_.size(), parent, mounts_.size());
    if (Result<void> checked = check_asset_path(folder); !checked) return checked.error();
    return add_mount(name, full_path(parent, folder) + "/", {});
}

Result<MountId> AssetStore::add_mount(std::string_view name, std::optional<std::string> folder_prefix,
                                      const std::filesystem::path& folder_or_archive) {
    for (const auto& mounted : mounts_)
        if (mounted->name() == name) return Error{fmt::format(e::kMountNameInUse, name)};
    std::optional<PhysfsMount> share;
    if (!folder_prefix) {
        Result<PhysfsMount> opened = PhysfsMount::open(folder_or_archive);
        if (!opened) return opened.error();
        share.emplace(std::move(opened).value());
        folder_prefix = share->prefix();
    }
    mounts_.push_back(
        std::make_unique<Mount>(std::string{name}, std::move(*folder_prefix), std::move(share)));
    const auto id = static_cast<MountId>(mounts_.size() - 1);
    const Result<std::vector<std::string>> files = list(id, "assets");
    if (!files) {
        mounts_.pop_back();
        return files.error();
    }
    for (const std::string& path : files.value()) {
        // A file on disk may have a name that no script could write (a backslash); it stays unreachable.
        [[maybe_unused]] const auto handle = intern(id, path);
    }
    return id;
}

std::string AssetStore::display_path(MountId mount, std::string_view path) const {
    return mount == 0 ? std::string{path} : fmt::format("{}:{}", mounts_[mount]->name(), path);
}

std::optional<MountId> AssetStore::find_mount(std::string_view name) const noexcept {
    for (std::size_t i = 0; i < mounts_.size(); ++i)
        if (mounts_[i]->name() == name) return static_cast<MountId>(i);
    return std::nullopt;
}

// Expects: a good path.
std::string AssetStore::full_path(MountId mount, std::string_view path) const {
    return mounts_[mount]->prefix() + std::string{path};
}

Result<std::string> AssetStore::read_or_why(MountId mount, std::string_view path,
                                            std::size_t max_bytes) const {
    ECS_EXPECTS(mount < mounts_.size(), mount, mounts_.size());
    if (const char* why = why_bad_path(path)) return Error{why};
    const std::string full = full_path(mount, path);

    PHYSFS_Stat stat{};
    if (PHYSFS_stat(full.c_str(), &stat) == 0)
        return Error{PHYSFS_getLastErrorCode() == PHYSFS_ERR_SYMLINK_FORBIDDEN ? e::kIsLink
                                                                               : e::kDoesNotExist};
    if (stat.filetype == PHYSFS_FILETYPE_DIRECTORY) return Error{e::kIsDirectory};
    if (stat.filetype == PHYSFS_FILETYPE_SYMLINK) return Error{e::kIsLink};
    if (stat.filetype != PHYSFS_FILETYPE_REGULAR) return Error{e::kIsNoFile};

    const OpenFile open{full};
    if (open.file == nullptr) {
        const std::string reason = physfs_reason();
        if (PHYSFS_getLastErrorCode() == PHYSFS_ERR_SYMLINK_FORBIDDEN) return Error{e::kIsLink};
        return Error{errors::file_unreadable(reason)};
    }
    const PHYSFS_sint64 size = PHYSFS_fileLength(open.file);
    if (size < 0 || static_cast<std::uint64_t>(size) > kMaxFileBytes) return Error{e::kTooLarge};
    std::string bytes(std::min(static_cast<std::size_t>(size), max_bytes), '\0');
    const PHYSFS_sint64 got = PHYSFS_readBytes(open.file, bytes.data(), bytes.size());
    if (got != static_cast<PHYSFS_sint64>(bytes.size()))
        return Error{errors::file_unreadable(physfs_reason())};
    return bytes;
}

Result<std::string> AssetStore::read(MountId mount, std::string_view path, std::size_t max_bytes) const {
    if (Result<void> checked = check_asset_path(path); !checked) return checked.error();
    Result<std::string> bytes = read_or_why(mount, path, max_bytes);
    if (!bytes) return Error{fmt::format(e::kCannotRead, display_path(mount, path), bytes.error().message)};
    return bytes;
}

bool AssetStore::has(MountId mount, std::string_view path) const {
    ECS_EXPECTS(mount < mounts_.size(), mount, mounts_.size());
    if (why_bad_path(path) != nullptr) return false;
    PHYSFS_Stat stat{};
    return PHYSFS_stat(full_path(mount, path).c_str(), &stat) != 0 &&
           stat.filetype == PHYSFS_FILETYPE_REGULAR;
}

bool AssetStore::is_taken(MountId mount, std::string_view path) const {
    ECS_EXPECTS(mount < mounts_.size(), mount, mounts_.size());
    PHYSFS_Stat stat{};
    return why_bad_path(path) == nullptr && (PHYSFS_stat(full_path(mount, path).c_str(), &stat) != 0 ||
                                             PHYSFS_getLastErrorCode() == PHYSFS_ERR_SYMLINK_FORBIDDEN);
}

Result<std::vector<std::string>> AssetStore::list(MountId mount, std::string_view folder) const {
    ECS_EXPECTS(mount < mounts_.size(), mount, mounts_.size());
    const std::string& prefix = mounts_[mount]->prefix();
    const auto refused = [&](const char* why, std::size_t limit) {
        return Error{fmt::format(fmt::runtime(why), display_path(mount, folder), limit)};
    };
    std::vector<std::string> files;
    std::vector<std::string> folders{std::string{folder}};
    while (!folders.empty()) {
        const std::string current = std::move(folders.back());
        folders.pop_back();
        const Result<std::vector<std::string>> names = names_in(prefix + current);
        if (!names) {
            const std::string shown = display_path(mount, current.empty() ? "." : current);
            return Error{fmt::format(e::kCannotRead, shown, names.error().message)};
        }
        for (const std::string& name : names.value()) {
            const std::string path = current.empty() ? name : current + "/" + name;
            PHYSFS_Stat stat{};
            if (PHYSFS_stat((prefix + path).c_str(), &stat) == 0) continue;
            if (stat.filetype == PHYSFS_FILETYPE_DIRECTORY) {
                if (depth_of(path) >= kMaxFolderDepth) return refused(e::kMountTooDeep, kMaxFolderDepth);
                folders.push_back(path);
            }
            if (stat.filetype == PHYSFS_FILETYPE_REGULAR) files.push_back(path);
            if (files.size() + folders.size() > kMaxListedFiles)
                return refused(e::kMountTooMany, kMaxListedFiles);
        }
    }
    std::ranges::sort(files);
    return files;
}

Result<AssetHandle> AssetStore::intern(MountId mount, std::string_view path) {
    if (const auto known = handles_.find(std::pair{mount, std::string{path}}); known != handles_.end())
        return known->second;
    if (is_presenting_) {
        const auto known = presentation_handles_.find(std::pair{mount, std::string{path}});
        if (known != presentation_handles_.end()) return known->second;
        presentation_room_.set_members(mounts_.size());
        if (next_reserved_ == end_reserved_ || presentation_room_.room(mount) == 0)
            return Error{fmt::format(e::kTooManyPresentationAssets, kPresentationHandles)};
    }
    if (Result<void> checked = check_asset_path(path); !checked) return checked.error();
    const bool is_missing = !has(mount, path);
    if (is_missing && !is_presenting_) {
        missing_counts_.resize(mounts_.size());
        if (missing_counts_[mount] >= kMaxMissing) return bad_path(path, e::kTooManyMissing);
        ++missing_counts_[mount];
    }
    if (is_presenting_) static_cast<void>(presentation_room_.take(mount, 1));
    if (!is_presenting_) pass_surfaces(1);
    const AssetHandle handle = is_presenting_ ? next_reserved_++ : static_cast<AssetHandle>(assets_.size());
    if (!is_presenting_) assets_.emplace_back();
    assets_[handle] = {mount, std::string{path}, is_missing};
    (is_presenting_ ? presentation_handles_ : handles_).emplace(std::pair{mount, std::string{path}}, handle);
    if (is_missing) missing_.push_back({handle, {}});
    return handle;
}

// The mod of a path; the rest of the path is relative to it.
Result<MountId> AssetStore::mount_of(MountId asking, std::string_view& path) const {
    const std::size_t colon = path.find(':');
    if (colon == path.npos) return asking;
    const std::string_view mod = path.substr(0, colon);
    const std::optional<MountId> mount = mod == game_name_ ? MountId{0} : find_mount(mod);
    if (!mount) return Error{fmt::format(e::kAssetOfNoMod, path, mod)};
    path.remove_prefix(colon + 1);
    return *mount;
}

Result<AssetHandle> AssetStore::intern_for(MountId asking, std::string_view path) {
    const Result<MountId> mount = mount_of(asking, path);
    if (!mount) return mount.error();
    return intern(mount.value(), path);
}

std::string AssetStore::why_missing(MountId asking, std::string_view path) const {
    const Result<MountId> mount = mount_of(asking, path);
    if (!mount) return mount.error().message;
    if (const Result<void> good = check_asset_path(path); !good) return good.error().message;
    if (has(mount.value(), path)) return {};
    return fmt::format(e::kNoSuchAsset, display_path(mount.value(), path),
                       did_you_mean(nearest_file(mount.value(), path)));
}

void AssetStore::set_request_place(AssetHandle handle, std::string_view place) {
    for (Missing& missing : missing_)
        if (missing.handle == handle && missing.place.empty()) missing.place = place;
}

std::vector<std::string> AssetStore::take_missing() {
    std::vector<std::string> messages;
    for (const Missing& missing : std::exchange(missing_, {})) {
        const Asset& asset = assets_[missing.handle];
        const std::string place = missing.place.empty() ? "" : missing.place + ": ";
        messages.push_back(fmt::format(e::kMissingAsset, place, name_of(missing.handle),
                                       did_you_mean(nearest_file(asset.mount, asset.path))));
    }
    return messages;
}

// Among those below assets/: of the same name in another folder or other case, or of a name nearby.
std::string AssetStore::nearest_file(MountId mount, std::string_view path) const {
    constexpr std::size_t kMaxLookedAt = 2000;
    const auto name_in = [](std::string_view whole) { return whole.substr(whole.rfind('/') + 1); };
    const auto plain = [](std::string_view text) {
        std::string lower(text);
        for (char& letter : lower)
            if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
        return lower;
    };
    const std::string wanted = plain(name_in(path));
    std::vector<std::string_view> paths, names;
    for (auto at = handles_.lower_bound(std::pair{mount, std::string()});
         at != handles_.end() && at->first.first == mount && paths.size() < kMaxLookedAt; ++at) {
        if (assets_[at->second].is_missing) continue;
        paths.emplace_back(at->first.second);
        names.push_back(name_in(paths.back()));
        if (plain(names.back()) == wanted) return display_path(mount, paths.back());
    }
    std::string_view nearest = nearest_name(path, paths);
    if (nearest.empty()) {
        const std::string_view name = nearest_name(name_in(path), names);
        if (!name.empty())
            nearest = paths[static_cast<std::size_t>(std::ranges::find(names, name) - names.begin())];
    }
    return nearest.empty() ? std::string() : display_path(mount, nearest);
}

// Leaves out the ids of surfaces if they are among the next handles.
void AssetStore::pass_surfaces(std::size_t count) {
    if (assets_.size() < kEndOfSurfaces && assets_.size() + count > kFirstSurface)
        assets_.resize(kEndOfSurfaces, {0, "", true});
}

void AssetStore::reserve_presentation_handles() {
    pass_surfaces(kPresentationHandles);
    next_reserved_ = static_cast<AssetHandle>(assets_.size());
    end_reserved_ = next_reserved_ + static_cast<AssetHandle>(kPresentationHandles);
    assets_.resize(end_reserved_, {0, "", true});
}

std::optional<AssetHandle> AssetStore::refresh(MountId mount, std::string_view path) {
    std::optional<AssetHandle> found;
    for (const Handles* const handles : {&presentation_handles_, &handles_}) {
        const auto known = handles->find(std::pair{mount, std::string{path}});
        if (known == handles->end()) continue;
        found = known->second;
        assets_[*found].is_missing = !has(mount, path);
    }
    return found;
}

const AssetStore::Asset& AssetStore::operator[](AssetHandle handle) const {
    ECS_EXPECTS(is_handle(handle), handle);
    return assets_[handle];
}

std::string AssetStore::name_of(AssetHandle handle) const {
    return is_handle(handle) ? display_path(assets_[handle].mount, assets_[handle].path) : "none";
}

Result<std::string> AssetStore::read(AssetHandle handle, std::size_t max_bytes) const {
    const Asset& asset = (*this)[handle];
    return read(asset.mount, asset.path, max_bytes);
}

}  // namespace perigee
