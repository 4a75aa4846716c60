// Hostile programs, combined from code that keeps a machine busy and code that tries to survive being
// stopped.
// Invariant: each ends in an error within small limits; those of kEndless end in the error of a limit. Not
// here: running them.
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace perigee {

/// Bodies that only a limit ends. `x` is a local of the program.
inline constexpr std::array kEndless{
    "while true do end",
    "repeat until false",
    "::again:: goto again",
    "for i = 1, math.huge do end",
    "for i = 1, 2, 0 do end",
    "for i = 2 ^ 53, 2 ^ 53 + 2 do end",
    "for i = 1, math.huge do local y = i .. '' end",
    "for i = 1, 1e9 do for j = 1, 1e9 do x = i end end",
    "for _ in function() return 1 end do end",
    "local function f() return f() end f()",
    "local f, g function f() return g() end function g() return f() end f()",
    "while true do pcall(error, 'x') end",
    "while true do pcall(pcall) end",
    "while true do xpcall(error, function() end) end",
    "while true do local t = {} t[1] = t end",
    "while true do x = function() return x end end",
    "while true do tostring({}) end",
    "while true do ('x'):rep(100) end",
    "while true do load('return 1') end",
    "while true do load('while true do end')() end",
    "while true do coroutine.wrap(function() end)() end",
    "while true do coroutine.wrap(function() coroutine.yield() end)() end",
    "local c = coroutine.wrap(function() while true do coroutine.yield() end end) while true do c() end",
    "local t = setmetatable({}, { __index = function() return 1 end }) while true do x = t.a end",
    "local t = setmetatable({}, { __newindex = function() end }) while true do t.a = 1 end",
    "local t = setmetatable({}, { __call = function() end }) while true do t() end",
    "local t = setmetatable({}, { __add = function(a) return a end }) while true do t = t + 1 end",
    "local t = setmetatable({}, { __concat = function(a) return a end }) while true do t = t .. 'x' end",
    "local t = setmetatable({}, { __lt = function() return true end }) while t < t do end",
    "local t = setmetatable({}, { __unm = function(a) return a end }) while true do t = -t end",
    "local t = setmetatable({}, { __eq = function() return false end }) "
    "local u = setmetatable({}, getmetatable(t)) repeat until t == u",
    "local t = setmetatable({}, { __tostring = function() while true do end end }) tostring(t)",
    "table.sort({ 3, 2, 1 }, function() while true do end end)",
    "while true do table.sort({ 3, 1, 2 }) end",
    "local t = {} for i = 1, 3000 do t[i] = i end while true do table.remove(t, 1) t[3000] = 1 end",
    "local t = {} for i = 1, 3000 do t[i] = i end while true do table.insert(t, 1, 1) end",
    "('x'):gsub('x', function() while true do end end)",
    "('x'):gsub('x', setmetatable({}, { __index = function() while true do end end }))",
    "for _ in ('x'):rep(1e5):gmatch('.-b') do end",
    "('a'):rep(30000):find(('.-'):rep(8) .. 'b')",
    "('a'):rep(30000):match('(.-)(.-)%1%2b')",
    "('a'):rep(30000):find('a*a*a*b')",
    "('('):rep(30000):find('%b()%b()')  while true do ('('):rep(30000):find('%b()') end",
    "while true do ('a'):rep(3000):gsub('a', 'b') end",
    "while true do ('%s'):format(x) end",
    "while true do math.max(1, 2, 3) end",
    "while true do next({}) end",
    "while true do for k in pairs({ a = 1, b = 2 }) do end end",
    "local t = {} for i = 1, 1000 do t['k' .. i] = i end while true do for k in pairs(t) do x = k end end",
    "while true do unpack({}, 1, 200) end",
    "while true do select('#', 1, 2, 3) end",
    "local s = ('x'):rep(1e5) while true do s:upper() end",
    "local t = {} for i = 1, 1e9 do t[i] = { i } end",
    "local t = {} while true do t[#t + 1] = ('x'):rep(10000) .. #t end",
    "local s = 'x' while true do s = s .. s end",
    "local t = {} while true do t[#t + 1] = function() return t end end",
    "local t = {} while true do t[#t + 1] = coroutine.create(function() end) end",
    "local t = {} while true do t[{}] = {} end",
    "local t = {} for i = 1, 1e9 do t['k' .. i] = i end",
    "local t = {} while true do t = { t } end",
    "local function f() pcall(f) return f() end f()",
    "local t = {} while true do pcall(function() while true do t[#t + 1] = { 1, 2, 3 } end end) end",
    "local i = 0 while true do i = i + 0 / 0 pcall(function() x = ({})[i] end) end",
    "local t = {} while true do pcall(rawset, t, 0 / 0, 1) end",
    "while true do print('x') end",
    "while true do math.random() end",
    "while true do pcall(require, 'nothing here') end",
    "while true do pcall(string.rep, 'x', 1e9) end",
    "while true do pcall(load, ('('):rep(1000)) end",
    "while true do setmetatable({}, { __mode = 'k' }) end",
    "while true do pcall(string.format, '%d', 'x') end",
    "while true do tonumber(('1'):rep(100)) end",
    // library functions whose work is not counted, and values that pass for a number
    "while true do table.move({}, '1', '1e15', 2) end",
    "table.move({}, -1e15, 1e15, -3)",
    "local t = {} for i = 1, 3000 do t[i] = i end while true do table.insert(t, '1', 1) end",
    "local t = {} for i = 1, 3000 do t[i] = i end while true do table.remove(t, '1') t[3000] = 1 end",
    "local s = ('x'):rep(7000) while true do s:byte(1, -1) end",
    "local s = ('x'):rep(7000) while true do s:byte('1', '7e3') end",
    "local t = {} for i = 1, 1e4 do t['k' .. i] = 1 end while true do for k in pairs(t) do break end end",
    "local t = {} for i = 1, 1e4 do t['k' .. i] = 1 end for k in pairs(t) do t[k] = nil end while true do "
    "next(t) end",
    "local t = {} for i = 1, 1e4 do t['k' .. i] = 1 end while true do table.maxn(t) end",
    "local t = {} for i = 1, 20 do t[2 ^ i] = 1 end while true do table.insert(t, 1, 1) table.remove(t, 1) "
    "end",
    "local t = setmetatable({}, { __len = function() return 2 ^ 30 end }) while true do table.insert(t, 1, "
    "1) end",
    "while true do pcall(unpack, {}, '1', '7999') pcall(unpack, {}, 0 / 0, 7999) pcall(unpack, {}, -1e9, "
    "1e9) end",
    "while true do pcall(table.concat, {}, 'x', 1, 2 ^ 31 - 1) pcall(table.concat, { 'x' }, ('y'):rep(1000), "
    "1, 1e9) end",
    "local t = {} for i = 1, 1e4 do t[i] = 'x' end while true do table.concat(t, '', '1', '1e4') end",
    "while true do pcall(string.rep, ('x'):rep(1000), 1000, ('y'):rep(1000)) end",
    "local a = '1' .. ('0'):rep(5000) .. 'e-5000' while true do x = a + 0 end",
    "local a = ('x'):rep(1e6) while true do x = ('%s%s'):format(a, a) end",
    "local a = ('\\0'):rep(1e6) while true do x = ('%q'):format(a) end",
    "while true do x = ('%99.99f%.99e%99d'):format(1e308, 5e-324, 3) end",
    "local s = ('x'):rep(1e5) while true do s:gsub('x', { x = 'yy' }) end",
    "local s = ('x'):rep(1e5) while true do for a, b in s:gmatch('()(x)()') do x = a end end",
    // a list for which the stock sort needs n * n comparisons, built by giving it the worst answers
    "local n, value, solid, candidate, list = 999, {}, 0, 0, {} for i = 1, n do value[i], list[i] = n + 1, i "
    "end "
    "pcall(table.sort, list, function(a, b) if value[a] > n and value[b] > n then solid = solid + 1 "
    "value[a == candidate and a or b] = solid end if value[a] > n then candidate = a elseif value[b] > n "
    "then "
    "candidate = b end return value[a] < value[b] end) "
    "while true do local t = {} for i = 1, n do t[i] = value[i] end table.sort(t) end",
    // memory that is allocated and not used: strings of every length, released
    "local n = 0 for r = 1, 1e9 do for size = 40, 1000, 16 do local t, s = {}, ('x'):rep(size) "
    "for i = 1, 5e6 / size do n = n + 1 t[i] = s .. n end end end",
    "local t = setmetatable({}, { __mode = 'kv' }) while true do t[{}] = {} end",
    "local t = {} while true do local c = coroutine.create(function() local function f(n) if n > 0 then "
    "return 1 + f(n - 1) end coroutine.yield() return 0 end f(5000) end) coroutine.resume(c) t[#t + 1] = c "
    "end",
    "local function f(n) if n == 0 then return 0 end return 1 + f(n - 1) end "
    "while true do coroutine.wrap(function() f(9000) end)() end",
    // values that are not numbers, values that cannot be keys
    "while true do pcall(function() for i = 1LL, 2LL do end end) pcall(function() for i = 1, 2, 0LL do end "
    "end) end",
    "for i = 1, 1 / 0, 1e308 do for j = -1 / 0, 1 / 0 do end end",
    "local t = {} while true do pcall(function() t[0 / 0] = 1 end) pcall(next, t, 0 / 0) t[1LL] = 1 end",
    "while true do x = pcall(bit.lshift, 1LL, 2 ^ 60) x = 2LL ^ 63LL x = 1LL / 0LL x = "
    "-9223372036854775808LL / -1LL end",
    "while true do pcall(bit.tohex, 1, 2 ^ 31) pcall(bit.tohex, 1, -2 ^ 31) x = pcall(math.random, 2 ^ 53, "
    "-2 ^ 53) end",
    "while true do pcall(tonumber, ('z'):rep(99), 36) pcall(tonumber, 'z', 2 ^ 31) pcall(tonumber, '1', 0 / "
    "0) end",
    "while true do pcall(select, -1) pcall(select, 2 ^ 31, 1) pcall(select, -2 ^ 31, 1) pcall(select, 0 / 0, "
    "1) end",
    "while true do pcall(string.char, 256) pcall(string.char, -1) pcall(string.char, 0 / 0) "
    "pcall(string.rep, 'x', -1e300) end",
    "while true do pcall(setmetatable, {}, setmetatable({}, { __metatable = false })) pcall(getmetatable, x) "
    "end",
    "local t = setmetatable({}, { __mode = 'k', __gc = error }) while true do t[setmetatable({}, t)] = t end",
    "local t = {} for i = 1, 99 do t = setmetatable({}, { __index = t, __newindex = t }) end while true do x "
    "= t.x t.y = 1 end",
    "local t = setmetatable({}, { __lt = rawequal, __le = rawequal, __eq = rawequal }) while true do "
    "x = t < setmetatable({}, getmetatable(t)) x = t == setmetatable({}, getmetatable(t)) end",
    "for _, f in ipairs({ type, next, rawget, tostring, unpack, select }) do local t = setmetatable({}, "
    "{ __concat = f, __call = f, __add = f, __unm = f, __lt = f, __index = f }) for i = 1, 1e9 do "
    "pcall(function() "
    "return -t end) pcall(function() return t + 1 end) pcall(t, 1) pcall(function() return t.x end) end end",
    "while true do pcall(coroutine.wrap(error), x) pcall(coroutine.resume, coroutine.running()) "
    "pcall(coroutine.status) end",
    "local c c = coroutine.wrap(function() while true do pcall(c) end end) c()",
    "local c c = coroutine.create(function() while true do coroutine.resume(c) end end) coroutine.resume(c)",
    "local function f() return xpcall(error, f) end while true do f() end",
    "while true do xpcall(error, error, error) pcall(error, setmetatable({}, { __tostring = error })) end",
    // the compiler
    "while true do load(function() return 'x = 1 ' end) end",
    "load(function() while true do end end)",
    "for n = 1, 1e9 do load('return ' .. ('('):rep(n) .. '1' .. (')'):rep(n)) end",
    "for n = 1, 1e9 do for _, s in ipairs({ 'do ', 'if x then ', 'repeat ', 'x = {', 'f(', 'x[', 'not ', '- "
    "', 'a ^ ', "
    "'a .. ', 'elseif ', 'return function() ' }) do load(s:rep(n)) end end",
    "for n = 1, 1e9 do local t = {} for i = 1, n do t[i] = 'x' .. i end local f = load('local ' .. "
    "table.concat(t, ',') .. ' for i = x1, x1 do x1() end return function() return ' .. table.concat(t, ',') "
    ".. ' end') end",
    "while true do load('--[' .. ('='):rep(2000)) load('x = [' .. ('='):rep(1000) .. '[' .. (']='):rep(600)) "
    "end",
    "while true do load('x = ' .. ('1'):rep(2500)) load('x = 0x' .. ('1'):rep(2500)) load('x = \"\\\\u{' .. "
    "('0'):rep(2000) .. '41}\"') end",
    // defects of LuaJIT: stack not checked, buffers overrun, bounds ignored
    "local t = {} for i = 1, 1000 do t[i] = pcall end while true do pcall(unpack(t)) end",
    "local t = setmetatable({}, { __newindex = pcall, __call = pcall, __index = pcall }) "
    "while true do pcall(function() t[t] = t end) pcall(function() return t(t) .. t[t] end) end",
    "local t = setmetatable({}, { __newindex = pcall, __call = type }) local function f() "
    "if not pcall(function(...) t[t] = t end) then for i = 1, 99 do pcall(rawset, t) end end return f() end "
    "while true do coroutine.wrap(f)() end",
    "local s = ('%'):rep(50000) while true do x = s:format() end",
    "local s = ('%d'):rep(101) while true do x = pcall(s.format, s, unpack({}, 1, 101)) end",
    "while true do pcall(load, 'local _ for _ in (nil):foo() do end') "
    "pcall(load, 'a, b, c = 1, 2, 3 local d for _ in nil do end') end",
    "local s while true do s = { nil, nil, nil, nil } for i = 1, 2 do if i ~= 1 then for i = 0, i do "
    "if i ~= 0 then s[i] = nil s = {} end end end end end",
};

/// Bodies that end in an ordinary error.
inline constexpr std::array kFailing{
    "local function f() return 1 + f() end f()",
    "local t = setmetatable({}, {}) getmetatable(t).__index = t return t.x.y",
    "local t = setmetatable({}, { __index = function(t, k) return t[k] end }) return t.x",
    "local function f() return ('x'):gsub('x', f) end f()",
    "local function f() table.sort({ 2, 1 }, f) end f()",
    "local function f() return coroutine.wrap(f)() end f()",
    "local t = setmetatable({}, { __tostring = function(t) return tostring(t) end }) tostring(t)",
    "error(setmetatable({}, { __tostring = function() while true do end end }))",
    "error()",
    "local t = {} t[0 / 0] = 1",
    "local t = {} t[nil] = 1",
    "unpack({}, 1, 1e8)",
    "('x'):rep(1e9)",
    "assert(load(('x = '):rep(70000)))",
    "assert(load('return ' .. ('{'):rep(5000)))",
    "string.char(-1)",
    "setmetatable('x', {})",
    "next({}, 'x').y = 1",
    "coroutine.resume(1)",
    "coroutine.yield()",
    "x.y.z = 1",
    "os.exit()",
    "io.open('/etc/passwd')",
    "debug.getregistry()",
    "require('ffi').cast('int *', 0)[0] = 1",
    "load('\\27LJ\\2')()",
    "getfenv(0).x.y = 1",
    "string.dump(print)",
    "collectgarbage('stop')",
    "newproxy(true)",
    "package.loadlib('x', 'y')",
    "jit.off()",
    "local function f() load(function() f() return nil end) end f()",
    "assert(load('local _ for _ in (nil):foo() do end'))",
    "assert(load('local _ for _ in ((nil)).x do end'))",
    "local t = {} for i = 1, 7000 do t[i] = pcall end error(select('#', pcall(unpack(t))))",
};

/// Programs around a body f.
inline constexpr std::array kAround{
    "f()",
    "pcall(f)",
    "for i = 1, 5 do pcall(f) end",
    "while true do pcall(f) end",
    "xpcall(f, function() while true do end end)",
    "xpcall(f, f)",
    "pcall(pcall, pcall, f)",
    "coroutine.wrap(f)()",
    "local c = coroutine.create(f) coroutine.resume(c) coroutine.resume(c)",
    "pcall(coroutine.wrap(function() pcall(f) coroutine.yield() end))",
    "pcall(string.gsub, 'xx', 'x', f)",
    "pcall(table.sort, { 3, 2, 1 }, f)",
    "return setmetatable({}, { __index = f }).x",
    "pcall(tostring, setmetatable({}, { __tostring = f }))",
    "setmetatable({}, { __call = f })()",
    "local function g(n) if n == 0 then f() else pcall(g, n - 1) end end g(50)",
    "for _ in f do end",
    "load(f)",
};

inline std::string hostile_program(std::string_view body, std::string_view around) {
    std::string text = "local x = 0\nlocal function f()\n";
    text += body;
    text += "\nend\n";
    // A return must be the last statement of its block.
    text += "do ";
    text += around;
    text += " end\nerror('the end')";
    return text;
}

}  // namespace perigee
