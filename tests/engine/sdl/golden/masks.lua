-- Masks of shapes, texts and images; inverted, nested, with the camera, and in a canvas.
local window = gfx.canvas(70, 50)
local hole = gfx.pixels(8, 8)
for y = 0, 7 do for x = 0, 7 do if (x + y) % 3 > 0 then hole:set(x, y, "white") end end end

local function lens() gfx.circle("fill", 40, 40, 30) end
local function bar() gfx.rectangle("fill", 30, 0, 12, 80) end
local function word() gfx.print("MASK", 84, 8, 34) end
local function grid() gfx.image(hole, 84, 60, { scale = 6 }) end
local function world() gfx.circle("fill", 100, 50, 10) end

function draw()
  gfx.set_mask(lens)
  gfx.gradient(0, 0, 80, 80, "red", "yellow", 0.7)
  gfx.intersect_mask(bar, { inverted = true })
  gfx.rectangle("fill", 0, 0, 80, 80, "#2040ffa0")
  gfx.set_mask(word)
  gfx.gradient(84, 10, 90, 40, "sky", "magenta")
  gfx.set_mask(grid)
  gfx.gradient(84, 60, 48, 48, "lime", "navy", 1.57)
  gfx.push "all"
  gfx.set_camera(100, 50, 2)
  gfx.set_mask(world, { inverted = true })
  gfx.set_blend "add"
  gfx.circle("fill", 100, 50, 14, "#804020")
  gfx.pop()
  gfx.set_mask()
  gfx.set_camera(120, 67.5)

  gfx.set_canvas(window)
  gfx.clear_canvas(window, "#303048")
  gfx.set_mask(function()
    gfx.translate(35, 25)
    gfx.rotate(0.5)
    gfx.rectangle("fill", -22, -12, 44, 24)
  end)
  gfx.tiled("assets/four.png", 0, 0, 70, 50, 0, 0, { scale = 4 })
  gfx.set_canvas()
  gfx.image(window, 160, 76)
end
