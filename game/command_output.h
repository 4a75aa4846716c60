// What commands print, the files they write, and how they end.
//
// Invariant: every text is shown as shown_text gives it, since it may hold what scripts, mods and file names
// say; and text that the device refused is an error of the program, never lost in silence.
#pragma once

#include "ecs/result.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace perigee {

struct LogEntry;

/// The first call of main. Where a standard stream is closed, the next file that is opened would get its
/// number, and what is printed would go into that file; so the number is taken, by what refuses every byte.
void hold_standard_streams() noexcept;

/// To standard output, at once, behind what went to standard error before.
void print_out(std::string_view text);

/// To standard error.
void print_err(std::string_view text);

/// A line of standard error, "perigee: …".
void say(std::string_view text);

/// A line of the log: "[mod] warning: …".
std::string log_line(const LogEntry& entry);

/// That line to standard error.
void print_log(const LogEntry& entry);

/// Says on standard error what is wrong; the exit status.
int give_up(const Error& error, int status = 1);

/// The last call of main: `status`, or 1 when something of standard output could not be written, which is
/// said then.
int finish_output(int status);

/// Writes the file, and the folders it lies in. Errors: it cannot be written.
Result<void> write_file(const std::filesystem::path& file, std::string_view text);

}  // namespace perigee
