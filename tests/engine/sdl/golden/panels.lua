-- Filters, wraps, nine-slices and tiles.
local panel, scroll = gfx.pixels(12, 12), 0
panel:fill("#5a508c")
panel:rect(0, 0, 12, 12, "#c8b4f0")
panel:rect(1, 1, 11, 11, "#3c2860")
panel:rect(2, 2, 8, 8, "#5a508c")
local soft = gfx.pixels(2, 2, { filter = "linear" })
soft:row(0, { "red", "yellow" })
soft:row(1, { "blue", 0x00000000 })
gfx.set_wrap("assets/four.png", "mirror")
local border = { left = 3, right = 3, top = 3, bottom = 3, scale = 2 }

function update() scroll = scroll + 0.5 end

function draw()
  gfx.tiled(panel, 0, 0, 240, 60, scroll, 3.5, { color = "#ffffff50" })
  gfx.nine_slice(panel, 8, 8, 70, 44, 3)
  gfx.nine_slice(panel, 86, 8, 60, 30, border, "lime")
  gfx.nine_slice(panel, 86, 44, 5, 8, 3)
  gfx.push()
  gfx.translate(160, 10)
  gfx.rotate(0.2)
  gfx.nine_slice(panel, 0, 0, 60, 30, border)
  gfx.pop()
  gfx.image(soft, 8, 70, { scale = 28 })
  gfx.image("assets/four.png", 74, 70, { scale = 8, quad = { -1, 0, 7, 5 } })
  gfx.image("assets/four.png", 150, 72, { scale = 6, quad = { 0, 0, 8, 6 }, rotation = 0.3 })
  gfx.tiled("assets/four.png", 190, 70, 44, 60, 3, 3, { scale = 5 })
end
