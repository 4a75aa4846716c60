-- What test scripts check with. Each function raises an error that names the caller's line.
local harness = {}

local function show(value)
  return type(value) == "string" and string.format("%q", value) or tostring(value)
end

function harness.equal(got, wanted, what)
  if got ~= wanted and not (got ~= got and wanted ~= wanted) then
    error((what and what .. ": " or "") .. "expected " .. show(wanted) .. ", got " .. show(got), 2)
  end
end

function harness.is_true(condition, what)
  if not condition then error(what or "expected a true value", 2) end
end

--- fn(...) must fail with a message that contains `text` (plain).
function harness.fails(text, fn, ...)
  local ok, message = pcall(fn, ...)
  if ok then error("expected an error with '" .. text .. "', but it succeeded", 2) end
  message = tostring(message)
  if not message:find(text, 1, true) then
    error("expected an error with '" .. text .. "', got: " .. message, 2)
  end
  return message
end

--- The keys of t as a loop visits them, joined by spaces.
function harness.keys(t, iterate)
  local keys = {}
  for k in (iterate or pairs)(t) do keys[#keys + 1] = tostring(k) end
  return table.concat(keys, " ")
end

return harness
