// A native plugin: a shared object whose systems run in a schedule. Its interface is plugin_abi.h.
//
// Invariant: a loaded Plugin has its systems in the schedule and removes them when it is destroyed; a refused
// one leaves nothing there (its declared types stay). No address passed by a plugin is kept. There is no
// sandbox: a plugin can do whatever the process can, so GameSession loads only plugins that the user named or
// allowed.
#pragma once

#include "ecs/base/result.h"
#include "scripting/base/log.h"

#include <filesystem>
#include <memory>
#include <string>

namespace perigee {

class Schedule;
class World;

class Plugin {
public:
    /// Loads the file and lets it declare its types and systems.
    /// Lifetime: must not outlive world and schedule; `log` may be empty.
    /// Expects: no system is running.
    /// Errors: no such file; not a shared object, or one with unresolved symbols; not a plugin; built for
    /// another PERIGEE_PLUGIN_ABI; its entry failed or made errors (all of them, each with its reason). Each
    /// names the file.
    static Result<std::unique_ptr<Plugin>> load(const std::filesystem::path& file, World& world,
                                                Schedule& schedule, LogSink log);
    /// Removes its systems, calls its unload, and unloads it. Expects: no system is running.
    ~Plugin();
    Plugin(const Plugin&) = delete;
    Plugin& operator=(const Plugin&) = delete;

    /// The file's name without "lib" and its extension; used in the log.
    const std::string& name() const noexcept;
    /// The plugin's version; may be empty.
    const std::string& version() const noexcept;

private:
    struct Loaded;
    explicit Plugin(std::unique_ptr<Loaded> loaded);

    std::unique_ptr<Loaded> loaded_;
};

}  // namespace perigee
