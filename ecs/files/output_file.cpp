// The name is checked before it is opened or replaced, and the opened file is checked again.
#include "ecs/files/output_file.h"

#include "ecs/base/error_codes.h"
#include "ecs/files/regular_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

namespace perigee {

namespace {

Error reason_of(int error) { return Error{std::strerror(error)}; }

Result<void> expect_output(mode_t mode) {
    const Result<void> regular = expect_regular(mode);
    if (regular) return regular;
    return Error{errors::output_is_no_file(regular.error().message)};
}

Result<void> write_all(int descriptor, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return reason_of(errno);
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return {};
}

}  // namespace

Result<void> expect_replaceable(const std::filesystem::path& file) {
    struct stat found {};
    return ::stat(file.c_str(), &found) == 0 ? expect_output(found.st_mode) : Result<void>{};
}

Result<void> replace_file(const std::filesystem::path& part, const std::filesystem::path& file) {
    if (Result<void> replaceable = expect_replaceable(file); !replaceable) return replaceable;
    if (::rename(part.c_str(), file.c_str()) != 0) return reason_of(errno);
    return {};
}

std::filesystem::path part_of(const std::filesystem::path& file) { return file.string() + ".part"; }

Result<void> write_through_part(const std::filesystem::path& file,
                                const std::function<Result<void>(const std::filesystem::path& part)>& write) {
    const std::filesystem::path part = part_of(file);
    for (const std::filesystem::path& written : {file, part})
        if (Result<void> replaceable = expect_replaceable(written); !replaceable) return replaceable;
    Result<void> done = write(part);
    if (done) done = replace_file(part, file);
    if (!done) {
        std::error_code ignored;
        std::filesystem::remove(part, ignored);
    }
    return done;
}

Result<void> write_regular_file(const std::filesystem::path& file, std::string_view bytes) {
    if (Result<void> replaceable = expect_replaceable(file); !replaceable) return replaceable;
    const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0666);
    if (descriptor < 0) return reason_of(errno);
    struct stat found {};
    Result<void> done =
        ::fstat(descriptor, &found) == 0 ? expect_output(found.st_mode) : Result<void>{reason_of(errno)};
    if (done && ::ftruncate(descriptor, 0) != 0) done = reason_of(errno);
    if (done) done = write_all(descriptor, bytes);
    if (::close(descriptor) != 0 && done) done = reason_of(errno);
    return done;
}

}  // namespace perigee
