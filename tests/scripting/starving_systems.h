// Systems that keep to each limit and together use up the frame of a game, to measure its p99 beside them.
#pragma once

#include <array>

namespace perigee {

/// Bodies of a system of a mod; `C.Pos`, `C.Path` (a buffer), `C.Label` (a text) and `C.Cry` (an event) are
/// there, `state` is a table of the mod's own.
inline constexpr std::array kStarvingBodies{
    "for i = 1, 300000 do local s = tostring(i) end",
    "for i = 1, 100000 do local s = ('%d %5.2f'):format(i, i) end",
    "local s = '' for i = 1, 20000 do s = s .. 'x' end",
    "local s = ('x'):rep(3e6) for i = 1, 100 do s = s .. 'y' end",
    "local a, b = ('x'):rep(3e7) .. 'a', ('x'):rep(3e7) .. 'b' local n = 0 for i = 1, 2000 do if a < b then "
    "n = n + 1 end end",
    "local s = ('1'):rep(300) .. ('0'):rep(1e6) local n = 0 for i = 1, 2000 do n = n + (tonumber(s) or 0) "
    "end",
    "local t = {} for i = 1, 1000 do t[i] = (i * 7919) % 1000 end for k = 1, 200 do table.sort(t, "
    "function(a, b) return a > b end) end",
    "local t = {} for i = 1, 1000 do t[i] = ('x'):rep(1000) .. i end for k = 1, 50 do table.sort(t) end",
    "for i = 1, 50 do local n = (('ab'):rep(20000)):find('(a*b*)*c') end",
    "for i = 1, 200 do local s = (('ab'):rep(10000)):gsub('a', 'c') end",
    "for i = 1, 300 do local t = {} for k = 1, 2000 do t[k] = { k } end end",
    "local t = {} for i = 1, 100000 do t['k' .. i] = i end for k, v in pairs(t) do t[k] = nil end",
    "for i = 1, 20000 do local c = coroutine.wrap(function() coroutine.yield(1) end) c() end",
    "for i = 1, 100000 do pcall(error, 'x') end",
    "local function f(n) if n > 0 then return 1 + f(n - 1) end return 0 end for i = 1, 3000 do f(150) end",
    "for i = 1, 3000 do ctx.commands:destroy(ctx.commands:spawn(C.Pos)) end",
    "for i = 1, 20000 do ctx.commands:set(state.e, C.Pos { x = i }) end",
    "for i = 1, 100 do ctx.commands:set_all(state.all, C.Pos { x = i }) end",
    "ctx.commands:spawn_many(state.prefab, 20000) ctx.commands:destroy_all(state.all)",
    "for i = 1, 200 do ctx.commands:destroy(ctx.commands:clone(state.e)) end",
    "for i = 1, 5000 do ctx:send(C.Cry { loud = i }) end",
    "state.n = (state.n or 0) + 1 for i = 1, 2000 do ctx.commands:set(state.e, C.Label { text = 'text ' .. i "
    ".. ' ' .. state.n }) end",
    "for i = 1, 10000 do local k = ctx:try_get(state.e, C.Pos).x end",
    "local p = chunk.Path[1] p:resize(20000) for i = 1, 200 do p:insert(1, { x = i }) p:remove(1) end",
    "for i = 1, 2000 do local t = table.concat({ ('x'):rep(1000), ('y'):rep(1000), i }) end",
    "local n = 0 for i = 1, 3e6 do n = n + math.sin(i) * math.fmod(i, 7) end state.n = n",
    "for i = 1, 20 do local s = ('x'):rep(4e6) end",
    "for i = 1, 3000 do print(('x'):rep(100)) end",
    "for i = 1, 2000 do select('#', unpack(state.list)) end",
    "local s = ('x'):rep(1e6) for i = 1, 300 do local b = s:upper():reverse() end",
    "while true do end",
    "local t = {} while true do t[#t + 1] = {} end",
    "local s = 'x' while true do s = s .. s end",
};

}  // namespace perigee
