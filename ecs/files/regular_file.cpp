// stat, open without waiting, and fstat before the first byte.
#include "ecs/files/regular_file.h"

#include "ecs/base/error_codes.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace perigee {

namespace {

constexpr std::size_t kBlockBytes = std::size_t{1} << 16U;

Error refused(int error) {
    if (error == ENOENT || error == ENOTDIR) return Error{errors::file_missing(), ErrorKind::not_found};
    return Error{errors::file_unreadable(std::strerror(error))};
}

const char* kind_of(std::uint32_t mode) noexcept {
    if (S_ISDIR(mode)) return "directory";
    if (S_ISFIFO(mode)) return "pipe";
    return S_ISSOCK(mode) ? "socket" : "device";
}

}  // namespace

Result<void> expect_regular(std::uint32_t mode) {
    if (S_ISREG(mode)) return {};
    return Error{errors::file_is_other(kind_of(mode))};
}

Result<RegularFile> RegularFile::open(const std::filesystem::path& file) {
    // Opening a device may have side effects, so the name is checked first.
    struct stat found {};
    if (::stat(file.c_str(), &found) != 0) return refused(errno);
    if (Result<void> regular = expect_regular(found.st_mode); !regular) return regular.error();
    const int descriptor = ::open(file.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (descriptor < 0) return refused(errno);
    RegularFile opened{descriptor, 0};
    if (::fstat(descriptor, &found) != 0) return refused(errno);
    if (Result<void> regular = expect_regular(found.st_mode); !regular) return regular.error();
    opened.size_ = static_cast<std::uint64_t>(found.st_size);
    return opened;
}

RegularFile::~RegularFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

Result<std::string> RegularFile::read(std::uint64_t at, std::size_t count) const {
    std::string bytes(count, '\0');
    std::size_t got = 0;
    while (got < count) {
        const ssize_t more =
            ::pread(descriptor_, bytes.data() + got, count - got, static_cast<off_t>(at + got));
        if (more < 0 && errno == EINTR) continue;
        if (more < 0) return refused(errno);
        if (more == 0) break;
        got += static_cast<std::size_t>(more);
    }
    bytes.resize(got);
    return bytes;
}

Result<std::string> read_regular_file(const std::filesystem::path& file, std::uint64_t max_bytes) {
    const Result<RegularFile> opened = RegularFile::open(file);
    if (!opened) return opened.error();
    const auto too_large = [max_bytes](std::uint64_t size) {
        return Error{errors::file_too_large(size, max_bytes)};
    };
    const std::uint64_t size = opened.value().size();
    if (size > max_bytes) return too_large(size);
    Result<std::string> bytes = opened.value().read(0, static_cast<std::size_t>(size));
    if (!bytes) return bytes;
    // For a growing file, or one with unknown size.
    for (std::string& all = bytes.value(); all.size() >= size;) {
        const Result<std::string> more = opened.value().read(all.size(), kBlockBytes);
        if (!more) return more.error();
        if (more.value().empty()) break;
        all += more.value();
        if (all.size() > max_bytes) return too_large(all.size());
    }
    return bytes;
}

}  // namespace perigee
