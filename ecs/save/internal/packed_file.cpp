// Level 3 of zstd: slower ones make files of worlds little smaller.
#include "ecs/save/internal/packed_file.h"

#include "ecs/base/error_codes.h"
#include "ecs/base/internal/byte_stream.h"

#define XXH_INLINE_ALL
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <new>

namespace perigee::internal {

namespace {

constexpr std::string_view kMagic = "perigee world\n";
constexpr std::uint16_t kFormat = 1;
constexpr std::size_t kHeadBytes = kMagic.size() + sizeof(std::uint16_t) + 2 * sizeof(std::uint64_t);
constexpr std::size_t kStepBytes = std::size_t{1} << 20;
constexpr int kLevel = 3;

struct FreeContext {
    void operator()(ZSTD_DCtx* context) const noexcept { ZSTD_freeDCtx(context); }
};

class File {
public:
    explicit File(int descriptor) noexcept : descriptor_(descriptor) {}
    ~File() { close(); }
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    explicit operator bool() const noexcept { return descriptor_ >= 0; }
    int get() const noexcept { return descriptor_; }
    bool close() noexcept {
        const int closed = descriptor_ < 0 ? 0 : ::close(descriptor_);
        descriptor_ = -1;
        return closed == 0;
    }

private:
    int descriptor_;
};

Error cannot_read(const std::filesystem::path& file, std::string_view reason) {
    return Error{errors::save_cannot_read(file.string(), reason),
                 errno == ENOENT ? ErrorKind::not_found : ErrorKind::refused};
}
Error cannot_write(const std::filesystem::path& file, int error) {
    return Error{errors::save_cannot_write(file.string(), std::strerror(error))};
}

bool write_all(int descriptor, std::string_view bytes) noexcept {
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

}  // namespace

std::string pack(std::string_view contents) {
    ByteWriter size;
    size.put(static_cast<std::uint64_t>(contents.size()));
    std::string rest = size.take();
    const std::size_t start = rest.size();
    rest.resize(start + ZSTD_compressBound(contents.size()));
    const std::size_t packed =
        ZSTD_compress(rest.data() + start, rest.size() - start, contents.data(), contents.size(), kLevel);
    if (ZSTD_isError(packed) != 0) throw std::bad_alloc();  // the only reason with enough room
    rest.resize(start + packed);
    ByteWriter head;
    head.put(kFormat);
    head.put(static_cast<std::uint64_t>(XXH3_64bits(rest.data(), rest.size())));
    return std::string(kMagic) + head.bytes() + rest;
}

Result<std::string> unpack(std::string_view file, std::size_t max_bytes) {
    if (!file.starts_with(kMagic)) return Error{errors::save_no_file()};
    if (file.size() < kHeadBytes) return Error{errors::save_damaged("it ends too early")};
    ByteReader head(file.substr(kMagic.size()));
    const auto format = head.get<std::uint16_t>();
    if (format != kFormat) return Error{errors::save_other_format(format, kFormat)};
    const auto checksum = head.get<std::uint64_t>();
    const std::string_view rest = file.substr(file.size() - head.left());
    if (XXH3_64bits(rest.data(), rest.size()) != checksum)
        return Error{errors::save_damaged("its checksum is wrong")};
    const auto size = head.get<std::uint64_t>();
    if (size > max_bytes) return Error{errors::save_too_large(size, max_bytes)};

    const std::unique_ptr<ZSTD_DCtx, FreeContext> context(ZSTD_createDCtx());
    if (context == nullptr) throw std::bad_alloc();
    std::string contents;
    ZSTD_inBuffer in{file.data() + file.size() - head.left(), head.left(), 0};
    std::size_t left = 1;  // 0: the frame is complete
    while (left != 0) {
        const std::size_t before = contents.size();
        // One byte more than there should be shows contents that are too long.
        contents.resize(std::min<std::uint64_t>(before + kStepBytes, size + 1));
        ZSTD_outBuffer out{contents.data() + before, contents.size() - before, 0};
        left = ZSTD_decompressStream(context.get(), &out, &in);
        contents.resize(before + out.pos);
        const bool is_stuck = out.pos == 0 && in.pos == in.size && left != 0;
        if (ZSTD_isError(left) != 0 || is_stuck || contents.size() > size) break;
    }
    if (left != 0 || in.pos != in.size || contents.size() != size)
        return Error{errors::save_damaged("its contents cannot be unpacked")};
    return contents;
}

Result<std::string> read_bytes(const std::filesystem::path& file, std::size_t max_bytes) {
    const File opened(::open(file.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
    struct stat found {};
    if (!opened || ::fstat(opened.get(), &found) != 0) return cannot_read(file, std::strerror(errno));
    if (!S_ISREG(found.st_mode)) return cannot_read(file, "it is no regular file");
    if (static_cast<std::uint64_t>(found.st_size) > max_bytes)
        return Error{errors::save_too_large(static_cast<std::uint64_t>(found.st_size), max_bytes)};
    std::string bytes(static_cast<std::size_t>(found.st_size), '\0');
    std::size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t got = ::read(opened.get(), bytes.data() + done, bytes.size() - done);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return cannot_read(file, std::strerror(errno));
        if (got == 0) break;
        done += static_cast<std::size_t>(got);
    }
    bytes.resize(done);
    return bytes;
}

Result<void> write_bytes(const std::filesystem::path& file, std::string_view bytes) {
    struct stat found {};
    if (::stat(file.c_str(), &found) == 0 && !S_ISREG(found.st_mode))
        return Error{errors::save_cannot_write(file.string(), "it is no regular file")};
    std::filesystem::path part = file;
    part += ".part";
    ::unlink(part.c_str());
    File opened(::open(part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
    if (!opened) return cannot_write(file, errno);
    const bool is_written = write_all(opened.get(), bytes) && ::fsync(opened.get()) == 0 && opened.close() &&
                            ::rename(part.c_str(), file.c_str()) == 0;
    if (!is_written) {
        const int error = errno;
        ::unlink(part.c_str());
        return cannot_write(file, error);
    }
    // So that the new name survives a power failure. A file system without this operation is not an error.
    const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
    if (const File synced(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)); synced)
        ::fsync(synced.get());
    return {};
}

}  // namespace perigee::internal
