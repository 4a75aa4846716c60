// open, flock, and a second check: between the two the file may have been renamed.
#include "ecs/files/locked_file.h"

#include "ecs/base/error_codes.h"
#include "ecs/files/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace perigee {

namespace {

constexpr int kAttempts = 16;

enum class Opened { yes, no, in_use, renamed };

Opened open_locked(const std::filesystem::path& file, int& descriptor) {
    // Opens without waiting for a reader of a pipe; once open, writes wait for a full pipe.
    descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0666);
    struct stat own {};
    if (descriptor < 0 || ::fstat(descriptor, &own) != 0) return Opened::no;
    if (::fcntl(descriptor, F_SETFL, 0) != 0) return Opened::no;
    if (!S_ISREG(own.st_mode)) return Opened::yes;
    if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return Opened::in_use;
    struct stat named {};
    const bool is_same =
        ::stat(file.c_str(), &named) == 0 && named.st_dev == own.st_dev && named.st_ino == own.st_ino;
    if (!is_same) return Opened::renamed;
    return ::ftruncate(descriptor, 0) == 0 ? Opened::yes : Opened::no;
}

std::string why_not(Opened opened, int error) {
    if (opened != Opened::no) return errors::file_in_use();
    return error == ENXIO ? errors::pipe_without_reader() : std::strerror(error);
}

}  // namespace

Result<LockedFile> LockedFile::create(const std::filesystem::path& file, const char* cannot_write) {
    Opened opened = Opened::renamed;
    int error = 0;
    for (int attempt = 0; attempt < kAttempts && opened == Opened::renamed; ++attempt) {
        int descriptor = -1;
        errno = 0;
        opened = open_locked(file, descriptor);
        if (opened == Opened::yes) {
            if (std::FILE* const stream = ::fdopen(descriptor, "wb")) return LockedFile{file, stream};
            opened = Opened::no;
        }
        error = errno;
        if (descriptor >= 0) ::close(descriptor);
    }
    return Error{fmt::format(fmt::runtime(cannot_write), file.string(), why_not(opened, error))};
}

void LockedFile::expect(bool was_accepted) noexcept {
    if (!was_accepted && refusal_ == 0) refusal_ = errno != 0 ? errno : EIO;
}

void LockedFile::write(std::string_view bytes) noexcept {
    expect(std::fwrite(bytes.data(), 1, bytes.size(), stream_.get()) == bytes.size());
}

void LockedFile::overwrite(std::size_t at, std::string_view bytes) noexcept {
    flush();
    errno = 0;
    const ::ssize_t written =
        ::pwrite(::fileno(stream_.get()), bytes.data(), bytes.size(), static_cast<::off_t>(at));
    expect(written == static_cast<::ssize_t>(bytes.size()));
}

void LockedFile::flush() noexcept { expect(std::fflush(stream_.get()) == 0); }

void LockedFile::sync() noexcept {
    flush();
    // A file system without this operation has nothing to wait for.
    expect(::fsync(::fileno(stream_.get())) == 0 || errno == EINVAL || errno == ENOSYS);
}

Result<void> LockedFile::check() const {
    if (refusal_ == 0) return {};
    return Error{std::strerror(refusal_)};
}

Result<void> LockedFile::close() {
    expect(std::fclose(stream_.release()) == 0);
    if (refusal_ == 0) return {};
    return Error{std::strerror(refusal_)};
}

Result<void> LockedFile::finish_as(const std::filesystem::path& file) {
    flush();
    const Result<void> renamed = refusal_ == 0 ? replace_file(file_, file) : Result<void>{};
    const Result<void> closed = close();
    return renamed ? closed : renamed;
}

Result<void> write_whole_file(const std::filesystem::path& file, std::string_view bytes) {
    if (Result<void> replaceable = expect_replaceable(file); !replaceable) return replaceable;
    std::filesystem::path part = file;
    part += ".part";
    Result<LockedFile> created = LockedFile::create(part, "{1}");
    if (!created) return created.error();
    created.value().write(bytes);
    created.value().sync();
    if (Result<void> finished = created.value().finish_as(file); !finished) {
        ::unlink(part.c_str());
        return finished;
    }
    sync_folder(file.has_parent_path() ? file.parent_path() : ".");
    return {};
}

void sync_folder(const std::filesystem::path& folder) noexcept {
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return;
    ::fsync(descriptor);
    ::close(descriptor);
}

}  // namespace perigee
