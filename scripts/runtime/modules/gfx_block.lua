-- What the parts of the module gfx share: checks of arguments, colours, and the memory into which they write draw items
-- (engine/draw/item_block.h). Invariant: numbers reach the memory checked; C++ takes items out of it in the order of
-- the calls, and again checks what could harm it. Not here: the functions of gfx.
local need = ...
local fail, spend = need "fail", need "fuel".spend
local ffi, bit = require("ffi"), require("bit")
local type, rawget, ipairs = type, rawget, ipairs
local concat, gsub, bswap, ffi_string = table.concat, string.gsub, bit.bswap, ffi.string
local raise, shown, is_finite = fail.raise, fail.shown, fail.is_finite
local kStepsPerCall = 5  -- of fuel: drawing takes memory that is not counted elsewhere

-- Name -> number for C++, and the names for messages.
local function numbers_of(names)
  local numbers = {}
  for i, name in ipairs(names) do numbers[name] = i - 1 end
  return numbers, '"' .. concat(names, '", "', 1, #names - 1) .. '" or "' .. names[#names] .. '"'
end

-- For the native functions and constants of the module, once per state.
return function(native, context, constants)
  ffi.cdef((gsub(constants.block_type, "#[^\n]*", "")))
  local block = ffi.cast("perigee_draw_block *", native.block(context))
  local owner, capacity = native.owner(context), constants.block_items
  local kClosed, kDrawn = constants.closed, constants.drawn
  local shared = { block = block, numbers_of = numbers_of }

  -- Arguments ----------------------------------------------------------------------------------------------------

  -- `labels`: the allowed texts of the argument, if any.
  local function wrong(position, name, expected, value, labels)
    fail.wrong_argument(position, "gfx." .. name, expected, value, labels)
  end
  shared.wrong = wrong

  -- Infinity minus itself is NaN, so this rejects infinities too.
  local function number(value, position, name)
    if type(value) ~= "number" or value - value ~= 0 then
      wrong(position, name, type(value) == "number" and "a finite number" or "a number", value)
    end
    return value
  end
  shared.number = number

  function shared.at_least_zero(value, position, name)
    if number(value, position, name) < 0 then wrong(position, name, "a number of at least 0", value) end
    return value
  end

  function shared.above_zero(value, position, name)
    if number(value, position, name) <= 0 then wrong(position, name, "a number above 0", value) end
    return value
  end

  --- function(value, position, name) -> the number of a text in this list.
  function shared.one_of(names)
    local numbers, all = numbers_of(names)
    return function(value, position, name)
      local found = numbers[value]
      if not found then wrong(position, name, all, value, names) end
      return found
    end
  end

  local modes = { fill = true, line = false }

  function shared.is_filled(mode, name)
    local filled = modes[mode]
    if filled == nil then wrong(1, name, "\"fill\" or \"line\"", mode, { "fill", "line" }) end
    return filled
  end

  -- Options ------------------------------------------------------------------------------------------------------

  local function expect_table(options, position, name)
    if type(options) ~= "table" then wrong(position, name, "a table of options", options) end
  end

  -- The message for keys that are no options, or nothing.
  local function wrong_keys(options, known, name)
    local message = fail.unknown_keys(options, known, "gfx." .. name)
    if message then return message end
    if rawget(options, 1) ~= nil then
      return "gfx." .. name .. ": option 1 has no name" .. (known.color and "; a colour is { color = … }" or "")
    end
  end

  local function check_keys(options, known, name)
    local message = wrong_keys(options, known, name)
    if message then raise(message) end
  end

  function shared.check_options(options, known, position, name)
    expect_table(options, position, name)
    check_keys(options, known, name)
  end

  -- What looks at all keys of a table needs it in memory. Without that, LuaJIT never makes a table that is written in a
  -- call of a compiled loop: allocation sinking. So only the first calls check at once. Later one table in 128, at
  -- random, is kept until the next frame, which checks it. If a key is wrong, calls check at once again, and the error
  -- is raised at its line: a wrong key in a call of each frame is found within seconds. If the call does not come again
  -- in kAfterWrong calls, the last of them raises the error.
  local kFirst, kOneOf, kAfterWrong = 2, 128, 20000
  local at_once, until_next, random = kFirst, 0, 1
  local kept, kept_known, kept_name
  local found  -- the message of a key that is wrong, until its call comes again

  local function check_at_once(options, known, name)
    at_once = at_once - 1
    local message = wrong_keys(options, known, name)
    if at_once == 0 then
      until_next = kOneOf
      message = message or found and found .. " (in a call of an earlier frame)"
    end
    if not message then return end
    found = nil
    raise(message)
  end

  local function check_kept()
    local options, known = kept, kept_known
    kept = nil
    found = wrong_keys(options, known, kept_name) or found
    if found then at_once, until_next = kAfterWrong, 0 end
  end

  -- Traces with a check in them would make all tables. LuaJIT gives up what it often fails to compile, so these run in
  -- the first calls and once a frame.
  jit.off(check_at_once)
  jit.off(check_kept)

  --- The same for options of a call that is made thousands of times in a frame.
  function shared.check_options_of_call(options, known, position, name)
    expect_table(options, position, name)
    until_next = until_next - 1
    if until_next > 0 then return end
    if at_once > 0 then return check_at_once(options, known, name) end
    random = random * 16807 % 2147483647  -- Park and Miller, Communications of the ACM 31 (1988)
    until_next = 1 + random % (2 * kOneOf - 1)
    kept, kept_known, kept_name = options, known, name
  end

  local function option(options, key, default, name)
    local value = rawget(options, key)
    if value == nil then return default end
    if not is_finite(value) then fail.finite(value, "gfx." .. name .. ": option '" .. key .. "'") end
    return value
  end
  shared.option = option

  function shared.option_above_zero(options, key, default, name)
    local value = option(options, key, default, name)
    if value <= 0 and rawget(options, key) ~= nil then
      raise("gfx." .. name .. ": option '" .. key .. "': expected a number above 0, got " .. shown(value))
    end
    return value
  end

  -- Whether drawing is possible ------------------------------------------------------------------------------------

  local kOutside = " outside of draw(): drawing is possible in draw() and in presentation systems only"

  --- After a native function that draws.
  local function check_drawn(drawn, name)
    if drawn == kDrawn then return end
    if drawn ~= kClosed then raise("gfx." .. name .. ": " .. ffi_string(native.refusal(context))) end
    raise("gfx." .. name .. kOutside)
  end
  shared.check_drawn = check_drawn

  --- After a native function that changes the state.
  function shared.check_open(is_open, name)
    spend(kStepsPerCall)
    if not is_open then raise("gfx." .. name .. kOutside) end
  end

  --- Before the state or an item is written to the block.
  local function ready(name)
    spend(kStepsPerCall)
    if block.owner == owner and block.count < capacity then return end
    if kept and block.owner ~= owner then check_kept() end  -- as at the start of a frame
    check_drawn(native.open(context), name)
  end
  shared.ready = ready

  -- Colours --------------------------------------------------------------------------------------------------------
  -- A colour is a number 0xRRGGBBAA, as in colour fields of components, a text, or a list of numbers from 0 to 1.

  local named = {}  -- text -> number

  local function color_from_name(text, name)
    local color = named[text]
    if not color then
      color = native.color_from_name(text, #text)
      if color < 0 then
        raise("gfx." .. name .. ": " .. ffi_string(native.why_no_color(context, text, #text)))
      end
      named[text] = color
    end
    return color
  end

  local kSurelyBytes = 10  -- colours that are computed may leave 0 to 1 by a little

  local function color_from_numbers(r, g, b, a, name)
    if r > kSurelyBytes or g > kSurelyBytes or b > kSurelyBytes then
      raise("gfx." .. name .. ": expected the numbers of a colour from 0 to 1, got " .. r .. ", " .. g .. ", " .. b ..
        "; of 0 to 255, divide each by 255")
    end
    return native.color_from_numbers(r, g, b, a)
  end

  local function color_from_list(list, name)
    local r, g, b, a = rawget(list, 1), rawget(list, 2), rawget(list, 3), rawget(list, 4)
    if a == nil then a = 1 end
    if type(r) ~= "number" or type(g) ~= "number" or type(b) ~= "number" or type(a) ~= "number" then
      raise("gfx." .. name .. ": a colour that is a table has three or four numbers from 0 to 1: { 1, 0.5, 0 }")
    end
    return color_from_numbers(r, g, b, a, name)
  end

  local kNoColor = -1
  shared.no_color = kNoColor

  --- The number; kNoColor for nil.
  local function optional_color(value, position, name)
    if value == nil then return kNoColor end
    if type(value) == "string" then return color_from_name(value, name) end
    if type(value) == "table" then return color_from_list(value, name) end
    if type(value) ~= "number" or not (value >= 0 and value < 2 ^ 32) then
      wrong(position, name, "a colour (0xRRGGBBAA, \"#rrggbb\" or a name like \"red\")", value)
    end
    return value
  end
  shared.optional_color = optional_color

  --- `before`: arguments before the colour, none by default.
  function shared.any_color(r, g, b, a, name, before)
    before = before or 0
    if type(r) == "string" then return color_from_name(r, name) end
    if g == nil then
      if r == nil then wrong(before + 1, name, "a colour", r) end
      return optional_color(r, before + 1, name)
    end
    number(r, before + 1, name)
    number(g, before + 2, name)
    number(b, before + 3, name)
    return color_from_numbers(r, g, b, a == nil and 1 or number(a, before + 4, name), name)
  end

  --- The number of a colour as items have it.
  shared.color_bits = bswap

  --- A colour as items have it: that of the block for nil.
  function shared.item_color(value, position, name)
    if value == nil then return block.color end
    return bswap(optional_color(value, position, name))
  end

  -- Angles ---------------------------------------------------------------------------------------------------------

  local kPerRadian = 65536 / (2 * math.pi)

  --- Radians as items have them.
  function shared.item_angle(radians)
    if radians == 0 then return 0 end
    return (radians * kPerRadian + 0.5) % 65536
  end

  return shared
end
