// Confining this process: which files it may still open, and what it may still ask of the system.
//
// Invariant: what is given up does not come back, for this thread and all threads and processes that it
// starts. Files and connections that are open stay usable. Files are held by landlock, the rest by seccomp; a
// kernel that lacks one of them holds that part of it not, and the answer says so. What is not held at all:
// names, sizes and times of files can be seen, and a display server that lets programs watch each other (X11)
// still does. Sources: the kernel's Documentation/userspace-api/landlock.rst and seccomp_filter.rst.
#pragma once

#include <filesystem>
#include <span>

namespace perigee {

/// What the running kernel can hold.
struct Confinement {
    bool holds_files = false;   ///< landlock
    bool holds_system = false;  ///< seccomp: no network, no programs, no other processes
};

/// From now on this thread opens only what lies below these paths; `writable` can be read too, and files can
/// be made and removed there. Paths that do not exist are passed over. Called again, both rules hold. False:
/// this kernel has no landlock, and nothing has changed.
bool confine_files(std::span<const std::filesystem::path> readable,
                   std::span<const std::filesystem::path> writable);

/// From now on no thread of this process makes connections, starts programs, looks into other processes or
/// signals them, or changes who may use a file. False: this kernel has no seccomp, and nothing has changed.
bool confine_system();

}  // namespace perigee
