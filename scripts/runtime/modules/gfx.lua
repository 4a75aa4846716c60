-- The module "gfx": immediate drawing, and the engine's own components. Invariant: arguments
-- are checked here, with messages that name the function; `native` is engine/modules/gfx_module.cpp, which takes any
-- number safely. Drawing works in draw() and in presentation systems only. Not here: loading pixels, windows.
local need, native, context = ...
local component, phase, fail = need "component", need "phase", need "fail"
local share, add_shapes, add_images = need "gfx_block", need "gfx_shapes", need "gfx_images"
local add_paths, add_transforms, add_shaders = need "gfx_paths", need "gfx_transform", need "gfx_shaders"
local add_texts, add_masks = need "gfx_text", need "gfx_masks"
local add_meshes, add_tiles = need "gfx_meshes", need "gfx_tiles"
local add_views, add_layers = need "gfx_views", need "gfx_layers"
local animation, particles, surfaces = need "gfx_animation", need "gfx_particles", need "gfx_surfaces"
local constants = need "constants".of("gfx")
local rshift = require("bit").rshift

local gfx = {}
local shared = share(native, context, constants)
local block, ready, wrong = shared.block, shared.ready, shared.wrong
local any_color, check_open = shared.any_color, shared.check_open
local color_bits = shared.color_bits

add_shapes(gfx, native, context, constants, shared)
add_paths(gfx, native, context, constants, shared)
add_masks(gfx, native, context, constants, shared)
shared.find_surface = surfaces.add_to(gfx, native, context, shared)
add_images(gfx, native, context, constants, shared)
add_meshes(gfx, native, context, constants, shared)
add_tiles(gfx, native, context, constants, shared)
add_transforms(gfx, native, context, constants, shared)
add_shaders(gfx, native, context, constants, shared)
add_layers(gfx, native, context, constants, shared)
add_texts(gfx, native, context, constants, shared)
add_views(gfx, native, context, constants, shared)

-- Colours --------------------------------------------------------------------------------------------------------

--- gfx.color("#ff8800"), gfx.color("orange"), gfx.color(1, 0.5, 0, 1): the number for fields and arguments.
function gfx.color(r, g, b, a) return any_color(r, g, b, a, "color") end

--- Sets the colour of later drawing, as in gfx.color.
function gfx.set_color(r, g, b, a)
  local color = any_color(r, g, b, a, "set_color")
  ready("set_color")
  block.color = color_bits(color)
end

-- Of a PackedColor.
local function numbers_of_color(bits)
  return bits % 256 / 255, rshift(bits, 8) % 256 / 255, rshift(bits, 16) % 256 / 255, rshift(bits, 24) / 255
end

--- The colour of later drawing, as four numbers for gfx.set_color.
function gfx.get_color()
  ready("get_color")
  return numbers_of_color(block.color)
end

--- Colour behind everything; stays until it is set again. Works at any time.
function gfx.set_background(r, g, b, a)
  phase.refuse_hash("gfx.set_background")
  native.set_background(context, any_color(r, g, b, a, "set_background"))
end

--- That colour, as four numbers for gfx.set_background. Not in the simulation, since draw() may set it.
function gfx.get_background()
  ready("get_background")
  return numbers_of_color(native.background(context))
end

-- State of the frame ---------------------------------------------------------------------------------------------

--- The layer of later drawing, by its name or its number.
function gfx.set_layer(layer)
  check_open(native.set_layer(context, shared.layer_of(layer, 1, "set_layer")), "set_layer")
end

local kModes = 8  -- the blend mode is the lowest three bits of the flags
local kSpaceBit = constants.space_bit
local spaces = { world = 0, screen = kSpaceBit }

--- "world": through the camera (the default). "screen": fixed, over the world.
function gfx.set_space(space)
  local bits = spaces[space]
  if not bits then wrong(1, "set_space", "\"world\" or \"screen\"", space, { "world", "screen" }) end
  ready("set_space")
  block.flags = block.flags % kModes + bits
end

local blend_of = shared.one_of(constants.blend_modes)

function gfx.set_blend(mode)
  local blend = blend_of(mode, 1, "set_blend")
  ready("set_blend")
  block.flags = block.flags - block.flags % kModes + blend
end

function gfx.get_blend()
  ready("get_blend")
  return constants.blend_modes[block.flags % kModes + 1]
end

-- The screen -----------------------------------------------------------------------------------------------------

--- Logical size of the screen, independent of the window's size unless the game's fit is "expand": then the one of
--- this frame, and in the simulation the one in the input of the step.
function gfx.size() return native.width(context), native.height(context) end

--- The engine's components, and the resource with the view.
gfx.Sprite = component.find("gfx:Sprite")
gfx.Shape = component.find("gfx:Shape")
gfx.Animation = component.find("gfx:Animation")
gfx.AnimationEvent = component.find("gfx:AnimationEvent")
gfx.Emitter = component.find("gfx:Emitter")
gfx.Text = component.find("gfx:Text")
gfx.Trail = component.find("gfx:Trail")
gfx.View = component.find("gfx:View")
gfx.Follow = component.find("gfx:Follow")
gfx.Shake = component.find("gfx:Shake")
gfx.Light = component.find("gfx:Light")
gfx.ShadowCaster = component.find("gfx:ShadowCaster")
gfx.Lighting = component.find("gfx:Lighting")
animation.extend(gfx, native, context, shared.handle_of)
particles.extend(gfx, native, context, shared.handle_of, shared.pixels_id)
gfx.Camera = component.find("gfx:Camera")

return fail.close_module("gfx", gfx)
