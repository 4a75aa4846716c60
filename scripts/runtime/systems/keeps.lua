-- Decides from its bytecode whether a function keeps its argument (escape analysis), so that systems that only read
-- their chunk get the same objects at each visit, and only others need new ones (chunk.lua). Invariant: "no" is
-- certain: neither the first argument nor the values of its fields are reachable after the function has returned.
-- Everything not understood is a "yes": a closure, an argument of a call, a value that is stored, returned or
-- concatenated, an instruction that is not in the tables below, such as those that the compiler leaves in compiled
-- code. Fields of fields may be kept; chunk.lua creates a new one at each access.
-- Not here: other reads and writes of functions (reads.lua).
local need = ...
local instructions = need "instructions"
local opcode, op, operand = instructions.opcode, instructions.op, instructions.operand
local type, next = type, next
local util, band, bor, rshift = require("jit.util"), bit.band, bit.bor, bit.rshift
local funcbc, funck, funcinfo = util.funcbc, util.funck, util.funcinfo

local keeps = {}

local kDestination, kVariable, kRange, kJump = operand.destination, operand.variable, operand.range, operand.jump

-- Registers between the function and its first argument.
local kFrame = instructions.register("function(f) f(1) end", 2) -
  instructions.register("function(f) f(1) end", 1)

-- What a register may contain, as a set: the argument itself, the value of one of its fields, the function chunk.runs
-- or chunk.rows, the iterator that they return, anything else. A register without an entry contains something else. A
-- value that may be one of the first four is refused like one that certainly is; operations allowed only for them
-- require certainty.
local kSelf, kField, kMaker, kIterator, kElse = 1, 2, 4, 8, 16
local kLast = 255
-- Of a chunk that has runs, `count` may be a component.
local of_runs = { index = kElse, first_row = kElse, runs = kMaker, rows = kMaker }
local of_rows = { count = kElse, index = kElse, first_row = kElse, runs = kMaker, rows = kMaker }

local function either(one, other)
  local all = bor(one or kElse, other or kElse)
  return all ~= kElse and all or nil
end

local function holds(held, first, last)
  for register in next, held do
    if register >= first and register <= last then return true end
  end
  return false
end

local function forget(held, first, last)
  for register in next, held do
    if register >= first and register <= last then held[register] = nil end
  end
end

-- Instruction -> function(held, a, b, c, d, kind): its effect on `held`, register -> possible contents; true if
-- something may be kept. Registers above those of a call or of an iterator are unused.
local does = {}

local function nothing() end

-- Instructions that read a value. Comparing two values may call a mod's function (__eq), so only nil is here.
for _, look in next, { "if a then return 1 end", "if not a then return 1 end", "if a == nil then return 1 end",
  "if a ~= nil then return 1 end" } do
  does[opcode("function(a) " .. look .. " end")] = nothing
end
local function into_result(held, a) held[a] = nil end
does[op.length], does[opcode("function(a) return not a end")] = into_result, into_result

does[op.move] = function(held, a, _, _, d) held[a] = held[d] end
local function may_copy(held, a, _, _, d) held[a] = either(held[a], held[d]) end
does[op.copy_if], does[op.copy_unless] = may_copy, may_copy
does[op.set_nil] = function(held, a, _, _, d) forget(held, a, d) end

-- held[a] = a field of held[b]; `kind`: the contents of that field in the argument itself.
local function get(held, a, b, _, _, kind)
  local of = held[b] or kElse
  if band(of, kMaker + kIterator) ~= 0 then return true end
  local got = band(of, kSelf) ~= 0 and (kind or kField) or kElse
  held[a] = either(got, of == kSelf and got or kElse)
end
does[op.get_named], does[op.get_number] = get, get
does[op.get_any] = function(held, a, b, c) return held[c] ~= nil or get(held, a, b) end

-- The target is a table of the mod, or an object of the engine, which takes copies.
local function set(held, a) return held[a] ~= nil end
does[op.set_named], does[op.set_number] = set, set
does[op.set_any] = function(held, a, _, c) return held[a] ~= nil or held[c] ~= nil end
does[op.set_more] = function(held, a) return holds(held, a - 1, kLast) end

