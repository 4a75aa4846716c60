-- The part of "gfx" for fragment effects: gfx.shader, gfx.effect and gfx.set_shader.
-- Invariant: a shader is a constant struct whose number no mod learns. Names and types of uniforms are checked by C++
-- (engine/shaders/shader_table.h), which knows the sources.
-- Not here: how a shader is drawn (engine/sdl/gl/effect_programs.h).
local need = ...
local layout, phase, fail, spend = need "layout", need "phase", need "fail", need "fuel".spend
local find_handles = need "asset_handles".finder
local fill = need "template".fill
local ffi = require("ffi")
local type, select, rawget, find, ffi_string = type, select, rawget, string.find, ffi.string
local raise, shown = fail.raise, fail.shown

local kStepsPerShader, kStepsPerSend = 2000, 20  -- of fuel

local ID = layout.secret_name()
local Shader = ffi.typeof(fill("struct { const double $number; }", { number = ID }))

-- Adds the functions to the module. `shared`: gfx_block.lua.
return function(gfx, native, context, constants, shared)
  local wrong, check_open = shared.wrong, shared.check_open
  local made = {}  -- by path, and by "effect:" and name, which is no path

  local function wrong_path(path, name)
    wrong(1, name, "the path of a shader" .. (type(path) == "string" and ", *.glsl" or ""), path)
  end
  local handle_of = find_handles("gfx", native, context, wrong_path, { "%.glsl$" })

  local function new(key, name, number)
    spend(kStepsPerShader)
    if number == 0 then raise("gfx." .. name .. ": " .. ffi_string(native.error(context))) end
    made[key] = Shader(number)
    return made[key]
  end

  --- The shader of a file with a function `vec4 effect(vec4 color, sampler2D image, vec2 at, vec2 pixel)`.
  function gfx.shader(path)
    phase.refuse_hash("gfx.shader")
    if made[path] then return made[path] end
    if not native.may_use_shaders(context) then
      raise("gfx.shader: a mod may not bring shaders, since one can make the graphics driver hang; \"permissions\": " ..
        "{ \"shaders\": true } in its mod.json asks the player, and gfx.effect has some for all mods")
    end
    if type(path) == "string" and find(path, "[\n;{]") then
      raise("gfx.shader: the source of a shader is a file: put it into assets/wave.glsl, for example, and write " ..
        "gfx.shader(\"assets/wave.glsl\")")
    end
    return new(path, "shader", native.shader(context, handle_of(path, "shader")))
  end

  --- The number of a shader; nil for other values.
  function shared.shader_number(shader) return ffi.istype(Shader, shader) and shader[ID] or nil end

  local effect_of = shared.one_of(constants.effects)

  --- A shader that comes with the engine, "blur" for example.
  function gfx.effect(name)
    phase.refuse_hash("gfx.effect")
    local number = effect_of(name, 1, "effect")
    local key = "effect:" .. name
    return made[key] or new(key, "effect", native.effect(context, number))
  end

  --- All that is drawn later in this frame has this shader; without one, none.
  function gfx.set_shader(shader)
    if shader ~= nil and not ffi.istype(Shader, shader) then
      wrong(1, "set_shader", "a shader of gfx.shader or gfx.effect", shader)
    end
    check_open(native.set_shader(context, shader == nil and 0 or shader[ID]), "set_shader")
  end

  local function value(number, position)
    if number == nil then return 0 end
    if type(number) ~= "number" or number - number ~= 0 then
      raise("bad argument #" .. position .. " to 'shader:send': expected a finite number, got " .. shown(number))
    end
    return number
  end

  local methods = {}

  --- Sets a uniform: one number for each of its parts, or a list of them, or a colour as a text for a vec3 or vec4.
  function methods.send(shader, name, ...)
    phase.refuse_hash("shader:send")
    if not ffi.istype(Shader, shader) then
      raise("shader:send: call it with a colon, as in shader:send(\"name\", 1)")
    end
    if type(name) ~= "string" then
      raise("bad argument #1 to 'shader:send': expected the name of a uniform, got " .. shown(name))
    end
    spend(kStepsPerSend)
    local a, b, c, d = ...
    local count = select("#", ...)
    if type(a) == "table" and count == 1 then
      count = #a
      a, b, c, d = rawget(a, 1), rawget(a, 2), rawget(a, 3), rawget(a, 4)
    end
    if type(a) == "string" and count == 1 then
      local color = gfx.color(a)
      a, b = (color - color % 2 ^ 24) / 2 ^ 24 / 255, (color % 2 ^ 24 - color % 2 ^ 16) / 2 ^ 16 / 255
      c, d = (color % 2 ^ 16 - color % 2 ^ 8) / 2 ^ 8 / 255, color % 2 ^ 8 / 255
      count = native.uniform_size(context, shader[ID], name, #name) == 3 and 3 or 4
    end
    if count > 4 then raise("shader:send: a uniform has at most 4 numbers, got " .. count) end
    if not native.send(context, shader[ID], name, #name, count, value(a, 2), value(b, 3), value(c, 4), value(d, 5)) then
      raise("shader:send: " .. ffi_string(native.error(context)))
    end
  end

  ffi.metatype(Shader, {
    __index = function(_, key)
      return methods[key] or raise("a shader has no " .. shown(key) .. fail.instead_of_love(key, "shader", { "send" }))
    end,
    __newindex = function() raise("uniforms of a shader are set as in shader:send(\"name\", 1)") end,
    __eq = layout.same(Shader, ID, ID),
    __tostring = function() return "shader" end,
  })
end
