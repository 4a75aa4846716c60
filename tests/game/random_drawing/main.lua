-- Calls every function of gfx with random arguments, 200 times in each frame: mostly those that its annotations ask for
-- (annotations.lua, written by the test), with the numbers that break renderers among them. Prints how many functions
-- had a call without an error.
local gfx = require "gfx"
local annotations = require "annotations"
local random = math.random

local odd = { 0, -1, 0.5, 255, 256, 16384, 32767, 32768, 65535, 65536, 2 ^ 31, 2 ^ 32, 2 ^ 53, 1e-30, 1e9, -1e9, 1e30,
  1e300, 1 / 0, -1 / 0, 0 / 0 }
local texts = { "", "a", "walk", "hud", "héllo", "\0\255", "{red}a{/} {icon:a}", "one\ntwo\n\n", "a\tb",
  "abc שלום (א) 12", "السلام عليكم", ("word "):rep(60), ("x"):rep(2000) }
local paths = { "assets/small.png", "assets/wide.png", "assets/missing.png" }
local colors = { "red", "#12ff0080", 0x804020ff, { 1, 0.5, 0 }, { 0, 0, 0, 0 } }
local kMaxHandles = 20

-- What earlier calls returned, by the type in the annotations.
local handles = { ["perigee.Canvas"] = {}, ["perigee.Pixels"] = {}, ["perigee.Mesh"] = {}, ["perigee.Shader"] = {},
  ["perigee.ImageStyle"] = {} }
local makers = { canvas = "perigee.Canvas", pixels = "perigee.Pixels", mesh = "perigee.Mesh", shader = "perigee.Shader",
  effect = "perigee.Shader", style = "perigee.ImageStyle" }

local function pick(list) return list[random(#list)] end

local function number()
  local kind = random(12)
  if kind <= 2 then return pick(odd) end
  if kind == 3 then return random() * 2e5 - 1e5 end
  if kind <= 5 then return random() * 2 end
  return random() * 700 - 30
end

local function integer()
  if random(10) == 1 then return pick(odd) end
  return random(random(2) == 1 and 8 or 90) - 1
end

local function list_of(make, max)
  local list = {}
  for i = 1, random(max) do list[i] = make() end
  return list
end

local function draw_something()
  gfx.circle("fill", number(), number(), random() * 50)
  gfx.image("assets/small.png", number(), number())
  gfx.print("x", number(), number())
end

local function table_of_numbers()
  local kind = random(3)
  if kind == 1 then return { integer(), integer(), integer(), integer() } end
  if kind == 2 then return { x = number(), y = number(), zoom = number(), rotation = number(), inverted = true } end
  return { min = number(), max = number(), from = integer(), to = integer(), frames = { 0, integer() }, fps = number() }
end

local makes = {
  number = number, integer = integer, table = table_of_numbers,
  string = function() return pick(texts) end,
  boolean = function() return random(2) == 1 end,
  ["fun()"] = function() return draw_something end,
  ["number[]"] = function() return list_of(number, 30) end,
  ["integer[]"] = function() return list_of(integer, 30) end,
  ["number[][]"] = function() return list_of(function() return list_of(integer, 4) end, 6) end,
  ["perigee.Color"] = function() return pick(colors) end,
  ["perigee.ImagePath"] = function() return pick(paths) end,
  ["perigee.Vertex[]"] = function()
    return list_of(function() return { number(), number(), random() * 3 - 1, random() * 3 - 1, pick(colors) } end, 12)
  end,
}

local function any()
  local kind = random(6)
  if kind == 1 then return nil end
  if kind == 2 then return draw_something end
  if kind == 3 then return makes.boolean() end
  if kind == 4 then return pick(texts) end
  if kind == 5 then return table_of_numbers() end
  return number()
end

-- A value for one of these words of an annotation.
local function value(words)
  if #words == 0 or random(25) == 1 then return any() end
  local word = pick(words)
  if makes[word] then return makes[word]() end
  if handles[word] then return handles[word][random(math.max(#handles[word], 1))] end
  if word:sub(1, 1) == '"' then return word:sub(2, -2) end
  if annotations.aliases[word] then return value(annotations.aliases[word]) end
  if word:sub(1, 1) == "{" then return table_of_numbers() end
  local options = {}
  for name, of_field in pairs(annotations.classes[word] or {}) do
    if random(4) == 1 then options[name] = value(of_field) end
  end
  return options
end

local names, worked, count = {}, {}, 0
for name, f in pairs(gfx) do
  if type(f) == "function" then names[#names + 1] = name end
end
table.sort(names)

local function call_any()
  local name = pick(names)
  local parameters = annotations.functions[name]
  local made = handles[makers[name]]
  if made and #made >= kMaxHandles and random(20) > 1 then return end
  local arguments, last = {}, #parameters - (random(2) == 1 and math.min(random(2), #parameters) or 0)
  for i = 1, last do arguments[i] = value(parameters[i]) end
  local ok, result = pcall(gfx[name], unpack(arguments, 1, last))
  if not ok then
    if type(result) ~= "string" or result:find("perigee/", 1, true) then error(name .. ": " .. tostring(result), 0) end
    return
  end
  if not worked[name] then worked[name], count = true, count + 1 end
  if made and result ~= nil then
    if #made < kMaxHandles then made[#made + 1] = result else made[random(kMaxHandles)] = result end
  end
end

for _ = 1, 300 do call_any() end

function update()
  for _ = 1, 5 do call_any() end
end

local frame = 0
function draw()
  for _ = 1, 200 do call_any() end
  frame = frame + 1
  if frame % 10 == 0 then print("frame " .. frame .. ": " .. count .. " of " .. #names .. " functions have worked") end
end
