-- Errors that the trusted library raises on behalf of a mod: always at the mod's own line, regardless of trusted calls
-- in between. Messages say what was expected, what was given, and where.
local need = ...
local host = need "host"
local innermost, cell = need "callers".innermost, need "running".cell
local names_in, spend = need "order".names, need "fuel".spend
local constants = need "constants"
local type, error, raw_tostring, ipairs = type, error, tostring, ipairs
local sub, find, match, format, next, rawget = string.sub, string.find, string.match, string.format, next, rawget
local sort = table.sort

local fail = {}
-- Building a message copies the texts in it, and the message will be copied again.
local kFreeBytes, kBytesPerStep = 1024, 16

--- Raises `message` at the innermost line of mod code. `row` (from 1) is stored for the error card.
function fail.raise(message, row)
  if #message > kFreeBytes then spend(#message / kBytesPerStep) end
  -- The length tells C++ whether the row belongs to the arriving error, since this one may be caught on the way.
  cell.error_row = type(row) == "number" and row >= 1 and row < 2 ^ 31 and row or 0
  cell.error_length = #message
  local info, level = innermost("Sl")
  if info and not level then message = sub(info.source, 2) .. ":" .. info.currentline .. ": " .. message end
  error(message, level or 0)
end

--- Raised when a column, or an object from it, is used after the visit.
function fail.column_ended(where)
  fail.raise(where .. ": this column is no longer lent; columns end with the visit to their chunk")
end

--- `count`: the chunk's row count.
function fail.row_out_of_range(where, i, count)
  fail.raise(where .. ": row " .. raw_tostring(i) .. " is out of range, this chunk has rows 1 to " .. count, i)
end

--- "mod/main.lua:12": the innermost line of mod code; "" if there is none.
function fail.place()
  local info = innermost("Sl")
  return info and sub(info.source, 2) .. ":" .. info.currentline or ""
end

--- A value in the form for messages: numbers and short strings themselves, everything else by type.
function fail.shown(value)
  local kind = type(value)
  if kind == "number" or kind == "boolean" then return raw_tostring(value) end
  if kind == "string" and #value <= 40 then return "'" .. value .. "'" end
  return kind
end

--- The error for an argument. `expected` says what it has to be; `labels`: the allowed texts, if any.
function fail.wrong_argument(position, name, expected, value, labels)
  fail.raise(format("bad argument #%d to '%s': expected %s, got %s%s", position, name, expected, fail.shown(value),
    labels and fail.suggestion(value, labels) or ""))
end

fail.no_memory = "not enough memory"

