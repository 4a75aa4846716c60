// Standard output and error, each text flushed at once, so that a failure is detected where it happens.
#include "game/program/command_output.h"

#include "ecs/files/output_file.h"
#include "game/program/error_codes.h"
#include "game/program/exit_status.h"
#include "scripting/base/shown_text.h"
#include "scripting/sandbox/state.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <system_error>

namespace perigee {

namespace {

int refusal = 0;  ///< errno of the first text that standard output refused

// False if a write failed; errno has the reason.
bool write_shown(std::string_view text, std::FILE* stream) {
    const std::string shown = shown_text(text);
    errno = 0;
    return std::fwrite(shown.data(), 1, shown.size(), stream) == shown.size() && std::fflush(stream) == 0;
}

}  // namespace

void hold_standard_streams() noexcept {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (::fcntl(stream, F_GETFD) >= 0) continue;
        // This is the lowest free number: those below it are taken.
        static_cast<void>(::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY));
    }
}

void print_out(std::string_view text) {
    if (!write_shown(text, stdout) && refusal == 0) refusal = errno == 0 ? EIO : errno;
}

void print_err(std::string_view text) { write_shown(text, stderr); }

void say(std::string_view text) { write_shown(fmt::format("perigee: {}\n", text), stderr); }

std::string log_line(const LogEntry& entry) {
    constexpr const char* kLevels[] = {"", "warning: ", "error: "};
    return fmt::format("[{}] {}{}\n", entry.mod, kLevels[static_cast<int>(entry.level)], entry.text);
}

void print_log(const LogEntry& entry) { write_shown(log_line(entry), stderr); }

int give_up(const Error& error, int status) {
    say(error.message);
    return status;
}

int finish_output(int status) {
    if (refusal == 0) return status;
    say(fmt::format(game_errors::kCannotPrint, std::strerror(refusal)));
    return kExitFailed;
}

Result<void> write_file(const std::filesystem::path& file, std::string_view text) {
    std::error_code failed;
    std::filesystem::create_directories(file.parent_path(), failed);
    const Result<void> written =
        failed ? Result<void>{Error{failed.message()}} : write_regular_file(file, text);
    if (written) return written;
    return Error{fmt::format(game_errors::kCannotWrite, file.string(), written.error().message)};
}

}  // namespace perigee
