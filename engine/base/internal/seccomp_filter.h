// Builds a seccomp filter from rules: which system calls a process may make from now on.
//
// Invariant: rules are evaluated in the order added, and the first match decides; calls of an instruction set
// other than the program's own end the process. An installed filter is permanent. It sees numbers only: a
// filter cannot follow pointers, so landlock handles paths (engine/base/confine.h). Source: the kernel's
// Documentation/userspace-api/seccomp_filter.rst.
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
    /// Only if (argument & mask) == value; arguments are compared by their lower 32 bits.
    void add_if(long call, unsigned argument, std::uint32_t mask, std::uint32_t value, std::uint32_t verdict);
    /// Only if (argument & mask) != value.
    void add_unless(long call, unsigned argument, std::uint32_t mask, std::uint32_t value,
                    std::uint32_t verdict);

    /// Installs the filter for this thread or for all threads of the process; calls that match no rule get
    /// `otherwise`. False: this kernel has no seccomp, or refuses.
    bool install(std::uint32_t otherwise, bool for_all_threads) const;

private:
    void add_argument_rule(long call, unsigned argument, std::uint32_t mask, std::uint32_t value,
                           std::uint32_t verdict, bool is_for_equal);

    std::vector<sock_filter> code_;
};

}  // namespace perigee::internal
