-- Rows as values: chunk.Position[i], ctx:try_get, ctx:resource, ecs.world:get.
local ecs, t = require "ecs", require "harness"
local C, world = ecs.components, ecs.world

local all = {}
for i = 1, 6 do
  all[i] = world:spawn(C.Position { x = i, y = -i }, C.Health { current = i * 10 }, C.Body, C.Look, C.Bag, C.Frozen,
    C.Strict)
end
local bare = world:spawn()

ecs.system("rows", {
  query = { write = { C.Position, C.Body, C.Look, C.Bag } },
  run = function(chunk)
    for i = 1, chunk.count do
      local p = chunk.Position[i]
      t.equal(p.x, chunk.Position.x[i])
      p.x = p.x + 100
      t.equal(chunk.Position.x[i], p.x)
      p.x = p.x - 100
      chunk.Position[i] = { y = 7 }
      t.equal(p.y, 7)
      p.y = -p.x
      local body = chunk.Body[i]
      body.velocity.x = 11
      t.equal(chunk.Body.velocity.x[i], 11)
      body.velocity = { x = 12, y = 13 }
      t.equal(body.velocity.y, 13)
      body.at = { 1, 2 }
      t.equal(body.at.x + body.at.y * 10, 21)
      t.fails("by name and by position", function() body.at = { 1, x = 2 } end)
      t.fails("unknown field 'z'", function() body.at = { z = 1 } end)
      t.fails("expected a table of fields, got 5", function() body.at = 5 end)
      t.fails("has no field 'nope'", function() return body.nope end)
      t.fails("has no field 'nope'", function() body.nope = 1 end)
      local look = chunk.Look[i]
      look.mood, look.name, look.tint, look.image = "calm", "bob", 0x01020304, "assets/a.png"
      t.equal(chunk.Look.mood[i] .. chunk.Look.name[i] .. chunk.Look.tint[i], "calmbob" .. 0x01020304)
      t.equal(look.image, "assets/a.png")
      local bag = chunk.Bag[i]
      bag.slots[2] = 42
      t.equal(chunk.Bag.slots[2][i], 42)
      bag.slots = { 1, 2, 3 }
      t.equal(bag.slots[3], 3)
      t.fails("has no field 4", function() return bag.slots[4] end)
      bag.spots[1].x = 5
      t.equal(chunk.Bag.spots[1].x[i], 5)
    end
    -- two live proxies never come to mean the same row
    if chunk.count > 1 then
      local a, b = chunk.Position[1], chunk.Position[2]
      t.is_true(a.x ~= b.x)
      a.x = 1000
      t.is_true(b.x ~= 1000)
      a.x = -a.y
    end
  end,
})

ecs.system("by entity", {
  access = { write = { C.Health, C.Strict }, read = { C.Position, C.Wave } },
  run = function(_, ctx)
    local a, b = ctx:try_get(all[1], C.Health), ctx:try_get(all[2], C.Health)
    a.current = 1
    t.equal(b.current, 20)
    t.equal(a.current, 1)
    a.current = -50  -- clamped to the declared range
    t.equal(a.current, 0)
    a.current = 5000
    t.equal(a.current, 1000)
    a.current = 10
    t.fails("is outside its range 1 to 9", function() ctx:try_get(all[1], C.Strict).level = 10 end)
    t.equal(ctx:try_get(all[1], C.Strict).level, 1)
    t.equal(ctx:try_get(bare, C.Health), nil)
    t.equal(ctx:try_get(12345, C.Health), nil)
    t.equal(ctx:try_get(nil, C.Health), nil)
    t.fails("expected an entity, got string", function() return ctx:try_get("x" .. ("y"):rep(50), C.Health) end)
    t.equal(ctx:try_get(all[3], C.Position).x, 3)
    t.fails("read-only", function() ctx:try_get(all[3], C.Position).x = 5 end)
    t.fails("component 'Body' is not declared; add it to access.read", function() return ctx:try_get(all[3], C.Body) end)
    t.fails("is a tag and has no value", function() return ctx:try_get(all[3], C.Frozen) end)
    t.fails("use ctx:resource", function() return ctx:try_get(all[3], C.Wave) end)
    t.equal(ctx:has(all[1], C.Frozen), true)
    t.equal(ctx:has(bare, C.Frozen), false)
    t.equal(ctx:has(nil, C.Frozen), false)
    t.equal(ctx:is_alive(all[1]), true)
    t.equal(ctx:is_alive(nil), false)
    t.fails("expected a component", function() return ctx:try_get(all[1], nil) end)
    t.fails("expected a component", function() return ctx:try_get(all[1], "Health") end)
    t.fails("read-only", function() ctx:resource(C.Wave).left = 1 end)
    t.fails("ctx:resource: 'Position' is not a resource", function() return ctx:resource(C.Position) end)
    -- a loop that gets compiled
    local sum = 0
    for round = 1, 200 do sum = sum + ctx:try_get(all[round % 6 + 1], C.Position).x end
    t.is_true(sum > 0)
  end,
})

local runs = 0
ecs.system("wave", {
  access = { write = { C.Wave } },
  run = function(_, ctx)
    local wave = ctx:resource(C.Wave)
    if runs == 0 then t.equal(wave.left, 3) end
    wave.number = wave.number + 1
    t.equal(ctx:resource(C.Wave).number, wave.number)
    t.fails("expected u16", function() wave.left = -1 end)
    t.fails("has no field 'lef'; did you mean 'left'?", function() return wave.lef end)
    runs = runs + 1
    kept_wave, kept_health = wave, nil
    if runs == 3 then finished = true end
  end,
})

local kept_outside
ecs.system("undeclared", {
  run = function(_, ctx)
    t.fails("kept after its system's run", function() return kept_outside.current end)
    t.fails("resource 'Wave' is not declared", function() return ctx:resource(C.Wave) end)
    t.fails("component 'Health' is not declared", function() return ctx:try_get(all[1], C.Health) end)
    if kept_wave and runs > 1 then
      t.fails("kept after its system's run", function() return kept_wave.left end)
    end
  end,
})

-- outside of systems
local hp = world:get(all[4], C.Health)
t.equal(hp.current, 40)
hp.current = 41
t.equal(world:get(all[4], C.Health).current, 41)
world:spawn(C.Health)  -- structural change does not disturb it: the entity is looked up again
world:add(all[4], C.Marked)
t.equal(hp.current, 41)
world:remove(all[4], C.Health)
t.fails("is gone or no longer has it", function() return hp.current end)
world:resource(C.Wave).left = 3
kept_outside = world:get(all[5], C.Health)
t.equal(kept_outside.current, 50)
