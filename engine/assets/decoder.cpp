// One request, one answer, over a pair of sockets; bytes travel in files that exist in memory only.
#include "engine/assets/decoder.h"

#include "ecs/base/contract.h"
#include "engine/assets/internal/decode_protocol.h"
#include "engine/base/error_codes.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <new>
#include <system_error>
#include <utility>
#include <vector>

namespace perigee {

namespace {

namespace e = engine_errors;
namespace d = decoding;

constexpr int kMaxStarts = 5;               // of the program; one that always ends is useless
constexpr std::uint32_t kGrace = 2000;      // ms that the program may take beyond its own limit
constexpr std::uint32_t kImageSeconds = 5;  // of processor time
constexpr std::uint32_t kStreamSeconds = 120;
constexpr std::uint32_t kFontSeconds = 120;
constexpr char kProgram[] = "perigee_decoder";
constexpr char kFolder[] = "libexec/perigee";
constexpr const char* kSystemPrefixes[] = {"/usr/local", "/usr"};
constexpr int kPipeBytes = 1 << 20;  // some seconds of sound

class Descriptor {
public:
    explicit Descriptor(int number = -1) noexcept : number_(number) {}
    ~Descriptor() {
        if (number_ >= 0) ::close(number_);
    }
    Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Descriptor& operator=(Descriptor&&) = delete;
    int get() const noexcept { return number_; }
    int release() noexcept { return std::exchange(number_, -1); }

private:
    int number_;
};

// A file in memory, sealed against shrinking, so that reading it never faults.
Descriptor memory_file(std::size_t size) {
    Descriptor file{::memfd_create("perigee", MFD_CLOEXEC | MFD_ALLOW_SEALING)};
    if (file.get() >= 0 && (::ftruncate(file.get(), static_cast<off_t>(size)) != 0 ||
                            ::fcntl(file.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) != 0))
        return Descriptor{};
    return file;
}

Descriptor memory_file_with(std::string_view bytes) {
    Descriptor file = memory_file(bytes.size());
    for (std::size_t at = 0; file.get() >= 0 && at < bytes.size();) {
        const ssize_t written =
            ::pwrite(file.get(), bytes.data() + at, bytes.size() - at, static_cast<off_t>(at));
        if (written <= 0) return Descriptor{};
        at += static_cast<std::size_t>(written);
    }
    return file;
}

const char* text_of(d::End end) {
    switch (end) {
        case d::End::timed_out:
            return e::kDecodingSlow;
        case d::End::no_process:
            return e::kNoDecoder;
        default:
            return e::kDecodingCrashed;
    }
}

// Adds a decoder that is going to end (-1: none), and reaps those that have ended. Any owner reaps for all,
// so at most the last few remain as zombies.
void reap_later(pid_t process) noexcept {
    static std::mutex mutex;
    static std::vector<pid_t> ending;
    const std::scoped_lock lock(mutex);
    try {
        if (process > 0) ending.push_back(process);
    } catch (const std::bad_alloc&) {  // it is reaped with this process
    }
    std::erase_if(ending, [](pid_t each) { return ::waitpid(each, nullptr, WNOHANG) != 0; });
}

}  // namespace

// ---- results ----

DecodedBytes::~DecodedBytes() {
    if (mapped_ != nullptr) ::munmap(mapped_, mapped_bytes_);
}

DecodedBytes::DecodedBytes(DecodedBytes&& other) noexcept
    : mapped_(std::exchange(other.mapped_, nullptr)),
      mapped_bytes_(std::exchange(other.mapped_bytes_, 0)),
      bytes_(std::exchange(other.bytes_, 0)) {}

DecodedBytes& DecodedBytes::operator=(DecodedBytes&& other) noexcept {
    std::swap(mapped_, other.mapped_);
    std::swap(mapped_bytes_, other.mapped_bytes_);
    std::swap(bytes_, other.bytes_);
    return *this;
}

const std::uint8_t* DecodedBytes::data() const noexcept {
    return mapped_ == nullptr ? nullptr : static_cast<const std::uint8_t*>(mapped_) + sizeof(d::DecodeHead);
}

// ---- the program ----

std::filesystem::path decoder_program(std::filesystem::path program) {
    namespace fs = std::filesystem;
    std::error_code ignored;
    if (program.empty()) program = fs::read_symlink("/proc/self/exe", ignored);
    const fs::path beside = program.parent_path() / kProgram;
    if (fs::exists(beside, ignored)) return beside;
    const fs::path installed = program.parent_path().parent_path() / kFolder / kProgram;
    if (fs::exists(installed, ignored)) return installed;
    for (const char* prefix : kSystemPrefixes)
        if (const fs::path found = fs::path{prefix} / kFolder / kProgram; fs::exists(found, ignored))
            return found;
    return beside;
}

Decoder::Decoder(DecoderConfig config) : config_(std::move(config)) {
    if (config_.program.empty()) config_.program = decoder_program();
}

Decoder::~Decoder() { stop(); }

void Decoder::stop() noexcept {
    if (socket_ >= 0) ::close(socket_);
    socket_ = -1;
    // The decoder ends as soon as it notices the closed socket; a confined process may not kill it.
    if (process_ > 0) reap_later(process_);
    process_ = -1;
}

void Decoder::start() {
    if (socket_ >= 0 || starts_ >= kMaxStarts) return;
    reap_later(-1);
    ++starts_;
    std::array<int, 2> pair{};
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair.data()) != 0) return;
    Descriptor own{pair[0]}, other{pair[1]};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, other.get(), d::kDecoderSocket);
    std::string name = config_.program.string();
    std::array<char*, 2> words = {name.data(), nullptr};
    const int failed = ::posix_spawn(&process_, name.c_str(), &actions, nullptr, words.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed != 0) {
        process_ = -1;
        return;
    }
    socket_ = own.release();
}

