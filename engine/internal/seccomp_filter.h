// A seccomp filter, rule by rule: which system calls a process may make from now on.
//
// Invariant: rules are looked at in the order in which they were added, and the first that fits decides;
// calls of another instruction set than the program's own end the process. Nothing takes an installed filter
// away again. It knows numbers only: a filter cannot see what a pointer points to, so paths are for landlock
// (engine/confine.h). Source: the kernel's Documentation/userspace-api/seccomp_filter.rst.
#pragma once

#include <linux/filter.h>

#include <cstdint>
#include <vector>

namespace perigee::internal {

class SeccompFilter {
public:
    static std::uint32_t allow() noexcept;
    static std::uint32_t refuse(int error) noexcept;  ///< the call fails with this errno
    static std::uint32_t end_process() noexcept;

    SeccompFilter();

    void add(long call, std::uint32_t verdict);
    /// Only where (argument & mask) == value; arguments are compared by their lower 32 bits.
    void add_if(long call, unsigned argument, std::uint32_t mask, std::uint32_t value, std::uint32_t verdict);
    /// Only where (argument & mask) != value.
    void add_unless(long call, unsigned argument, std::uint32_t mask, std::uint32_t value,
                    std::uint32_t verdict);

    /// From now on, for this thread, or for all threads of the process; what fits no rule gets `otherwise`.
    /// False: this kernel has no seccomp, or refuses.
    bool install(std::uint32_t otherwise, bool for_all_threads) const;

private:
    void add_argument_rule(long call, unsigned argument, std::uint32_t mask, std::uint32_t value,
                           std::uint32_t verdict, bool is_for_equal);

    std::vector<sock_filter> code_;
};

}  // namespace perigee::internal
