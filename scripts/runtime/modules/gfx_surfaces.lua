-- The part of "gfx" for images that a game makes itself: gfx.canvas and gfx.pixels.
-- Invariant: pixels are a constant struct whose address no mod learns. Each access checks the type of its index,
-- converts it once, compares that value unsigned with the count, and uses the same value; the memory lives as long as
-- the struct (__gc). Functions of pixels check that what they get is such a struct before they read its fields, since a
-- table could answer for any field. Code that writes a pixel marks its block (engine/surfaces/pixel_buffer.h).
-- Not here: when and where surfaces are drawn, gfx.lua.
local need = ...
local layout, phase, fail, spend = need "layout", need "phase", need "fail", need "fuel".spend
local constants = need "constants".of("gfx")
local fill = need "template".fill
local ffi = require("ffi")
local type, tonumber, tostring, rawget, collect = type, tonumber, tostring, rawget, collectgarbage
local cast, istype, ffi_string, format = ffi.cast, ffi.istype, ffi.string, string.format
local bswap, rshift = bit.bswap, bit.rshift
local raise, shown, wrong, is_finite = fail.raise, fail.shown, fail.wrong_argument, fail.is_finite

local kMaxSide, kBlockShift = constants.max_surface_side, constants.pixel_block_shift
local kMaxColor = 2 ^ 32 - 1
local kStepsPerSurface, kPixelsPerStep, kStepsPerKilobyte = 200, 16, 50  -- of fuel

local words, bytes = ffi.typeof("int32_t *"), ffi.typeof("uint8_t *")

-- Fields of types that no store to a pixel or to the byte of a block can alias.
local A, N, W, H, ID = layout.secret_name(), layout.secret_name(), layout.secret_name(), layout.secret_name(),
  layout.secret_name()
local Pixels = ffi.typeof(fill(
  "struct { const uint64_t $address, $count, $width, $height; const double $image; }",
  { address = A, count = N, width = W, height = H, image = ID }))

local Canvas = ffi.typeof(fill("struct { const double $image, $width, $height; }",
  { image = ID, width = W, height = H }))

local surfaces = {}

local function finite(value, position, name)
  if not is_finite(value) then wrong(position, name, "a finite number", value) end
  return value
end

local pixel_options = { filter = true, wrap = true }
local canvas_options = { filter = true, wrap = true, msaa = true, name = true }

-- `known`: the keys that options may have.
local function check_options(options, known, name)
  if options == nil then return end
  if type(options) ~= "table" then wrong(3, name, "a table of options", options) end
  local message = fail.unknown_keys(options, known, name)
  if message then raise(message) end
end

local function side(value, position, name)
  if type(value) ~= "number" or not (value >= 1 and value <= kMaxSide) or value % 1 ~= 0 then
    wrong(position, name, "a whole number from 1 to " .. kMaxSide, value)
  end
  return value
end

-- Surfaces belong to the picture: what a step does cannot depend on how much room there is.
local function expect_place(name)
  phase.expect_open(name)
  if phase.is_step() then
    raise(name .. ": not in a step of the simulation; do it while main.lua loads, or in draw()")
  end
end

