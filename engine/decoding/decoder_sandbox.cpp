// Limits of the process, then the filter: each step allows less than the one before.
#include "engine/decoding/decoder_sandbox.h"

#include "engine/base/confine.h"
#include "engine/base/internal/seccomp_filter.h"

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

namespace perigee::decoding {

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kHasSanitizer = true;
#else
constexpr bool kHasSanitizer = false;
#endif

void limit(decltype(RLIMIT_CPU) what, std::uint64_t value) {
    const rlimit both{value, value};
    ::setrlimit(what, &both);
}

}  // namespace

void drop_file_access(int keep_descriptor) {
    // Standard error stays open for sanitizer reports; the other streams are not needed.
    ::close(STDIN_FILENO);
    ::close(STDOUT_FILENO);
    ::syscall(SYS_close_range, static_cast<unsigned>(keep_descriptor) + 1, ~0U, 0U);
    limit(RLIMIT_CORE, 0);
    ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (!kHasSanitizer) {
        ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
        confine_files({}, {});
    }
}

bool enter_sandbox(const SandboxLimits& limits) {
    limit(RLIMIT_CPU, limits.cpu_seconds);
    if (!kHasSanitizer) limit(RLIMIT_AS, limits.memory_bytes);
    limit(RLIMIT_FSIZE, limits.file_bytes);
    limit(RLIMIT_NOFILE, 0);  // open ones stay usable

    using Filter = internal::SeccompFilter;
    Filter filter;
    for (const long call :
         {SYS_read, SYS_write, SYS_pwrite64, SYS_close, SYS_munmap, SYS_mremap, SYS_madvise, SYS_brk,
          SYS_futex, SYS_exit, SYS_exit_group, SYS_rt_sigreturn, SYS_rt_sigprocmask, SYS_restart_syscall,
          SYS_sched_yield, SYS_getrandom, SYS_clock_gettime})
        filter.add(call, Filter::allow());
    filter.add(SYS_sysinfo, Filter::allow());  // qsort queries the amount of memory; libvorbis sorts
    filter.add_if(SYS_mmap, 2, PROT_EXEC, 0, Filter::allow());
    filter.add_if(SYS_mprotect, 2, PROT_EXEC, 0, Filter::allow());
    if (kHasSanitizer) {
        for (const long call : {SYS_getpid, SYS_gettid, SYS_sigaltstack, SYS_prctl, SYS_rt_sigaction})
            filter.add(call, Filter::allow());
        filter.add(SYS_openat, Filter::refuse(EACCES));  // its report would name lines
        filter.add(SYS_readlinkat, Filter::refuse(EACCES));
#ifdef SYS_readlink  // newer architectures never had it
        filter.add(SYS_readlink, Filter::refuse(EACCES));
#endif
    }
    return filter.install(Filter::end_process(), false);
}

}  // namespace perigee::decoding
