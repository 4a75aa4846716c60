-- Meshes with colours, images and indices, turned, mirrored, changed and multiplied by a colour.
local wheel = { { 0, 0, 0, 0, 1, 1, 1 } }
for i = 0, 24 do
  local angle, hue = i * math.pi / 12, i / 4
  local function channel(n)
    local k = (n + hue) % 6
    return 1 - math.max(0, math.min(k, 4 - k, 1))
  end
  wheel[#wheel + 1] = { math.cos(angle) * 28, math.sin(angle) * 28, 0, 0, channel(5), channel(3), channel(1) }
end
local colors = gfx.mesh(wheel)
gfx.set_wrap("assets/four.png", "repeat")
local flag = gfx.mesh(22, { mode = "strip", image = "assets/four.png" })
local star = gfx.mesh({ { 0, -20, 0, 0, "yellow" }, { 12, 16, 0, 0, "orange" }, { -19, -6 }, { 19, -6 }, { -12, 16 } },
  { mode = "triangles", indices = { 1, 2, 3, 1, 4, 5, 3, 4, 2 } })
local step = 0

function update() step = step + 1 end

function draw()
  gfx.draw_mesh(colors, 34, 34)
  gfx.draw_mesh(colors, 100, 34, 0.6, 1, 0.5)
  gfx.draw_mesh(colors, 160, 34, 0, -0.8, 0.8, "#ff8080")
  for i = 0, 10 do
    local y = math.sin(i * 0.7 + step * 0.05) * 6
    flag:set(i * 2 + 1, i * 10, y, i / 4, 0)
    flag:set(i * 2 + 2, i * 10, y + 40, i / 4, 1.5)
  end
  gfx.draw_mesh(flag, 10, 80)
  gfx.set_blend "add"
  for i = 0, 3 do gfx.draw_mesh(star, 140 + 26 * i, 100, i * 0.4, 0.6 + 0.15 * i, nil, "#c0c0c0") end
end
