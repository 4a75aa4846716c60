// Live reload: watches the files of a session and passes saved files to it.
//
// Invariant: the session changes between frames only, on the thread that runs them. If files cannot be
// watched, the game runs without it and the log says so.
#pragma once

#include "engine/base/file_watch.h"
#include "scripting/base/log.h"

#include <memory>

namespace perigee {

class GameSession;

class LiveReload {
public:
    LiveReload(FileWatchConfig config, LogSink log);

    /// Watches this session's files from now on, instead of those of the previous one.
    void follow(const GameSession& session);

    /// Reloads files saved since the last call. Never waits.
    /// Cost: a microsecond if nothing was saved.
    void update(GameSession& session);

private:
    FileWatchConfig config_;
    LogSink log_;
    std::unique_ptr<FileWatch> watch_;
};

}  // namespace perigee
