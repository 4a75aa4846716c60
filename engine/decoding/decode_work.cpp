// One function for each kind of work.
#include "engine/decoding/decode_work.h"

#include "engine/assets/image_size.h"
#include "engine/decoding/decoder_sandbox.h"
#include "engine/decoding/font_server.h"
#include "engine/decoding/jpeg_pixels.h"
#include "engine/decoding/png_pixels.h"
#include "engine/decoding/sound_reader.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

namespace perigee::decoding {

namespace {

// Tables of libraries, Huffman trees of a JPEG's size, the pixels themselves: a little more than the result.
constexpr std::uint64_t kMemoryBesides = std::uint64_t{256} << 20U;

bool write_all(int file, const void* bytes, std::size_t count) {
    const auto* at = static_cast<const char*>(bytes);
    while (count > 0) {
        const ssize_t written = ::write(file, at, count);
        if (written <= 0) return false;
        at += written;
        count -= static_cast<std::size_t>(written);
    }
    return true;
}

// The head is written last, so that a result without a head is incomplete.
void finish(int output, DecodeHead head) {
    [[maybe_unused]] const auto done = ::pwrite(output, &head, sizeof head, 0);
}

DecodeHead image_result(std::string_view file, std::uint64_t max_bytes, int output) {
    DecodeHead head;
    ImagePixels pixels;
    const bool is_jpeg = file.starts_with(kJpegStart);
    switch (is_jpeg ? decode_jpeg(file, max_bytes, pixels) : decode_png(file, max_bytes, pixels)) {
        case ImageEnd::damaged:
            head.status = Status::damaged;
            return head;
        case ImageEnd::too_large:
            head.status = Status::too_large;
            return head;
        case ImageEnd::done:
            break;
    }
    head.first = pixels.width;
    head.second = pixels.height;
    head.bytes = pixels.rgba.size();
    head.status =
        write_all(output, pixels.rgba.data(), pixels.rgba.size()) ? Status::done : Status::too_large;
    return head;
}

DecodeHead sound_result(std::string_view file, std::uint64_t max_bytes, int output) {
    DecodeHead head;
    SoundReader reader(file);
    head.first = reader.info().rate;
    head.second = reader.info().channels;
    std::array<std::int16_t, 16 * 1024> samples;
    while (const std::size_t count = reader.read(samples)) {
        const std::size_t bytes = count * sizeof samples[0];
        if (head.bytes + bytes > max_bytes || !write_all(output, samples.data(), bytes)) {
            head.status = Status::too_large;
            return head;
        }
        head.bytes += bytes;
    }
    head.status = reader.is_damaged() ? Status::damaged : Status::done;
    return head;
}

bool write_block(int pipe, const std::int16_t* samples, std::size_t count) {
    const auto bytes = static_cast<std::uint32_t>(count * sizeof *samples);
    return write_all(pipe, &bytes, sizeof bytes) && write_all(pipe, samples, bytes);
}

// Blocks in write() while the game's buffer is full. A truncated stream has no last block.
void stream(std::string_view file, std::uint64_t max_bytes, int pipe) {
    SoundReader reader(file);
    std::array<std::int16_t, kMaxBlockBytes / sizeof(std::int16_t)> samples;
    std::uint64_t written = 0;
    while (const std::size_t count = reader.read(samples)) {
        written += count * sizeof samples[0];
        if (written > max_bytes || !write_block(pipe, samples.data(), count)) return;
    }
    if (!reader.is_damaged()) write_block(pipe, nullptr, 0);
}

DecodeHead probed(const DecodeRequest& request, int output) {
    DecodeHead head;
    head.status = Status::done;
    switch (request.probe) {
        case Probe::open_file:
            head.first = ::open("/etc/passwd", O_RDONLY | O_CLOEXEC) >= 0;
            break;
        case Probe::connect:
            head.first = ::socket(AF_INET, SOCK_STREAM, 0) >= 0;
            break;
        case Probe::start_process:
            head.first = ::fork() >= 0;
            break;
        case Probe::start_program:
            ::execl("/bin/true", "true", nullptr);
            break;
        case Probe::make_code:
            head.first = ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
                                MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED;
            break;
        case Probe::crash:
            ::raise(SIGSEGV);
            break;
        case Probe::hang:
            for (volatile bool forever = true; forever;) continue;
            break;
        case Probe::take_memory:
            head.first = ::mmap(nullptr, std::size_t{64} << 30U, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) != MAP_FAILED;
            break;
        case Probe::fill_result: {
            const std::vector<char> much(request.max_bytes + 1);
            head.bytes = write_all(output, much.data(), much.size()) ? much.size() : 0;
            break;
        }
        case Probe::stop:
            ::_exit(0);
        case Probe::none:
            break;
    }
    return head;
}

}  // namespace

void do_work(const DecodeRequest& request, int input, int output) {
    struct stat facts {};
    if (::fstat(input, &facts) != 0 || facts.st_size < 0) return;
    const auto size = static_cast<std::size_t>(facts.st_size);
    const void* const bytes = size > 0 ? ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, input, 0) : nullptr;
    if (bytes == MAP_FAILED) return;
    const std::string_view file{static_cast<const char*>(bytes), size};

    const std::uint64_t result = sizeof(DecodeHead) + request.max_bytes;
    const bool is_stream = request.kind == Kind::stream || request.kind == Kind::font;
    if (!is_stream && ::lseek(output, sizeof(DecodeHead), SEEK_SET) < 0) return;
    const bool is_sandboxed =
        enter_sandbox({request.cpu_seconds, kMemoryBesides + 2 * result + size, is_stream ? 0 : result});

    if (request.kind == Kind::font) return serve_font(file, output, is_sandboxed);
    if (is_stream) return stream(file, request.max_bytes, output);
    DecodeHead head;
    if (request.kind == Kind::image) head = image_result(file, request.max_bytes, output);
    if (request.kind == Kind::sound) head = sound_result(file, request.max_bytes, output);
    if (request.kind == Kind::probe) head = probed(request, output);
    head.is_sandboxed = is_sandboxed ? 1 : 0;
    finish(output, head);
}

}  // namespace perigee::decoding
