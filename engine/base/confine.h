// Confines this process: restricts the files that it may open and the system calls that it may make.
//
// Invariant: restrictions are permanent, for this thread and all threads and processes that it starts. Open
// files and connections stay usable. landlock restricts files, seccomp the rest; a kernel without one of them
// does not enforce that part, and the result says so. Not restricted: names, sizes and times of files are
// visible, and a display server that lets programs watch each other (X11) still does. Sources: the kernel's
// Documentation/userspace-api/landlock.rst and seccomp_filter.rst.
#pragma once

#include <filesystem>
#include <span>

namespace perigee {

/// From now on this thread can open only files below these paths. Below `writable` it can also read, create
/// and remove files. Missing paths are ignored. After a second call both rules apply. False: this kernel has
/// no landlock, and nothing has changed.
bool confine_files(std::span<const std::filesystem::path> readable,
                   std::span<const std::filesystem::path> writable);

/// From now on no thread of this process makes connections, starts programs, inspects or signals other
/// processes, or changes who may use a file. False: this kernel has no seccomp, and nothing has changed.
bool confine_system();

}  // namespace perigee
