// A native plugin: a shared object whose systems run in a schedule. The interface is plugin_abi.h.
//
// Invariant: a Plugin that was loaded has its systems in the schedule, and takes them with it when it goes;
// one that was refused leaves nothing there (types that it declared stay). Nothing that a plugin passes is
// kept by address. There is no sandbox: a plugin can do whatever the process can, so only what the user named
// himself or allowed is loaded, which is the business of GameSession.
#pragma once

#include "ecs/result.h"
#include "scripting/state.h"

#include <filesystem>
#include <memory>
#include <string>

namespace perigee {

class Schedule;
class World;

class Plugin {
public:
    /// Loads the file and lets it declare its types and systems.
    /// Lifetime: within that of world and schedule; `log` may be empty.
    /// Expects: no system is running.
    /// Errors: no such file; no shared object, or one with unknown symbols; no plugin; built for another
    ///         PERIGEE_PLUGIN_ABI; its entry failed or made a mistake (all of them, each with its reason).
    ///         Each names the file.
    static Result<std::unique_ptr<Plugin>> load(const std::filesystem::path& file, World& world,
                                                Schedule& schedule, LogSink log);
    /// Removes its systems, tells it, and unloads it. Expects: no system is running.
    ~Plugin();
    Plugin(const Plugin&) = delete;
    Plugin& operator=(const Plugin&) = delete;

    /// The file's name without "lib" and its ending: who speaks in the log.
    const std::string& name() const noexcept;
    /// What it calls its version; may be empty.
    const std::string& version() const noexcept;

private:
    struct Loaded;
    explicit Plugin(std::unique_ptr<Loaded> loaded);

    std::unique_ptr<Loaded> loaded_;
};

}  // namespace perigee