Result<void> Decoder::ask(const d::DecodeRequest& request, int input, int output) {
    start();
    if (socket_ < 0) return Error{fmt::format(e::kNoDecoderProgram, config_.program.string())};
    const std::array<int, 2> files = {input, output};
    d::DecodeRequest sent = request;
    iovec part{&sent, sizeof sent};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof files)> control{};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    cmsghdr* const head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof files);
    std::memcpy(CMSG_DATA(head), files.data(), sizeof files);
    const bool is_sent = ::sendmsg(socket_, &message, MSG_NOSIGNAL) == static_cast<ssize_t>(sizeof sent);

    d::DecodeReply reply;
    pollfd answer{socket_, POLLIN, 0};
    const int wait = static_cast<int>(request.wall_milliseconds + kGrace);
    const bool is_answered = is_sent && ::poll(&answer, 1, wait) == 1 &&
                             ::recv(socket_, &reply, sizeof reply, MSG_DONTWAIT) == sizeof reply &&
                             reply.magic == d::kMagic;
    if (!is_answered) {
        stop();  // the next file starts it again
        return Error{fmt::format(e::kNoDecoderProgram, config_.program.string())};
    }
    if (reply.end != d::End::done) return Error{text_of(reply.end)};
    return {};
}

Result<DecodedBytes> Decoder::result_of(std::string_view file, d::DecodeRequest request,
                                        d::DecodeHead& head) {
    request.cpu_seconds = kImageSeconds;
    request.wall_milliseconds = config_.max_milliseconds;
    const std::size_t size = sizeof head + request.max_bytes;
    const Descriptor input = memory_file_with(file);
    const Descriptor output = memory_file(size);
    if (input.get() < 0 || output.get() < 0) return Error{e::kNoDecoder};
    if (Result<void> answered = ask(request, input.get(), output.get()); !answered) return answered.error();
    void* const mapped = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, output.get(), 0);
    if (mapped == MAP_FAILED) return Error{e::kNoDecoder};
    DecodedBytes bytes{mapped, size};
    std::memcpy(&head, mapped, sizeof head);
    if (head.magic != d::kMagic || head.bytes > request.max_bytes) return Error{e::kDecodingCrashed};
    if (head.status == d::Status::damaged) return Error{e::kDecodingDamaged};
    if (head.status == d::Status::too_large) return Error{e::kDecodingTooLarge};
    if (head.status != d::Status::done) return Error{e::kDecodingCrashed};
    bytes.bytes_ = head.bytes;
    return bytes;
}