--- The error for a key that a row, a column or a buffer does not have. `more`: a name besides those of its fields.
function fail.no_field(node, key, more)
  local list = { more }
  for _, child in ipairs(node.children or {}) do list[#list + 1] = raw_tostring(child.name) end
  fail.raise(format("%s has no field %s%s", node.where, fail.shown(key), fail.suggestion(key, list)))
end

--- Whether a key can be written as in t.key.
function fail.is_name(key) return type(key) == "string" and find(key, "^[%a_][%w_]*$") ~= nil end

--- Whether it is a number and neither infinite nor NaN: either minus itself is NaN.
local function is_finite(value) return type(value) == "number" and value - value == 0 end
fail.is_finite = is_finite

--- Returns a finite number; everything else is an error. `what` begins the message.
function fail.finite(value, what)
  if not is_finite(value) then
    fail.raise(what .. ": expected a " .. (type(value) == "number" and "finite " or "") .. "number, got " ..
      fail.shown(value))
  end
  return value
end

--- The error for a component that the system does not declare. `where` names it, as in the errors below.
function fail.undeclared(where)
  fail.raise(where .. " is not declared; add it to access.read or access.write of the system")
end

-- As messages call them: "component 'LocalToWorld'".
local engine_types = {}

--- Notes a type that no script can write.
function fail.note_engine_type(whose) engine_types[whose] = true end

--- `where` begins with the type.
function fail.read_only(where)
  local whose = match(where, "^%a+ '[^']*'")
  fail.raise(where .. (whose and engine_types[whose] and " is read-only: only the engine writes it" or
    " is read-only here; declare the component under 'write' to change it"))
end

--- Raised when `where`, a part of ctx, is used outside of the run, or while jobs of the run are at work.
function fail.run_closed(where, open_jobs)
  fail.raise(where .. (open_jobs == 0 and " is used outside of its system's run" or
    ": the jobs that this system started are at work on the world; wait for them first"))
end

--- function(entity, name) that raises for anything but an entity; `before` and the name say whose argument it is.
function fail.entity_check(before)
  return function(entity, name)
    if type(entity) ~= "number" then
      fail.raise(before .. name .. ": expected an entity, got " .. fail.shown(entity))
    end
  end
end

local kMaxNameBytes = constants.max_name_bytes

--- Raises unless `name` can name a system, group, prefab or service. C++ stores several copies of each name and charges
--- no mod for them.
function fail.check_name(name, what)
  if type(name) ~= "string" or name == "" then fail.raise(what .. ": expected a name, got " .. fail.shown(name)) end
  if #name > kMaxNameBytes then
    fail.raise(what .. ": a name has at most " .. kMaxNameBytes .. " bytes, this one has " .. #name)
  end
end

--- "; did you mean 'x'?" for the name that is probably meant; "" without one.
function fail.did_you_mean(nearest)
  return (nearest == nil or nearest == "") and "" or "; did you mean '" .. nearest .. "'?"
end

--- "; did you mean 'x'?" when one of the list is near, else ""; of several equally near ones, the first.
function fail.suggestion(word, list)
  return type(word) == "string" and fail.did_you_mean(host.nearest(word, list)) or ""
end

--- The same, or "; there are x, y" when none is near and the list is short.
function fail.suggestion_or_all(word, list)
  return type(word) == "string" and host.suggestion(word, list) or ""
end

--- What to write instead of a name of LÖVE in a module or of one of its objects, or else the nearest name.
function fail.instead_of_love(key, module, names)
  local instead = type(key) == "string" and host.instead_of_love(key, module)
  return instead and "; " .. instead or fail.suggestion(key, names)
end

--- Completes a module for scripts: reading an entry that it lacks is an error with the nearest name, or with all names
--- of a small module.
function fail.close_module(name, module)
  local names = {}
  for entry in next, module do names[#names + 1] = entry end
  sort(names)
  return setmetatable(module, {
    __index = function(_, key)
      local hint = fail.instead_of_love(key, name, names)
      if hint == "" then hint = fail.suggestion_or_all(key, names) end
      fail.raise(name .. " has no " .. fail.shown(key) .. hint)
    end,
    __metatable = false,
  })
end

--- The error for a list with a nil before other entries, such as { nil, C.Position }: the entries after it would be
--- ignored otherwise. nil for other lists.
function fail.hole_in(t, what)
  local count = 0
  while rawget(t, count + 1) ~= nil do count = count + 1 end
  for key in next, t do
    if type(key) == "number" and not (key >= 1 and key <= count) then
      return format("%s: entry %d is nil, and more follow; is its name misspelled?", what, count + 1)
    end
  end
end

function fail.expect_whole(t, what)
  local message = fail.hole_in(t, what)
  if message then fail.raise(message) end
end

--- Checks that a table has no other string keys than those listed ({ name = true }): the message for the first wrong
--- key, or nothing. `instead` (optional): function(key) -> the end of the message for a key that it knows, or nil.
function fail.unknown_keys(t, known, what, instead)
  -- In C: a loop here would be compiled first, and loops of scripts that draw would become parts of its traces.
  local wrong = host.unknown_key(t, known)
  if wrong == nil then return end
  local hint = instead and instead(wrong) or fail.suggestion_or_all(wrong, names_in(known))
  return what .. ": unknown key '" .. wrong .. "'" .. hint
end

return fail
