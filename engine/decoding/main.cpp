// perigee_decoder: waits for files and makes a process for each, in which it is decoded and which then ends.
//
// Invariant: this process never reads a file: it takes a request, starts a worker process, waits for its end,
// and reports the result. So the effect of a file on its decoder ends with that file. This process ends with
// the game. engine/assets/decoder.h starts it.
#include "engine/assets/internal/decode_protocol.h"
#include "engine/decoding/decode_work.h"
#include "engine/decoding/decoder_sandbox.h"

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>

namespace {

using namespace perigee::decoding;

struct Job {
    DecodeRequest request;
    std::array<int, 2> files{-1, -1};
};

// False when the game has ended.
bool receive(Job& job) {
    iovec part{&job.request, sizeof job.request};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof job.files)> control{};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    ssize_t got = 0;
    do got = ::recvmsg(kDecoderSocket, &message, MSG_CMSG_CLOEXEC);
    while (got < 0 && errno == EINTR);
    if (got != static_cast<ssize_t>(sizeof job.request) || job.request.magic != kMagic) return false;
    const cmsghdr* const head = CMSG_FIRSTHDR(&message);
    if (head == nullptr || head->cmsg_type != SCM_RIGHTS || head->cmsg_len != CMSG_LEN(sizeof job.files))
        return false;
    std::memcpy(job.files.data(), CMSG_DATA(head), sizeof job.files);
    return true;
}

timespec now() {
    timespec time{};
    ::clock_gettime(CLOCK_MONOTONIC, &time);
    return time;
}

// Waits for one child, while streams before it may end too.
End wait_for(pid_t child, std::uint32_t milliseconds) {
    const timespec start = now();
    sigset_t ended;
    sigemptyset(&ended);
    sigaddset(&ended, SIGCHLD);
    for (;;) {
        int status = 0;
        if (::waitpid(child, &status, WNOHANG) == child)
            return WIFEXITED(status) && WEXITSTATUS(status) == 0        ? End::done
                   : WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU ? End::timed_out
                                                                        : End::crashed;
        const timespec time = now();
        const long passed = (time.tv_sec - start.tv_sec) * 1000 + (time.tv_nsec - start.tv_nsec) / 1'000'000;
        const long left = static_cast<long>(milliseconds) - passed;
        if (left <= 0) {
            ::kill(child, SIGKILL);
            ::waitpid(child, &status, 0);
            return End::timed_out;
        }
        const timespec timeout{left / 1000, left % 1000 * 1'000'000};
        ::sigtimedwait(&ended, nullptr, &timeout);
    }
}

End serve(const Job& job) {
    const pid_t child = ::fork();
    if (child < 0) return End::no_process;
    if (child == 0) {
        ::close(kDecoderSocket);
        sigset_t none;
        sigemptyset(&none);
        ::sigprocmask(SIG_SETMASK, &none, nullptr);
        do_work(job.request, job.files[0], job.files[1]);
        ::_exit(0);
    }
    for (const int file : job.files) ::close(file);
    const bool goes_on = job.request.kind == Kind::stream || job.request.kind == Kind::font;
    if (goes_on) return End::done;
    return wait_for(child, job.request.wall_milliseconds);
}

}  // namespace

int main() {
    int type = 0;
    socklen_t size = sizeof type;
    if (::getsockopt(kDecoderSocket, SOL_SOCKET, SO_TYPE, &type, &size) != 0 || type != SOCK_SEQPACKET) {
        std::fputs("perigee_decoder decodes files for perigee, which starts it itself\n", stderr);
        return 2;
    }
    drop_file_access(kDecoderSocket);
    sigset_t ended;
    sigemptyset(&ended);
    sigaddset(&ended, SIGCHLD);
    ::sigprocmask(SIG_BLOCK, &ended, nullptr);
    ::signal(SIGINT, SIG_IGN);  // Ctrl+C is for the game, which ends and takes this along
    for (Job job; receive(job); job = {}) {
        const DecodeReply reply{kMagic, serve(job)};
        if (::send(kDecoderSocket, &reply, sizeof reply, MSG_NOSIGNAL) != static_cast<ssize_t>(sizeof reply))
            break;
        while (::waitpid(-1, nullptr, WNOHANG) > 0) continue;  // streams that have ended
    }
    ::_exit(0);
}
