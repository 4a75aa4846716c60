// Sets up a state, makes protected calls, and builds a ScriptError while the stack still exists.
#include "scripting/sandbox/state.h"

#include "ecs/base/counted.h"
#include "ecs/base/error_codes.h"
#include "ecs/base/suggest.h"
#include "scripting/base/error_codes.h"
#include "scripting/base/shown_text.h"
#include "scripting/lua/fuel_rewriter.h"
#include "scripting/lua/internal/power.h"
#include "scripting/lua/reserved_names.h"
#include "scripting/sandbox/bind.h"
#include "scripting/sandbox/internal/call_frame.h"
#include "scripting/sandbox/internal/charged_chunk.h"
#include "scripting/sandbox/internal/embedded_runtime.h"
#include "scripting/sandbox/internal/fuel_tank.h"
#include "scripting/sandbox/internal/lua_heap.h"
#include "scripting/sandbox/internal/state_api.h"

#include <fmt/format.h>
#include <lua.hpp>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace perigee {

namespace {

constexpr int kMaxTracebackFrames = 16;
constexpr std::size_t kLentForCollection = std::size_t{1} << 20;
// Growth of a heap, in percent, before the next garbage collection: a small heap is cheap to collect, and
// stays small. There may be a hundred of them.
constexpr std::size_t kSmallHeap = std::size_t{1} << 20;
constexpr int kSmallHeapPause = 130, kPause = 200;
constexpr std::size_t kMaxMessageBytes = 4096;      ///< bytes kept of a mod's argument to error()
constexpr std::string_view kBuiltIn = "[builtin:";  ///< LuaJIT functions written in Lua, such as math.deg
const char kStateKey = 0;                           // its address is the registry key of the ScriptState

void* allocate(void* heap, void* block, std::size_t old_bytes, std::size_t new_bytes) {
    return static_cast<internal::LuaHeap*>(heap)->reallocate(block, old_bytes, new_bytes);
}

constexpr int kGivenUp = -1;

// lua_pcall, or kGivenUp: then the state must not be entered again. A separate function, since a jump back
// into it leaves its variables undefined.
[[gnu::noinline]] int protected_call(internal::FuelTank& fuel, lua_State* lua, const int argument_count,
                                     const int result_count, const int handler) {
    internal::CallFrame frame(fuel);
    if (setjmp(frame.place) != 0) return kGivenUp;
    return lua_pcall(lua, argument_count, result_count, handler);
}

int panic(lua_State* lua) {
    std::fprintf(stderr, "perigee: unprotected error in a script: %s\n",
                 shown_text(text_at(lua, -1)).c_str());
    std::abort();
}

/// The file inside the mod: "@swarm/lib/a.lua" -> "lib/a.lua"; empty for the engine's own files and C
/// functions.
std::string_view file_of_source(std::string_view source, std::string_view mod) {
    if (source.size() < mod.size() + 2 || source[0] != '@') return {};
    source.remove_prefix(1);
    if (source.substr(0, mod.size()) != mod || source[mod.size()] != '/') return {};
    return source.substr(mod.size() + 1);
}

/// Lua shortens long names in messages to "...tail"; `known` is the file's whole name if it has that tail.
void restore_file(std::string& file, std::string_view known) {
    if (file.starts_with("...") && known.ends_with(std::string_view(file).substr(3))) file = known;
}

// "; did you mean 'print'?" for "attempt to call global 'pritn' (a nil value)", or nothing.
std::string nearest_global(lua_State* lua, std::string_view message,
                           const std::vector<NativeModule>& modules) {
    const std::string_view word = nil_global_in(message);
    if (word.empty()) return {};
    std::vector<std::string_view> known;
    known.reserve(modules.size());
    for (const NativeModule& module : modules) known.emplace_back(module.name);
    lua_pushvalue(lua, LUA_GLOBALSINDEX);  // the mod's environment
    for (lua_pushnil(lua); lua_next(lua, -2) != 0; lua_pop(lua, 1))
        if (lua_type(lua, -2) == LUA_TSTRING) known.push_back(text_at(lua, -2));
    lua_pop(lua, 1);
    std::ranges::sort(known);  // otherwise the seed of the hashes decides between equally near names
    return did_you_mean(word, known);
}

// A message comes from a mod: it may not move the cursor of a terminal, fill the log or cover the screen.
void tidy(std::string& message) {
    constexpr std::size_t kMaxBytes = 4000;
    constexpr std::ptrdiff_t kMaxLines = 12;
    std::size_t end = std::min(message.size(), kMaxBytes);
    std::ptrdiff_t lines = 1;
    for (std::size_t i = 0; i < end; ++i) {
        const auto letter = static_cast<unsigned char>(message[i]);
        if (letter == '\n' && ++lines > kMaxLines) end = i;
        if ((letter < 0x20 && letter != '\n' && letter != '\t') || letter == 0x7F) message[i] = '?';
    }
    if (end == message.size()) return;
    message.resize(end);
    message += "...";
}

}  // namespace

