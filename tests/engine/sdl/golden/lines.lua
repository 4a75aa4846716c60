-- Lines: the three caps and joins, closed and sharp corners, a Bézier curve, arcs with ends, translucent crossings.
local zigzag = { 0, 20, 14, 0, 28, 20, 42, 6 }

function draw()
  gfx.set_background("#10141c")
  for i, join in ipairs { "miter", "bevel", "round" } do
    gfx.push()
    gfx.translate(8, 8 + (i - 1) * 34)
    gfx.set_line_width(7)
    gfx.set_line_join(join)
    gfx.set_line_cap(({ "butt", "square", "round" })[i])
    gfx.polyline(zigzag, "#70c0ff")
    gfx.line(56, 4, 80, 16, "#ffd070")
    gfx.arc("line", "open", 104, 10, 10, 0.4, 4.2, "#ff8080")
    gfx.pop()
  end
  gfx.set_line_join("miter")
  gfx.set_line_width(3)
  gfx.polyline({ 140, 10, 180, 14, 170, 44, 146, 40 }, "#80ff9080", true)
  gfx.bezier({ 130, 60, 150, 20, 220, 120, 232, 56 }, "#ff80ff")
  gfx.polygon("line", { 196, 8, 232, 12, 214, 22, 230, 40, 200, 38 }, "#ffffff")
  gfx.set_line_width(1)
  for i = 0, 9 do gfx.line(132, 84 + i * 4, 132 + 40 * math.cos(i * 0.3), 84 + i * 4 + 8 * math.sin(i), "#c0c0c0") end
  gfx.set_line_width(10)
  gfx.set_line_cap("round")
  gfx.line(184, 84, 230, 124, "#ff000080")
  gfx.line(230, 84, 184, 124, "#0000ff80")
  gfx.set_point_size(3)
  gfx.points({ 12, 120, 20, 122, 28, 118, 36, 124, 44, 120 }, "#ffd070")
end
