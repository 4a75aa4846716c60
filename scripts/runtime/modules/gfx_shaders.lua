-- The part of "gfx" for fragment effects: gfx.shader, gfx.effect and gfx.set_shader.
-- Invariant: a shader is a constant struct whose number no mod learns. Names and types of uniforms are checked by C++
-- (engine/shaders/shader_table.h), which knows the sources. Surfaces that were sent live as long as they are sent.
-- Not here: how a shader is drawn (engine/sdl/gl/effect_programs.h).
local need = ...
local layout, phase, fail, spend = need "layout", need "phase", need "fail", need "fuel".spend
local find_handles = need "asset_handles".finder
local fill = need "template".fill
local ffi = require("ffi")
local type, select, rawget, find, ffi_string = type, select, rawget, string.find, ffi.string
local pairs, cast = pairs, ffi.cast
local raise, shown, is_finite = fail.raise, fail.shown, fail.is_finite

local kStepsPerShader, kStepsPerSend = 2000, 20  -- of fuel
local kMaxNumbers = 4096  -- that are looked at; a uniform has fewer

-- As ShaderTable::size_of.
local kIsImage, kIsUnknown = -1, -2

local ID = layout.secret_name()
local Shader = ffi.typeof(fill("struct { const double $number; }", { number = ID }))

-- Adds the functions to the module. `shared`: gfx_block.lua.
return function(gfx, native, context, constants, shared)
  local wrong, check_open = shared.wrong, shared.check_open
  local made = {}  -- by number, by path, and by "effect:" and name, which is no path
  local sent = {}  -- surfaces by number of the shader and name of the uniform

  local function wrong_path(path, name)
    wrong(1, name, "the path of a shader" .. (type(path) == "string" and ", *.glsl" or ""), path)
  end
  local handle_of = find_handles("gfx", native, context, wrong_path, { "%.glsl$" })

  local function new(key, name, number)
    spend(kStepsPerShader)
    if number == 0 then raise("gfx." .. name .. ": " .. ffi_string(native.error(context))) end
    local shader = Shader(number)
    made[key], made[number] = shader, shader
    return shader
  end

  local function of_text(text)
    spend(kStepsPerShader + #text / 16)
    local place = fail.place()
    local number = native.shader_of_text(context, text, #text, place, #place)
    if number == 0 then raise("gfx.shader: " .. ffi_string(native.error(context))) end
    if not made[number] then
      native.forget_surfaces(context, number)
      made[number] = Shader(number)
    end
    return made[number]
  end

  --- The shader of a file, or of a source that has more than one line, with a function
  --- `vec4 effect(vec4 color, sampler2D image, vec2 at, vec2 pixel)`.
  function gfx.shader(path, vertex)
    phase.refuse_hash("gfx.shader")
    if vertex ~= nil then raise("gfx.shader: there are no vertex shaders, so it takes one argument") end
    if type(path) == "string" and made[path] then return made[path] end
    if not native.may_use_shaders(context) then
      raise("gfx.shader: a mod may not bring shaders, since one can make the graphics driver hang; \"permissions\": " ..
        "{ \"shaders\": true } in its mod.json asks the player, and gfx.effect has some for all mods")
    end
    if type(path) == "string" then
      if find(path, "\n", 1, true) then return of_text(path) end
      if find(path, "[;{]") then
        raise("gfx.shader: a text of one line is the path of a file; a source needs a line break: write it as " ..
          "gfx.shader [[ … ]] with lines of its own, or into assets/wave.glsl")
      end
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
    local surfaces = shader ~= nil and sent[shader[ID]]
    if surfaces then
      for _, surface in pairs(surfaces) do shared.refuse_target(surface, "set_shader") end
    end
    check_open(native.set_shader(context, shader == nil and 0 or shader[ID]), "set_shader")
  end

  --- The shader of later drawing; nil if there is none.
  function gfx.get_shader()
    shared.ready("get_shader")
    return made[native.current_shader(context)]
  end

  local function value(number, position)
    if number == nil or number == false then return 0 end
    if number == true then return 1 end
    if not is_finite(number) then
      raise("bad argument #" .. position .. " to 'shader:send': expected a finite number, got " .. shown(number))
    end
    return number
  end

  local image_handle = find_handles("gfx", native, context, function(path)
    raise("bad argument #2 to 'shader:send': expected the path of an image" ..
      (type(path) == "string" and ", *.png or *.jpg" or ", a canvas or pixels") .. ", got " .. shown(path))
  end, { "%.png$", "%.jpe?g$" })

  local function send_image(shader, name, image)
    local id = shared.find_surface(image, "shader:send", image_handle, true)
    if not native.send_image(context, shader[ID], name, #name, id) then
      raise("shader:send: " .. ffi_string(native.error(context)))
    end
    local surfaces = sent[shader[ID]]
    if type(image) == "cdata" then
      if not surfaces then
        surfaces = {}
        sent[shader[ID]] = surfaces
      end
      surfaces[name] = image
    elseif surfaces then
      surfaces[name] = nil
    end
  end

  -- Adds the numbers of a list, and of lists in it, to `all`.
  local function add_numbers(all, list, position)
    for i = 1, #list do
      local each = rawget(list, i)
      if type(each) == "table" then
        for k = 1, #each do all[#all + 1] = value(rawget(each, k), position) end
      else
        all[#all + 1] = value(each, position)
      end
      if #all > kMaxNumbers then raise("shader:send: a uniform has fewer numbers than these") end
    end
  end

  -- An array or a matrix: its numbers one by one, or lists of them, as arguments or in one list.
  local function send_list(shader, name, arguments)
    local all = {}
    if #arguments == 1 and type(arguments[1]) == "table" then arguments = arguments[1] end
    add_numbers(all, arguments, 2)
    spend(kStepsPerSend + #all)
    local floats = ffi.new("float[?]", #all, all)
    if not native.send_list(context, shader[ID], name, #name, cast("const char *", floats), 4 * #all) then
      raise("shader:send: " .. ffi_string(native.error(context)))
    end
  end

  local methods = {}

  --- Sets a uniform: one number for each of its parts, or a list of them, or a colour as a text for a vec3 or vec4; an
  --- image by its path, a canvas or pixels; an array or the rows of a matrix as lists.
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
    local size = type(a) == "number" and 0 or native.uniform_size(context, shader[ID], name, #name)
    if size == kIsImage or type(a) == "cdata" then
      if size ~= kIsUnknown then send_image(shader, name, a) end
      return
    end
    if count > 4 or (type(a) == "table" and (count > 1 or #a > 4 or type(rawget(a, 1)) == "table")) then
      send_list(shader, name, { ... })
      return
    end
    if type(a) == "table" and count == 1 then
      count = #a
      a, b, c, d = rawget(a, 1), rawget(a, 2), rawget(a, 3), rawget(a, 4)
    end
    if type(a) == "string" and count == 1 and (size == 0 or size == kIsUnknown) then
      a, count = nil, 0  -- C++ has the message, if it is a mistake
    elseif type(a) == "string" and count == 1 and size < 3 then
      raise("shader:send: uniform '" .. name .. "' takes numbers, got " .. shown(a))
    elseif type(a) == "string" and count == 1 then
      local color = gfx.color(a)
      a, b = (color - color % 2 ^ 24) / 2 ^ 24 / 255, (color % 2 ^ 24 - color % 2 ^ 16) / 2 ^ 16 / 255
      c, d = (color % 2 ^ 16 - color % 2 ^ 8) / 2 ^ 8 / 255, color % 2 ^ 8 / 255
      count = size == 3 and 3 or 4
    end
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
