// Landlock by its three system calls, which the C library does not wrap, and a list of refused calls.
#include "engine/base/confine.h"

#include "engine/base/internal/seccomp_filter.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <initializer_list>

namespace {
bool is_restricted = false;
}

#ifdef __SANITIZE_ADDRESS__
// The leak checker reads /proc when the program ends, which a confined process may not.
extern "C" int __lsan_is_turned_off() { return is_restricted ? 1 : 0; }
#endif

namespace perigee {

namespace {

// ---- landlock: definitions missing from the headers of older systems ----

struct RulesetAttributes {
    std::uint64_t files;
    std::uint64_t network;  // from version 4 on
    std::uint64_t scopes;   // from version 6 on
};

struct [[gnu::packed]] PathRule {
    std::uint64_t allowed;
    std::int32_t parent;
};

constexpr long kCreateRuleset = 444;
constexpr long kAddRule = 445;
constexpr long kRestrictSelf = 446;
constexpr unsigned kVersionFlag = 1;
constexpr int kRulePathBeneath = 1;

constexpr std::uint64_t kExecute = 1U << 0U, kWriteFile = 1U << 1U, kReadFile = 1U << 2U,
                        kReadFolder = 1U << 3U, kRemoveFolder = 1U << 4U, kRemoveFile = 1U << 5U,
                        kMakeFolder = 1U << 7U, kMakeFile = 1U << 8U, kRefer = 1U << 13U,
                        kTruncate = 1U << 14U, kDeviceControl = 1U << 15U;
constexpr std::uint64_t kOfFiles = kExecute | kWriteFile | kReadFile | kTruncate | kDeviceControl;
constexpr std::uint64_t kReading = kExecute | kReadFile | kReadFolder | kDeviceControl;
constexpr std::uint64_t kWriting =
    kReading | kWriteFile | kTruncate | kRemoveFile | kRemoveFolder | kMakeFile | kMakeFolder | kRefer;

// All rights that a version of landlock knows.
std::uint64_t rights_of(long version) {
    if (version >= 5) return (1U << 16U) - 1;
    if (version >= 3) return (1U << 15U) - 1;
    if (version >= 2) return (1U << 14U) - 1;
    return (1U << 13U) - 1;
}

long landlock_version() {
    return ::syscall(kCreateRuleset, nullptr, std::size_t{0}, kVersionFlag);  // -1: none
}

int make_ruleset(long version) {
    RulesetAttributes attributes{rights_of(version), 0, 0};
    std::size_t size = sizeof attributes.files;
    if (version >= 4) {
        attributes.network = 3;  // binding and connecting
        size += sizeof attributes.network;
    }
    if (version >= 6) {
        attributes.scopes = 3;  // abstract sockets, signals
        size += sizeof attributes.scopes;
    }
    return static_cast<int>(::syscall(kCreateRuleset, &attributes, size, 0U));
}

void allow(int ruleset, const std::filesystem::path& path, std::uint64_t rights) {
    const int file = ::open(path.c_str(), O_PATH | O_CLOEXEC);
    if (file < 0) return;
    struct stat facts {};
    const bool is_folder = ::fstat(file, &facts) == 0 && S_ISDIR(facts.st_mode);
    const PathRule rule{is_folder ? rights : rights & kOfFiles, file};
    [[maybe_unused]] const long done = ::syscall(kAddRule, ruleset, kRulePathBeneath, &rule, 0U);
    ::close(file);
}

}  // namespace

bool confine_files(std::span<const std::filesystem::path> readable,
                   std::span<const std::filesystem::path> writable) {
    const long version = landlock_version();
    if (version < 1) return false;
    const int ruleset = make_ruleset(version);
    if (ruleset < 0) return false;
    const std::uint64_t known = rights_of(version);
    for (const std::filesystem::path& path : readable) allow(ruleset, path, kReading & known);
    for (const std::filesystem::path& path : writable) allow(ruleset, path, kWriting & known);
    const bool is_confined =
        ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && ::syscall(kRestrictSelf, ruleset, 0U) == 0;
    ::close(ruleset);
    is_restricted |= is_confined;
    return is_confined;
}

bool confine_system() {
    using Filter = internal::SeccompFilter;
    Filter filter;
    const std::uint32_t no = Filter::refuse(EACCES);
    const std::uint32_t unknown = Filter::refuse(ENOSYS);
    // Connections. Existing ones stay: the display, the sound, the decoder.
    for (const long call : {SYS_socket, SYS_connect, SYS_bind, SYS_listen, SYS_accept, SYS_accept4})
        filter.add(call, no);
    // Programs and other processes.
    for (const long call : {SYS_execve, SYS_execveat, SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev,
                            SYS_pidfd_open, SYS_pidfd_send_signal, SYS_kcmp})
        filter.add(call, no);
    const auto self = static_cast<std::uint32_t>(::getpid());
    for (const long call : {SYS_kill, SYS_tgkill, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo})
        filter.add_unless(call, 0, ~0U, self, no);
    filter.add(SYS_tkill, no);
    // Rights of files, which landlock does not know.
    for (const long call :
         {SYS_fchmod, SYS_fchmodat, SYS_fchown, SYS_fchownat, SYS_setxattr, SYS_lsetxattr, SYS_fsetxattr,
          SYS_removexattr, SYS_lremovexattr, SYS_fremovexattr, SYS_mknodat, SYS_open_by_handle_at})
        filter.add(call, no);
#ifdef SYS_chmod  // older calls that newer architectures never had
    for (const long call : {SYS_chmod, SYS_chown, SYS_lchown, SYS_mknod}) filter.add(call, no);
#endif
    // The system itself.
    for (const long call :
         {SYS_mount,         SYS_umount2,     SYS_pivot_root,      SYS_chroot,        SYS_unshare,
          SYS_setns,         SYS_bpf,         SYS_perf_event_open, SYS_userfaultfd,   SYS_keyctl,
          SYS_add_key,       SYS_request_key, SYS_init_module,     SYS_finit_module,  SYS_delete_module,
          SYS_kexec_load,    SYS_reboot,      SYS_swapon,          SYS_swapoff,       SYS_acct,
          SYS_quotactl,      SYS_syslog,      SYS_settimeofday,    SYS_clock_settime, SYS_adjtimex,
          SYS_clock_adjtime, SYS_sethostname, SYS_setdomainname,   SYS_personality})
        filter.add(call, no);
    // A queue of calls that filters cannot see; and a call whose flags they cannot see, for which the C
    // library has a fallback.
    for (const long call : {SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register, SYS_clone3})
        filter.add(call, unknown);
    for (const unsigned flag :
         std::initializer_list<unsigned>{CLONE_NEWUSER, CLONE_NEWNS, CLONE_NEWPID, CLONE_NEWNET, CLONE_NEWIPC,
                                         CLONE_NEWUTS, CLONE_NEWCGROUP})
        filter.add_if(SYS_clone, 0, flag, flag, no);
    // Typing into the terminal that started the program.
    for (const unsigned request : {unsigned{TIOCSTI}, unsigned{TIOCLINUX}, unsigned{TIOCSETD}})
        filter.add_if(SYS_ioctl, 1, ~0U, request, no);
    return filter.install(Filter::allow(), true);
}

}  // namespace perigee
