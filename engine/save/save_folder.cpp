// Files are written next to the old version, flushed to disk, and renamed when complete.
#include "engine/save/save_folder.h"

#define XXH_INLINE_ALL
#include "ecs/files/locked_file.h"
#include "ecs/files/regular_file.h"
#include "engine/base/error_codes.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <map>
#include <system_error>

namespace perigee {

namespace fs = std::filesystem;
namespace e = engine_errors;

namespace {

constexpr std::string_view kSaveMagic = "perigee save 1\n";
constexpr std::size_t kHeadBytes = kSaveMagic.size() + 17;
constexpr std::string_view kEnding = ".save";
constexpr std::string_view kOldEnding = ".save.old";
constexpr char kOld[] = ".old";
constexpr char kPart[] = ".part";
constexpr int kMaxFolderEntries = 10'000;  // of a folder that are read

std::string head_of(std::string_view bytes) {
    return fmt::format("{}{:016x}\n", kSaveMagic, XXH3_64bits(bytes.data(), bytes.size()));
}

fs::path with(fs::path file, const char* ending) {
    file += ending;
    return file;
}

// The contents of one file. Neither bytes nor a reason: the file does not exist.
struct Found {
    std::optional<std::string> bytes;
    std::string reason;
};

Found read_save(const fs::path& file, std::size_t max_bytes) {
    std::error_code failed;
    if (fs::symlink_status(file, failed).type() == fs::file_type::not_found) return {};
    Result<std::string> all = read_regular_file(file, kHeadBytes + max_bytes);
    if (!all) return {{}, fmt::format(e::kSaveUnreadable, all.error().message)};
    const std::string_view bytes =
        std::string_view{all.value()}.substr(std::min(kHeadBytes, all.value().size()));
    if (all.value().compare(0, kHeadBytes, head_of(bytes)) != 0) return {{}, e::kSaveDamaged};
    return {std::string{bytes}, {}};
}

bool is_intact(const fs::path& file, std::size_t max_bytes) {
    return read_save(file, max_bytes).bytes.has_value();
}

Error cannot_write(const std::string& reason) { return Error{fmt::format(e::kSaveCannotWrite, "", reason)}; }

}  // namespace

fs::path SaveFolder::file_of(const std::string& place, const std::string& name) const {
    return root_ / place / (name + std::string(kEnding));
}

Result<std::vector<PlayerData::File>> SaveFolder::list(const std::string& place) {
    std::map<std::string, std::uint64_t> found;
    std::error_code failed;
    fs::directory_iterator entry{root_ / place, failed};
    if (failed == std::errc::no_such_file_or_directory) return std::vector<File>{};
    for (int i = 0; !failed && i < kMaxFolderEntries && entry != fs::directory_iterator{};
         entry.increment(failed), ++i) {
        std::string name = entry->path().filename().string();
        std::error_code no_size;
        const bool is_old = name.ends_with(kOldEnding);
        if (!is_old && !name.ends_with(kEnding)) continue;
        name.resize(name.size() - (is_old ? kOldEnding : kEnding).size());
        const std::uint64_t bytes = entry->file_size(no_size);
        if (!is_save_name(name) || no_size || !entry->is_regular_file(no_size)) continue;
        const std::uint64_t own = bytes > kHeadBytes ? bytes - kHeadBytes : 0;
        if (is_old)
            found.try_emplace(name, own);
        else
            found[name] = own;
    }
    if (failed) return Error{fmt::format(e::kSaveCannotList, failed.message())};
    std::vector<File> files;
    for (const auto& [name, bytes] : found)
        if (files.size() < kMaxSaveFiles) files.push_back({name, bytes});
    return files;
}

Result<std::optional<PlayerData::Content>> SaveFolder::read(const std::string& place, const std::string& name,
                                                            Version version) {
    const fs::path file = file_of(place, name);
    Found newest;
    if (version == Version::newest_intact) {
        newest = read_save(file, max_save_bytes(place));
        if (newest.bytes) return std::optional<Content>{Content{std::move(*newest.bytes), false}};
    }
    Found old = read_save(with(file, kOld), max_save_bytes(place));
    if (old.bytes) return std::optional<Content>{Content{std::move(*old.bytes), true}};
    if (!newest.reason.empty()) return Error{newest.reason};
    if (!old.reason.empty()) return Error{old.reason};
    return std::optional<Content>{};
}

Result<void> SaveFolder::write(const std::string& place, const std::string& name, std::string_view bytes) {
    const fs::path file = file_of(place, name);
    std::error_code failed;
    fs::create_directories(file.parent_path(), failed);
    if (failed) return cannot_write(failed.message());
    Result<LockedFile> part = LockedFile::create(with(file, kPart), e::kSaveCannotWrite);
    if (!part) return part.error();
    LockedFile& stream = part.value();
    // What cannot be completed leaves no file, which would take room on a full disk.
    const auto give_up = [&](const std::string& reason) {
        std::error_code ignored;
        fs::remove(with(file, kPart), ignored);
        return cannot_write(reason);
    };
    stream.write(head_of(bytes));
    stream.write(bytes);
    stream.sync();
    // The newest version is not replaced before the new one is complete.
    if (Result<void> whole = stream.check(); !whole) return give_up(whole.error().message);
    if (is_intact(file, max_save_bytes(place))) {
        fs::rename(file, with(file, kOld), failed);
        if (failed) return give_up(failed.message());
    }
    if (Result<void> finished = stream.finish_as(file); !finished) return give_up(finished.error().message);
    sync_folder(file.parent_path());
    return {};
}

Result<void> SaveFolder::remove(const std::string& place, const std::string& name) {
    const fs::path file = file_of(place, name);
    std::error_code failed;
    // The newest is removed last, so that a partial removal never exposes an older version.
    for (const fs::path& version : {with(file, kPart), with(file, kOld), file}) {
        fs::remove(version, failed);
        if (failed && failed != std::errc::not_a_directory)
            return Error{fmt::format(e::kSaveCannotRemove, failed.message())};
    }
    sync_folder(file.parent_path());
    return {};
}

fs::path player_data_folder() {
    // The XDG specification says that relative paths are ignored.
    if (const char* data = std::getenv("XDG_DATA_HOME"); data != nullptr && fs::path{data}.is_absolute())
        return fs::path{data} / "perigee";
    if (const char* home = std::getenv("HOME"); home != nullptr && fs::path{home}.is_absolute())
        return fs::path{home} / ".local" / "share" / "perigee";
    return {};
}

}  // namespace perigee
