-- The texts of the module gfx: drawing and measuring them, fonts and icons.
-- Invariant: a font is the path of its file, which alone decides what a text measures, with a window and without.
-- A text in the default font, without options that need more, takes the short way: native.print. Not here: reading
-- fonts, and shaping.
local need = ...
local fail, phase, spend = need "fail", need "phase", need "fuel".spend
local find_handles = need "asset_handles".finder
local ffi_string = require("ffi").string
local type, tostring, rawget, find, gmatch = type, tostring, rawget, string.find, string.gmatch
local raise, shown = fail.raise, fail.shown

local kDefaultSize = 16
local kStepsPerIcon, kStepsPerFont = 200, 200  -- of fuel
local kStepsPerOrderedByte = 20  -- of a text from right to left: about 40 ns
local kManyTexts = 1000
local kBlack, kShadow = 0x000000ff, 0x000000a0

local kPrintOptions = {
  size = true, width = true, align = true, color = true, font = true, markup = true, reveal = true,
  outline = true, outline_color = true, shadow = true, shadow_color = true,
}
local kLengthOptions = { markup = true }
local kFontOptions = { fallback = true, glyphs = true, spacing = true, line_height = true }
local kIconOptions = { frame = true, quad = true, scale = true }

-- Adds the functions to the module. `shared`: gfx_block.lua.
return function(gfx, native, context, constants, shared)
  local wrong, number, above_zero = shared.wrong, shared.number, shared.above_zero
  local option, option_above_zero, optional_color = shared.option, shared.option_above_zero, shared.optional_color
  local check_options, check_options_of_call = shared.check_options, shared.check_options_of_call
  local check_open, check_drawn = shared.check_open, shared.check_drawn
  local align_names = constants.text_aligns
  local aligns, shown_aligns = shared.numbers_of(align_names)

  local kOrdered = constants.drawn_ordered

  local function check_printed(drawn, text)
    if drawn == kOrdered then return spend(kStepsPerOrderedByte * #text) end
    check_drawn(drawn, "print")
  end

  local function text_of(value, position, name)
    if type(value) == "string" then return value end
    if type(value) == "number" or type(value) == "boolean" then return tostring(value) end
    if type(value) == "table" then
      raise("gfx." .. name .. ": expected a text, got a table; parts of a text get colours with markup: " ..
        "\"{red}fire{/} and {#8cf}ice{/}\" with the option markup = true")
    end
    wrong(position, name, "a text", value)
  end

  -- Fonts ----------------------------------------------------------------------------------------------------------

  local function refuse_font(path, name)
    wrong(1, name, "the path of a font: *.ttf, *.otf, *.fnt, or *.png with gfx.font", path)
  end

  local handle_of = find_handles("gfx", native, context, refuse_font)
  local fonts, paths = {}, {}  -- path -> handle, and back

  local function font_of(path, name)
    local font = fonts[path]
    if font then return font end
    local is_font = type(path) == "string" and (find(path, "%.[tToO][tT][fF]$") or find(path, "%.fnt$") or
      find(path, "%.png$"))
    if not is_font then refuse_font(path, name) end
    font = handle_of(path, name)
    fonts[path], paths[font] = font, path
    return font
  end

  --- The font of later texts, and their size. Without a path, the default font.
  function gfx.set_font(path, size)
    if path == nil then
      size = size == nil and kDefaultSize or above_zero(size, 2, "set_font")
      check_open(native.set_font(context, 0, size), "set_font")
      return
    end
    local font = font_of(path, "set_font")
    size = size == nil and 0 or above_zero(size, 2, "set_font")
    check_open(native.set_font(context, font, size), "set_font")
  end

  function gfx.set_font_size(size)
    check_open(native.set_font_size(context, above_zero(size, 1, "set_font_size")), "set_font_size")
  end

  --- The path of the font of later texts, nil for the default font, and their size.
  function gfx.get_font()
    shared.ready("get_font")
    return paths[native.font(context)], native.font_size(context)
  end

  --- gfx.font(path, { fallback = path or { paths }, glyphs = "ABC", spacing =, line_height = }): what a font has
  --- besides its file. Returns the path.
  function gfx.font(path, options)
    phase.expect_declaring("gfx.font")
    local font = font_of(path, "font")
    spend(kStepsPerFont)
    if options == nil then return path end
    check_options(options, kFontOptions, 2, "font")
    local glyphs = rawget(options, "glyphs")
    if glyphs ~= nil and type(glyphs) ~= "string" then
      raise("gfx.font: option 'glyphs': expected the characters of the strip as a text, got " .. shown(glyphs))
    end
    if glyphs == nil and find(path, "%.png$") then
      raise("gfx.font: a font that is an image needs the option 'glyphs': its characters, from left to right")
    end
    glyphs = glyphs or ""
    spend(#glyphs)
    native.font_begin(context, glyphs, #glyphs, option(options, "spacing", 0, "font"),
      option_above_zero(options, "line_height", 1, "font"))
    local fallback = rawget(options, "fallback")
    if type(fallback) == "table" then
      fail.expect_whole(fallback, "gfx.font, fallback")
      for i = 1, #fallback do native.font_fallback(context, font_of(rawget(fallback, i), "font")) end
    elseif fallback ~= nil then
      native.font_fallback(context, font_of(fallback, "font"))
    end
    native.font_end(context, font)
    return path
  end

  --- The height of a line and the part of it that is above the base line, in pixels.
  function gfx.font_metrics(path, size)
    local font = path == nil and 0 or font_of(path, "font_metrics")
    if size == nil then
      size = font == 0 and 0 or native.font_own_size(context, font)
      if size == 0 then size = kDefaultSize end
    end
    above_zero(size, 2, "font_metrics")
    spend(kStepsPerFont)
    return native.font_line_height(context, font, size), native.font_ascent(context, font, size)
  end

  --- gfx.icon(name, path [, { frame =, quad = { x, y, w, h }, scale = }]): {icon:name} in a text with markup shows this
  --- image, as high as the text. Returns the name as texts have it.
  function gfx.icon(name, path, options)
    phase.expect_declaring("gfx.icon")
    if type(name) ~= "string" or #name > 64 or not find(name, "^[^{}:%c]+$") then
      wrong(1, "icon", "a name without braces and colons", name)
    end
    local image = shared.handle_of(path, "icon")
    spend(kStepsPerIcon)
    local scale, frame = 1, 0
    if options ~= nil then
      check_options(options, kIconOptions, 3, "icon")
      scale = option_above_zero(options, "scale", 1, "icon")
      frame = option(options, "frame", 0, "icon")
    end
    local quad = options ~= nil and rawget(options, "quad")
    local part
    if quad then
      if type(quad) ~= "table" then
        raise("gfx.icon: option 'quad': expected { x, y, width, height }, got " .. shown(quad))
      end
      part = native.part(context, image, option(quad, 1, 0, "icon"), option(quad, 2, 0, "icon"),
        option(quad, 3, 0, "icon"), option(quad, 4, 0, "icon"))
      if part < 0 then raise("gfx.icon: this mod has no room for more parts of images") end
    else
      part = native.frame(context, image, frame)
    end
    if not native.icon(context, name, #name, part, scale) then
      raise("gfx.icon: " .. ffi_string(native.error(context)))
    end
    return ffi_string(native.icon_name(context))
  end

  -- Markup ---------------------------------------------------------------------------------------------------------

  local checked, checked_count = {}, 0  -- texts whose markup is right

  local function check_markup(text, name)
    if checked[text] then return end
    spend(5 * #text)
    local mistake = ffi_string(native.markup_mistake(context, text, #text))
    if mistake ~= "" then raise("gfx." .. name .. ": " .. mistake) end
    if checked_count >= kManyTexts then checked, checked_count = {}, 0 end
    checked[text], checked_count = true, checked_count + 1
  end

  -- Whether the text has markup, which is right.
  local function has_markup(options, text, name)
    local markup = rawget(options, "markup")
    if markup == nil or markup == false then return false end
    if markup ~= true then
      raise("gfx." .. name .. ": option 'markup': expected true or false, got " .. shown(markup))
    end
    check_markup(text, name)
    return true
  end

  -- Drawing --------------------------------------------------------------------------------------------------------

  local function align_of(wanted)
    if wanted == nil then return 0 end
    local align = aligns[wanted]
    if not align then
      raise("gfx.print: option 'align': expected " .. shown_aligns .. ", got " .. shown(wanted) ..
        fail.suggestion(wanted, align_names))
    end
    return align
  end

  local function color_option(options, key, default)
    local value = rawget(options, key)
    if value == nil then return default end
    return optional_color(value, 4, "print")
  end

  local function shadow_of(options)
    local shadow = rawget(options, "shadow")
    if type(shadow) ~= "table" then
      local offset = option(options, "shadow", 0, "print")
      return offset, offset
    end
    return option(shadow, 1, 0, "print"), option(shadow, 2, 0, "print")
  end

  -- A text with options that plain texts have not.
  local function print_styled(text, x, y, size, width, align, color, options)
    local path, font = rawget(options, "font"), -1
    if path ~= nil then
      font = font_of(path, "print")
      if size == 0 then size = native.font_own_size(context, font) end
    end
    local markup = has_markup(options, text, "print")
    local reveal = option(options, "reveal", -1, "print")
    local outline = option(options, "outline", 0, "print")
    local outline_color = color_option(options, "outline_color", kBlack)
    local shadow_x, shadow_y = shadow_of(options)
    local shadow_color = color_option(options, "shadow_color", kShadow)
    spend(20 + 2 * #text)
    check_printed(native.print_styled(context, text, #text, x, y, size, width, align, color, font, markup, reveal,
      outline, outline_color, shadow_x, shadow_y, shadow_color), text)
  end

  local function is_styled(options)
    return rawget(options, "font") ~= nil or rawget(options, "markup") ~= nil or rawget(options, "reveal") ~= nil or
      rawget(options, "outline") ~= nil or rawget(options, "shadow") ~= nil
  end

  --- gfx.print(text, x, y [, size or { size =, width =, align =, color =, font =, markup =, reveal =, outline =,
  --- outline_color =, shadow =, shadow_color = } [, colour]])
  function gfx.print(text, x, y, options, color, more)
    if more ~= nil then
      raise("gfx.print: at most 5 arguments; text has no angle and no scale: use gfx.translate, gfx.rotate and " ..
        "gfx.scale")
    end
    text = text_of(text, 1, "print")
    x = x == nil and 0 or number(x, 2, "print")
    y = y == nil and 0 or number(y, 3, "print")
    local size, width, align = 0, 0, 0
    if type(options) == "number" then
      size = above_zero(options, 4, "print")
    elseif options ~= nil then
      check_options_of_call(options, kPrintOptions, 4, "print")
      size, width = option_above_zero(options, "size", 0, "print"), option_above_zero(options, "width", 0, "print")
      align = align_of(rawget(options, "align"))
      if color == nil then color = rawget(options, "color") end
      if is_styled(options) then
        return print_styled(text, x, y, size, width, align, optional_color(color, 5, "print"), options)
      end
    end
    if aligns[color] then
      raise("gfx.print: '" .. color .. "' is no colour; a text that is wrapped and aligned: gfx.print(text, x, y, " ..
        "{ width = 300, align = \"" .. color .. "\" })")
    end
    color = optional_color(color, 5, "print")
    spend(5 + #text)
    check_printed(native.print(context, text, #text, x, y, size, width, align, color), text)
  end

  -- Measuring ------------------------------------------------------------------------------------------------------

  -- The size, the width, the font and the markup of what measures a text, from its arguments.
  local function measure_of(text, size, width, name)
    if type(size) ~= "table" then
      size = size == nil and kDefaultSize or above_zero(size, 2, name)
      return size, width == nil and 0 or above_zero(width, 3, name), 0, false
    end
    local options = size
    check_options(options, kPrintOptions, 2, name)
    size = option_above_zero(options, "size", 0, name)
    width = option_above_zero(options, "width", 0, name)
    local path, font = rawget(options, "font"), 0
    if path ~= nil then font = font_of(path, name) end
    if size == 0 and font ~= 0 then size = native.font_own_size(context, font) end
    if size == 0 then size = kDefaultSize end
    return size, width, font, has_markup(options, text, name)
  end

  --- Width and height that gfx.print needs for a text; `width` wraps it. A word wider than that is not broken. Instead
  --- of the size, the options of gfx.print: size, width, font and markup count.
  function gfx.text_size(text, size, width)
    text = text_of(text, 1, "text_size")
    local font, markup
    size, width, font, markup = measure_of(text, size, width, "text_size")
    local is_ordered = native.runs_right_to_left(text, #text)
    if font == 0 and not markup and not is_ordered then
      spend(2 * #text)
      return native.text_width(text, #text, size, width), native.text_height(text, #text, size, width)
    end
    spend(20 + (is_ordered and kStepsPerOrderedByte or 4) * #text)
    return native.styled_width(context, text, #text, size, width, font, markup),
      native.styled_height(context, text, #text, size, width, font, markup)
  end

  --- The lines in which gfx.print draws a text, as a list of texts. The arguments are those of gfx.text_size.
  function gfx.text_lines(text, size, width)
    text = text_of(text, 1, "text_lines")
    local font, markup
    size, width, font, markup = measure_of(text, size, width, "text_lines")
    if markup then
      raise("gfx.text_lines: a text with markup cannot be taken apart, since its colours go on in the next line")
    end
    spend(20 + (native.runs_right_to_left(text, #text) and 2 * kStepsPerOrderedByte or 10) * #text)
    local lines, count = {}, 0
    if text == "" then return lines end
    local wrapped = ffi_string(native.wrapped_text(context, text, #text, size, width, font))
    for line in gmatch(wrapped .. "\n", "([^\n]*)\n") do
      count = count + 1
      lines[count] = line
    end
    return lines
  end

  --- The number of characters of a text, for the option `reveal`; with { markup = true }, without its marks.
  function gfx.text_length(text, options)
    text = text_of(text, 1, "text_length")
    local markup = false
    if options ~= nil then
      check_options(options, kLengthOptions, 2, "text_length")
      markup = has_markup(options, text, "text_length")
    end
    spend(5 + 2 * #text)
    return native.text_length(context, text, #text, markup)
  end
end
