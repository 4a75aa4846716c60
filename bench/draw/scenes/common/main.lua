-- Starts a LÖVE program: the scene and, when a picture is wanted, the picture of its 30th frame.
local parameters = require "parameters"
love.graphics.setDefaultFilter("nearest", "nearest") -- as Perigee draws images
require "scene"

if parameters.picture then
  local draw, frame = love.draw, 0
  function love.draw()
    if draw then draw() end
    frame = frame + 1
    if frame ~= 30 then return end
    love.graphics.captureScreenshot(function(picture)
      local file = assert(io.open(parameters.picture, "wb"))
      file:write(picture:encode("png"):getString())
      file:close()
      love.event.quit()
    end)
  end
end
