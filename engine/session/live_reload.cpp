// Between the watch and the session.
#include "engine/session/live_reload.h"

#include "engine/base/error_codes.h"
#include "engine/session/game_session.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>
#include <vector>

namespace perigee {

LiveReload::LiveReload(FileWatchConfig config, LogSink log) : config_(config), log_(std::move(log)) {}

void LiveReload::follow(const GameSession& session) {
    watch_ = std::make_unique<FileWatch>(config_);
    for (const std::filesystem::path& root : session.roots()) {
        const Result<void> added = watch_->add(root);
        if (added || !log_) continue;
        log_({LogLevel::warning, "perigee", fmt::format(engine_errors::kCannotWatch, added.error().message)});
    }
}

void LiveReload::update(GameSession& session) {
    if (watch_ == nullptr) return;
    const std::vector<std::filesystem::path> saved = watch_->take_changes();
    if (!saved.empty()) session.reload(saved);
}

}  // namespace perigee
