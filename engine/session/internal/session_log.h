// The messages of a session: to the host's log, and to the player on the error card.
//
// Invariant: an error on the card is in the log too. Entries name the game; the text names the mod.
#pragma once

#include "engine/draw/overlay/error_card.h"
#include "scripting/base/log.h"

#include <string>
#include <string_view>
#include <vector>

namespace perigee {

struct ModManifest;

class SessionLog {
public:
    /// Lifetime: `game` must outlive it. `sink` may be empty.
    SessionLog(LogSink sink, const ModManifest& game);

    void log(LogLevel level, std::string_view text) const;
    /// Warnings for the log alone.
    void warn(const std::vector<std::string>& texts) const;

    /// A script's error that the runtime has already logged: to the card, and its traceback to the log.
    void show(const ScriptError& error);
    /// The same for an error that has not been logged.
    void report(const ScriptError& error);
    /// An error without a position in a script. The log contains the title too.
    void report(std::string title, std::string text);
    /// An error of a mod, which disappears from the card when the mod is reloaded.
    void report_mod(const std::string& mod, std::string text);
    /// Warnings that do not stop anything; they leave the card after a while.
    void notice(std::string text);
    void notice(std::vector<std::string> texts);

    ErrorCard& card() noexcept { return card_; }
    const ErrorCard& card() const noexcept { return card_; }

private:
    LogSink sink_;
    const ModManifest& game_;
    ErrorCard card_;
};

}  // namespace perigee