Result<std::unique_ptr<ScriptState>> ScriptState::create(ScriptStateConfig config) {
    std::unique_ptr<ScriptState> state(new ScriptState(std::move(config)));
    if (state->lua_ == nullptr) return Error{std::string(messages::kNoAddressSpace)};
    if (lua_cpcall(state->lua_, set_up, state.get()) != 0) {
        return Error{fmt::format(messages::kStateSetUp, text_at(state->lua_, -1))};
    }
    state->settle();
    return state;
}

ScriptState::ScriptState(ScriptStateConfig config)
    : config_(std::move(config)),
      random_(stream_seed(config_.seed, config_.mod)),
      presentation_random_(stream_seed(config_.seed, config_.mod + ":presentation")),
      heap_(std::make_unique<internal::LuaHeap>(config_.limits.memory_hard)),
      fuel_(std::make_unique<internal::FuelTank>(*heap_, config_.limits)),
      lua_(lua_newstate(allocate, heap_.get())),
      log_lines_left_(config_.limits.log_lines),
      log_bytes_left_(config_.limits.log_bytes) {
    share_memory();
    if (lua_ != nullptr) lua_atpanic(lua_, panic);
    internal::link_power();
}

ScriptState::~ScriptState() {
    if (lua_ != nullptr) lua_close(lua_);
}

int ScriptState::set_up(lua_State* lua) {
    auto& self = *static_cast<ScriptState*>(lua_touserdata(lua, 1));
    lua_pushlightuserdata(lua, const_cast<char*>(&kStateKey));
    lua_pushlightuserdata(lua, &self);
    lua_rawset(lua, LUA_REGISTRYINDEX);
    lua_pushcfunction(lua, note_error);
    self.handler_reference_ = luaL_ref(lua, LUA_REGISTRYINDEX);

    luaL_openlibs(lua);
    if (self.config_.watches_compiler) {
        self.jit_.attach(lua, self.config_.mod);
        JitWatch::push_floor(lua);
        self.floor_reference_ = luaL_ref(lua, LUA_REGISTRYINDEX);
    }
    internal::push_runtime_file(lua, "boot");
    internal::push_host(lua, self.config_, &self.random_);
    lua_pushlightuserdata(lua, self.fuel_.get());
    lua_pushcclosure(lua, internal::FuelTank::tick, 1);
    lua_setfield(lua, -2, "tick");
    if (self.floor_reference_ != 0) {
        lua_rawgeti(lua, LUA_REGISTRYINDEX, self.floor_reference_);
        lua_setfield(lua, -2, "floor");
    }
    lua_call(lua, 1, 1);
    self.runtime_reference_ = luaL_ref(lua, LUA_REGISTRYINDEX);
    self.push_runtime("fuel", "charge");
    self.fuel_->connect(lua);

    if (self.config_.is_interpreted) luaJIT_setmode(lua, 0, LUAJIT_MODE_ENGINE | LUAJIT_MODE_OFF);

    // Code that looks up globals through the thread instead of a function finds the mod's environment as
    // well.
    self.use_environment();
    return 0;
}

ScriptState& ScriptState::of(lua_State* lua) noexcept {
    lua_pushlightuserdata(lua, const_cast<char*>(&kStateKey));
    lua_rawget(lua, LUA_REGISTRYINDEX);
    auto* state = static_cast<ScriptState*>(lua_touserdata(lua, -1));
    lua_pop(lua, 1);
    return *state;
}

std::optional<ScriptError> ScriptState::run_file(std::string_view path) {
    const Result<std::string> text = read(path);
    if (!text) {
        ScriptError error;
        error.mod = config_.mod;
        error.file = path;
        error.message = text.error().message;
        return error;
    }
    return run_text(text.value(), path);
}

std::optional<ScriptError> ScriptState::run_text(std::string_view text, std::string_view path) {
    open_run(config_.limits.fuel_per_load, std::min(config_.limits.seconds_per_load, load_seconds_));
    std::optional<ScriptError> error = compile(text, path);
    if (!error) error = call(0, 0);
    close_run();
    return error;
}

void ScriptState::open_run(double steps, double seconds) { fuel_->open(lua_, steps, seconds); }

