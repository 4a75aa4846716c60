-- Handles of queries, the results of ecs.query.
-- Invariant: a handle is an opaque constant object; its query lives as long as the world.
local need = ...
local late = need "parts".later "late"
local fail, layout, component, api = need "fail", need "layout", need "component", need "api"
local spend, constants = need "fuel".spend, need "constants"
local ffi = require("ffi")
local istype = ffi.istype

local query_handle = {}
local ADDRESS = layout.secret_name()
local handle_type = layout.opaque("void * const $address;", { address = ADDRESS })

ffi.metatype(handle_type, {
  __index = function(_, key)
    if key == component.id_name then return nil end  -- queried by value.lua
    fail.raise("a query has no fields; give it to commands such as ctx.commands:add_all(query, C.Burning)")
  end,
  __newindex = function() fail.raise("a query cannot be changed") end,
  __tostring = function() return "query" end,
})

query_handle.handle_type = handle_type  -- for late.lua

function query_handle.at(address) return ffi.new(handle_type, address) end

--- The address of a handle's query, or an error.
function query_handle.expect(handle, what)
  if istype(handle_type, handle) then
    if handle[ADDRESS] == nil then late.not_yet() end
    return handle[ADDRESS]
  end
  fail.raise(what .. ": expected a query made by ecs.query, got " .. fail.shown(handle))
end

-- The kinds of work are entries of query_handle: query_handle.count_rows.
for i, name in ipairs(constants.query_work) do query_handle[name] = i - 1 end

--- Charges for native work on the query at this address, before it begins.
function query_handle.pay(address, work) spend(api.query_steps(address, work)) end

--- `count`: chunks or rows, counted by C++; negative if memory was exhausted.
function query_handle.counted(count, what)
  if count < 0 then fail.raise(what .. ": there is no memory to sort the rows") end
  return count
end

return query_handle
