-- The module "app": ending the run, and the game's window. It never affects the world. Invariant: simulation cannot
-- query the window, which a replay does not have. Only the game may use it, and mods with the player's permission.
local need, native, context = ...
local running, fail = need "running", need "fail"
local expect_open, constants = need "phase".expect_open, need "constants".of("app")
local type, find, concat = type, string.find, table.concat
local raise, shown = fail.raise, fail.shown

local app = {}
local kMaxTitleBytes = constants.max_title_bytes
local kOptional = true

local function expect_allowed(name)
  expect_open(name)
  if not native.is_allowed(context) then
    raise(name .. ": a mod may not end the run or change the window; \"permissions\": { \"app\": true } in its " ..
      "mod.json asks for it, and the player's settings allow it")
  end
end

local function flag(value, name, optional)
  if value == nil and optional then return true end
  if type(value) ~= "boolean" then raise(name .. ": expected true or false, got " .. shown(value)) end
  return value
end

--- Ends the run after this frame, and its recording at this step.
function app.quit()
  expect_allowed("app.quit")
  native.quit(context, running.is_presentation())
end

--- Switches to full screen or back to a window.
function app.set_fullscreen(on)
  expect_allowed("app.set_fullscreen")
  native.set_fullscreen(context, flag(on, "app.set_fullscreen", kOptional))
end

function app.toggle_fullscreen()
  expect_allowed("app.toggle_fullscreen")
  native.toggle_fullscreen(context)
end

--- True if the window is full screen. For draw() and presentation systems.
function app.is_fullscreen()
  expect_open("app.is_fullscreen")
  if not running.is_presentation() then
    raise("app.is_fullscreen: simulation cannot use it, since a replay has no window; use it in draw() or a " ..
      "presentation system, or use app.toggle_fullscreen()")
  end
  return native.is_fullscreen(context)
end

function app.set_title(title)
  expect_allowed("app.set_title")
  if type(title) ~= "string" then raise("app.set_title: expected a text, got " .. shown(title)) end
  if #title > kMaxTitleBytes then
    raise("app.set_title: a title has at most " .. kMaxTitleBytes .. " bytes, this one has " .. #title)
  end
  if find(title, "%c") then raise("app.set_title: a title is one line without control characters") end
  native.set_title(context, title, #title)
end

--- Sets the windowed size: at least 64, at most what fits on the display. The game still draws on gfx.size(), which
--- changes only if its fit is "expand".
function app.set_size(width, height)
  expect_allowed("app.set_size")
  if type(width) ~= "number" or width ~= width then
    raise("app.set_size, width: expected a number, got " .. shown(width))
  end
  if type(height) ~= "number" or height ~= height then
    raise("app.set_size, height: expected a number, got " .. shown(height))
  end
  native.set_size(context, width, height)
end

--- Shows or hides the mouse pointer over the window.
function app.set_cursor(on)
  expect_allowed("app.set_cursor")
  native.set_cursor(context, flag(on, "app.set_cursor"))
end

local fits = constants.screen_fits
local fit_numbers, all_fits = {}, {}
for i = 1, #fits do
  fit_numbers[fits[i]] = i - 1
  all_fits[i] = "\"" .. fits[i] .. "\""
end
all_fits = concat(all_fits, ", ")

--- How the screen is fitted into the window: "letterbox", "integer", "stretch" or "expand", as "fit" in mod.json.
function app.set_fit(fit)
  expect_allowed("app.set_fit")
  local number = fit_numbers[fit]
  if not number then
    local meant = type(fit) == "string" and fail.suggestion(fit, fits) or ""
    raise("app.set_fit: expected one of " .. all_fits .. ", got " .. shown(fit) .. meant)
  end
  native.set_fit(context, number)
end

--- Whether the picture is drawn at its logical size and scaled as a whole, as "pixel_art" in mod.json.
function app.set_pixel_art(on)
  expect_allowed("app.set_pixel_art")
  native.set_pixel_art(context, flag(on, "app.set_pixel_art"))
end

return fail.close_module("app", app)
