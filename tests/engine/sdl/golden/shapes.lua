-- Every shape, filled and outlined, with joins, caps and corners.
function draw()
  gfx.set_background("#1c2030")
  for row, mode in ipairs { "fill", "line" } do
    local y = 20 + (row - 1) * 62
    gfx.set_line_width(3)
    gfx.rectangle(mode, 8, y - 12, 26, 24, "#ff5050")
    gfx.rounded_rectangle(mode, 42, y - 12, 26, 24, 7, "#ffb050")
    gfx.circle(mode, 90, y, 13, "#fff050")
    gfx.ellipse(mode, 124, y, 17, 9, "#50ff70")
    gfx.arc(mode, "pie", 158, y, 14, 0.3, 4.4, "#50d0ff")
    gfx.triangle(mode, 180, y + 12, 194, y - 13, 208, y + 12, "#7070ff")
    gfx.polygon(mode, { 214, y - 12, 232, y - 2, 236, y + 12, 224, y + 3, 212, y + 12 }, "#ff70e0")
    gfx.polyline({ 8, y + 36, 30, y + 20, 52, y + 36, 74, y + 20 }, row == 1 and "white" or "silver")
    gfx.bezier({ 86, y + 34, 110, y + 4, 130, y + 50, 156, y + 22 }, "#ffd0a0")
    gfx.set_point_size(4)
    gfx.points({ 170, y + 24, 178, y + 30, 186, y + 24, 194, y + 30 }, "#a0ffd0")
    gfx.gradient(204, y + 20, 30, 14, "#ff4060", "#4060ff", row * 0.7)
  end
end
