-- Pictures by name: the position of each among the frames of the atlas.
-- Frames are numbered from 0 in the order of the names, so that Sprite.frame + 1 is the next picture of the same name.
local gfx = require "gfx"
local atlas = require "assets.atlas"

local art = { path = "assets/atlas.png", first = {}, count = {}, width = {}, height = {} }

local quads = {}
for name, box in pairs(atlas) do
  art.first[name], art.count[name], art.width[name], art.height[name] = #quads, box.frames, box.w, box.h
  for i = 0, box.frames - 1 do quads[#quads + 1] = { box.x + i * box.step, box.y, box.w, box.h } end
end
gfx.atlas(art.path, quads)

--- A Sprite that shows a picture by name.
function art.sprite(name, layer, more)
  local sprite = more or {}
  sprite.image, sprite.frame, sprite.layer = art.path, art.first[name], layer
  return gfx.Sprite(sprite)
end

--- Draws a picture by name, centred at x, y. frame counts from 0.
function art.draw(name, x, y, scale, color, frame, rotation)
  gfx.sprite(art.path, art.first[name] + (frame or 0), x, y, scale or 1, scale or 1, rotation or 0, color)
end

--- The same, with a width and height in place of the scale; for bars and panels.
function art.stretch(name, x, y, width, height, color)
  gfx.sprite(art.path, art.first[name], x + width / 2, y + height / 2, width / art.width[name],
    height / art.height[name], 0, color)
end

-- Layers, far to near.
art.layers = {
  ground = -20, decal = -10, mark = -6, shadow = -4, light = -3, pickup = 0, creature = 4, shot = 8, effect = 10,
  number = 14, shade = 18, hud = 20, card = 24,
}

return art
