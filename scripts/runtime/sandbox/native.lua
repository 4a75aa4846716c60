-- The C functions that the library calls, and the fuel for the texts that modules pass to them.
local need = ...
local host = need "host"
local spend = need "fuel".spend
local ffi = require("ffi")
local rawset, setmetatable, match, gsub = rawset, setmetatable, string.match, string.gsub

local native = {}

-- Names and paths are short: longer texts are charged by the byte before C++ reads them. By argument position.
local kFreeBytes = 256
local charged_text = {
  function(f)
    return function(text, length, ...)
      if length > kFreeBytes then spend(length) end
      return f(text, length, ...)
    end
  end,
  function(f)
    return function(a, text, length, ...)
      if length > kFreeBytes then spend(length) end
      return f(a, text, length, ...)
    end
  end,
  function(f)
    return function(a, b, text, length, ...)
      if length > kFreeBytes then spend(length) end
      return f(a, b, text, length, ...)
    end
  end,
}

local function charged(f, ctype)
  local before = match(ctype, "%(%*%)%((.-)const char %*, double")
  if not before then return f end
  local _, arguments = gsub(before, ",", "")
  return charged_text[arguments + 1](f)
end

--- The C functions of an engine module, or of the library itself, each bound on first use. Module functions that take a
--- text and its length charge fuel for it.
function native.bind(module)
  return setmetatable({}, {
    __index = function(bound, name)
      local ctype, address = host.native(name, module)
      if not ctype then return nil end
      local f = ffi.cast(ctype, address)
      rawset(bound, name, module and charged(f, ctype) or f)
      return bound[name]
    end,
  })
end

return native
