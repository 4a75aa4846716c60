-- Moving sprites in LÖVE's fastest way: all data in C arrays, and one mesh. Compiled Lua writes its vertices into
-- memory that LÖVE copies to the driver.
local ffi = require "ffi"
local parameters, numbers = require "parameters", require "numbers"
local count = parameters.count

ffi.cdef [[
typedef struct { float x, y, u, v; uint8_t r, g, b, a; } mesh_vertex;
typedef struct { float x, y, vx, vy, rotation, scale, u, v; uint8_t r, g, b, a; } mesh_sprite;
]]
local sprites = ffi.new("mesh_sprite[?]", count)
for i, sprite in ipairs(numbers.sprites(count)) do
  sprites[i - 1] = {
    sprite.x, sprite.y, sprite.vx * parameters.speed, sprite.vy * parameters.speed, sprite.rotation, sprite.scale,
    sprite.frame % 16 / 16, math.floor(sprite.frame / 16) / 16, sprite.red, sprite.green, sprite.blue, 255,
  }
end

local data = love.data.newByteData(count * 4 * ffi.sizeof("mesh_vertex"))
local vertices = ffi.cast("mesh_vertex*", data:getFFIPointer())
local mesh = love.graphics.newMesh({ { "VertexPosition", "float", 2 }, { "VertexTexCoord", "float", 2 },
  { "VertexColor", "byte", 4 } }, count * 4, "triangles", "stream")
local map = {}
for i = 0, count - 1 do
  local at, first = i * 6, i * 4 + 1
  map[at + 1], map[at + 2], map[at + 3] = first, first + 1, first + 2
  map[at + 4], map[at + 5], map[at + 6] = first, first + 2, first + 3
end
mesh:setVertexMap(map)
mesh:setTexture(love.graphics.newImage("assets/atlas.png"))

function love.update(dt)
  for i = 0, count - 1 do
    local sprite = sprites[i]
    local x, y = sprite.x + sprite.vx * dt, sprite.y + sprite.vy * dt
    sprite.x, sprite.y = x, y
    if x < 20 or x > 1260 then sprite.vx = -sprite.vx end
    if y < 20 or y > 700 then sprite.vy = -sprite.vy end
  end
end

local function write(vertex, sprite, x, y, u, v)
  vertex.x, vertex.y, vertex.u, vertex.v = x, y, u, v
  vertex.r, vertex.g, vertex.b, vertex.a = sprite.r, sprite.g, sprite.b, 255
end

function love.draw()
  if not parameters.draws then return end
  local part = 1 / 16
  for i = 0, count - 1 do
    local sprite = sprites[i]
    local x, y, u, v = sprite.x, sprite.y, sprite.u, sprite.v
    local c, s = math.cos(sprite.rotation) * sprite.scale * 8, math.sin(sprite.rotation) * sprite.scale * 8
    write(vertices[i * 4], sprite, x - c + s, y - s - c, u, v)
    write(vertices[i * 4 + 1], sprite, x + c + s, y + s - c, u + part, v)
    write(vertices[i * 4 + 2], sprite, x + c - s, y + s + c, u + part, v + part)
    write(vertices[i * 4 + 3], sprite, x - c - s, y - s + c, u, v + part)
  end
  mesh:setVertices(data)
  love.graphics.draw(mesh)
end
