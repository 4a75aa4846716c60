// The same texts in both places.
#include "engine/session/internal/session_log.h"

#include "engine/mods/mod_manifest.h"
#include "scripting/base/script_error.h"

#include <fmt/format.h>

#include <utility>

namespace perigee {

SessionLog::SessionLog(LogSink sink, const ModManifest& game) : sink_(std::move(sink)), game_(game) {}

void SessionLog::log(LogLevel level, std::string_view text) const {
    if (sink_) sink_({level, game_.id, text});
}

void SessionLog::warn(const std::vector<std::string>& texts) const {
    for (const std::string& text : texts) log(LogLevel::warning, text);
}

void SessionLog::show(const ScriptError& error) {
    card_.add(error);
    std::string_view calls = error.traceback;
    if (calls.ends_with('\n')) calls.remove_suffix(1);
    if (calls.find('\n') != calls.npos)
        log(LogLevel::error, calls);  // for a single line the error's position is correct
}

void SessionLog::report(const ScriptError& error) {
    log(LogLevel::error, error.text());
    show(error);
}

void SessionLog::report(std::string title, std::string text) {
    log(LogLevel::error, fmt::format("{}: {}", title, text));
    card_.add(std::move(title), std::move(text));
}

void SessionLog::report_mod(const std::string& mod, std::string text) {
    log(LogLevel::error, text);
    card_.add(mod, std::move(text), mod);
}

void SessionLog::notice(std::string text) {
    log(LogLevel::warning, text);
    card_.notice(std::move(text));
}

void SessionLog::notice(std::vector<std::string> texts) {
    for (std::string& text : texts) notice(std::move(text));
}

}  // namespace perigee