--- Adds gfx.pixels, gfx.canvas and their functions to `gfx`. `shared`: gfx_block.lua. Returns function(image, name,
--- handle_of [, is_not_drawn]) -> the id of an image that is a surface or, by handle_of(image, name), of a file.
function surfaces.add_to(gfx, native, context, shared)
  local check_open = shared.check_open
  shared.expect_place = expect_place
  local made, made_pixels = 0, 0  -- since the last collection
  local kManySurfaces, kManyPixels = 200, 2 ^ 22

  local function collect_surfaces()
    spend(kStepsPerKilobyte * collect("count"))
    collect()
    made, made_pixels = 0, 0
  end

  -- A surface that nothing refers to any more takes its room until Lua collects it, which sees only a few bytes of it,
  -- and its id until the next frame. So a collection comes after some surfaces, and when there is no room.
  local function with_room(name, make, width, height, ...)
    spend(kStepsPerSurface + width * height / kPixelsPerStep)
    made, made_pixels = made + 1, made_pixels + width * height
    if made > kManySurfaces or made_pixels > kManyPixels then collect_surfaces() end
    local image = make(context, width, height, ...)
    if image == 0 then
      collect_surfaces()
      image = make(context, width, height, ...)
    end
    if image == 0 then raise(name .. ": " .. ffi_string(native.error(context))) end
    return image
  end

  local filters, shown_filters = shared.numbers_of(constants.image_filters)
  local wraps, shown_wraps = shared.numbers_of(constants.image_wraps)

  -- The number of a name that is an option; nil if there is none.
  local function named_option(options, key, numbers, all, names, name)
    local value = options and rawget(options, key)
    if value == nil then return nil end
    return numbers[value] or raise(format("%s: option '%s': expected %s, got %s%s", name, key, all, shown(value),
      fail.suggestion(value, names)))
  end

  -- The filter and the wrap of options; nil for what they do not say.
  local function sampling_of(options, name)
    return named_option(options, "filter", filters, shown_filters, constants.image_filters, name),
      named_option(options, "wrap", wraps, shown_wraps, constants.image_wraps, name)
  end

  local function with_sampling(image, filter, wrap)
    if filter then native.set_filter(context, image, filter) end
    if wrap then native.set_wrap(context, image, wrap) end
    return image
  end

  local function color_of(value, position, name)
    if type(value) == "string" then return gfx.color(value) end
    if type(value) ~= "number" or not (value >= 0 and value <= kMaxColor) then
      wrong(position, name, "a colour (0xRRGGBBAA, \"#rrggbb\" or a name like \"red\")", value)
    end
    return value
  end

  --- The id of pixels; nil for all else.
  function shared.pixels_id(value)
    return type(value) == "cdata" and istype(Pixels, value) and value[ID] or nil
  end

  local methods = {}

  local function expect_pixels(value, name)
    if not istype(Pixels, value) then wrong(0, name, "pixels of gfx.pixels; call it with a colon", value) end
  end

  local function no_pixel(p, x, y, name)
    finite(x, 1, name)
    finite(y, 2, name)
    raise(format("%s: there is no pixel %s, %s; x is from 0 to %d and y from 0 to %d", name, tostring(x), tostring(y),
      tonumber(p[W]) - 1, tonumber(p[H]) - 1))
  end

  --- The colour of pixel x, y, counted from 0.
  function methods.get(p, x, y)
    if istype(Pixels, p) and type(x) == "number" and type(y) == "number" then
      local column, row = x - 0ULL, y - 0ULL
      if column < p[W] and row < p[H] then
        local color = bswap(cast(words, p[A])[row * p[W] + column])
        if color < 0 then color = color + 4294967296 end
        return color
      end
    end
    expect_pixels(p, "pixels:get")
    no_pixel(p, x, y, "pixels:get")
  end

  function methods.set(p, x, y, color, more)
    if more ~= nil then raise("pixels:set: one colour, as in gfx.color(1, 0.5, 0), instead of its parts") end
    if type(color) ~= "number" or not (color >= 0 and color <= kMaxColor) then
      color = color_of(color, 3, "pixels:set")
    end
    if istype(Pixels, p) and type(x) == "number" and type(y) == "number" then
      local column, row = x - 0ULL, y - 0ULL
      if column < p[W] and row < p[H] then
        local k = row * p[W] + column
        cast(words, p[A])[k] = bswap(color)
        cast(bytes, p[A] + p[N] * 4)[rshift(k, kBlockShift)] = 1
        return
      end
    end
    expect_pixels(p, "pixels:set")
    no_pixel(p, x, y, "pixels:set")
  end

  local function fill_part(p, x, y, width, height, color)
    spend(1 + width * height / kPixelsPerStep)
    native.fill_pixels(context, p[ID], x, y, width, height, color)
  end

  --- All pixels get this colour.
  function methods.fill(p, color)
    expect_pixels(p, "pixels:fill")
    fill_part(p, 0, 0, tonumber(p[W]), tonumber(p[H]), color_of(color, 1, "pixels:fill"))
  end

  --- The pixels of a rectangle, as far as they exist, get this colour.
  function methods.rect(p, x, y, width, height, color)
    expect_pixels(p, "pixels:rect")
    finite(x, 1, "pixels:rect")
    finite(y, 2, "pixels:rect")
    finite(width, 3, "pixels:rect")
    finite(height, 4, "pixels:rect")
    color = color_of(color, 5, "pixels:rect")
    if width < 1 or height < 1 then return end
    spend(kMaxSide / kPixelsPerStep)
    fill_part(p, x, y, width > kMaxSide and kMaxSide or width, height > kMaxSide and kMaxSide or height, color)
  end

  --- Row y gets the colours of a list, from column x (default 0) on.
  function methods.row(p, y, list, x)
    expect_pixels(p, "pixels:row")
    x = x == nil and 0 or finite(x, 3, "pixels:row")
    if type(list) ~= "table" then wrong(2, "pixels:row", "a list of colours", list) end
    local count, column, row = #list, finite(x, 3, "pixels:row") - 0ULL, finite(y, 1, "pixels:row") - 0ULL
    if row >= p[H] or column >= p[W] then no_pixel(p, x, y, "pixels:row") end
    if count > tonumber(p[W]) - x then
      raise(format("pixels:row: %d colours from column %s on do not fit; a row has %d pixels", count, tostring(x),
        tonumber(p[W])))
    end
    spend(1 + count / kPixelsPerStep)
    local first = row * p[W] + column
    local pixels, blocks = cast(words, p[A]), cast(bytes, p[A] + p[N] * 4)
    for i = 1, count do
      local color = rawget(list, i)
      if type(color) ~= "number" or not (color >= 0 and color <= kMaxColor) then
        color = color_of(color, 2, "pixels:row")
      end
      local k = first + (i - 1)
      pixels[k] = bswap(color)
      blocks[rshift(k, kBlockShift)] = 1
    end
  end

  --- Copies other pixels, or these, to x, y; what does not fit is left out.
  function methods.copy(p, from, x, y)
    expect_pixels(p, "pixels:copy")
    if not istype(Pixels, from) then wrong(1, "pixels:copy", "pixels of gfx.pixels", from) end
    finite(x, 2, "pixels:copy")
    finite(y, 3, "pixels:copy")
    spend(1 + tonumber(from[N]) / kPixelsPerStep)
    native.copy_pixels(context, p[ID], from[ID], x, y)
  end

  local names = { "width", "height", "get", "set", "fill", "rect", "row", "copy" }

  local function no_index(p, i)
    if type(i) == "number" then
      raise(format("pixels: index %s is out of range, these are pixels 1 to %d", tostring(i), tonumber(p[N])))
    end
    raise("pixels have no " .. shown(i) .. fail.instead_of_love(i, "pixels", names))
  end

  ffi.metatype(Pixels, {
    __index = function(p, i)
      if type(i) == "number" then
        local k = i - 1ULL
        if k < p[N] then
          local color = bswap(cast(words, p[A])[k])
          if color < 0 then color = color + 4294967296 end
          return color
        end
        no_index(p, i)
      end
      if i == "width" then return tonumber(p[W]) elseif i == "height" then return tonumber(p[H]) end
      return methods[i] or no_index(p, i)
    end,
    __newindex = function(p, i, color)
      if type(i) == "number" then
        local k = i - 1ULL
        if k < p[N] then
          if type(color) ~= "number" or not (color >= 0 and color <= kMaxColor) then
            color = color_of(color, 1, "pixels[i] = colour")
          end
          cast(words, p[A])[k] = bswap(color)
          cast(bytes, p[A] + p[N] * 4)[rshift(k, kBlockShift)] = 1
          return
        end
        no_index(p, i)
      end
      raise("pixels are written one by one, as in pixels[i] = colour")
    end,
    __len = function(p) return tonumber(p[N]) end,
    __eq = layout.same(Pixels, A, N),
    __tostring = function(p) return format("pixels of %d x %d", tonumber(p[W]), tonumber(p[H])) end,
    __gc = function(p) native.release_surface(context, p[ID]) end,
  })

  -- The file, and the width and height, of an image.
  local function image_file(path)
    local file = shared.handle_of(path, "pixels")
    local width, height = native.image_width(context, file), native.image_height(context, file)
    if width == 0 then raise("gfx.pixels: '" .. path .. "' is missing or no image") end
    if width > kMaxSide or height > kMaxSide then
      raise(format("gfx.pixels: '%s' has %d x %d pixels; at most %d x %d are possible", path, width, height, kMaxSide,
        kMaxSide))
    end
    return file, width, height
  end

  --- gfx.pixels(width, height [, options]): an image in memory that Lua writes; transparent at first.
  --- gfx.pixels("assets/level.png" [, options]): one with the pixels of a file.
  function gfx.pixels(width, height, options)
    expect_place("gfx.pixels")
    local path, file = width, nil
    if type(path) == "string" then
      options = height
      file, width, height = image_file(path)
    else
      side(width, 1, "gfx.pixels")
      side(height, 2, "gfx.pixels")
    end
    check_options(options, pixel_options, "gfx.pixels")
    local filter, wrap = sampling_of(options, "gfx.pixels")
    local image = with_sampling(with_room("gfx.pixels", native.make_pixels, width, height), filter, wrap)
    if file and not native.load_pixels(context, image, file) then
      native.release_surface(context, image)
      raise("gfx.pixels: '" .. path .. "': " .. ffi_string(native.error(context)))
    end
    return Pixels(cast("uint64_t", native.pixel_memory(context, image)), width * height, width, height, image)
  end

  -- ---- canvases ---------------------------------------------------------------------------------------------------

  local readings = {}  -- the pixels into which a canvas is read, by its id
  local canvases = setmetatable({}, { __mode = "v" })  -- by id

  ffi.metatype(Canvas, {
    __index = function(canvas, key)
      if key == "width" then return canvas[W] elseif key == "height" then return canvas[H] end
      raise("a canvas has no " .. shown(key) .. fail.instead_of_love(key, "canvas", { "width", "height" }))
    end,
    __newindex = function() raise("a canvas is drawn into with gfx.set_canvas(canvas)") end,
    __eq = layout.same(Canvas, ID, ID),
    __tostring = function(canvas) return format("canvas of %d x %d", canvas[W], canvas[H]) end,
    __gc = function(canvas)
      native.release_surface(context, canvas[ID])
      readings[canvas[ID]] = nil
    end,
  })

  --- An image that is drawn into; transparent at first.
  function gfx.canvas(width, height, options)
    expect_place("gfx.canvas")
    side(width, 1, "gfx.canvas")
    side(height, 2, "gfx.canvas")
    check_options(options, canvas_options, "gfx.canvas")
    local filter, wrap = sampling_of(options, "gfx.canvas")
    local msaa = options and rawget(options, "msaa") or false
    if type(msaa) ~= "boolean" then
      raise("gfx.canvas: option 'msaa': expected true or false, got " .. shown(msaa))
    end
    local name = options and rawget(options, "name") or ""
    if type(name) ~= "string" then raise("gfx.canvas: option 'name': expected a text, got " .. shown(name)) end
    local image = with_sampling(with_room("gfx.canvas", native.make_canvas, width, height, msaa), filter, wrap)
    if name ~= "" then native.name_canvas(context, name, #name, image) end
    local canvas = Canvas(image, width, height)
    canvases[image] = canvas
    return canvas
  end

  local function expect_canvas(canvas, name)
    if not istype(Canvas, canvas) then wrong(1, name, "a canvas of gfx.canvas", canvas) end
    return canvas[ID]
  end

  -- Results of native functions; a pass below 0 has not begun.
  local kIsClosed, kIsRefused, kPassPixel = constants.pass_closed, constants.pass_refused, constants.pass_pixel

  -- Calls a function that may begin a pass again, after it had no room for it.
  local function with_more_room(name, begin, ...)
    collect_surfaces()
    local result = begin(context, ...)
    if result == kIsRefused then raise("gfx." .. name .. ": " .. ffi_string(native.error(context))) end
    return result
  end

  -- A pass costs as much as its canvas has pixels.
  local function check_pass(pixels, name)
    check_open(pixels ~= kIsClosed, name)
    if pixels > 0 then spend(kStepsPerSurface + pixels / kPixelsPerStep) end
  end

  --- Later drawing goes into this canvas; without one, onto the screen again.
  function gfx.set_canvas(canvas)
    local image = canvas == nil and 0 or expect_canvas(canvas, "gfx.set_canvas")
    shared.refuse_mask("set_canvas")
    local pixels = native.set_canvas(context, image)
    if pixels == kIsRefused then pixels = with_more_room("set_canvas", native.set_canvas, image) end
    check_pass(pixels, "set_canvas")
  end

  --- The canvas that is drawn into; nil for the screen.
  function gfx.get_canvas()
    shared.ready("get_canvas")
    return canvases[native.current_canvas(context)]
  end

  --- gfx.clear_canvas(canvas [, colour, or r, g, b [, a]]): empties a canvas, or makes all of it one colour. Also while
  --- main.lua loads.
  function gfx.clear_canvas(canvas, r, g, b, a)
    local image = expect_canvas(canvas, "gfx.clear_canvas")
    shared.refuse_mask("clear_canvas")
    local color = r == nil and 0 or shared.any_color(r, g, b, a, "clear_canvas", 1)
    expect_place("gfx.clear_canvas")
    spend(kStepsPerSurface)
    local pixels = native.clear_canvas(context, image, color)
    if pixels == kIsRefused then pixels = with_more_room("clear_canvas", native.clear_canvas, image, color) end
    check_pass(pixels, "clear_canvas")
  end

  local kReadingClosed, kDone = constants.reading_closed, constants.reading_done

  --- The pixels of a canvas at the end of the frame before, if that frame asked for them, too; else nil and why.
  function gfx.canvas_pixels(canvas)
    local image = expect_canvas(canvas, "gfx.canvas_pixels")
    check_open(native.read_canvas(context, image, 0) ~= kReadingClosed, "canvas_pixels")
    local pixels = readings[image]
    if not pixels then
      pixels = gfx.pixels(canvas[W], canvas[H])
      readings[image] = pixels
    end
    spend(1 + canvas[W] * canvas[H] / kPixelsPerStep)
    if native.read_canvas(context, image, pixels[ID]) == kDone then return pixels end
    return nil, "the canvas is read at the end of this frame, if the game has a picture; ask again in the next one"
  end

  local kSavingClosed, kRefused = constants.saving_closed, constants.saving_refused
  local kBadName = constants.saving_bad_name

  local function expect_name(name, position, function_name)
    if type(name) ~= "string" then wrong(position, function_name, "a name", name) end
  end

  -- What the functions below return.
  local function answer(saving, name, position, function_name)
    check_open(saving ~= kSavingClosed, function_name)
    if saving == kBadName then
      wrong(position, "gfx." .. function_name,
        "a name of letters, digits, '-', '_' and '.', not at the beginning", name)
    end
    if saving == kRefused then return nil, ffi_string(native.error(context)) end
    return true
  end

  --- Writes a canvas as it is at the end of the frame to pictures/<name>.png in the mod's save folder. True, or nil and
  --- why.
  function gfx.save_canvas(canvas, name)
    local image = expect_canvas(canvas, "gfx.save_canvas")
    expect_name(name, 2, "gfx.save_canvas")
    spend(kStepsPerSurface + canvas[W] * canvas[H] / kPixelsPerStep)
    return answer(native.save_canvas(context, name, #name, image), name, 2, "save_canvas")
  end

  --- The same for the whole picture of this frame, as large as the window.
  function gfx.screenshot(name)
    expect_name(name, 1, "gfx.screenshot")
    local width, height = gfx.size()
    spend(kStepsPerSurface + width * height / kPixelsPerStep)
    return answer(native.save_picture(context, name, #name), name, 1, "screenshot")
  end

  local function refuse_itself(name) raise("gfx." .. name .. ": a canvas cannot be drawn into itself") end

  --- Raises if a surface is the canvas that is drawn into.
  function shared.refuse_target(surface, name)
    if istype(Canvas, surface) and native.current_canvas(context) == surface[ID] then refuse_itself(name) end
  end

  -- The id of the image that shows a canvas as it is now.
  local function shown_canvas(canvas, name)
    local image = native.show_canvas(context, canvas[ID])
    if image == 0 then refuse_itself(name) end
    if image == kIsRefused then image = with_more_room(name, native.show_canvas, canvas[ID]) end
    if image >= kPassPixel then
      check_pass((image - image % kPassPixel) / kPassPixel, name)
      image = image % kPassPixel
    end
    return image
  end

  return function(image, name, handle_of, is_not_drawn)
    if type(image) == "cdata" then
      if istype(Pixels, image) then return image[ID] end
      if istype(Canvas, image) then return is_not_drawn and image[ID] or shown_canvas(image, name) end
    end
    return handle_of(image, name)
  end
end

return surfaces
