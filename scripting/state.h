// One Lua state with its own memory and its own sandbox: what one mod (or the game, the root mod) runs in.
//
// Invariant: mod code only ever sees the environment that scripts/runtime/sandbox.lua builds; every call into
// Lua is protected; no error object of a mod is called or converted by its own metamethods on the host's
// side. Two states share nothing. Not here: components, systems, views (runtime.h).
#pragma once

#include "ecs/random.h"
#include "ecs/result.h"
#include "scripting/file_source.h"
#include "scripting/jit_health.h"
#include "scripting/native_module.h"
#include "scripting/script_error.h"
#include "scripting/script_limits.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

struct lua_State;

namespace perigee {

namespace internal {
class FuelTank;
class LuaHeap;
class SharedLimit;
}  // namespace internal

enum class LogLevel : std::uint8_t { info, warning, error };

struct LogEntry {
    LogLevel level;
    std::string_view mod;
    std::string_view text;
};

using LogSink = std::function<void(const LogEntry&)>;

struct ScriptStateConfig {
    std::string mod = "game";                     ///< name of the mod: first part of file names in messages
    const FileSource* files = nullptr;            ///< what require and run_file read; must outlive the state
    std::uint64_t seed = 0;                       ///< of math.random, together with the mod's name
    ScriptLimits limits;                          ///< what one run may use, and all of them together
    internal::SharedLimit* lua_memory = nullptr;  ///< of several states; null: no such limit
    /// Whether the state listens to the compiler: for tools, see JitWatch.
    bool watches_compiler = false;
    bool is_interpreted = false;  ///< nothing is compiled: slower, with the same results
    bool is_trusted = false;      ///< may use all of Lua: io, os, ffi, debug…; fuel is counted all the same
    LogSink log;                  ///< print and messages; may be empty
    std::vector<NativeModule> modules;  ///< what require gives besides the mod's files
    /// C functions for the trusted files, in rt.api; must outlive the state
    std::span<const NativeFunction> library;
    std::function<void(lua_State*)>
        extend_host;  ///< adds to the host table on top of the stack; scripting/ only
};

class ScriptState {
public:
    /// Cost: about 2 ms and 0.2 MB with the ecs library; the first one of a process takes 10 ms.
    /// Errors: only those of a broken build of the Lua library.
    static Result<std::unique_ptr<ScriptState>> create(ScriptStateConfig config);
    ~ScriptState();
    ScriptState(const ScriptState&) = delete;
    ScriptState& operator=(const ScriptState&) = delete;

    /// Runs a file of the mod in its environment.
    std::optional<ScriptError> run_file(std::string_view path);
    /// Runs text as if it were the mod's file `path`.
    std::optional<ScriptError> run_text(std::string_view text, std::string_view path);

    const std::string& mod() const noexcept { return config_.mod; }
    std::size_t memory_bytes() const noexcept;
    /// The most there ever was.
    std::size_t peak_bytes() const noexcept;
    /// What ended or changed a run of this state at a moment that is not the same in each run: a limit of
    /// memory, a clock, a kill. Empty while nothing did: then the run can be repeated.
    std::string limit_reached() const;
    /// For limits that somebody else keeps; the first one counts. Shape: a phrase, "the clock limit".
    void note_limit(std::string_view limit);
    /// What LuaJIT made of the mod's code so far. Expects: nothing of this state is running.
    JitHealth jit_health() const { return jit_.health(); }
    /// Did its code run on when it was to stop, so that all it had is gone? Then each call fails with the
    /// same message until the mod has a new state.
    bool is_given_up() const noexcept { return is_given_up_; }
    /// A whole garbage collection, protected.
    void collect();
    /// A collection, and free memory goes back to the machine.
    void settle();
    /// The mod's main file runs next.
    void prepare_load();
    /// The mod's files have run: what the load left behind goes, and what runs from now on is compiled
    /// sooner.
    void end_load();

    void log(LogLevel level, std::string_view text) const;
    static constexpr std::size_t kLongestLogLine = 4000;
    /// As log, for lines of the mod itself: at most limits().log_lines and log_bytes in one step, and of one
    /// line kLongestLogLine bytes. What is left out is counted.
    void log_from_mod(LogLevel level, std::string_view text);
    /// A step of this number begins, if it is another one than before; tells how many lines were left out.
    void begin_log_step(std::uint64_t tick);
    std::uint64_t log_step() const noexcept { return log_tick_; }

