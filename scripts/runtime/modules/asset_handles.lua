-- Handles of the assets that functions of an engine module name by path.
-- Invariant: a path is requested once and charged for then; a path that cannot be an asset is an error.
local need = ...
local fail, refuse_hash, spend = need "fail", need "phase".refuse_hash, need "fuel".spend
local type, find, ffi_string = type, string.find, require("ffi").string
local kStepsPerAsset = 200  -- a request takes memory that is not counted elsewhere

local asset_handles = {}

--- function(path, name) -> the handle of an asset, for the module's function `name`. `native` and `context`: the
--- module's; `refuse(path, name)` raises for a path that is not a text, or that matches none of `patterns`, if they are
--- given.
function asset_handles.finder(module, native, context, refuse, patterns)
  local handles = {}

  local function fits(path)
    for i = 1, #patterns do
      if find(path, patterns[i]) then return true end
    end
    return false
  end

  return function(path, name)
    local handle = handles[path]
    if handle then return handle end
    if type(path) ~= "string" then refuse(path, name) end
    spend(kStepsPerAsset)
    refuse_hash(module .. "." .. name)
    handle = native.asset(context, path, #path)
    if handle < 0 then fail.raise(module .. "." .. name .. ": " .. ffi_string(native.error(context))) end
    local place = fail.place()
    native.place_missing(context, handle, place, #place)
    if patterns and not fits(path) then refuse(path, name) end
    handles[path] = handle
    return handle
  end
end

return asset_handles
