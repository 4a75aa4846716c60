// Level 3 of zstd: slower ones make files of worlds little smaller.
#include "ecs/save/internal/packed_file.h"

#include "ecs/base/error_codes.h"
#include "ecs/base/internal/byte_stream.h"

#define XXH_INLINE_ALL
#include <xxhash.h>
#include <zstd.h>

#include <algorithm>
#include <memory>
#include <new>

namespace perigee::internal {

namespace {

constexpr std::string_view kMagic = "perigee world\n";
constexpr std::uint16_t kFormatWithoutObjects = 1;
constexpr std::uint16_t kFormat = 2;
constexpr std::size_t kHeadBytes = kMagic.size() + sizeof(std::uint16_t) + 2 * sizeof(std::uint64_t);
constexpr std::size_t kStepBytes = std::size_t{1} << 20;
constexpr int kLevel = 3;

struct FreeContext {
    void operator()(ZSTD_DCtx* context) const noexcept { ZSTD_freeDCtx(context); }
};

}  // namespace

std::string pack(std::string_view contents, bool has_objects) {
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
    head.put(has_objects ? kFormat : kFormatWithoutObjects);
    head.put(static_cast<std::uint64_t>(XXH3_64bits(rest.data(), rest.size())));
    return std::string(kMagic) + head.bytes() + rest;
}

Result<std::string> unpack(std::string_view file, std::size_t max_bytes) {
    if (!file.starts_with(kMagic)) return Error{errors::save_no_file()};
    if (file.size() < kHeadBytes) return Error{errors::save_damaged("it ends too early")};
    ByteReader head(file.substr(kMagic.size()));
    const auto format = head.get<std::uint16_t>();
    if (format != kFormat && format != kFormatWithoutObjects)
        return Error{errors::save_other_format(format, kFormat)};
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

}  // namespace perigee::internal
