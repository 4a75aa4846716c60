// What a confined process can still do: each test starts a process, confines it, and lets it try.
#include "engine/base/confine.h"

#include "tests/support/temporary_folder.h"

#include <arpa/inet.h>
#include <catch2/catch.hpp>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <functional>
#include <string>
#include <thread>
#include <vector>

using namespace perigee;

namespace {

namespace fs = std::filesystem;

// Which of the attempts succeeded, as a text of 0 and 1; "?" when the process ended otherwise.
std::string outcome(const std::function<void()>& confine,
                    const std::vector<std::function<bool()>>& attempts) {
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        confine();
        std::string text;
        for (const auto& attempt : attempts) text += attempt() ? '1' : '0';
        _exit(::write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size()) ? 0 : 1);
    }
    ::close(ends[1]);
    char buffer[64];
    const ssize_t got = ::read(ends[0], buffer, sizeof buffer);
    ::close(ends[0]);
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 && got > 0
               ? std::string(buffer, static_cast<std::size_t>(got))
               : "?";
}

bool opens(const fs::path& file, int flags) {
    const int opened = ::open(file.c_str(), flags | O_CLOEXEC, 0600);
    if (opened >= 0) ::close(opened);
    return opened >= 0;
}

bool is_refused(int result) { return result < 0 && errno == EACCES; }

}  // namespace

TEST_CASE("a process with confined files reads and writes only below the given paths") {
    const test::TemporaryFolder folder;
    folder.write("game/main.lua", "game");
    folder.write("home/secret", "secret");
    folder.write("saves/old", "old");
    const std::vector<fs::path> readable = {folder.path() / "game", folder.path() / "nowhere"};
    const std::vector<fs::path> writable = {folder.path() / "saves"};
    bool holds = true;
    if (!outcome([&] { holds = confine_files({}, {}); }, {[&] { return holds; }}).starts_with('1')) {
        WARN("this kernel has no landlock: nothing checked");
        return;
    }
    const auto confine = [&] { confine_files(readable, writable); };
    const auto path = [&](const char* name) { return folder.path() / name; };
    CHECK(outcome(confine,
                  {
                      [&] { return opens(path("game/main.lua"), O_RDONLY); },
                      [&] { return opens(path("saves/old"), O_RDWR | O_TRUNC); },
                      [&] { return opens(path("saves/new"), O_WRONLY | O_CREAT); },
                      [&] { return ::rename(path("saves/new").c_str(), path("saves/named").c_str()) == 0; },
                      [&] { return ::unlink(path("saves/named").c_str()) == 0; },
                  }) == "11111");
    CHECK(outcome(confine,
                  {
                      [&] { return opens(path("game/main.lua"), O_WRONLY); },
                      [&] { return opens(path("game/new"), O_WRONLY | O_CREAT); },
                      [&] { return opens(path("home/secret"), O_RDONLY); },
                      [&] { return opens("/etc/passwd", O_RDONLY); },
                      [&] { return opens(path("game/../home/secret"), O_RDONLY); },
                      [&] { return ::unlink(path("home/secret").c_str()) == 0; },
                      [&] { return ::link(path("home/secret").c_str(), path("saves/link").c_str()) == 0; },
                      [&] { return ::symlink("/etc/passwd", path("saves/link").c_str()) == 0; },
                      [&] { return ::truncate(path("home/secret").c_str(), 0) == 0; },
                  }) == "000000000");
    // After a second call both rules apply.
    CHECK(outcome(
              [&] {
                  confine();
                  confine_files(readable, {});
              },
              {[&] { return opens(path("game/main.lua"), O_RDONLY); },
               [&] { return opens(path("saves/old"), O_RDONLY); }}) == "10");
}

TEST_CASE("no thread of a confined process makes connections or starts programs") {
    const auto confine = [] { confine_system(); };
    CHECK(outcome(confine, {
                               [] { return ::getpid() > 0; },
                               [] {
                                   bool ran = false;
                                   std::thread{[&] { ran = true; }}.join();
                                   return ran;
                               },
                               [] { return ::kill(::getpid(), 0) == 0; },
                           }) == "111");
    CHECK(outcome(confine, {
                               [] { return is_refused(::socket(AF_INET, SOCK_STREAM, 0)); },
                               [] { return is_refused(::socket(AF_INET6, SOCK_DGRAM, 0)); },
                               [] { return is_refused(::socket(AF_UNIX, SOCK_STREAM, 0)); },
                               [] { return is_refused(::execl("/bin/true", "true", nullptr)); },
                               [] { return is_refused(::kill(::getppid(), 0)); },
                               [] { return is_refused(::chmod("/tmp", 0777)); },
                               [] { return is_refused(::fchmod(0, 0777)); },
                           }) == "1111111");
    // Also in a thread that was there before.
    int go[2];
    REQUIRE(::pipe(go) == 0);
    bool is_held = false;
    std::thread early;
    CHECK(outcome(
              [&] {
                  early = std::thread{[&] {
                      char byte = 0;
                      if (::read(go[0], &byte, 1) == 1)
                          is_held = is_refused(::socket(AF_INET, SOCK_STREAM, 0));
                  }};
                  confine_system();
              },
              {[&] {
                  if (::write(go[1], "x", 1) != 1) return false;
                  early.join();
                  return is_held;
              }}) == "1");
    ::close(go[0]);
    ::close(go[1]);
}
