-- Loads the parts of the library. A part is a file; its first lines name all parts that it uses:
--
--   local need = ...
--   local fail, order = need "fail", need "order"
--
-- `need` loads the part unless it is there. `parts.later` is for a part that is used only after the file has run: the
-- part needs this one itself, or is in a higher folder.
-- Invariant: a name without a file and parts that need each other in a cycle are errors with the names. layers_test
-- checks that `need` never points to a higher folder. `need` never reaches mod code.
local find_file = ...
local next, rawget, setmetatable, type, error = next, rawget, setmetatable, type, error
local concat, insert, getinfo, get_meta = table.concat, table.insert, debug.getinfo, debug.getmetatable

local all = {}  -- by name; C++ keeps this table
local parts = { all = all }

local name_of = setmetatable({}, { __mode = "k" })  -- function of a file -> its name
local kDeepest = 100  -- frames: a cycle of parts is much shorter

-- The files that run now, the outermost first. They are read from the stack, since a file can end with an error.
local function running()
  local list = {}
  for level = 3, kDeepest do
    local info = getinfo(level, "f")
    if not info then break end
    if name_of[info.func] then insert(list, 1, name_of[info.func]) end
  end
  return list
end

local need

--- Runs the file of a part, which gets `need` and these arguments; returns the part.
function parts.run(name, ...)
  local chain = running()
  for i = 1, #chain do
    if chain[i] == name then
      error("parts need each other in a cycle: " .. concat(chain, " -> ", i) .. " -> " .. name, 0)
    end
  end
  local file = find_file(name)
  if not file then
    error("part '" .. (chain[#chain] or "boot") .. "' needs '" .. name .. "', and the library has no such file", 0)
  end
  name_of[file] = name
  return (file(need, ...))
end

--- The part of this name.
function need(name)
  local part = all[name]
  if part == nil then
    part = parts.run(name)
    all[name] = part
  end
  return part
end

parts.need = need

--- Adds a part that is not a file.
function parts.provide(name, part) all[name] = part end

--- Runs the file of a part again, in place of the part; returns the new one.
function parts.again(name)
  all[name] = parts.run(name)
  return all[name]
end

--- The part of this name, which loads on first use at the latest.
function parts.later(name)
  return all[name] or setmetatable({}, { __index = function(_, key) return need(name)[key] end })
end

--- Makes it a part that loads on first use: most mods use only some parts, and there may be a hundred mods. Trusted
--- files see the stock globals whenever they load.
function parts.load_on_use(name)
  local part = setmetatable({}, {
    __index = function(part, key)
      local loaded = parts.run(name)
      setmetatable(part, get_meta(loaded))
      for word, entry in next, loaded do part[word] = entry end
      return part[key]
    end,
  })
  all[name] = part
  return part
end

local forgetting, for_load = {}, {}

--- Calls `forget` whenever the mod's files have run.
function parts.after_load(forget) forgetting[#forgetting + 1] = forget end

--- Called when the mod's files have run.
function parts.forget()
  for i = 1, #forgetting do forgetting[i]() end
end

--- Makes it a part that is unloaded when the mod's files have run. It loads again on demand and keeps no state.
function parts.load_for_files(name)
  local part = parts.load_on_use(name)
  local unloaded = get_meta(part)
  for_load[#for_load + 1] = part
  parts.after_load(function()
    for key in next, part do part[key] = nil end
    setmetatable(part, unloaded)
  end)
end

--- Loads all parts of load_for_files one after the other, so that their memory is freed as a whole.
function parts.prepare_load()
  for _, part in next, for_load do
    local _ = part[""]
  end
end

--- A table that grows by these steps, one after the other, when a missing entry is accessed. A step is a function that
--- gets the table, or the name of a file that needs the part and adds entries to it.
function parts.grow(t, ...)
  local steps, done = { ... }, 0
  return setmetatable(t, {
    __index = function(self, key)
      while done < #steps do
        local step = steps[done + 1]
        if type(step) == "string" then parts.run(step) else step(self) end
        done = done + 1
        local entry = rawget(self, key)
        if entry ~= nil then return entry end
      end
    end,
  })
end

return parts