void ScriptState::close_run() {
    fuel_->close(lua_);
    if (!fuel_->is_open() && fuel_->ended() == internal::FuelTank::End::memory) forget_machine_code();
}

std::size_t ScriptState::run_allocated_bytes() const noexcept { return heap_->allocated_bytes(); }

double ScriptState::fuel_used() const noexcept { return fuel_->last_used(); }

void ScriptState::note_end(lua_State* lua, std::string_view message, bool is_replayable) {
    end_ = error_here(lua, message);
    if (!is_replayable)
        note_limit(fuel_->ended() == internal::FuelTank::End::time ? messages::kTimeLimit
                                                                   : messages::kMemoryLimit);
}

std::optional<ScriptError> ScriptState::compile(std::string_view text, std::string_view path) {
    const std::string chunk_name = fmt::format("@{}/{}", config_.mod, path);
    struct Request {
        std::string_view text;
        const char* name;
        bool is_compiled;
    } request{text, chunk_name.c_str(), false};
    lua_pushcfunction(lua_, [](lua_State* lua) {
        auto* wanted = static_cast<Request*>(lua_touserdata(lua, 1));
        wanted->is_compiled = internal::load_charged(lua, wanted->text, wanted->name);
        if (wanted->is_compiled) {
            of(lua).push_environment();
            lua_setfenv(lua, -2);
        }
        return 1;
    });
    lua_pushlightuserdata(lua_, &request);
    if (auto error = call(1, 1)) return error;
    if (request.is_compiled) return std::nullopt;
    ScriptError error = error_from_text(text_at(lua_, -1));
    if (text.starts_with(LUA_SIGNATURE[0]) && text.size() <= kMaxSourceBytes)
        error.message = messages::kBytecode;
    if (error.file.empty()) error.file = path;
    restore_file(error.file, path);
    lua_pop(lua_, 1);
    return error;
}

std::optional<ScriptError> ScriptState::call(int argument_count, int result_count) {
    const int handler = lua_gettop(lua_) - argument_count;
    if (is_given_up_) {
        lua_settop(lua_, handler - 1);
        return end_;
    }
    if (floor_reference_ != 0) {
        lua_rawgeti(lua_, LUA_REGISTRYINDEX, floor_reference_);
        lua_insert(lua_, handler);
        ++argument_count;
    }
    lua_rawgeti(lua_, LUA_REGISTRYINDEX, handler_reference_);
    lua_insert(lua_, handler);
    fuel_->open(lua_, config_.limits.fuel_per_run, config_.limits.seconds_per_run);
    const int status = protected_call(*fuel_, lua_, argument_count, result_count, handler);
    if (status == kGivenUp) return give_up();
    const bool is_ended = fuel_->ended() != internal::FuelTank::End::none;
    fuel_->close(lua_);
    if (is_ended) {
        // Also if the mod caught it and returned normally.
        lua_settop(lua_, handler - 1);
        noted_ = {};
        return end_;
    }
    lua_remove(lua_, handler);
    if (status == 0) return std::nullopt;
    ScriptError error;
    error.mod = config_.mod;
    if (status == LUA_ERRRUN) {
        error = std::move(noted_);
    } else {
        // No handler ran: the message is LuaJIT's own.
        error.message = status == LUA_ERRMEM
                            ? fmt::format(messages::kOutOfMemory,
                                          static_cast<double>(config_.limits.memory_hard) / (1024.0 * 1024.0))
                            : std::string(text_at(lua_, -1));
    }
    lua_pop(lua_, 1);
    noted_ = {};
    return error;
}

// Machine code refers to its functions, and these to everything reachable from them: the data that filled the
// memory would stay as long as the mod's code does.
void ScriptState::forget_machine_code() {
    luaJIT_setmode(lua_, 0, LUAJIT_MODE_ENGINE | LUAJIT_MODE_FLUSH);
    collect();
}

// The state stopped at an arbitrary point and is unusable: another one replaces it, in which no code of the
// mod has run or will run.
ScriptError ScriptState::give_up() {
    heap_->start_over();
    lua_ = lua_newstate(allocate, heap_.get());
    ECS_EXPECTS(lua_ != nullptr && lua_cpcall(lua_, set_up, this) == 0,
                "a state that was set up once cannot be set up again");
    is_given_up_ = true;
    end_ = {};
    end_.mod = config_.mod;
    end_.message = fuel_->give_up(lua_);
    note_limit(messages::kTimeLimit);
    close_run();
    return end_;
}

