-- Sends drawing to one of the views: the whole screen, or a half of it.
local gfx = require "gfx"
local layers = require "layers"

local kWidth, kHeight = gfx.size()
local view = { width = kWidth, height = kHeight }

--- Later drawing goes to view `k` of the resource View, on a layer. `camera` is gfx.Camera.
function view.open(k, now, camera, layer)
  gfx.set_space("world")
  if now.count == 1 then return gfx.set_layer(layer) end
  gfx.set_layer(layer + (k - 1) * layers.split)
  gfx.set_scissor((k - 1) * kWidth / 2, 0, kWidth / 2, kHeight)
  local x, y = camera.x, camera.y
  if k == 2 then
    -- Both halves shake alike.
    x = x - view.offset(now, 1) - now.x[1] + now.x[2] + view.offset(now, 2)
    y = y - now.y[1] + now.y[2]
  end
  gfx.set_camera(x, y, now.zoom)
end

--- How far the screen's centre is from that of a view, in the world.
function view.offset(now, k)
  return now.count == 1 and 0 or (k == 1 and 1 or -1) * kWidth / 4 / now.zoom
end

--- Back to the whole screen, without a camera.
function view.screen(layer)
  gfx.set_scissor()
  gfx.set_space("screen")
  gfx.set_layer(layer)
  gfx.set_blend("alpha")
end

return view
