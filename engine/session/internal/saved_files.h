// Applies files that were saved while a session runs: assets and manifests at once, code by a reload.
//
// Invariant: files that belong to no mod, and its tests, are ignored. Not here: watching (live_reload.h), and
// running code again (scripting/mods/runtime.h).
#pragma once

#include <filesystem>
#include <set>
#include <string>

namespace perigee {

class GameFiles;
class ScriptRuntime;
class SessionLog;
struct ModRoot;

/// One batch of saved files.
class SavedFiles {
public:
    /// Lifetime: all must outlive it. Expects: no system is running.
    SavedFiles(GameFiles& files, ScriptRuntime& scripts, SessionLog& log)
        : files_(files), scripts_(scripts), log_(log) {}

    /// Applies a file, except code.
    void apply(const std::filesystem::path& file);

    /// True if the code of a mod must run again.
    bool has_changed(const std::string& mod) const { return changed_.contains(mod); }
    /// True if the contents of an image or sound changed.
    bool has_new_assets() const noexcept { return has_new_assets_; }

private:
    bool apply_manifest(const ModRoot& root);
    void apply_archive(const ModRoot& archive);

    GameFiles& files_;
    ScriptRuntime& scripts_;
    SessionLog& log_;
    std::set<std::string> changed_;
    bool has_new_assets_ = false;
};

}  // namespace perigee