Result<DecodedBytes> Decoder::image(std::string_view file, ImageSize size) {
    d::DecodeRequest request;
    request.kind = d::Kind::image;
    request.max_bytes = std::uint64_t{size.width} * size.height * 4;
    d::DecodeHead head;
    Result<DecodedBytes> bytes = result_of(file, request, head);
    if (!bytes) return bytes;
    if (head.first != size.width || head.second != size.height || head.bytes != request.max_bytes)
        return Error{e::kDecodingDamaged};
    return bytes;
}

Result<DecodedBytes> Decoder::sound(std::string_view file, const SoundInfo& info) {
    if (info.seconds() > kMaxSoundSeconds)
        return Error{fmt::format(e::kSoundTooLong, info.seconds(), kMaxSoundSeconds)};
    d::DecodeRequest request;
    request.kind = d::Kind::sound;
    // The last page of an OGG may give slightly fewer samples than are decoded.
    request.max_bytes = (info.frames + info.rate) * info.channels * sizeof(std::int16_t);
    d::DecodeHead head;
    Result<DecodedBytes> bytes = result_of(file, request, head);
    if (!bytes) return bytes;
    if (head.first != info.rate || head.second != info.channels || head.bytes == 0 ||
        head.bytes % (info.channels * sizeof(std::int16_t)) != 0)
        return Error{e::kDecodingDamaged};
    return bytes;
}

Result<SoundStream> Decoder::stream(std::string_view file, const SoundInfo& info) {
    if (info.seconds() > kMaxStreamSeconds)
        return Error{fmt::format(e::kMusicTooLong, info.seconds(), kMaxStreamSeconds)};
    d::DecodeRequest request;
    request.kind = d::Kind::stream;
    request.cpu_seconds = kStreamSeconds;
    request.wall_milliseconds = config_.max_milliseconds;
    request.max_bytes = (info.frames + info.rate) * info.channels * sizeof(std::int16_t);
    const Descriptor input = memory_file_with(file);
    std::array<int, 2> ends{};
    if (input.get() < 0 || ::pipe2(ends.data(), O_CLOEXEC) != 0) return Error{e::kNoDecoder};
    Descriptor reading{ends[0]};
    const Descriptor writing{ends[1]};
    ::fcntl(reading.get(), F_SETFL, O_NONBLOCK);
    ::fcntl(reading.get(), F_SETPIPE_SZ, kPipeBytes);  // a smaller one does, too
    if (Result<void> answered = ask(request, input.get(), writing.get()); !answered) return answered.error();
    return SoundStream{reading.release(), info};
}

Result<FontProcess> Decoder::font(std::string_view file) {
    d::DecodeRequest request;
    request.kind = d::Kind::font;
    request.cpu_seconds = kFontSeconds;
    request.wall_milliseconds = config_.max_milliseconds;
    const Descriptor input = memory_file_with(file);
    std::array<int, 2> pair{};
    if (input.get() < 0 || ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair.data()) != 0)
        return Error{e::kNoDecoder};
    Descriptor own{pair[0]};
    {
        const Descriptor other{
            pair[1]};  // closed before the answer, so that the end of the process is noticed
        if (Result<void> answered = ask(request, input.get(), other.get()); !answered)
            return answered.error();
    }
    return FontProcess::begin(own.release(), config_.max_milliseconds);
}

Result<bool> Decoder::probe(std::uint32_t what) {
    d::DecodeRequest request;
    request.kind = d::Kind::probe;
    request.probe = static_cast<d::Probe>(what);
    request.max_bytes = 4096;
    d::DecodeHead head;
    const Result<DecodedBytes> bytes = result_of("probe", request, head);
    if (!bytes) return bytes.error();
    return head.first != 0;
}

}  // namespace perigee
