-- The effects of the engine on an image, on shapes and on a text, and one over the whole picture. The software renderer
-- draws all of them without.
local picture = gfx.canvas(40, 30)
local effects = { "bloom", "blur", "crt", "dissolve", "outline", "palette", "vignette", "wave" }
for _, name in ipairs(effects) do effects[name] = gfx.effect(name) end
effects.dissolve:send("amount", 0.5)
gfx.set_picture_effect("vignette")

function draw()
  gfx.set_background("#405060")
  gfx.set_canvas(picture)
  gfx.clear_canvas(picture)
  gfx.circle("fill", 20, 15, 12, "orange")
  gfx.rectangle("fill", 16, 4, 8, 22, "#4080ff")
  gfx.set_canvas()
  for i, name in ipairs(effects) do
    local x, y = (i - 1) % 4 * 60 + 10, i > 4 and 60 or 8
    gfx.set_shader(effects[name])
    gfx.image(picture, x, y)
    gfx.set_shader()
    gfx.print(name, x, y + 32, { size = 9 })
  end
  gfx.set_shader(effects.wave)
  gfx.image("assets/four.png", 10, 106, { scale = 10 })
  gfx.rectangle("fill", 40, 106, 60, 20, "green")
  gfx.print("waving", 120, 104, { size = 18 })
  gfx.set_shader()
end
