// The end record from the back of the file, then the entries in sequence.
#include "engine/assets/internal/zip_directory.h"

#include "ecs/files/regular_file.h"
#include "engine/assets/assets.h"
#include "engine/base/error_codes.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>

namespace perigee::internal {

namespace {

namespace e = engine_errors;

constexpr std::size_t kEndBytes = 22;
constexpr std::size_t kLocatorBytes = 20;  // of a zip64 archive, before the end record
constexpr std::size_t kEntryBytes = 46;
constexpr std::size_t kMaxCommentBytes = 65535;
constexpr std::size_t kMaxDirectoryBytes = std::size_t{16} << 20U;
constexpr std::string_view kEndMark{"PK\5\6", 4};
constexpr std::string_view kLocatorMark{"PK\6\7", 4};
constexpr std::string_view kEntryMark{"PK\1\2", 4};
constexpr unsigned kStored = 0;
constexpr unsigned kDeflated = 8;

std::uint32_t number(std::string_view bytes, std::size_t at, std::size_t size) noexcept {
    std::uint32_t value = 0;
    for (std::size_t i = size; i-- > 0;) value = value << 8U | static_cast<unsigned char>(bytes[at + i]);
    return value;
}

// The location of the directory, from the last record of the file.
struct End {
    std::uint64_t directory_at = 0;
    std::size_t directory_bytes = 0;
    std::size_t entries = 0;
};

// `tail`: the last bytes of a file of `size`.
Result<End> end_of(std::string_view tail, std::uint64_t size) {
    if (tail.size() < kEndBytes) return Error{e::kZipNone};
    const std::size_t at = tail.rfind(kEndMark, tail.size() - kEndBytes);
    if (at == tail.npos) return Error{e::kZipNone};
    if (at + kEndBytes + number(tail, at + 20, 2) != tail.size()) return Error{e::kZipDamaged};
    if (at >= kLocatorBytes && tail.substr(at - kLocatorBytes, 4) == kLocatorMark)
        return Error{e::kZipTooLarge};
    End end;
    end.entries = number(tail, at + 10, 2);
    end.directory_bytes = number(tail, at + 12, 4);
    end.directory_at = number(tail, at + 16, 4);
    const bool is_one_disk = number(tail, at + 4, 2) == 0 && number(tail, at + 6, 2) == 0 &&
                             number(tail, at + 8, 2) == end.entries;
    // There is nothing before the archive and nothing between the directory and its end, so it can be read in
    // only one way.
    if (!is_one_disk || end.directory_at + end.directory_bytes != size - (tail.size() - at))
        return Error{e::kZipDamaged};
    if (end.entries > kMaxZipEntries) return Error{fmt::format(e::kZipEntries, kMaxZipEntries)};
    if (end.directory_bytes > kMaxDirectoryBytes) return Error{e::kZipDamaged};
    return end;
}

Result<void> check_name(std::string_view name) {
    if (name.empty() || name.find('\0') != name.npos) return Error{e::kZipDamaged};
    if (name.size() > AssetStore::kMaxPathBytes)
        return Error{fmt::format(e::kZipName, AssetStore::kMaxPathBytes)};
    // PhysFS treats a backslash as a slash if the archive was made on a system that does.
    const auto slashes = std::ranges::count_if(name, [](char c) { return c == '/' || c == '\\'; });
    if (static_cast<std::size_t>(slashes) > AssetStore::kMaxFolderDepth)
        return Error{fmt::format(e::kZipDepth, AssetStore::kMaxFolderDepth)};
    return {};
}

Result<void> check_directory(std::string_view directory, const End& end) {
    std::size_t at = 0;
    std::uint64_t packed = 0;
    std::uint64_t unpacked = 0;
    for (std::size_t entry = 0; entry < end.entries; ++entry) {
        if (directory.size() - at < kEntryBytes || directory.substr(at, 4) != kEntryMark)
            return Error{e::kZipDamaged};
        const bool is_encrypted = (number(directory, at + 8, 2) & 1U) != 0;
        const unsigned method = number(directory, at + 10, 2);
        const std::uint64_t packed_here = number(directory, at + 20, 4);
        const std::uint64_t unpacked_here = number(directory, at + 24, 4);
        const std::size_t name_bytes = number(directory, at + 28, 2);
        const std::size_t rest = number(directory, at + 30, 2) + number(directory, at + 32, 2);
        const std::uint64_t file_at = number(directory, at + 42, 4);
        at += kEntryBytes;
        if (directory.size() - at < name_bytes + rest) return Error{e::kZipDamaged};
        if (Result<void> name = check_name(directory.substr(at, name_bytes)); !name) return name;
        at += name_bytes + rest;
        if (is_encrypted) return Error{e::kZipEncrypted};
        if (method != kStored && method != kDeflated) return Error{fmt::format(e::kZipMethod, method)};
        if (method == kStored && packed_here != unpacked_here) return Error{e::kZipDamaged};
        if (file_at + packed_here > end.directory_at) return Error{e::kZipDamaged};
        packed += packed_here;
        unpacked += unpacked_here;
    }
    if (at != directory.size()) return Error{e::kZipDamaged};
    const bool is_bomb = unpacked > kZipBytesWithoutRatio && unpacked / kMaxZipRatio > packed;
    if (is_bomb || unpacked > kMaxZipUnpackedBytes || packed > end.directory_at)
        return Error{fmt::format(e::kZipBomb, unpacked >> 20U, packed >> 20U)};
    return {};
}

}  // namespace

Result<void> check_zip(std::string_view bytes) {
    const std::size_t tail = std::min(bytes.size(), kEndBytes + kMaxCommentBytes + kLocatorBytes);
    const Result<End> end = end_of(bytes.substr(bytes.size() - tail), bytes.size());
    if (!end) return end.error();
    return check_directory(bytes.substr(end.value().directory_at, end.value().directory_bytes), end.value());
}

Result<void> check_zip(const std::filesystem::path& file) {
    const Result<RegularFile> opened = RegularFile::open(file);
    if (!opened) return Error{fmt::format(e::kZipFile, opened.error().message)};
    const std::uint64_t size = opened.value().size();
    if (size > std::numeric_limits<std::uint32_t>::max()) return Error{e::kZipTooLarge};
    const auto read = [&opened](std::uint64_t at, std::size_t count) -> Result<std::string> {
        Result<std::string> bytes = opened.value().read(at, count);
        if (!bytes) return Error{fmt::format(e::kZipFile, bytes.error().message)};
        if (bytes.value().size() != count) return Error{e::kZipDamaged};
        return bytes;
    };
    const std::size_t max_tail_bytes = kEndBytes + kMaxCommentBytes + kLocatorBytes;
    const auto tail_bytes = static_cast<std::size_t>(std::min<std::uint64_t>(size, max_tail_bytes));
    const Result<std::string> tail = read(size - tail_bytes, tail_bytes);
    if (!tail) return tail.error();
    const Result<End> end = end_of(tail.value(), size);
    if (!end) return end.error();
    const Result<std::string> directory = read(end.value().directory_at, end.value().directory_bytes);
    if (!directory) return directory.error();
    return check_directory(directory.value(), end.value());
}

}  // namespace perigee::internal
