-- Decides from its bytecode whether a function keeps its argument (escape analysis), so that systems that only read
-- their chunk get the same objects at each visit, and only others need new ones (chunk.lua). Invariant: "no" is
-- certain: neither the first argument nor the values of its fields are reachable after the function has returned.
-- Everything not understood is a "yes": a closure, an argument of a call, a value that is stored, returned or
-- concatenated, an instruction that is not in the tables below, such as those that LuaJIT writes into compiled
-- functions. Fields of fields may be kept; chunk.lua creates a new one at each access.
-- Not here: other reads and writes of functions (reads.lua).
local need = ...
local instructions = need "instructions"
local opcode, op, operand = instructions.opcode, instructions.op, instructions.operand
local type, next = type, next
local util, band, bor, rshift = require("jit.util"), bit.band, bit.bor, bit.rshift
local funcbc, funck, funcinfo = util.funcbc, util.funck, util.funcinfo

local keeps = {}

local kDestination, kVariable, kRange, kJump = operand.destination, operand.variable, operand.range, operand.jump

local kFrame = instructions.frame

-- What a register may contain, as a set: the argument itself, the value of one of its fields, the function chunk.runs
-- or chunk.rows, the iterator that they return, the function chunk.changed, anything else. A register without an entry
-- contains something else. A value that may be one of the first five is treated as one; operations that are allowed
-- only for them require certainty.
local kSelf, kField, kMaker, kIterator, kElse, kAsker = 1, 2, 4, 8, 16, 32
local kLast = 255
-- Of a chunk that has runs, `count` may be a component.
local of_runs = { index = kElse, first_row = kElse, runs = kMaker, rows = kMaker, changed = kAsker }
local of_rows = { count = kElse, index = kElse, first_row = kElse, runs = kMaker, rows = kMaker, changed = kAsker }

local function either(one, other)
  local all = bor(one or kElse, other or kElse)
  return all ~= kElse and all or nil
end

local function holds(contents, first, last)
  for register in next, contents do
    if register >= first and register <= last then return true end
  end
  return false
end

local function forget(contents, first, last)
  for register in next, contents do
    if register >= first and register <= last then contents[register] = nil end
  end
end

-- Instruction -> function(contents, a, b, c, d, kind): its effect on `contents`, register -> possible contents; true if
-- something may be kept. Registers above those of a call or of an iterator are unused.
local does = {}

local function nothing() end

-- Instructions that read a value. Comparing two values may call a mod's function (__eq), so only nil is here.
for _, look in next, { "if a then return 1 end", "if not a then return 1 end", "if a == nil then return 1 end",
  "if a ~= nil then return 1 end" } do
  does[opcode("function(a) " .. look .. " end")] = nothing
end
local function into_result(contents, a) contents[a] = nil end
does[op.length], does[opcode("function(a) return not a end")] = into_result, into_result

does[op.move] = function(contents, a, _, _, d) contents[a] = contents[d] end
local function may_copy(contents, a, _, _, d) contents[a] = either(contents[a], contents[d]) end
does[op.copy_if], does[op.copy_unless] = may_copy, may_copy
does[op.set_nil] = function(contents, a, _, _, d) forget(contents, a, d) end

-- contents[a] = a field of contents[b]; `kind`: the contents of that field in the argument itself.
local function get(contents, a, b, _, _, kind)
  local of = contents[b] or kElse
  if band(of, kMaker + kIterator + kAsker) ~= 0 then return true end
  local got = band(of, kSelf) ~= 0 and (kind or kField) or kElse
  contents[a] = either(got, of == kSelf and got or kElse)
end
does[op.get_named], does[op.get_number] = get, get
does[op.get_any] = function(contents, a, b, c) return contents[c] ~= nil or get(contents, a, b) end

-- The target is a table of the mod, or an object of the engine, which takes copies.
local function set(contents, a) return contents[a] ~= nil end
does[op.set_named], does[op.set_number] = set, set
does[op.set_any] = function(contents, a, _, c) return contents[a] ~= nil or contents[c] ~= nil end
does[op.set_more] = function(contents, a) return holds(contents, a - 1, kLast) end

local function call(contents, a) return holds(contents, a, kLast) end
does[op.call_more], does[op.tail_call], does[op.tail_call_more], does[op.give_more] = call, call, call, call
does[op.call] = function(contents, a, _, c)
  local makes = contents[a] == kMaker and c == 2 and contents[a + kFrame] == kSelf
  -- chunk:changed(C.Position) has a boolean as its result, and keeps nothing.
  local asks = contents[a] == kAsker and c >= 2 and contents[a + kFrame] == kSelf and
    not holds(contents, a + kFrame + 1, kLast)
  if not makes and not asks and holds(contents, a, kLast) then return true end
  forget(contents, a, kLast)
  if makes then contents[a], contents[a + 1] = kIterator, kSelf end
