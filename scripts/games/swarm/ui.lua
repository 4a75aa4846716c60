-- Small pieces of the interface: panels, bars, texts with an outline. All in screen pixels.
local gfx = require "gfx"
local art = require "art"

local ui = {
  white = 0xF6F8FFFF, silver = 0xC3CBE0FF, ash = 0x8C95B4FF, amber = 0xFFB53AFF, cream = 0xFFF2B0FF, red = 0xF2485CFF,
  cyan = 0x66E6F4FF, lime = 0xA4EC5CFF, ink = 0x0A0A16FF,
}

local kScale = 2  -- the art is made for half the screen's resolution

--- A framed box; `frame` is the colour of its edge.
function ui.panel(x, y, w, h, frame, fill)
  gfx.rectangle("fill", x, y, w, h, fill or 0x13142AE6)
  gfx.set_line_width(2)
  gfx.rectangle("line", x + 1, y + 1, w - 2, h - 2, frame or 0x5C6488FF)
end

--- A bar; `share` 0 .. 1 is filled.
function ui.bar(x, y, w, h, share, color)
  gfx.rectangle("fill", x, y, w, h, 0x0A0A16E0)
  gfx.rectangle("fill", x + 2, y + 2, math.max(0, math.min(1, share)) * (w - 4), h - 4, color)
  gfx.set_line_width(2)
  gfx.rectangle("line", x, y, w, h, 0x3A4064FF)
end

--- Text with a dark outline, readable on anything. `align`: "left", "center" or "right" within `width`.
function ui.text(text, x, y, size, color, align, width)
  local options = { size = size, align = align, width = width }
  gfx.print(text, x + 2, y + 2, options, 0x0A0A16FF)
  gfx.print(text, x, y, options, color or ui.white)
end

--- A picture of the atlas at the screen's scale, centred at x, y.
function ui.icon(name, x, y, scale, color, frame) art.draw(name, x, y, (scale or 1) * kScale, color, frame) end

--- 83 -> "1:23"
function ui.clock(seconds) return ("%d:%02d"):format(math.floor(seconds / 60), math.floor(seconds % 60)) end

--- Colour with another opacity, 0 .. 1.
function ui.fade(color, alpha)
  return color - color % 256 + math.floor(color % 256 * math.max(0, math.min(1, alpha)))
end

return ui
