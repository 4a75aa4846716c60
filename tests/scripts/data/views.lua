-- Columns: every type reads and writes as documented, in every spelling of its name.
local ecs, t = require "ecs", require "harness"
local C, world = ecs.components, ecs.world

for _ = 1, 10 do world:spawn(C.Position, C.Velocity, C.Numbers, C.Body, C.Look, C.Bag, C.Odd, C.count) end

-- Writes value to row i of the column and reads it back.
local function keeps(column, i, value, wanted)
  column[i] = value
  if wanted == nil then wanted = value end
  t.equal(column[i], wanted)
end

ecs.system("numbers", {
  query = { write = { C.Numbers } },
  run = function(chunk)
    local n = chunk.Numbers
    t.equal(#n.i8, chunk.count)
    for i = 1, chunk.count do
      t.equal(n.i8[i], 0)
      for name, values in pairs {
        i8 = { -128, 127, 0 }, u8 = { 0, 255 }, i16 = { -32768, 32767 }, u16 = { 65535, 0 },
        i32 = { -2147483648, 2147483647 }, u32 = { 4294967295, 0 }, i64 = { -2 ^ 53, 2 ^ 53 }, u64 = { 2 ^ 53, 0 },
        f32 = { 0.5, -2 ^ 100, 1 / 0 }, f64 = { 0.1, -1e300 }, bool = { true, false },
      } do
        for _, value in ipairs(values) do keeps(n[name], i, value) end
      end
      keeps(n.i32, i, 3.9, 3)
      keeps(n.i32, i, -3.9, -3)
      keeps(n.f32, i, 0.1, 0.10000000149011612)
      n.f32[i] = 0 / 0
      t.is_true(n.f32[i] ~= n.f32[i])
      for name, bad in pairs {
        i8 = 128, u8 = -1, i16 = 32768, u16 = 65536, i32 = 2147483648, u32 = -1, i64 = 2 ^ 54, u64 = -1,
      } do
        local message = t.fails("Numbers', field '" .. name .. "': expected " .. name .. " (", function() n[name][i] = bad end)
        t.is_true(message:find("got " .. tostring(bad), 1, true), message)
        t.fails("got nan", function() n[name][i] = 0 / 0 end)
        t.fails("expected " .. name .. ", got 'text'", function() n[name][i] = "text" end)
        t.fails("expected " .. name .. ", got string", function() n[name][i] = ("long"):rep(20) end)
      end
      for _, bad in ipairs { "x", {}, print, 5ULL, true } do
        t.fails("field 'f64': expected f64, got", function() n.f64[i] = bad end)
      end
      t.fails("expected f64, got nil", function() n.f64[i] = nil end)
      t.fails("expected bool, got 1", function() n.bool[i] = 1 end)
      n.i64[i], n.u64[i] = 0, 0
    end
  end,
})

ecs.system("groups", {
  query = { write = { C.Body, C.Bag } },
  run = function(chunk)
    local body, bag = chunk.Body, chunk.Bag
    for i = 1, chunk.count do
      if not groups_seen then
        t.equal(body.velocity.x[i], 3)
        t.equal(body.velocity.y[i], 4)
        t.equal(body.at.y[i], 6)
        t.equal(body.up.z[i], 0)
        t.equal(bag.slots[1][i] .. bag.slots[2][i] .. bag.slots[3][i], "789")
      end
      keeps(body.velocity.x, i, 10 + i)
      keeps(body.at.x, i, 20 + i)
      keeps(body.up.z, i, 30 + i)
      keeps(body.box.w, i, 40 + i)
      keeps(bag.slots[2], i, 50 + i)
      keeps(bag.spots[2].y, i, 60 + i)
    end
    for i = 1, chunk.count do  -- nothing ran into its neighbour
      t.equal(body.velocity.x[i], 10 + i)
      t.equal(body.velocity.y[i], 4)
      t.equal(body.box.w[i], 40 + i)
      t.equal(bag.slots[2][i], 50 + i)
      t.equal(bag.slots[3][i], 9)
      t.equal(bag.spots[2].y[i], 60 + i)
    end
    t.fails("has no field 'velocty'; did you mean 'velocity'?", function() return body.velocty end)
    t.fails("has no field 'z'", function() return body.velocity.z end)
    t.fails("has no field 4", function() return bag.slots[4] end)
    t.fails("has no field 0", function() return bag.slots[0] end)
    t.fails("row by row", function() body.velocity = 5 end)
    t.fails("row by row", function() body.velocity.x = 5 end)
    groups_seen = true
  end,
})

ecs.system("words", {
  query = { write = { C.Look } },
  run = function(chunk)
    local look = chunk.Look
    for i = 1, chunk.count do
      if not words_seen then
        t.equal(look.tint[i], 0x11223344)
        t.equal(look.mood[i], "angry")
        t.equal(look.name[i], "nobody")
        t.equal(look.image[i], nil)
        t.equal(look.target[i], nil)
      end
      keeps(look.tint, i, 0xFF8000FF)
      t.equal(look.tint.r[i], 255)
      t.equal(look.tint.g[i], 128)
      t.equal(look.tint.b[i], 0)
      t.equal(look.tint.a[i], 255)
      look.tint.b[i] = 1
      t.equal(look.tint[i], 0xFF8001FF)
      keeps(look.mood, i, "afraid")
      t.fails("expected one of the labels calm, angry, afraid, got 'angri'; did you mean 'angry'?",
        function() look.mood[i] = "angri" end)
      t.fails("expected one of the labels", function() look.mood[i] = 1 end)
      t.fails("expected one of the labels", function() look.mood[i] = nil end)
      look.state[i] = 0
      look.state.wet[i] = true
      look.state.flying[i] = true
      t.equal(look.state[i], 6)
      look.state.wet[i] = false
      t.equal(look.state[i], 4)
      t.equal(look.state.burning[i], false)
      keeps(look.state, i, 7)
      t.fails("field 'state'", function() look.state[i] = 8 end)
      t.fails("expected true or false", function() look.state.wet[i] = 1 end)
      keeps(look.name, i, "12345678")
      keeps(look.name, i, "äöü")
      keeps(look.name, i, "")
      t.fails("expected a string of at most 8 bytes, got 9 bytes", function() look.name[i] = "123456789" end)
      t.fails("field 'name': expected string of at most 8 bytes, got nil", function() look.name[i] = nil end)
      t.fails("field 'name': expected string of at most 8 bytes, got 5", function() look.name[i] = 5 end)
      keeps(look.image, i, "assets/ship.png")
      look.image[i] = nil
      t.equal(look.image[i], nil)
      t.fails("no asset 'ship.png'", function() look.image[i] = "ship.png" end)
      t.fails("expected asset, got 5", function() look.image[i] = 5 end)
      keeps(look.target, i, chunk.entity[i])
      look.target[i] = nil
      t.equal(look.target[i], nil)
      for _, bad in ipairs { -1, 1.5, 0 / 0, 2 ^ 53, 1 / 0, "x", {} } do
        t.fails("expected entity", function() look.target[i] = bad end)
      end
    end
    words_seen = true
  end,
})

ecs.system("odd names", {
  query = { write = { C.Odd, C.count } },
  run = function(chunk)
    local odd = chunk.Odd
    local names = { "short", "int", "struct", "count", "entity", "größe", "end", "a b", 'q"uote', "n", "self" }
    for i = 1, chunk.count do
      for k, name in ipairs(names) do odd[name][i] = k * 100 + i end
    end
    for i = 1, chunk.count do
      for k, name in ipairs(names) do t.equal(odd[name][i], k * 100 + i) end
      t.equal(odd.count[i], 400 + i)
      t.equal(chunk[C.count].value[i], 1)
    end
    t.is_true(chunk.count >= 1 and chunk.count <= 4)
    t.equal(chunk["Odd"], odd)
    t.equal(chunk[C.Odd], odd)
  end,
})

local rows = 0
ecs.system("entities", {
  after = { "numbers", "groups", "words", "odd names" },
  query = { read = { C.Position, C.Velocity }, optional = { C.Health, C.Frozen } },
  run = function(chunk, ctx)
    t.equal(chunk.Health, nil)
    t.equal(chunk[C.Health], nil)
    t.equal(chunk.Frozen, nil)
    for i = 1, chunk.count do
      t.is_true(chunk.entity[i] > 0)
      t.is_true(ctx:is_alive(chunk.entity[i]))
      t.equal(chunk.Velocity.y[i], 2)
      rows = rows + 1
    end
    t.fails("read-only", function() chunk.entity[1] = 5 end)
    t.fails("read-only here; declare the component under 'write'", function() chunk.Position.x[1] = 5 end)
    t.fails("read-only", function() chunk.Position[1] = {} end)
    t.fails("read-only", function() chunk.Position[1].x = 5 end)
    t.fails("'Body' is not in its query", function() return chunk.Body end)
    t.fails("did you mean 'Velocity'?", function() return chunk.Velocty end)
    t.fails("not in its query", function() return chunk[C.Body] end)
    t.fails("no entry of type boolean", function() return chunk[true] end)
    t.fails("row by row", function() chunk.Position = 5 end)
    t.fails("constant", function() chunk.count = 5 end)
    if rows == 30 then finished = true end
  end,
})
