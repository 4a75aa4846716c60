-- The console: runs a line, shows its results, and completes names, all in the mod's environment. Invariant: showing
-- and completing never run code of the mod: no metamethod, no __tostring. Lines can use ecs, C (ecs.components) and
-- world (ecs.world) besides the mod's globals.
local need = ...
local component, module, proxy, host = need "component", need "module", need "proxy", need "host"
local values, words, world = need "value", need "words", need "world"
local is_name = need "fail".is_name
local to_text, joined, each_entry = need "text".tostring, need "text".joined, need "table_entries".each
local mod = host.mod
local type, next, rawget, pcall, error, select = type, next, rawget, pcall, error, select
local setmetatable, raw_getmetatable = setmetatable, debug.getmetatable
local concat, sort = table.concat, table.sort
local format, gsub, match, sub, gmatch, byte =
  string.format, string.gsub, string.match, string.sub, string.gmatch, string.byte

local console = {}
local kMaxEntries, kDeepest, kWidest, kMaxPrinted = 40, 4, 100, 200

local printed, has_run = {}, false

local names = { ecs = module.loaded.ecs, C = component.components, world = world.object }

--- Output of print appears below the line, instead of in the log.
function names.print(...)
  local count = #printed
  if count <= kMaxPrinted then printed[count + 1] = count < kMaxPrinted and joined(...) or "..." end
end
local env = setmetatable({}, {
  __index = function(_, name)
    local value = names[name]
    if value ~= nil then return value end
    return module.env[name]
  end,
  __newindex = function(_, name, value) module.env[name] = value end,
  __metatable = false,
})

-- ---- showing ----

local function quoted(s)
  local escaped = gsub(format("%q", s), "\\\n", "\\n")
  return (gsub(escaped, "%c", function(c) return format("\\%d", byte(c)) end))
end

local shown

local function key_text(key)
  if is_name(key) then return key end
  return "[" .. shown(key, kDeepest) .. "]"
end

local function shown_table(t, depth, open)
  if open[t] then return "{ itself }" end
  if next(t) == nil then return "{}" end
  if depth >= kDeepest then return "{ ... }" end
  open[t] = true
  local parts, count = {}, 0
  each_entry(t, key_text, function(value, key)
    count = count + 1
    if count <= kMaxEntries then parts[count] = (key and key .. " = " or "") .. shown(value, depth + 1, open) end
  end)
  if count > kMaxEntries then parts[kMaxEntries + 1] = format("... %d more", count - kMaxEntries) end
  open[t] = nil
  local line = "{ " .. concat(parts, ", ") .. " }"
  if #line <= kWidest then return line end
  return "{\n" .. (gsub(concat(parts, ",\n"), "[^\n]+", "  %0")) .. "\n}"
end

local function shown_names(list)
  sort(list)
  local line = "{ " .. concat(list, ", ") .. " }"
  return #line <= kWidest and line or "{\n  " .. concat(list, "\n  ") .. "\n}"
end

-- The fields of a component value or a proxy as a table, or nil.
local function fields_of(object)
  local ok, node = pcall(function() return object[proxy.node_name] end)
  if ok and node then return values.table_of(node, object) end
  local id, bytes = values.parts(object, "console", true)
  if not bytes then return nil end
  local description = component.by_id(id)
  return values.table_of(description.root, proxy.over_bytes(description, bytes, world.epoch))
end

function shown(value, depth, open)
  local kind = type(value)
  if kind == "string" then return quoted(value) end
  if kind == "table" and words.of[value] then return shown_names(words.of[value]()) end
  if kind == "table" and raw_getmetatable(value) == nil then return shown_table(value, depth or 0, open or {}) end
  if kind == "cdata" then
    local ok, fields = pcall(fields_of, value)
    if ok and fields then return to_text(value) .. " " .. shown_table(fields, depth or 0, open or {}) end
  end
  if kind == "table" or kind == "function" or kind == "thread" then return kind end
  return (to_text(value))
end

local function lines_of(...)
  local lines = {}
  for i = 1, select("#", ...) do lines[i] = shown((select(i, ...))) end
  return lines
end

-- `components` lists the names of all components that the mod may use.
local function name_components(components)
  words.of[component.components] = function() return components end
end

--- The values of an expression as texts, or the effect of a statement. Raises the errors of the line.
function console.evaluate(line, components)
  name_components(components)
  printed, has_run = {}, false
  local name = "@" .. mod .. "/console"
  local chunk = host.compile("return " .. line, name, env)
  local message
  if not chunk then chunk, message = host.compile(line, name, env) end
  if not chunk then error(message, 0) end
  has_run = true
  return lines_of(chunk())
end

--- The output of the last line, even if it failed; and whether it ran or was not valid Lua.
function console.take_printed()
  local lines = printed
  printed = {}
  return lines, has_run
end

-- ---- completing ----

local function add_names(list, from)
  for name in next, from do
    if type(name) == "string" then list[#list + 1] = name end
  end
end

-- Names valid after a value and a dot, without calling the mod.
local function words_of(value)
  local list = {}
  local known = words.of[value]
  if known then return known() end
  if type(value) == "string" then value = module.env.string end
  if type(value) ~= "table" then return list end
  add_names(list, value)
  local meta = raw_getmetatable(value)
  local inherited = meta and rawget(meta, "__index")
  if type(inherited) == "table" then add_names(list, inherited) end
  return list
end

local function part_of(value, name)
  if type(value) == "string" then value = module.env.string end
  if type(value) ~= "table" then return nil end
  if words.of[value] then
    local ok, part = pcall(function() return value[name] end)
    return ok and part or nil
  end
  local part = rawget(value, name)
  if part ~= nil then return part end
  local meta = raw_getmetatable(value)
  local inherited = meta and rawget(meta, "__index")
  return type(inherited) == "table" and rawget(inherited, name) or nil
end

local keywords = {
  "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "if", "in", "local", "nil", "not", "or",
  "repeat", "return", "then", "true", "until", "while",
}

local function global_words()
  local list = {}
  add_names(list, names)
  add_names(list, module.env)
  for i = 1, #host.module_names do list[#list + 1] = host.module_names[i] end
  for i = 1, #keywords do list[#list + 1] = keywords[i] end
  return list
end

--- Completions of the end of a line, sorted and unique; and the number of bytes that they replace.
function console.complete(line, components)
  name_components(components)
  local path, begun = match(line, "([%a_][%w_%.:]*[%.:])([%w_]*)$")
  local list
  if path then
    local value
    for name in gmatch(path, "[%a_][%w_]*") do
      if value == nil then
        value = names[name]
        if value == nil then value = rawget(module.env, name) end
        if value == nil then value = module.open(name) end
      else
        value = part_of(value, name)
      end
      if value == nil then return {}, 0 end
    end
    list = words_of(value)
  else
    begun = match(line, "[%a_][%w_]*$") or ""
    list = global_words()
  end
  local found, seen = {}, {}
  for i = 1, #list do
    local word = list[i]
    if sub(word, 1, #begun) == begun and match(word, "^[%a_][%w_]*$") and not seen[word] then
      seen[word] = true
      found[#found + 1] = word
    end
  end
  sort(found)
  return found, #begun
end

return console