    /// A run begins: all calls until close_run share these steps of fuel. A run inside of another uses that
    /// one's.
    void open_run(double steps, double seconds);
    void close_run();
    /// Steps that the newest closed run used.
    double fuel_used() const noexcept;
    /// Bytes that it took, given back or not.
    std::size_t run_allocated_bytes() const noexcept;
    const ScriptLimits& limits() const noexcept { return config_.limits; }
    /// The limit of several states was divided again: this one counts itself in it again.
    void share_memory() noexcept;
    /// Files may run for so long from now on, and never longer than limits().seconds_per_load.
    void set_load_seconds(double seconds) noexcept { load_seconds_ = seconds; }

    /// A file of the mod, as require reads it.
    Result<std::string> read(std::string_view path) const;

    /// math.random draws from the stream of presentation from here on, or no longer.
    void exchange_random() noexcept { std::swap(random_, presentation_random_); }

    // ---- for the other files of scripting/ ----

    lua_State* lua() const noexcept { return lua_; }
    static ScriptState& of(lua_State* lua) noexcept;
    internal::FuelTank& fuel() noexcept { return *fuel_; }
    /// Keeps the error of a run that is being ended: the mod may catch it, the host hears of it all the same.
    void note_end(lua_State* lua, std::string_view message, bool is_replayable);

    /// lua_pcall with a handler that notes file, line and traceback. On success the results are on the stack,
    /// on failure nothing is. Cost: 20 ns over the call itself.
    std::optional<ScriptError> call(int argument_count, int result_count);
    /// An error that no line of the mod stands behind, such as one in what a function called last instead of
    /// returning, gets the line of the function that was called. `function`: in the registry.
    void place(ScriptError& error, int function) const;

    /// Compiles source text in the mod's environment and leaves the function on the stack. Its loops and
    /// calls are charged. Bytecode is refused.
    std::optional<ScriptError> compile(std::string_view text, std::string_view path);

    /// What no file of the mod may be called (reserved_names.h).
    std::vector<std::string> reserved_names() const;

    /// Pushes rt.<name> of the trusted library (scripts/runtime/boot.lua).
    void push_runtime(const char* name);
    /// Pushes rt.<table>.<name>.
    void push_runtime(const char* table, const char* name);
    /// Pushes the environment of mod code.
    void push_environment();
    /// What asks the thread for globals finds that environment, after it was exchanged.
    void use_environment();
    JitWatch& jit() noexcept { return jit_; }

private:
    explicit ScriptState(ScriptStateConfig config);
    static int set_up(lua_State* lua);
    static int note_error(lua_State* lua);
    void forget_machine_code();
    ScriptError give_up();
    ScriptError error_from_text(std::string_view message) const;
    ScriptError error_here(lua_State* lua, std::string_view message) const;
    bool place_in_function(ScriptError& error) const;

    ScriptStateConfig config_;
    Random random_;               ///< the one that Lua draws from
    Random presentation_random_;  ///< the other one, see exchange_random
    std::unique_ptr<internal::LuaHeap> heap_;
    std::unique_ptr<internal::FuelTank> fuel_;
    lua_State* lua_ = nullptr;
    int runtime_reference_ = 0;  ///< registry slot of rt
    int handler_reference_ = 0;  ///< registry slot of note_error
    int floor_reference_ = 0;    ///< of what lies under all calls while the compiler is watched; else 0
    std::string noted_limit_;
    ScriptError noted_;  ///< filled by note_error during a failing call
    ScriptError end_;    ///< filled by note_end
    bool is_given_up_ = false;
    double load_seconds_ = 1e9;  ///< see set_load_seconds
    JitWatch jit_;
    int log_lines_left_;
    std::size_t log_bytes_left_;
    std::uint64_t log_lines_left_out_ = 0;
    std::uint64_t log_bytes_left_out_ = 0;
    std::uint64_t log_tick_ = 0;
};

}  // namespace perigee
