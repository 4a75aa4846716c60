// The bytes: per value a letter, then its contents; of a table the number of pairs, then keys and values.
#include "scripting/host/internal/service_call.h"

#include "scripting/base/error_codes.h"
#include "scripting/mods/internal/phase_scope.h"
#include "scripting/sandbox/bind.h"

#include <fmt/format.h>
#include <lua.hpp>

#include <algorithm>
#include <cmath>
#include <compare>
#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

namespace perigee::internal {

namespace {

// A key in the order of pairs (order.lua). The table's own order depends on the seed of its hashes, and would
// decide which error comes first and how the copy is laid out.
struct Key {
    int rank;
    double number = 0;
    std::string_view text = {};  // the table keeps the string alive

    friend auto operator<=>(const Key&, const Key&) = default;
};

constexpr std::size_t kFewestBytesPerPair = 6;

std::optional<Key> key_at(lua_State* lua, int index) {
    switch (lua_type(lua, index)) {
        case LUA_TNUMBER: {
            const double number = lua_tonumber(lua, index);
            return Key{number >= 1 && number == std::floor(number) ? 1 : 2, number};
        }
        case LUA_TSTRING:
            return Key{3, 0, text_at(lua, index)};
        case LUA_TBOOLEAN:
            return Key{lua_toboolean(lua, index) != 0 ? 5 : 4};
        default:
            return std::nullopt;
    }
}

void push_key(lua_State* lua, const Key& key) {
    if (key.rank <= 2)
        lua_pushnumber(lua, key.number);
    else if (key.rank == 3)
        push_text(lua, key.text);
    else
        lua_pushboolean(lua, key.rank == 5 ? 1 : 0);
}

class Writer {
public:
    explicit Writer(lua_State* lua) : lua_(lua) {}

    /// False with `error` when it cannot cross.
    bool write(int index, int depth) {
        switch (lua_type(lua_, index)) {
            case LUA_TNIL:
                bytes += 'n';
                break;
            case LUA_TBOOLEAN:
                bytes += lua_toboolean(lua_, index) != 0 ? 't' : 'f';
                break;
            case LUA_TNUMBER:
                bytes += 'd', write_plain(lua_tonumber(lua_, index));
                break;
            case LUA_TSTRING: {
                const std::string_view text = text_at(lua_, index);
                if (text.size() > kMaxCopyBytes)
                    return fail(fmt::format(messages::kCopyLarge, kMaxCopyBytes));
                bytes += 's', write_plain(static_cast<std::uint32_t>(text.size()));
                bytes += text;
                break;
            }
            case LUA_TTABLE:
                return write_table(index, depth);
            default:
                return fail(fmt::format(messages::kCopyType, luaL_typename(lua_, index)));
        }
        return bytes.size() <= kMaxCopyBytes || fail(fmt::format(messages::kCopyLarge, kMaxCopyBytes));
    }

    std::string bytes;
    std::string error;

private:
    bool write_table(int index, int depth) {
        if (depth >= kMaxTableDepth || lua_checkstack(lua_, 3) == 0)
            return fail(fmt::format(messages::kCopyDeep, kMaxTableDepth));
        if (lua_getmetatable(lua_, index) != 0) return fail(std::string(messages::kCopyMetatable));
        std::vector<Key> keys;
        std::string_view other;  // the first by name of the key types without an order
        for (lua_pushnil(lua_); lua_next(lua_, index) != 0; lua_pop(lua_, 1)) {
            const std::optional<Key> key = key_at(lua_, -2);
            const std::string_view type = luaL_typename(lua_, -2);
            if (key)
                keys.push_back(*key);
            else if (other.empty() || type < other)
                other = type;
            if (keys.size() > kMaxCopyBytes / kFewestBytesPerPair) {
                lua_pop(lua_, 2);
                return fail(fmt::format(messages::kCopyLarge, kMaxCopyBytes));
            }
        }
        if (!other.empty()) return fail(fmt::format(messages::kCopyKey, other));
        std::ranges::sort(keys);
        bytes += '{';
        write_plain(static_cast<std::uint32_t>(keys.size()));
        for (const Key& key : keys) {
            push_key(lua_, key);
            const int at = lua_gettop(lua_);
            lua_pushvalue(lua_, at);
            lua_rawget(lua_, index);
            if (!write(at, depth + 1) || !write(at + 1, depth + 1)) return false;
            lua_settop(lua_, at - 1);
        }
        return true;
    }
    template <typename T> void write_plain(T value) {
        bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
    }
    bool fail(std::string text) {
        error = std::move(text);
        return false;
    }

    lua_State* lua_;
};

template <typename T> T take(std::string_view& bytes) {
    T value;
    std::memcpy(&value, bytes.data(), sizeof(value));
    bytes.remove_prefix(sizeof(value));
    return value;
}

void push_value(lua_State* lua, std::string_view& bytes) {
    luaL_checkstack(lua, 4, nullptr);
    switch (take<char>(bytes)) {
        case 'n':
            lua_pushnil(lua);
            break;
        case 't':
            lua_pushboolean(lua, 1);
            break;
        case 'f':
            lua_pushboolean(lua, 0);
            break;
        case 'd':
            lua_pushnumber(lua, take<double>(bytes));
            break;
        case 's': {
            const auto size = take<std::uint32_t>(bytes);
            lua_pushlstring(lua, bytes.data(), size);
            bytes.remove_prefix(size);
            break;
        }
        default:
            lua_newtable(lua);
            for (auto count = take<std::uint32_t>(bytes); count > 0; --count) {
                push_value(lua, bytes);
                push_value(lua, bytes);
                lua_rawset(lua, -3);
            }
    }
}

// One call, seen from the state that serves.
struct Call {
    int slot;
    std::string_view arguments;
    Result<std::string> results{std::string{}};
};

// Runs protected in the serving state; the call is its only argument.
int run_call(lua_State* lua) {
    Call& call = *static_cast<Call*>(lua_touserdata(lua, 1));
    lua_settop(lua, 0);
    lua_rawgeti(lua, LUA_REGISTRYINDEX, call.slot);
    lua_call(lua, push_values(lua, call.arguments), LUA_MULTRET);
    call.results = bytes_from_values(lua, 1, lua_gettop(lua));
    return 0;
}

}  // namespace

Result<std::string> bytes_from_values(lua_State* lua, int first, int last) {
    Writer writer(lua);
    for (int index = first; index <= last; ++index) {
        if (!writer.write(index, 0)) {
            lua_settop(lua, last);
            return Error{std::move(writer.error)};
        }
    }
    return std::move(writer.bytes);
}

int push_values(lua_State* lua, std::string_view bytes) {
    int count = 0;
    for (; !bytes.empty(); ++count) push_value(lua, bytes);
    return count;
}

Result<std::string> serve(ScriptMod& mod, std::string_view service, int slot, std::string_view arguments) {
    Call call{slot, arguments};
    const PhaseScope serving(mod, ScriptPhase::service);
    lua_State* const lua = mod.state->lua();
    lua_pushcfunction(lua, bound<run_call>);
    lua_pushlightuserdata(lua, &call);
    std::optional<ScriptError> failed = mod.state->call(1, 0);
    if (failed) mod.state->place(*failed, slot);
    if (failed) return Error{fmt::format(messages::kServiceFailed, service, failed->text())};
    if (!call.results)
        return Error{fmt::format(messages::kServiceResults, service, call.results.error().message)};
    return std::move(call.results);
}

}  // namespace perigee::internal
