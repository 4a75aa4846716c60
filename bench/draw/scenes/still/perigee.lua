-- Sprites that nothing changes: rotated and coloured ones, or tiles that fill the screen.
local ecs, parameters, numbers = require "ecs", require "parameters", require "numbers"
local C, world = ecs.components, ecs.world

gfx.sheet("assets/atlas.png", 16, 16)
gfx.set_background("black")

if parameters.tiles then
  for i = 0, parameters.count - 1 do
    world:spawn(C.Position { x = i % 80 * 16, y = math.floor(i / 80) * 16 },
      gfx.Sprite { image = "assets/atlas.png", frame = i % 256, origin_x = 0, origin_y = 0 })
  end
else
  for _, sprite in ipairs(numbers.sprites(parameters.count)) do
    world:spawn(C.Position { x = sprite.x, y = sprite.y }, gfx.Sprite {
      image = "assets/atlas.png", frame = sprite.frame, rotation = sprite.rotation, scale_x = sprite.scale,
      scale_y = sprite.scale, color = sprite.color,
    })
  end
end
