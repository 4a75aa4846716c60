// A Lua state with its own memory and sandbox, in which one mod (or the game, the root mod) runs.
//
// Invariant: mod code only ever sees the environment that scripts/runtime/sandbox/sandbox.lua builds; every
// call into Lua is protected; the host never invokes metamethods of a mod's error objects. Two states share
// nothing. Not here: components, systems, views (runtime.h).
#pragma once

#include "ecs/base/random.h"
#include "ecs/base/result.h"
#include "scripting/base/file_source.h"
#include "scripting/base/log.h"
#include "scripting/base/native_module.h"
#include "scripting/base/script_error.h"
#include "scripting/base/script_limits.h"
#include "scripting/sandbox/jit_health.h"

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

struct ScriptStateConfig {
    std::string mod = "game";                     ///< name of the mod: first part of file names in messages
    const FileSource* files = nullptr;            ///< files for require and run_file; must outlive the state
    std::uint64_t seed = 0;                       ///< of math.random, together with the mod's name
    ScriptLimits limits;                          ///< limits of one run, and of all runs together
    internal::SharedLimit* lua_memory = nullptr;  ///< shared by several states; null: no shared limit
    /// Whether the state records compiler events: for tools, see JitWatch.
    bool watches_compiler = false;
    bool is_interpreted = false;        ///< nothing is compiled: slower, same results
    bool is_trusted = false;            ///< may use all of Lua: io, os, ffi, debug…; fuel is still counted
    LogSink log;                        ///< print and messages; may be empty
    std::vector<NativeModule> modules;  ///< available to require besides the mod's files
    /// C functions for the trusted files, the part "api"; must outlive the state
    std::span<const NativeFunction> library;
    /// What the part "constants" has besides those of every state; must outlive the state
    std::span<const ScriptConstant> constants;
    /// Adds entries to the host table on top of the stack; for scripting/ only.
    std::function<void(lua_State*)> extend_host;
};

class ScriptState {
public:
    /// Cost: about 2 ms and 0.2 MB with the ecs library; the first one of a process takes 10 ms. Errors: only
    /// if the embedded Lua library is broken.
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
    /// The highest memory_bytes() so far.
    std::size_t peak_bytes() const noexcept;
    /// What ended or changed a run of this state at a point that differs between runs: a memory limit, a
    /// clock, a kill. Empty if nothing did; then the run can be replayed.
    std::string limit_reached() const;
    /// Records a limit enforced elsewhere; the first one counts. Shape: a phrase, "the clock limit".
    void note_limit(std::string_view limit);
    /// What LuaJIT compiled of the mod's code so far. Expects: nothing of this state is running.
    JitHealth jit_health() const { return jit_.health(); }
    /// True if its code did not stop when asked to and the state was discarded. Then every call fails with
    /// the same message until the mod gets a new state.
    bool is_given_up() const noexcept { return is_given_up_; }
    /// Runs a full garbage collection, protected.
    void collect();
    /// Runs a full garbage collection and returns free memory to the system.
    void settle();
    /// Called before the mod's main file runs.
    void prepare_load();
    /// Called after the mod's files have run: collects the garbage of loading and lets the compiler start
    /// sooner in each loop.
    void end_load();

    void log(LogLevel level, std::string_view text) const;
    static constexpr std::size_t kMaxLogLineBytes = 4000;
    /// Like log, for output of the mod's own code: at most limits().log_lines and log_bytes per step, and
    /// kMaxLogLineBytes per line. The excess is dropped and counted.
    void log_from_mod(LogLevel level, std::string_view text);
    /// Begins the step of this number, if it is a new one; logs how many lines were dropped.
    void begin_log_step(std::uint64_t tick);
    std::uint64_t log_step() const noexcept { return log_tick_; }

    /// Begins a run: all calls until close_run share these steps of fuel. A nested run uses the fuel of the
    /// outer one.
    void open_run(double steps, double seconds);
    void close_run();
    /// Steps used by the last closed run.
    double fuel_used() const noexcept;
    /// Bytes that this run allocated, freed or not.
    std::size_t run_allocated_bytes() const noexcept;
    const ScriptLimits& limits() const noexcept { return config_.limits; }
    /// Registers this state's memory again after the shared limit was re-divided.
    void share_memory() noexcept;
    /// Sets how long files may run from now on; never longer than limits().seconds_per_load.
    void set_load_seconds(double seconds) noexcept { load_seconds_ = seconds; }

    /// Reads a file of the mod, as require does.
    Result<std::string> read(std::string_view path) const;

    /// The stream of math.random.
    Random& random() noexcept { return random_; }
    /// Switches math.random to the presentation stream, or back.
    void exchange_random() noexcept { std::swap(random_, presentation_random_); }

    // ---- for the other files of scripting/ ----

    lua_State* lua() const noexcept { return lua_; }
    static ScriptState& of(lua_State* lua) noexcept;
    internal::FuelTank& fuel() noexcept { return *fuel_; }
    /// Stores the error of a run that is being ended, so that the host sees it even if the mod catches it.
    void note_end(lua_State* lua, std::string_view message, bool is_replayable);

    /// lua_pcall with a handler that records file, line and traceback. On success the results are on the
    /// stack, on failure nothing is. Cost: 20 ns on top of the call.
    std::optional<ScriptError> call(int argument_count, int result_count);
    /// Gives an error without a position in the mod (such as one in a tail call) the line of the function
    /// that was called. `function`: its registry slot.
    void place(ScriptError& error, int function) const;

    /// Compiles source text in the mod's environment and leaves the function on the stack. Its loops and
    /// calls are charged with fuel. Bytecode is refused.
    std::optional<ScriptError> compile(std::string_view text, std::string_view path);

    /// Names that no file of the mod may have (reserved_names.h).
    std::vector<std::string> reserved_names() const;

    /// Pushes the part of this name of the trusted library (scripts/runtime/boot.lua).
    void push_runtime(const char* name);
    /// Pushes an entry of a part.
    void push_runtime(const char* table, const char* name);
    /// Pushes the environment of mod code.
    void push_environment();
    /// Makes the replaced environment the thread's globals.
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
    Random random_;               ///< the stream that Lua draws from
    Random presentation_random_;  ///< the other stream, see exchange_random
    std::unique_ptr<internal::LuaHeap> heap_;
    std::unique_ptr<internal::FuelTank> fuel_;
    lua_State* lua_ = nullptr;
    int runtime_reference_ = 0;  ///< registry slot of the parts
    int handler_reference_ = 0;  ///< registry slot of note_error
    int floor_reference_ = 0;    ///< of the function below all calls while the compiler is watched; else 0
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