end

local function give(contents, a, _, _, d) return holds(contents, a, a + d - 2) end
does[op.give_nothing], does[op.give_one], does[op.give_some] = give, give, give

-- for … in: the function, its argument and the last key are before `a`, its results from `a` on.
local function iterate(contents, a)
  local is_ours = contents[a - 3] == kIterator and contents[a - 2] == kSelf and not contents[a - 1]
  return holds(contents, is_ours and a or a - 3, kLast)
end
does[op.iterate], does[op.iterate_next], does[op.begin_next] = iterate, iterate, iterate
does[op.iterate_again] = function(contents, a) return contents[a] ~= nil end

-- for … = …: from `a` on its counters, then the body's variable.
local function count(contents, a)
  if holds(contents, a, a + 2) then return true end
  contents[a + 3] = nil
end
does[op.begin_numbers], does[op.count_on] = count, count
does[op.begin_loop], does[op.go] = nothing, nothing

-- Forms of operands without a register.
local is_constant = {}
for _, form in next, { "none", "upvalue", "literal", "signed", "primitive", "number", "text", "list", "cdata" } do
  is_constant[operand[form]] = true
end

-- Instructions that only compute, identified by their operands. True for other instructions, and if one reads a
-- forbidden value.
local function computes(contents, a, b, c, d, of_a, of_b, of_d)
  if of_a == kVariable and contents[a] then return true end
  if of_a ~= kVariable and of_a ~= kDestination and of_a ~= operand.upvalue then return true end
  if of_b == kRange and of_d == kRange then
    if holds(contents, b, c) then return true end
  else
    local last = of_b == operand.none and d or c
    if of_b == kVariable and contents[b] or of_d == kVariable and contents[last] then return true end
    if not (of_b == kVariable or is_constant[of_b]) or not (of_d == kVariable or is_constant[of_d]) then
      return true
    end
  end
  if of_a == kDestination then contents[a] = nil end
  return false
end

-- Executes one instruction on `contents`: true if something may be kept.
local function carry_out(code, instruction, mode, contents, kinds)
  local o, a, d = band(instruction, 0xff), band(rshift(instruction, 8), 0xff), rshift(instruction, 16)
  local c, b = band(d, 0xff), rshift(d, 8)
  local known = does[o]
  if known then return known(contents, a, b, c, d, o == op.get_named and kinds[funck(code, -c - 1)]) end
  return computes(contents, a, b, c, d, band(mode, 7), band(rshift(mode, 3), 15), band(rshift(mode, 7), 15))
end

local kMaxInstructions, kMaxRounds = 20000, 60

--- True if `f` may keep its first argument, a chunk, or the value of one of its fields. `has_runs`: it has no count.
function keeps.first_argument(f, has_runs)
  if type(f) ~= "function" then return true end
  local info = funcinfo(f)
  if not info.params or info.isvararg then return true end
  if info.params == 0 then return false end
  local before = { [1] = { [0] = kSelf } }  -- pc -> contents of the registers there
  local is_changed, rounds = true, 0
  while is_changed do
    is_changed, rounds = false, rounds + 1
    if rounds > kMaxRounds then return true end
    local function flow(pc, contents)
      local there = before[pc]
      if not there then
        there, is_changed = {}, true
        for register, what in next, contents do there[register] = what end
        before[pc] = there
        return
      end
      for register, what in next, there do
        local all = either(what, contents[register])
        if all ~= what then there[register], is_changed = all, true end
      end
      for register, what in next, contents do
        if not there[register] then there[register], is_changed = bor(what, kElse), true end
      end
    end
    for pc = 1, kMaxInstructions + 1 do
      local instruction, mode = funcbc(f, pc)
      if not instruction then break end
      if pc > kMaxInstructions then return true end
      if before[pc] then
        local contents = {}
        for register, what in next, before[pc] do contents[register] = what end
        if carry_out(f, instruction, mode, contents, has_runs and of_runs or of_rows) then return true end
        flow(pc + 1, contents)
        if band(rshift(mode, 7), 15) == kJump then flow(pc + rshift(instruction, 16) - 0x7fff, contents) end
      end
    end
  end
  return false
end

return keeps
