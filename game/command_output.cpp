// Standard output and error through stdio, whose error flag says whether something was refused.
#include "game/command_output.h"

#include "game/error_codes.h"
#include "game/exit_status.h"
#include "scripting/shown_text.h"
#include "scripting/state.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <system_error>

namespace perigee {

namespace {

void write_shown(std::string_view text, std::FILE* stream) {
    const std::string shown = shown_text(text);
    std::fwrite(shown.data(), 1, shown.size(), stream);
    std::fflush(stream);
}

}  // namespace

void print_out(std::string_view text) { write_shown(text, stdout); }

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
    const bool was_refused = std::ferror(stdout) != 0;
    errno = 0;
    const bool is_flushed = std::fflush(stdout) == 0;
    if (!was_refused && is_flushed) return status;
    say(errno == 0 ? std::string(game_errors::kCannotPrint)
                   : fmt::format(game_errors::kCannotPrintWhy, std::strerror(errno)));
    return kExitFailed;
}

Result<void> write_file(const std::filesystem::path& file, std::string_view text) {
    std::error_code failed;
    std::filesystem::create_directories(file.parent_path(), failed);
    std::ofstream out{file, std::ios::binary};
    out << text;
    out.close();
    if (failed || !out) return Error{fmt::format(game_errors::kCannotWrite, file.string())};
    return {};
}

}  // namespace perigee
