-- A canvas that is drawn several times, and pixels that Lua writes.
local canvas, pixels = gfx.canvas(60, 40), gfx.pixels(32, 32)

for y = 0, 31 do
  for x = 0, 31 do pixels:set(x, y, gfx.color(x / 31, y / 31, (x + y) % 8 / 8, 1)) end
end

function draw()
  gfx.set_canvas(canvas)
  gfx.clear_canvas(canvas)
  gfx.circle("fill", 20, 20, 16, "#ff6060c0")
  gfx.circle("fill", 38, 20, 16, "#6060ffc0")
  gfx.set_canvas()
  gfx.gradient(0, 0, 240, 135, "#303040", "#a0a080")
  gfx.image(canvas, 8, 8)
  gfx.image(canvas, 150, 60, { rotation = 0.4, scale = 1.5, origin_x = 0.5, origin_y = 0.5 })
  gfx.image(canvas, 80, 8, { color = "#80ff80" })
  gfx.image(pixels, 8, 80)
  gfx.image(pixels, 60, 70, { scale = 1.5, rotation = 0.2 })
  gfx.image(pixels, 190, 90, { scale_x = -1, quad = { 0, 0, 16, 32 } })
end
