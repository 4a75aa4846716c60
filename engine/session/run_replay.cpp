// The answers of a step are given to the scripts before the step runs.
#include "engine/session/run_replay.h"

#include "ecs/files/regular_file.h"
#include "engine/base/error_codes.h"
#include "engine/session/game_session.h"
#include "scripting/lua/luajit_version.h"

#include <fmt/format.h>

#include <utility>

namespace perigee {

namespace {

namespace e = engine_errors;

// Older logs do not name the LuaJIT.
bool is_other_luajit(const std::string& recorded) {
    return !recorded.empty() && recorded != luajit_version().text;
}

}  // namespace

RunReplay::RunReplay(InputLog log) : log_(std::move(log)) { data_.give(log_.take_answers()); }

Result<std::unique_ptr<RunReplay>> RunReplay::open(const std::filesystem::path& file, bool accepts_truncated,
                                                   std::optional<std::uint64_t> seed) {
    Result<std::string> bytes = read_regular_file(file);
    if (!bytes) return Error{fmt::format(e::kCannotReadReplay, file.string(), bytes.error().message)};
    Result<InputLog> log = InputLog::parse(std::move(bytes).value(), accepts_truncated);
    if (!log) return Error{fmt::format(e::kInFile, file.string(), log.error().message)};
    const std::uint64_t recorded = log.value().header().seed;
    if (seed && *seed != recorded) return Error{fmt::format(e::kReplayOtherSeed, recorded, *seed)};
    return std::unique_ptr<RunReplay>(new RunReplay(std::move(log).value()));
}

std::vector<std::string> RunReplay::warnings() const {
    std::vector<std::string> warnings;
    if (const std::string& luajit = log_.header().luajit; is_other_luajit(luajit))
        warnings.push_back(fmt::format(e::kReplayOtherLuaJit, luajit, luajit_version().text));
    if (const std::optional<ReplayLimit>& limit = log_.limit())
        warnings.push_back(fmt::format(e::kReplayLimit, limit->step_count, limit->reason));
    return warnings;
}

Result<void> RunReplay::expect_game(const GameSession& session, std::uint32_t steps_per_second) const {
    return log_.expect_game(session.identity(), steps_per_second);
}

bool RunReplay::take_restart() {
    if (!log_.is_restart_next()) return false;
    log_.take_restart();
    data_.give(log_.take_answers());
    return true;
}

StepInput RunReplay::take_step(ActionMap& actions) {
    StepInput input = log_.take_step(actions);
    data_.give(log_.take_answers());
    return input;
}

Result<void> RunReplay::begin_near(std::uint64_t step, GameSession& session) {
    const std::optional<StoredWorld> stored = log_.go_to_world(step);
    if (!stored) return {};
    data_.give(log_.take_answers());
    equal_at_ = stored->step_count;
    return session.read_world(stored->bytes);
}

void RunReplay::note_step(const GameSession& session) {
    const std::optional<std::uint64_t> expected = log_.stored_hash();
    if (!expected || divergence_) return;
    if (session.hash() == *expected)
        equal_at_ = log_.steps_played();
    else
        divergence_ = {equal_at_, log_.steps_played()};
}

Result<void> RunReplay::check(const GameSession& session, bool wants_quit) const {
    if (divergence_)
        return Error{
            fmt::format(e::kReplayDivergedBetween, divergence_->equal_at, divergence_->different_at)};
    if (!is_finished() && wants_quit)
        return Error{fmt::format(e::kReplayQuit, log_.steps_played(), log_.step_count())};
    if (!is_finished() || !log_.world_hash()) return {};
    const std::uint64_t expected = *log_.world_hash(), hash = session.hash();
    if (expected == hash) return {};
    if (const std::optional<ReplayLimit>& limit = log_.limit())
        return Error{
            fmt::format(e::kReplayDivergedByLimit, limit->reason, limit->step_count, expected, hash)};
    if (const std::string& luajit = log_.header().luajit; is_other_luajit(luajit))
        return Error{fmt::format(e::kReplayDivergedByLuaJit, luajit, luajit_version().text, expected, hash)};
    return Error{fmt::format(e::kReplayDiverged, expected, hash, log_.steps_played())};
}

}  // namespace perigee
