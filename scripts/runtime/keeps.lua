-- Does a function keep what it is called with? Told from the instructions that it was compiled to, so that systems that
-- only look at their chunk get the same objects at each visit, and only others cost new ones (chunk.lua).
-- Invariant: "no" is certain: neither the first argument nor what stands in its fields is reachable when the function
-- has returned. Whatever is not understood is a "yes": a closure, an argument of a call, a value that is stored, given
-- back or joined. What stands in the fields of its fields may be kept; chunk.lua makes a new one at each look.
-- Not here: what else functions read and write (reads.lua).
local rt = ...
local type, next = type, next
local util, band, rshift = require("jit.util"), bit.band, bit.rshift
local funcbc, funck, funcinfo = util.funcbc, util.funck, util.funcinfo

local keeps = {}

local opcode, op = rt.instructions.opcode, rt.instructions.op

-- What looks at a value and keeps nothing. Two values are compared by what a mod may have written (__eq).
local looks = {
  [opcode("function(a) if a then return 1 end end")] = true,
  [opcode("function(a) if not a then return 1 end end")] = true,
  [opcode("function(a) if a == nil then return 1 end end")] = true,
  [opcode("function(a) if a ~= nil then return 1 end end")] = true,
  [opcode("function(a) return not a end")] = true,
  [opcode("function(t) return #t end")] = true,
}
-- With a base and a number, besides calls: what goes back to the caller. Others of that form are loops that have been
-- compiled, of which is not told where they go on.
local returns = {
  [opcode("function(f) return f() end", 2)] = true,
  [opcode("function(f) return f(f()) end", 4)] = true,
  [opcode("function(f) return 1, f() end", 4)] = true,
}
-- Between the function and its first argument.
local kFrame = rt.instructions.register("function(f) f(1) end", 2) -
  rt.instructions.register("function(f) f(1) end", 1)

local operand = rt.instructions.operand
local kDestination, kBase, kVariable = operand.destination, operand.base, operand.variable
local kRange, kLiteral, kJump = operand.range, operand.literal, operand.jump

-- What a register may hold: the argument itself, what stands in a field of it, the function chunk.runs or chunk.rows,
-- the iterator that those give.
local kSelf, kField, kMaker, kIterator = 1, 2, 3, 4
local of_name = { count = 0, index = 0, first_row = 0, runs = kMaker, rows = kMaker }

local function merged(a, b)
  if a == nil then return b end
  if b == nil or a == b then return a end
  return kSelf  -- of which most is held to be forbidden
end

-- One instruction on `held` (register -> what it holds, nil: nothing of interest): true when something may be kept.
local function carry_out(code, instruction, mode, held)
  local o, a, d = band(instruction, 0xff), band(rshift(instruction, 8), 0xff), rshift(instruction, 16)
  local c, b = band(d, 0xff), rshift(d, 8)
  local of_a, of_b, of_d = band(mode, 7), band(rshift(mode, 3), 15), band(rshift(mode, 7), 15)
  local function is_held(first, last)
    for register in next, held do
      if register >= first and register <= last then return true end
    end
  end
  local function clear(first, last)
    for register in next, held do
      if register >= first and register <= last then held[register] = nil end
    end
  end

  if o == op.closure then return true end
  if o == op.move then
    held[a] = held[d]
  elseif o == op.copy_if or o == op.copy_unless then
    held[a] = merged(held[a], held[d])
  elseif o == op.get_named or o == op.get_any or o == op.get_number then
    if o == op.get_any and held[c] then return true end
    local what = held[b]
    if what == kSelf then
      local named = o == op.get_named and of_name[funck(code, -c - 1)]
      held[a] = named ~= 0 and (named or kField) or nil
    else
      if what == kMaker or what == kIterator then return true end
      held[a] = nil
    end
  elseif o == op.set_named or o == op.set_any or o == op.set_number then
    if held[a] or o == op.set_any and held[c] then return true end
  elseif o == op.call then
    local first, count = a + kFrame, c - 1
    if held[a] == kMaker and count == 1 and held[first] == kSelf then
      clear(a, 255)
      held[a], held[a + 1] = kIterator, kSelf
    else
      if is_held(a, 255) then return true end
      clear(a, 255)
    end
  elseif o == op.iterate then
    if is_held(a - 3, a - 1) and held[a - 3] ~= kIterator then return true end
    if is_held(a, 255) then return true end
  elseif looks[o] then
    if of_a == kDestination then held[a] = nil end
  else
    if of_a == kVariable and held[a] or of_b == kVariable and held[b] then return true end
    if of_d == kVariable and held[of_b ~= 0 and c or d] then return true end
    if of_b == kRange and is_held(b, c) then return true end
    if of_a == kBase then
      -- Calls of other kinds, returns and lists of as many values as there are; loops and runs of nil only write.
      if of_d == kJump then
        clear(a, a + 3)
      elseif of_d == kBase then
        clear(a, d)
      else
        if of_b == 0 and of_d == kLiteral and not returns[o] or is_held(a, 255) then return true end
      end
    elseif of_a == kRange and of_d ~= kJump then
      if is_held(a, a + d - 2) then return true end
    elseif of_a == kDestination then
      held[a] = nil
    end
  end
  return false
end

local kMostInstructions, kMostRounds = 20000, 60

--- May `f` keep its first argument, or what stands in a field of it?
function keeps.first_argument(f)
  if type(f) ~= "function" then return true end
  local info = funcinfo(f)
  if not info.params or info.isvararg then return true end
  if info.params == 0 then return false end
  local before = { [1] = { [0] = kSelf } }  -- pc -> what registers hold there
  local is_changed, rounds = true, 0
  while is_changed do
    is_changed, rounds = false, rounds + 1
    if rounds > kMostRounds then return true end
    local function flow(pc, held)
      local there = before[pc]
      if not there then
        there = {}
        before[pc], is_changed = there, true
      end
      for register, what in next, held do
        local all = merged(there[register], what)
        if all ~= there[register] then there[register], is_changed = all, true end
      end
    end
    for pc = 1, kMostInstructions + 1 do
      local instruction, mode = funcbc(f, pc)
      if not instruction then break end
      if pc > kMostInstructions then return true end
      if before[pc] then
        local held = {}
        for register, what in next, before[pc] do held[register] = what end
        if carry_out(f, instruction, mode, held) then return true end
        flow(pc + 1, held)
        if band(rshift(mode, 7), 15) == kJump then flow(pc + rshift(instruction, 16) - 0x7fff, held) end
      end
    end
  end
  return false
end

return keeps
