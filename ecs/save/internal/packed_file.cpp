// Level 1 of zstd: slower ones make files of worlds little smaller.
#include "ecs/save/internal/packed_file.h"

#include "ecs/base/error_codes.h"
#include "ecs/base/internal/byte_stream.h"

#define XXH_INLINE_ALL
#include <xxhash.h>
#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>

namespace perigee::internal {

namespace {

constexpr std::string_view kMagic = "perigee world\n";
constexpr std::uint16_t kFormatWithoutObjects = 1;
constexpr std::uint16_t kFormat = 2;
constexpr std::size_t kHeadBytes = kMagic.size() + sizeof(std::uint16_t) + 2 * sizeof(std::uint64_t);
constexpr std::size_t kStepBytes = std::size_t{1} << 20;
constexpr std::size_t kUsualFactor = 4;  // contents are seldom packed better
constexpr int kLevel = 1;

struct FreeContext {
    void operator()(ZSTD_DCtx* context) const noexcept { ZSTD_freeDCtx(context); }
};

}  // namespace

std::string pack(std::string_view contents, bool has_objects) {
    // Memory that is not written needs no pages: most contents become much smaller.
    const std::size_t room = ZSTD_compressBound(contents.size());
    const std::unique_ptr<char[]> packed(new char[room]);
    const std::size_t count = ZSTD_compress(packed.get(), room, contents.data(), contents.size(), kLevel);
    if (ZSTD_isError(count) != 0) throw std::bad_alloc();  // the only reason with enough room

    std::string file(kMagic);
    file.reserve(kHeadBytes + count);
    put_number(file, has_objects ? kFormat : kFormatWithoutObjects);
    const std::size_t checksum = file.size();
    put_number(file, std::uint64_t{0});
    const std::size_t rest = file.size();
    put_number(file, static_cast<std::uint64_t>(contents.size()));
    file.append(packed.get(), count);
    const std::uint64_t sum = XXH3_64bits(file.data() + rest, file.size() - rest);
    std::memcpy(file.data() + checksum, &sum, sizeof sum);
    return file;
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
    // A forged size takes no more than in proportion to the file.
    contents.reserve(std::min<std::uint64_t>(size + 1, kUsualFactor * file.size()));
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
