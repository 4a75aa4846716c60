// Reads both files and prints one result.
#include "game/commands/diff.h"

#include "ecs/files/regular_file.h"
#include "engine/replay/hash_diff.h"
#include "game/program/command_output.h"
#include "game/program/error_codes.h"
#include "game/program/exit_status.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <string>
#include <utility>

namespace perigee {

namespace {

constexpr std::uint64_t kMaxLogBytes = std::uint64_t{8} << 30U;
constexpr int kCannotCompare = 2;  // since 1 says that the runs differ

Result<HashLogReader> read_log(const std::filesystem::path& file) {
    Result<std::string> bytes = read_regular_file(file, kMaxLogBytes);
    if (!bytes) return Error{fmt::format(game_errors::kCannotReadLog, file.string(), bytes.error().message)};
    Result<HashLogReader> log = HashLogReader::open(std::move(bytes).value());
    if (!log) return Error{fmt::format(game_errors::kInLog, file.string(), log.error().message)};
    return log;
}

}  // namespace

int diff(const DiffOptions& options) {
    Result<HashLogReader> first = read_log(options.first);
    if (!first) return give_up(first.error(), kCannotCompare);
    Result<HashLogReader> second = read_log(options.second);
    if (!second) return give_up(second.error(), kCannotCompare);
    const Result<HashDifference> found = compare(first.value(), second.value());
    if (!found) return give_up(found.error(), kCannotCompare);
    print_out(text_of(found.value(), options.first.string(), options.second.string()));
    return found.value().kind == HashDifference::Kind::none ? kExitDone : kExitFailed;
}

void add_diff_options(CLI::App& command, DiffOptions& options) {
    command.add_option("A", options.first, "Hash log of a run: see perigee run --hash-log")->required();
    command.add_option("B", options.second, "Hash log of the other run")->required();
    command.footer(
        "\nNames the first tick, system, component, entity and field in which the runs differ.\n"
        "Exit status: 0 no difference, 1 the runs differ, 2 a log cannot be read.");
}

}  // namespace perigee