local function call(held, a) return holds(held, a, kLast) end
does[op.call_more], does[op.tail_call], does[op.tail_call_more], does[op.give_more] = call, call, call, call
does[op.call] = function(held, a, _, c)
  local makes = held[a] == kMaker and c == 2 and held[a + kFrame] == kSelf
  if not makes and holds(held, a, kLast) then return true end
  forget(held, a, kLast)
  if makes then held[a], held[a + 1] = kIterator, kSelf end
end

local function give(held, a, _, _, d) return holds(held, a, a + d - 2) end
does[op.give_nothing], does[op.give_one], does[op.give_some] = give, give, give

-- for … in: the function, its argument and the last key are before `a`, its results from `a` on.
local function iterate(held, a)
  local is_ours = held[a - 3] == kIterator and held[a - 2] == kSelf and not held[a - 1]
  return holds(held, is_ours and a or a - 3, kLast)
end
does[op.iterate], does[op.iterate_next], does[op.begin_next] = iterate, iterate, iterate
does[op.iterate_again] = function(held, a) return held[a] ~= nil end

-- for … = …: from `a` on its counters, then the body's variable.
local function count(held, a)
  if holds(held, a, a + 2) then return true end
  held[a + 3] = nil
end
does[op.begin_numbers], does[op.count_on] = count, count
does[op.begin_loop], does[op.go] = nothing, nothing

-- Forms of operands without a register.
local is_constant = {}
for _, form in next, { "none", "upvalue", "literal", "signed", "primitive", "number", "text", "list", "cdata" } do
  is_constant[operand[form]] = true
end

-- Instructions that only compute, identified by their operands: true if they are others, or read a forbidden value.
local function computes(held, a, b, c, d, of_a, of_b, of_d)
  if of_a == kVariable and held[a] then return true end
  if of_a ~= kVariable and of_a ~= kDestination and of_a ~= operand.upvalue then return true end
  if of_b == kRange and of_d == kRange then
    if holds(held, b, c) then return true end
  else
    local last = of_b == operand.none and d or c
    if of_b == kVariable and held[b] or of_d == kVariable and held[last] then return true end
    if not (of_b == kVariable or is_constant[of_b]) or not (of_d == kVariable or is_constant[of_d]) then
      return true
    end
  end
  if of_a == kDestination then held[a] = nil end
  return false
end

-- Executes one instruction on `held`: true if something may be kept.
local function carry_out(code, instruction, mode, held, kinds)
  local o, a, d = band(instruction, 0xff), band(rshift(instruction, 8), 0xff), rshift(instruction, 16)
  local c, b = band(d, 0xff), rshift(d, 8)
  local known = does[o]
  if known then return known(held, a, b, c, d, o == op.get_named and kinds[funck(code, -c - 1)]) end
  return computes(held, a, b, c, d, band(mode, 7), band(rshift(mode, 3), 15), band(rshift(mode, 7), 15))
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
    local function flow(pc, held)
      local there = before[pc]
      if not there then
        there, is_changed = {}, true
        for register, what in next, held do there[register] = what end
        before[pc] = there
        return
      end
      for register, what in next, there do
        local all = either(what, held[register])
        if all ~= what then there[register], is_changed = all, true end
      end
      for register, what in next, held do
        if not there[register] then there[register], is_changed = bor(what, kElse), true end
      end
    end
    for pc = 1, kMaxInstructions + 1 do
      local instruction, mode = funcbc(f, pc)
      if not instruction then break end
      if pc > kMaxInstructions then return true end
      if before[pc] then
        local held = {}
        for register, what in next, before[pc] do held[register] = what end
        if carry_out(f, instruction, mode, held, has_runs and of_runs or of_rows) then return true end
        flow(pc + 1, held)
        if band(rshift(mode, 7), 15) == kJump then flow(pc + rshift(instruction, 16) - 0x7fff, held) end
      end
    end
  end
  return false
end

return keeps
