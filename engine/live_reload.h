// Saving a file shows at once: watches the files of a session and hands what was saved to it.
//
// Invariant: the session changes between frames only, on the thread that runs them. Where files cannot be
// watched, the game runs on without it and the log says so.
#pragma once

#include "engine/file_watch.h"
#include "scripting/state.h"

#include <memory>

namespace perigee {

class GameSession;

class LiveReload {
public:
    LiveReload(FileWatchConfig config, LogSink log);

    /// From now on this session's files; those of the one before are not looked at any more.
    void follow(const GameSession& session);

    /// Reads again what was saved since the last call. Never waits.
    /// Cost: a microsecond while nothing was.
    void update(GameSession& session);

private:
    FileWatchConfig config_;
    LogSink log_;
    std::unique_ptr<FileWatch> watch_;
};

}  // namespace perigee