// Runs where the error happened, with the stack intact. Never calls the mod's code: an error object with a
// __tostring is only shown by type.
int ScriptState::note_error(lua_State* lua) {
    const internal::NativeScope scope;
    ScriptState& self = of(lua);
    const bool is_text = lua_type(lua, 1) == LUA_TSTRING || lua_type(lua, 1) == LUA_TNUMBER;
    self.noted_ = self.error_here(
        lua, is_text ? std::string(text_at(lua, 1).substr(0, kMaxMessageBytes))
                     : fmt::format(messages::kErrorIsNoText, lua_typename(lua, lua_type(lua, 1))));
    return 1;
}

ScriptError ScriptState::error_here(lua_State* lua, std::string_view message) const {
    ScriptError error = error_from_text(message);
    const std::string_view advice = advice_for(error.message);
    error.message += advice.empty() ? nearest_global(lua, error.message, config_.modules) : advice;
    lua_Debug frame;
    for (int level = 0, kept = 0; kept < kMaxTracebackFrames && lua_getstack(lua, level, &frame) != 0;
         ++level) {
        lua_getinfo(lua, "S", &frame);
        const std::string_view file = file_of_source(frame.source, config_.mod);
        if (file.empty()) continue;
        // The name is read only now: for this handler's own frame LuaJIT inspects where its caller stopped,
        // and reads invalid memory if that was the end of the stack in compiled code.
        lua_getinfo(lua, "nl", &frame);
        ++kept;
        // Where a trace ended the stack, the innermost line is lost.
        const int line = frame.currentline > 0 ? frame.currentline : frame.linedefined;
        if (error.file.empty() || error.line <= 0) {
            error.file = file;
            error.line = line;
        }
        restore_file(error.file, file);
        error.traceback += fmt::format("{}/{}:{}: in ", config_.mod, file, line);
        if (internal::is_whole_file(lua, frame))
            error.traceback += "the file\n";
        else if (frame.name != nullptr)
            error.traceback += fmt::format("function '{}'\n", frame.name);
        else
            error.traceback += fmt::format("the function of line {}\n", frame.linedefined);
    }
    return error;
}

// "game/main.lua:12: text" -> file, line and text. Long names come shortened ("...lib/a.lua:12:"), so
// anything in front of the first ":<digits>: " counts when it ends like a file of ours.
ScriptError ScriptState::error_from_text(std::string_view message) const {
    ScriptError error;
    error.mod = config_.mod;
    // An error raised for its caller if there is none but the floor (jit_health.h).
    if (message.starts_with(JitWatch::kFloorName))
        message.remove_prefix(std::min(message.size(), message.find(": ") + 2));
    error.message = message;
    for (std::size_t colon = message.find(':'); colon != std::string_view::npos;
         colon = message.find(':', colon + 1)) {
        int line = 0;
        const char* begin = message.data() + colon + 1;
        const auto [end, failed] = std::from_chars(begin, message.data() + message.size(), line);
        const auto rest = static_cast<std::size_t>(end - message.data());
        if (failed != std::errc{} || message.substr(rest, 2) != ": ") continue;
        const std::string_view name = message.substr(0, colon);
        if (name.find_first_of(" '\"\n") != std::string_view::npos) break;
        error.message = message.substr(rest + 2);
        const bool is_own = name.starts_with(internal::kRuntimeFiles) || name.starts_with(kBuiltIn);
        if (is_own) break;  // the script's own line is more useful
        error.line = line;
        std::string_view file = file_of_source(fmt::format("@{}", name), config_.mod);
        error.file = file.empty() ? std::string(name) : std::string(name.substr(config_.mod.size() + 1));
        break;
    }
    tidy(error.message);
    return error;
}

// The position of the function on top of the stack; for a library function, that of the mod's function in it.
// Pops it.
bool ScriptState::place_in_function(ScriptError& error) const {
    lua_Debug function;
    lua_pushvalue(lua_, -1);
    lua_getinfo(lua_, ">S", &function);
    const std::string_view file = file_of_source(function.source, config_.mod);
    bool is_found = !file.empty();
    if (is_found) {
        error.file = file;
        error.line = function.linedefined;
    }
    for (int i = 1; !is_found && lua_getupvalue(lua_, -1, i) != nullptr; ++i) {
        if (lua_isfunction(lua_, -1) && lua_iscfunction(lua_, -1) == 0)
            is_found = place_in_function(error);
        else
            lua_pop(lua_, 1);
    }
    lua_pop(lua_, 1);
    return is_found;
}

void ScriptState::place(ScriptError& error, int function) const {
    if (!error.file.empty()) return;
    lua_rawgeti(lua_, LUA_REGISTRYINDEX, function);
    if (lua_isfunction(lua_, -1) && lua_iscfunction(lua_, -1) == 0)
        static_cast<void>(place_in_function(error));
    else
        lua_pop(lua_, 1);
}

