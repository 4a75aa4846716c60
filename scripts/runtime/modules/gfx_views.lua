-- The cameras of the module gfx: which one later drawing is for, and points of the screen and of the world.
-- Invariant: a camera is an entity with gfx.View; without such entities the resource gfx.Camera is the only one. What
-- the simulation may ask is as the last step left it, without a shake. Not here: the components
-- (engine/extract/components.h), and what draws them.
local need = ...
local fail, phase, spend = need "fail", need "phase", need "fuel".spend
local type = type
local raise = fail.raise

-- Adds the functions to the module. `shared`: gfx_block.lua.
return function(gfx, native, context, constants, shared)
  local number, wrong, check_open, check_drawn = shared.number, shared.wrong, shared.check_open, shared.check_drawn
  local kClosed, kNoView = constants.view_closed, constants.view_missing

  local function camera_of(camera, position, name)
    if camera == nil then return -1 end
    if type(camera) ~= "number" or not (camera >= 0 and camera < 2 ^ 53) then
      wrong(position, name, "an entity with gfx.View", camera)
    end
    return camera
  end

  local function no_view(name)
    raise("gfx." .. name .. ": the entity has no gfx.View with a Position that is shown")
  end

  --- Sends later drawing into one view, where "screen" is its part of the screen; without a camera, into all views.
  function gfx.set_view(camera)
    local set = native.set_view(context, camera_of(camera, 1, "set_view"))
    check_open(set ~= kClosed, "set_view")
    if set == kNoView then no_view("set_view") end
  end

  --- Centres the view on world point x, y for later drawing in this frame, turned clockwise; a game with entities
  --- writes the resource gfx.Camera or gfx.View instead.
  function gfx.set_camera(x, y, zoom, rotation)
    zoom = zoom == nil and 1 or shared.above_zero(zoom, 3, "set_camera")
    rotation = rotation == nil and 0 or number(rotation, 4, "set_camera")
    spend(5)
    check_drawn(native.set_camera(context, number(x, 1, "set_camera"), number(y, 2, "set_camera"), zoom, rotation),
      "set_camera")
  end

  --- Converts a screen point to a world point, and back, with the cameras after the last step. Without a camera it is
  --- the one whose view is there.
  function gfx.to_world(x, y, camera)
    number(x, 1, "to_world")
    number(y, 2, "to_world")
    camera = camera_of(camera, 3, "to_world")
    local world_x = native.world_x(context, x, y, camera)
    if world_x ~= world_x then no_view("to_world") end
    return world_x, native.world_y(context, x, y, camera)
  end

  function gfx.to_screen(x, y, camera)
    number(x, 1, "to_screen")
    number(y, 2, "to_screen")
    camera = camera_of(camera, 3, "to_screen")
    local screen_x = native.screen_x(context, x, y, camera)
    if screen_x ~= screen_x then no_view("to_screen") end
    return screen_x, native.screen_y(context, x, y, camera)
  end

  --- The camera whose view is at a point of the screen; nil if there is none.
  function gfx.view_at(x, y)
    local camera = native.view_at(context, number(x, 1, "view_at"), number(y, 2, "view_at"))
    if camera >= 0 then return camera end
  end

  --- x, y, width, height of the part of the screen, or of its canvas, that a view covers; nothing if there is none.
  function gfx.view_rect(camera)
    if camera == nil then wrong(1, "view_rect", "an entity with gfx.View", camera) end
    camera = camera_of(camera, 1, "view_rect")
    local width = native.viewport_entry(context, camera, 2)
    if width < 0 then return end
    return native.viewport_entry(context, camera, 0), native.viewport_entry(context, camera, 1), width,
      native.viewport_entry(context, camera, 3)
  end

  --- How much gfx.Shake shakes the picture: 1 as the game says, 0 not at all. For the player's settings; works at any
  --- time, and no step sees it.
  function gfx.set_shake(strength)
    phase.refuse_hash("gfx.set_shake")
    if number(strength, 1, "set_shake") < 0 or strength > 1 then
      wrong(1, "set_shake", "a number from 0 to 1", strength)
    end
    native.set_shake(context, strength)
  end
end
