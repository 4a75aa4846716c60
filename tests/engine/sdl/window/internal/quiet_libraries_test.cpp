// Standard error before, during and after.
#include "engine/sdl/window/internal/quiet_libraries.h"

#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>

#include <iterator>

using namespace perigee;

TEST_CASE("standard error is silent inside the scope and restored afterwards") {
    const test::TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "err";
    std::fflush(stderr);
    const int kept = dup(STDERR_FILENO);
    const int out = open(file.c_str(), O_CREAT | O_WRONLY | O_TRUNC, 0600);
    dup2(out, STDERR_FILENO);
    std::fputs("before ", stderr);
    {
        const QuietLibraries quiet;
        std::fputs("inside ", stderr);
    }
    std::fputs("after", stderr);
    std::fflush(stderr);
    dup2(kept, STDERR_FILENO);
    close(kept);
    close(out);
    std::ifstream stream{file};
    CHECK(std::string{std::istreambuf_iterator<char>{stream}, {}} == "before after");
}
