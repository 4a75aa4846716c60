-- Moving sprites as entities. Without drawing, the entities have no gfx.Sprite.
local ecs, parameters, numbers = require "ecs", require "parameters", require "numbers"
local C, world = ecs.components, ecs.world

require "bounce"
gfx.sheet("assets/atlas.png", 16, 16)
gfx.set_background("black")
world:resource(gfx.Camera).y_sort = parameters.sorts

for _, sprite in ipairs(numbers.sprites(parameters.count)) do
  local position = C.Position { x = sprite.x, y = sprite.y }
  local velocity = C.Velocity { x = sprite.vx * parameters.speed, y = sprite.vy * parameters.speed }
  if parameters.draws then
    world:spawn(position, velocity, gfx.Sprite {
      image = "assets/atlas.png", frame = sprite.frame, rotation = sprite.rotation, scale_x = sprite.scale,
      scale_y = sprite.scale, color = sprite.color,
    })
  else
    world:spawn(position, velocity)
  end
end
