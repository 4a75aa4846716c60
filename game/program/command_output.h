// Output of commands: printed text, written files, and the exit status.
//
// Invariant: every text passes through shown_text, since it may contain text from scripts, mods and file
// names; and a failed write is an error of the program, never silent.
#pragma once

#include "ecs/base/result.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace perigee {

struct LogEntry;

/// The first call of main. If a standard stream is closed, the next opened file would get its descriptor, and
/// output would go into that file. So this occupies the descriptor with a file that refuses every write.
void hold_standard_streams() noexcept;

/// To standard output, unbuffered, in order with earlier output to standard error.
void print_out(std::string_view text);

/// To standard error.
void print_err(std::string_view text);

/// A line of standard error, "perigee: …".
void say(std::string_view text);

/// A line of the log: "[mod] warning: …".
std::string log_line(const LogEntry& entry);

/// That line to standard error.
void print_log(const LogEntry& entry);

/// Reports the error on standard error and returns the exit status.
int give_up(const Error& error, int status = 1);

/// The last call of main: returns `status`, or reports an error and returns 1 if a write to standard output
/// failed.
int finish_output(int status);

/// Writes the file and creates its parent folders. Errors: it cannot be written.
Result<void> write_file(const std::filesystem::path& file, std::string_view text);

}  // namespace perigee
