-- Rare declarations: groups, systems that replace or wrap others, and, for reaction.lua, reactions. Extends system.lua
-- on first use.
local need = ...
local chunk, host, fail, layout, system = need "chunk", need "host", need "fail", need "layout", need "system"
local phase = need "phase"
local check_table = need "query".check_table
local check_name = fail.check_name
local ffi = require("ffi")
local type, format, gsub, next = type, string.format, string.gsub, next
local known_keys, names_of, spec_from = system.known_keys, system.names_of, system.spec_from
local declare, expect = system.declare_as, system.expect

local group_keys = { group = true, access = true, after = true, before = true, every = true, enabled = true,
  run_if = true }

-- ---- systems of other mods ----------------------------------------------------------------------------------

-- The data of a system to change, and a copy of the description.
local function other_system(name, description, what)
  phase.expect_loading(what)
  local info, message = host.system_info(name)
  if not info then fail.raise(what .. ": " .. message) end
  local copy = {}
  for key, entry in next, description do copy[key] = entry end
  if copy.group ~= nil then fail.raise(what .. ": 'group' is that of the system itself") end
  copy.group = info.group
  if copy.every == nil then copy.every = info.every end
  return info, copy
end

--- ecs.replace_system("mod:name", { … }): replaces the system, with the same name and neighbours, once this mod has
--- loaded.
function system.replace(name, description)
  check_name(name, "ecs.replace_system")
  local what = format("system '%s'", name)
  check_table(description, known_keys, what)
  local _, copy = other_system(name, description, what)
  declare(name, copy, what, true)
end

local function extended(names, more, what)
  local list = names_of(names, what)
  for i = 1, #more do list[#list + 1] = more[i] end
  return list
end

local wrap_keys = { before = true, after = true }

--- ecs.wrap_system("mod:name", { before = { … }, after = { … } }): systems that run directly before and after it,
--- within its own ordering. Each is a declaration, or a function without access.
function system.wrap(name, parts)
  check_name(name, "ecs.wrap_system")
  local what = format("ecs.wrap_system '%s'", name)
  check_table(parts, wrap_keys, what)
  if parts.before == nil and parts.after == nil then fail.raise(what .. ": expected 'before' or 'after'") end
  for _, side in ipairs { "before", "after" } do
    local part = parts[side]
    if type(part) == "function" then part = { run = part } end
    if part ~= nil then
      local place = what .. ", " .. side
      check_table(part, known_keys, place)
      local info, copy = other_system(name, part, place)
      if side == "before" then
        copy.before = extended(copy.before, { info.name }, place .. ", before")
        copy.after = extended(copy.after, info.after, place .. ", after")
      else
        copy.after = extended(copy.after, { info.name }, place .. ", after")
        copy.before = extended(copy.before, info.before, place .. ", before")
      end
      local own = side .. " " .. gsub(name, ":", ".")
      declare(own, copy, format("system '%s'", own))
    end
  end
end

--- A group of systems inside another one; run_if gets a ctx without commands and rows.
function system.declare_group(name, description)
  check_name(name, "ecs.group")
  local what = format("group '%s'", name)
  phase.expect_loading(what)
  local spec = spec_from(name, description or {}, what, group_keys, true)
  system.check_presentation(spec, what)
  local address, _, ctx = system.make(spec, what)
  expect(host.finish_group(address, spec, nil, ctx))
end

local reaction_keys = { name = true, access = true, after = true, before = true, enabled = true, run_if = true }

--- For reaction.lua. `make_batch` returns a function() -> the argument of `run` besides ctx.
function system.declare_reaction(kind, name, description, options, run, what, make_batch)
  local spec = spec_from(name, options, what, reaction_keys)
  spec.run, spec.trigger = run, { kind = kind, id = description.id }
  if kind == "event" then spec.read[#spec.read + 1] = description end
  local address, views, chunk_address = host.make_system(spec)
  local make = make_batch(ffi.cast(layout.system_pointer, address), views, chunk_address)
  expect(host.finish_system(address, spec, chunk.entered(make), system.make_context(spec, address, what)))
end

