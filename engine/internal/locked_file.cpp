// open, flock, and a second look: between the two the file may have been given another name.
#include "engine/internal/locked_file.h"

#include "engine/error_codes.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace perigee::internal {

namespace {

constexpr int kAttempts = 16;

enum class Opened { yes, no, in_use, renamed };

Opened open_locked(const std::filesystem::path& file, int& descriptor) {
    descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    struct stat own {};
    if (descriptor < 0 || ::fstat(descriptor, &own) != 0) return Opened::no;
    if (!S_ISREG(own.st_mode)) return Opened::yes;
    if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return Opened::in_use;
    struct stat named {};
    const bool is_same =
        ::stat(file.c_str(), &named) == 0 && named.st_dev == own.st_dev && named.st_ino == own.st_ino;
    if (!is_same) return Opened::renamed;
    return ::ftruncate(descriptor, 0) == 0 ? Opened::yes : Opened::no;
}

}  // namespace

Result<LockedFile> LockedFile::create(const std::filesystem::path& file, const char* cannot_write) {
    Opened opened = Opened::renamed;
    for (int attempt = 0; attempt < kAttempts && opened == Opened::renamed; ++attempt) {
        int descriptor = -1;
        opened = open_locked(file, descriptor);
        if (opened == Opened::yes) {
            if (std::FILE* const stream = ::fdopen(descriptor, "wb")) return LockedFile{file, stream};
            opened = Opened::no;
        }
        if (descriptor >= 0) ::close(descriptor);
    }
    std::string message = fmt::format(fmt::runtime(cannot_write), file.string());
    if (opened == Opened::in_use) message += engine_errors::kFileInUse;
    return Error{std::move(message)};
}

void LockedFile::write(std::string_view bytes) noexcept {
    was_refused_ |= std::fwrite(bytes.data(), 1, bytes.size(), stream_.get()) != bytes.size();
}

void LockedFile::flush() noexcept { was_refused_ |= std::fflush(stream_.get()) != 0; }

bool LockedFile::close() noexcept {
    was_refused_ |= std::fclose(stream_.release()) != 0;
    return !was_refused_;
}

bool LockedFile::finish_as(const std::filesystem::path& file) noexcept {
    flush();
    std::error_code failed;
    // A device or a pipe is not to be replaced by a file.
    const std::filesystem::file_status there = std::filesystem::status(file, failed);
    was_refused_ |= std::filesystem::exists(there) && !std::filesystem::is_regular_file(there);
    failed.clear();
    if (!was_refused_) std::filesystem::rename(file_, file, failed);
    return close() && !failed;
}

}  // namespace perigee::internal
