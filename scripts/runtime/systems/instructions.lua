-- Bytecode instructions of functions, by name, for the analyses in keeps.lua and reads.lua. Invariant: opcode numbers
-- differ between versions of LuaJIT, so each is looked up in code that has it at a known place.
-- Not here: the meaning of instructions.
local util, band, rshift = require("jit.util"), bit.band, bit.rshift
local funcbc = util.funcbc

local instructions = {}

-- Instruction `pc` (1 without it) of the function that `source` gives.
local function instruction_of(source, pc)
  return (funcbc(loadstring("local u u = 1 return " .. source)(), pc or 1))
end

--- The number of that instruction.
function instructions.opcode(source, pc) return band(instruction_of(source, pc), 0xff) end

--- Its first operand: a register.
function instructions.register(source, pc) return band(rshift(instruction_of(source, pc), 8), 0xff) end

--- Registers between a function that is called and its first argument.
instructions.frame = instructions.register("function(f) f(1) end", 2) -
  instructions.register("function(f) f(1) end", 1)

local opcode = instructions.opcode

instructions.op = {
  move = opcode("function(a) local b = a return b, a end"),
  get_upvalue = opcode("function() return u end"),
  get_global = opcode("function() return a end"),
  set_global = opcode("function(v) a = v end"),
  get_named = opcode("function(t) return t.a end"),
  get_any = opcode("function(t, k) return t[k] end"),
  get_number = opcode("function(t) return t[1] end"),
  set_named = opcode("function(t, v) t.a = v end"),
  set_any = opcode("function(t, k, v) t[k] = v end"),
  set_number = opcode("function(t, v) t[1] = v end"),
  length = opcode("function(t) return #t end"),
  closure = opcode("function() return function() end end"),
  call = opcode("function(f) f() end", 2),
  call_more = opcode("function(f) f(f()) end", 4),
  tail_call = opcode("function(f) return f() end", 2),
  tail_call_more = opcode("function(f) return f(f()) end", 4),
  iterate = opcode("function(f) for x in f do end end", 4),
  iterate_next = opcode("function(t) for x in next, t do end end", 5),
  begin_next = opcode("function(t) for x in next, t do end end", 4),
  iterate_again = opcode("function(f) for x in f do end end", 5),
  begin_numbers = opcode("function() for x = 1, 2 do end end", 4),
  count_on = opcode("function() for x = 1, 2 do end end", 5),
  begin_loop = opcode("function(a) while a do end end", 3),
  go = opcode("function(a) while a do end end", 2),
  give_nothing = opcode("function() end"),
  give_one = opcode("function(a) return a end"),
  give_some = opcode("function(a) return a, a end", 3),
  give_more = opcode("function(f) return 1, f() end", 4),
  set_nil = opcode("function() local a, b end"),
  set_more = opcode("function(f) return { f() } end", 4),
  copy_if = opcode("function(a, b) local c = a or b return c end"),
  copy_unless = opcode("function(a, b) local c = a and b return c end"),
}

--- What an operand is, as lj_bc.h numbers it (BCM*).
instructions.operand = {
  none = 0, destination = 1, base = 2, variable = 3, range = 4, upvalue = 5, literal = 6, signed = 7, primitive = 8,
  number = 9, text = 10, list = 11, jump = 13, cdata = 14,
}

return instructions