std::size_t ScriptState::memory_bytes() const noexcept { return heap_->used_bytes(); }

std::size_t ScriptState::peak_bytes() const noexcept { return heap_->peak_bytes(); }

std::string ScriptState::limit_reached() const {
    if (!noted_limit_.empty()) return noted_limit_;
    return heap_->has_refused() ? std::string(messages::kMemoryLimit) : std::string();
}

void ScriptState::note_limit(std::string_view limit) {
    if (noted_limit_.empty()) noted_limit_ = limit;
}

void ScriptState::collect() {
    // A collection needs memory itself: a state at its limit gets a little extra.
    heap_->set_limit_bytes(heap_->limit_bytes() + kLentForCollection);
    lua_cpcall(
        lua_,
        [](lua_State* lua) {
            internal::collect_all(lua, *static_cast<internal::LuaHeap*>(lua_touserdata(lua, 1)), 0);
            return 0;
        },
        heap_.get());
    heap_->set_limit_bytes(heap_->limit_bytes() - kLentForCollection);
}

void ScriptState::share_memory() noexcept {
    if (config_.lua_memory != nullptr) heap_->share(config_.lua_memory);
}

void ScriptState::settle() {
    collect();
    heap_->trim();
}

void ScriptState::prepare_load() {
    push_runtime("parts", "prepare_load");
    static_cast<void>(call(0, 0));
}

void ScriptState::end_load() {
    push_runtime("loading", "finish");
    static_cast<void>(call(0, 0));
    settle();
}

void ScriptState::log(LogLevel level, std::string_view text) const {
    if (config_.log) config_.log(LogEntry{level, config_.mod, text});
}

void ScriptState::log_from_mod(LogLevel level, std::string_view text) {
    const std::size_t kept = std::min(text.size(), kMaxLogLineBytes);
    if (log_lines_left_ > 0 && kept <= log_bytes_left_) {
        --log_lines_left_;
        log_bytes_left_ -= kept;
        if (kept == text.size()) return log(level, text);
        return log(level, fmt::format("{}{}", text.substr(0, kept),
                                      fmt::format(messages::kLineCut, text.size() - kept)));
    }
    log_lines_left_ = 0;  // the rest, also what would fit
    log_bytes_left_out_ += text.size();
    if (log_lines_left_out_++ == 0)
        log(LogLevel::warning,
            fmt::format(messages::kTooManyLines,
                        counted(static_cast<std::uint64_t>(config_.limits.log_lines), "line"),
                        config_.limits.log_bytes / 1024));
}

void ScriptState::begin_log_step(std::uint64_t tick) {
    if (std::exchange(log_tick_, tick) == tick) return;
    lua_gc(lua_, LUA_GCSETPAUSE, heap_->used_bytes() < kSmallHeap ? kSmallHeapPause : kPause);
    log_lines_left_ = config_.limits.log_lines;
    log_bytes_left_ = config_.limits.log_bytes;
    if (log_lines_left_out_ > 0)
        log(LogLevel::warning, fmt::format(messages::kLinesLeftOut, counted(log_lines_left_out_, "log line"),
                                           log_bytes_left_out_));
    log_lines_left_out_ = log_bytes_left_out_ = 0;
}

std::vector<std::string> ScriptState::reserved_names() const {
    return perigee::reserved_names(config_.modules);
}

Result<std::string> ScriptState::read(std::string_view path) const {
    if (config_.files == nullptr) return Error{errors::file_missing(), ErrorKind::not_found};
    return config_.files->read(path);
}

void ScriptState::push_runtime(const char* name) {
    lua_rawgeti(lua_, LUA_REGISTRYINDEX, runtime_reference_);
    lua_getfield(lua_, -1, name);
    lua_remove(lua_, -2);
}

void ScriptState::push_runtime(const char* table, const char* name) {
    // Protected: the part may have to load first. A part that cannot be loaded is nil, and calling it is an
    // error.
    lua_pushcfunction(lua_, [](lua_State* lua) {
        lua_gettable(lua, 1);
        return 1;
    });
    push_runtime(table);
    lua_pushstring(lua_, name);
    if (lua_pcall(lua_, 2, 1, 0) == 0) return;
    lua_pop(lua_, 1);
    lua_pushnil(lua_);
}

void ScriptState::push_environment() {
    push_runtime("module");
    lua_getfield(lua_, -1, "env");
    lua_remove(lua_, -2);
}

void ScriptState::use_environment() {
    push_environment();
    lua_replace(lua_, LUA_GLOBALSINDEX);
}

}  // namespace perigee
