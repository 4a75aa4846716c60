// Redirects standard error to nowhere while it exists.
//
// Sound libraries print a page of messages if there is no sound card; we report it in one line instead. Only
// for opening a device, since it silences the whole process.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>

namespace perigee {

class QuietLibraries {
public:
    QuietLibraries() noexcept {
        std::fflush(stderr);
        kept_ = ::dup(STDERR_FILENO);
        const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
        if (kept_ >= 0 && nowhere >= 0) ::dup2(nowhere, STDERR_FILENO);
        if (nowhere >= 0) ::close(nowhere);
    }
    ~QuietLibraries() {
        if (kept_ < 0) return;
        std::fflush(stderr);
        ::dup2(kept_, STDERR_FILENO);
        ::close(kept_);
    }
    QuietLibraries(const QuietLibraries&) = delete;
    QuietLibraries& operator=(const QuietLibraries&) = delete;

private:
    int kept_ = -1;
};

}  // namespace perigee
