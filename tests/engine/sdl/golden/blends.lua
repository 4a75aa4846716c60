-- Each blend mode over the same gradient, and premultiplied canvases.
local modes = { "alpha", "add", "multiply", "screen", "subtract", "replace", "darken", "lighten" }

function draw()
  gfx.gradient(0, 0, 240, 135, "#204080", "#c06020")
  for i, mode in ipairs(modes) do
    local x, y = (i - 1) % 4 * 60, math.floor((i - 1) / 4) * 67
    gfx.set_blend(mode)
    gfx.rectangle("fill", x + 6, y + 6, 30, 30, "#ff8040a0")
    gfx.circle("fill", x + 36, y + 36, 18, "#40c0ff80")
  end
end
