-- Finds what functions of a mod read and write (variables, globals and fields) from their bytecode, which, unlike the
-- text, identifies each variable. It follows functions found in variables, in fields, and by name in known tables, into
-- other files too.
-- Invariant: nothing here calls or changes anything of the mod. Branches that are never taken count, and computed
-- values are not followed. So a finding may never happen at run time, and what happens may not be found.
-- Not here: assigning functions to systems (sharing.lua).
local need = ...
local callers, fuel, module, component = need "callers", need "fuel", need "module", need "component"
local prefab = need "prefab"
local inner, opcode, op = need "tables".inner, need "instructions".opcode, need "instructions".op
local operand, kFrame = need "instructions".operand, need "instructions".frame
local kDestination, kBase, kJump = operand.destination, operand.base, operand.jump
local constants = need "constants"
local type, next, rawget, setmetatable = type, next, rawget, setmetatable
local getinfo, getupvalue, upvalueid = debug.getinfo, debug.getupvalue, debug.upvalueid
local get_meta, get_env = debug.getmetatable, debug.getfenv
local util, band, rshift = require("jit.util"), bit.band, bit.rshift
local max = math.max
local funcbc, funck, func_line = util.funcbc, util.funck, util.funcinfo

local kMaxEntries = 200000  -- entries of tables, in total
local reads = { max_entries = kMaxEntries }
local kMaxArguments, kMaxCalls = 8, 16  -- that are followed: of a call, and calls of a function with other tables

local set_up = {
  [opcode("function(v) u = v end")] = true, [opcode("function() u = 'a' end")] = true,
  [opcode("function() u = 1.5 end")] = true, [opcode("function() u = nil end")] = true,
}

-- The fuel counter, which all code shares; the engine's own files have no variable names.
local kUnconnected = constants.unconnected_fuel
local fuel_id
for i = 1, 255 do
  local name, value = getupvalue(fuel.charge, i)
  if not name then break end
  if value == kUnconnected then fuel_id = upvalueid(fuel.charge, i) end
end

local trusted = {}  -- functions -> true if not the mod's code
setmetatable(trusted, { __mode = "k", __index = function(t, f)
  local info = getinfo(f, "S")
  local is_trusted = info.what == "C" or callers.is_runtime(info.source)
  t[f] = is_trusted
  return is_trusted
end })

local function file_of(f) return (callers.file_of(getinfo(f, "S").source)) end

-- True for the engine's objects in mods: modules, handles, self-filling tables.
local function is_engines(t)
  if component.of_handle(t) or prefab.is_prefab(t) then return true end
  local meta = get_meta(t)
  local index = meta and (rawget(meta, "__index") or rawget(meta, "__newindex"))
  return type(index) == "function" and trusted[index]
end

-- Library functions that change their first argument, and those that read its contents.
local function library()
  local env = module.env
  local changes, looks = { [env.rawset] = true, [env.setmetatable] = true }, {}
  for _, name in next, { "insert", "remove", "sort" } do changes[env.table[name]] = true end
  for _, name in next, { "pairs", "ipairs", "next", "rawget", "unpack" } do looks[env[name]] = true end
  for _, name in next, { "concat", "insert", "maxn", "move", "remove", "sort" } do looks[env.table[name]] = true end
  return changes, looks
end

local ANY = {}  -- instead of a key: any key

--- What a set of functions does together: `reads` and `writes` of variables, of globals, and of fields of identified
--- tables. Functions in variables and fields are followed.
function reads.new_side()
  return {
    queue = {}, known = {}, up_reads = {}, global_reads = {}, writes = {},
    field_reads = {},  -- table -> key -> system, of identified tables
    names = {},  -- key -> system, of unidentified tables
    all_names = {},  -- key -> system, of both
    by_name = {},  -- key -> function in a table -> system
    tables = {},  -- known to the code, and reachable ones -> system
    calls = {},  -- function -> tables that it is called with, by the number of the argument
    fresh = {},  -- variables (`cell_of`) that some function sets, in any case, before it reads them
  }
end

