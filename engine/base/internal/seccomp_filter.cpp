// Classic BPF over struct seccomp_data: the number of the call stays loaded from rule to rule.
#include "engine/base/internal/seccomp_filter.h"

#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>

namespace perigee::internal {

namespace {

#if defined(__x86_64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t kArchitecture = 0;  // install() says no
#endif

constexpr std::uint32_t kOtherCalls = 0x4000'0000;  // of the x32 instruction set, on the same architecture

sock_filter statement(unsigned code, std::uint32_t k) { return {static_cast<std::uint16_t>(code), 0, 0, k}; }
sock_filter jump(unsigned code, std::uint32_t k, unsigned if_true, unsigned if_false) {
    return {static_cast<std::uint16_t>(code), static_cast<std::uint8_t>(if_true),
            static_cast<std::uint8_t>(if_false), k};
}

sock_filter load(std::size_t offset) {
    return statement(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset));
}
sock_filter verdict_of(std::uint32_t verdict) { return statement(BPF_RET | BPF_K, verdict); }
sock_filter load_call() { return load(offsetof(seccomp_data, nr)); }

constexpr unsigned kIfEqual = BPF_JMP | BPF_JEQ | BPF_K;

}  // namespace

std::uint32_t SeccompFilter::allow() noexcept { return SECCOMP_RET_ALLOW; }
std::uint32_t SeccompFilter::refuse(int error) noexcept {
    return SECCOMP_RET_ERRNO | (static_cast<std::uint32_t>(error) & SECCOMP_RET_DATA);
}
std::uint32_t SeccompFilter::end_process() noexcept { return SECCOMP_RET_KILL_PROCESS; }

SeccompFilter::SeccompFilter() {
    code_.push_back(load(offsetof(seccomp_data, arch)));
    code_.push_back(jump(kIfEqual, kArchitecture, 1, 0));
    code_.push_back(verdict_of(end_process()));
    code_.push_back(load_call());
    code_.push_back(jump(BPF_JMP | BPF_JGE | BPF_K, kOtherCalls, 0, 1));
    code_.push_back(verdict_of(end_process()));
}

void SeccompFilter::add(long call, std::uint32_t verdict) {
    code_.push_back(jump(kIfEqual, static_cast<std::uint32_t>(call), 0, 1));
    code_.push_back(verdict_of(verdict));
}

void SeccompFilter::add_if(long call, unsigned argument, std::uint32_t mask, std::uint32_t value,
                           std::uint32_t verdict) {
    add_argument_rule(call, argument, mask, value, verdict, true);
}

void SeccompFilter::add_unless(long call, unsigned argument, std::uint32_t mask, std::uint32_t value,
                               std::uint32_t verdict) {
    add_argument_rule(call, argument, mask, value, verdict, false);
}

void SeccompFilter::add_argument_rule(long call, unsigned argument, std::uint32_t mask, std::uint32_t value,
                                      std::uint32_t verdict, bool is_for_equal) {
    // Both architectures that are known are little endian: the lower half comes first.
    const std::size_t lower_half = offsetof(seccomp_data, args) + argument * sizeof(std::uint64_t);
    code_.push_back(jump(kIfEqual, static_cast<std::uint32_t>(call), 0, 5));
    code_.push_back(load(lower_half));
    code_.push_back(statement(BPF_ALU | BPF_AND | BPF_K, mask));
    code_.push_back(is_for_equal ? jump(kIfEqual, value, 0, 1) : jump(kIfEqual, value, 1, 0));
    code_.push_back(verdict_of(verdict));
    code_.push_back(load_call());
}

bool SeccompFilter::install(std::uint32_t otherwise, bool for_all_threads) const {
    if (kArchitecture == 0) return false;
    std::vector<sock_filter> code = code_;
    code.push_back(verdict_of(otherwise));
    const sock_fprog program{static_cast<unsigned short>(code.size()), code.data()};
    if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return false;
    const unsigned flags = for_all_threads ? SECCOMP_FILTER_FLAG_TSYNC : 0;
    return ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program) == 0;
}

}  // namespace perigee::internal
