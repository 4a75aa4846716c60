-- Text with markup, icons, outlines and shadows, justified and revealed, and lines that are entities.
local ecs = require "ecs"
local C, world = ecs.components, ecs.world
ecs.component("Position", { { "x", "f32" }, { "y", "f32" } })
gfx.icon("gem", "assets/four.png")
world:spawn(C.Position { x = 120, y = 116 }, gfx.Text { text = "an {#ffd070}entity{/}", size = 14, align = "center",
  markup = true, outline = 1 })

local spell = { size = 14, markup = true, outline = 1, outline_color = "#203050" }
local shadow = { size = 20, shadow = { 2, 2 }, shadow_color = "black" }
local justified = { size = 9, width = 100, align = "justify" }
local revealed = { size = 10, width = 110, reveal = 27, color = "#a0ffa0" }

function draw()
  gfx.set_background("#506070")
  gfx.print("{#ff6040}fire{/} costs {icon:gem} 5 {{mana}}", 6, 4, spell)
  gfx.print("Shadow", 6, 24, shadow)
  gfx.print("outlined", 90, 24, { size = 20, outline = 2, outline_color = "navy", color = "yellow" })
  gfx.print("a paragraph of words that fills its lines from side to side, but for the last", 6, 54, justified)
  gfx.print("what is revealed letter by letter stops somewhere", 122, 54, revealed)
  gfx.print("right", 234, 96, { size = 12, align = "right" })
end