local function add_function(side, f, system)
  if type(f) ~= "function" or trusted[f] or side.known[f] then return end
  side.known[f] = system
  side.queue[#side.queue + 1] = f
end

-- A table known to the side's code: functions in its fields may be called by name (`unit:move()`).
local function add_table(side, t, system)
  local stack, top, count = { t }, 1, 0
  while top > 0 and count < kMaxEntries do
    local one = stack[top]
    top = top - 1
    if not side.tables[one] and not is_engines(one) then
      side.tables[one] = system
      stack[top + 1] = get_meta(one)
      if stack[top + 1] then top = top + 1 end
      for key, value in next, one do
        count = count + 1
        if type(value) == "function" and type(key) == "string" then
          if side.names[key] then add_function(side, value, system) end
          inner(side.by_name, key)[value] = system
        elseif type(value) == "table" then
          top = top + 1
          stack[top] = value
        end
      end
    end
  end
end

-- A function that gets these tables, registers by the number of the argument, from 0.
local function add_call(side, f, given, system)
  local calls = inner(side.calls, f)
  for i = 1, #calls do
    local is_same = true
    for at = 0, kMaxArguments - 1 do
      is_same = is_same and (calls[i][at] or {}).value == (given[at] or {}).value
    end
    if is_same then return end
  end
  if #calls == kMaxCalls then return end
  calls[#calls + 1] = given
  side.queue[#side.queue + 1] = { f = f, given = given, system = system }
end

local function name_read(side, name, system)
  if side.names[name] then return end
  side.names[name] = system
  for f, holder in next, side.by_name[name] or {} do add_function(side, f, holder) end
end

local function note_write(side, write)
  side.writes[#side.writes + 1] = write
end

local cells = setmetatable({}, { __mode = "k" })

-- What identifies a variable, a global of `holder` or a field of it.
local function cell_of(id, holder, key)
  if id then return id end
  local of = inner(cells, holder)
  of[key] = of[key] or {}
  return of[key]
end

-- `f`: the function that runs; `code`: its prototype or that of a nested function; `ups`: by index, { id, value, name
-- }. `given`: tables that are its arguments; then only what it does with them is noted.
local function read_code(side, f, code, ups, system, given)
  local env, registers = get_env(f), {}
  for register, argument in next, given or {} do registers[register] = argument end
  local changes, looks = library()
  local function at(pc) return func_line(code, pc).currentline end
  -- Code before the furthest target of a jump may be skipped. A function inside another one runs later, or never.
  local accessed, joined = {}, code == f and 0 or 1e9
  local function access(pc, is_write, id, holder, key)
    local cell = cell_of(id, holder, key)
    if not accessed[cell] and is_write and pc >= joined then side.fresh[cell] = true end
    accessed[cell] = true
  end
  -- `root`: the cell that the path begins with
  local function set_register(register, value, path, root, is_given)
    registers[register] = { value = value, path = path, root = root, is_given = is_given }
    if type(value) == "function" then add_function(side, value, system) end
    if type(value) == "table" then add_table(side, value, system) end
  end
  for pc = 1, 1e9 do
    local instruction, mode = funcbc(code, pc)
    if not instruction then break end
    local o, a = band(instruction, 0xff), band(rshift(instruction, 8), 0xff)
    local c, b, d = band(rshift(instruction, 16), 0xff), rshift(instruction, 24), rshift(instruction, 16)
    local of = registers[b]
    local base = of and type(of.value) == "table" and of.value
    if band(rshift(mode, 7), 15) == kJump and o ~= op.begin_loop then joined = max(joined, pc + d - 0x7fff) end
    if o == op.get_upvalue then
      local up = ups[d + 1]
      if up and up.id then
        side.up_reads[up.id] = side.up_reads[up.id] or system
        access(pc, false, up.id)
        set_register(a, up.value, up.name, up.id)
      else
        registers[a] = nil
      end
    elseif set_up[o] then
      local up = ups[a + 1]
      if up and up.id and not given then
        note_write(side, { id = up.id, name = up.name, f = f, line = at(pc), system = system })
        access(pc, true, up.id)
      end
    elseif o == op.get_global then
      local name = funck(code, -d - 1)
      inner(side.global_reads, env)[name] = system
      access(pc, false, nil, env, name)
      set_register(a, rawget(env, name), name, cell_of(nil, env, name))
    elseif o == op.set_global then
      local name = funck(code, -d - 1)
      if not given then note_write(side, { env = env, key = name, f = f, line = at(pc), system = system }) end
      access(pc, true, nil, env, name)
    elseif o == op.get_named then
      local name = funck(code, -c - 1)
      side.all_names[name] = system
      if base then
        inner(side.field_reads, base)[name] = system
        access(pc, false, nil, base, name)
        set_register(a, rawget(base, name), of.path .. "." .. name, of.root, of.is_given)
      else
        registers[a] = nil
      end
      if not base or registers[a].value == nil then name_read(side, name, system) end
    elseif o == op.get_any or o == op.get_number or o == op.length then
      if o == op.length then
        of = registers[d]
        base = of and type(of.value) == "table" and of.value
      end
      if base then
        inner(side.field_reads, base)[ANY] = system
        for _, value in next, base do add_function(side, value, system) end
      else
        side.names[ANY] = system
      end
      registers[a] = nil
    elseif o == op.set_named or o == op.set_any or o == op.set_number then
      if base and (not given or of.is_given) then
        local key = o == op.set_named and funck(code, -c - 1) or ANY
        note_write(side, { base = base, key = key, path = of.path, root = of.root, f = f, line = at(pc),
          system = system })
        if key ~= ANY then access(pc, true, nil, base, key) end
      end
    elseif o == op.move then
      registers[a] = registers[d]
    elseif o == op.closure then
      local inside = funck(code, -d - 1)
      local own = {}
      for i = 0, 255 do
        local name = util.funcuvname(inside, i)
        if not name then break end
        for _, up in next, ups do
          if up.name == name then own[i + 1] = up end
        end
      end
      if not given then read_code(side, f, inside, own, system) end
      registers[a] = nil
    else
      local writes = band(mode, 7)
      if writes == kBase then
        local callee = registers[a] and registers[a].value
        local arguments
        for number = 0, type(callee) == "function" and not trusted[callee] and kMaxArguments - 1 or -1 do
          local argument = registers[a + kFrame + number]
          if argument and type(argument.value) == "table" and not is_engines(argument.value) then
            arguments = arguments or {}
            arguments[number] = { value = argument.value, path = argument.path, root = argument.root, is_given = true }
          end
        end
        if arguments then add_call(side, callee, arguments, system) end
        for register = a + 1, a + 8 do
          local argument = registers[register]
          if argument and callee and type(argument.value) == "table" then
            if looks[callee] then inner(side.field_reads, argument.value)[ANY] = system end
            if changes[callee] and (not given or argument.is_given) then
              note_write(side, { base = argument.value, key = ANY, path = argument.path, root = argument.root, f = f,
                line = at(pc), system = system })
              break
            end
          end
        end
        for register in next, registers do
          if register >= a then registers[register] = nil end
        end
      elseif writes == kDestination then
        registers[a] = nil
      end
    end
  end
end

--- Reads all added functions, and those reachable from them.
function reads.finish(side)
  local i = 0
  while side.queue[i + 1] do
    i = i + 1
    local call = type(side.queue[i]) == "table" and side.queue[i] or nil
    local f = call and call.f or side.queue[i]
    local ups, code = {}, f
    for at = 1, 255 do
      local name, value = getupvalue(f, at)
      if not name then break end
      local id = upvalueid(f, at)
      ups[at] = { id = id ~= fuel_id and id or nil, value = value, name = name }
    end
    read_code(side, f, code, ups, call and call.system or side.known[f], call and call.given)
  end
  return side
end

--- True if the value that it writes may be read in the next step: code reads it, and none sets it first.
function reads.is_kept(side, write)
  local fresh, cell = side.fresh, cell_of(write.id, write.env or write.base, write.key)
  if fresh[cell] or write.root and fresh[write.root] then return false end
  if write.id then return side.up_reads[write.id] ~= nil end
  if write.env then return (side.global_reads[write.env] or {})[write.key] ~= nil end
  return reads.reader_of_field(side, write.base, write.key) ~= nil
end

--- The system that reads a field; nil if no known system does.
function reads.reader_of_field(side, t, key)
  local fields = side.field_reads[t]
  local found = fields and (fields[key] or fields[ANY])
  if not found and key == ANY and fields then
    local _
    _, found = next(fields)
  end
  if found then return found end
  return side.tables[t] and side.names[key]
end

reads.ANY, reads.trusted, reads.file_of, reads.is_engines = ANY, trusted, file_of, is_engines
reads.add_function, reads.fuel_id = add_function, fuel_id
return reads
