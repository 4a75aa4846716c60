-- What a view must withstand: wrong indices of every kind, views kept too long, forged and altered objects.
local ecs, t = require "ecs", require "harness"
local C, world = ecs.components, ecs.world

for i = 1, 6 do world:spawn(C.Position { x = i }, C.Numbers, C.Health, C.Body, C.Look) end

local nan, inf = 0 / 0, 1 / 0
local subtracting = setmetatable({}, { __sub = function() return -5 end, __index = function() return 1 end })
local kept = {}

local function bad_indices(n)
  return {
    0, -1, n + 1, n + 2, 1e9, 2 ^ 31, 2 ^ 32, 2 ^ 53, 2 ^ 63, -2 ^ 63, 1e300, -1e300, nan, inf, -inf, 0.5, -0.5, "1",
    "x", true, false, {}, print, 1LL, 1ULL, subtracting, 2i, coroutine.create(print),
  }
end

ecs.system("indices", {
  query = { write = { C.Position, C.Numbers, C.Body, C.Look } },
  run = function(chunk)
    local columns = {
      chunk.Position.x, chunk.Position.y, chunk.Numbers.u8, chunk.Numbers.i32, chunk.Numbers.u64, chunk.Numbers.f64,
      chunk.Numbers.bool, chunk.Body.velocity.x, chunk.Look.name, chunk.Look.tint, chunk.Look.mood, chunk.entity,
    }
    for _, column in ipairs(columns) do
      for _, index in ipairs(bad_indices(chunk.count)) do
        t.is_true(not pcall(function() return column[index] end), tostring(column) .. " read at " .. tostring(index))
        t.is_true(not pcall(function() column[index] = 1 end), tostring(column) .. " written at " .. tostring(index))
      end
      t.is_true(not pcall(function() return column[nil] end))
    end
    for _, index in ipairs(bad_indices(chunk.count)) do
      if index ~= "x" then t.is_true(not pcall(function() return chunk.Position[index] end), tostring(index)) end
      t.is_true(not pcall(function() chunk.Position[index] = {} end), tostring(index))
    end
    -- fractions and 2^64 fall on a row, which is harmless
    t.equal(chunk.Position.x[1.5], chunk.Position.x[1])
    t.fails("out of range, this chunk has rows 1 to " .. chunk.count, function() return chunk.Position.x[chunk.count + 1] end)
    t.fails("a row index must be a number, got table", function() return chunk.Position.x[{}] end)
    t.fails("no such column '1'", function() return chunk.Position.x["1"] end)

    -- the same from compiled loops that ran well a thousand times
    local x, y = chunk.Position.x, chunk.Numbers.u8
    for _, bad in ipairs(bad_indices(chunk.count)) do
      t.is_true(not pcall(function()
        local sum = 0
        for round = 1, 300 do
          local i = round < 290 and 1 or bad
          sum = sum + x[i] + y[i]
          x[i] = sum % 7
        end
      end))
    end
  end,
})

ecs.system("forgery", {
  query = { write = { C.Position, C.Health } },
  run = function(chunk, ctx)
    local x, row = chunk.Position.x, chunk.Position[1]
    local look = { x, row, chunk.Position, chunk, ctx, ctx.commands, ctx.random, C.Position, C.Health {} }
    for _, object in ipairs(look) do
      local name = tostring(object)
      t.is_true(not name:find("0x"), name)
      t.equal(type(object), "cdata")
      t.equal(getmetatable(object), false)
      t.is_true(not pcall(setmetatable, object, {}), name)
      for _, key in ipairs { "n", "addr", "address", "epoch", "self", "system", "p", "id", "row" } do
        local ok, value = pcall(function() return object[key] end)
        t.is_true(not ok or type(value) ~= "number" and type(value) ~= "cdata", name .. "." .. key)
        t.is_true(not pcall(function() object[key] = 5 end), name .. "." .. key .. " written")
      end
      for _, operation in ipairs {
        function() return object + 1 end, function() return object - 1 end, function() return 1 + object end,
        function() return object + 1LL end, function() return object - 0ULL end, function() return object < object end,
        function() return object <= 1LL end, function() return object .. "" end, function() return -object end,
        function() return object * 2 end, function() return object + object end,
        function() return object - object end, function() return object % 2 end, function() return object ^ 2 end,
        function() for _ in pairs(object) do error("ran") end end, function() return next(object) end,
        function() return rawget(object, "x") end, function() rawset(object, "x", 1) end, function() return unpack(object) end,
        function() return ipairs(object)(object, 0) end, function() return bit.band(object, 1) end,
        function() return bit.tobit(object) end, function() return math.floor(object) end,
        function() return math.max(object, 1) end, function() return ("x"):rep(object) end,
        function() return ("x"):sub(object) end, function() for _ = 1, object do error("ran") end end,
        function() return select(object, 1, 2) end, function() return unpack({}, 1, object) end,
        function() return table.concat({ object }) end, function() table.insert(object, 1) end,
        function() return setmetatable({}, object) end, function() return load(object) end,
        function() return coroutine.wrap(object)() end, function() return string.format("%d", object) end,
        function() return string.format("%p", object) end, function() return string.char(object) end,
        function() return error(object, object) end, function() return assert(false, object) end,
        function() return require(object) end, function() return next({}, object) end,
      } do
        local ok, value = pcall(operation)
        t.is_true(not ok, name .. " allowed an operation: " .. tostring(value))
      end
      t.is_true(object == C.Position or not pcall(function() object() end), name .. " can be called")
      t.equal(tonumber(object), nil)
      t.equal(rawequal(object, 5), false)
      t.is_true(object ~= 0 and object ~= "x" and object ~= 5LL)
    end
    kept.x, kept.row, kept.column, kept.chunk, kept.ctx, kept.commands, kept.random = x, row, chunk.Position, chunk, ctx,
      ctx.commands, ctx.random
    kept.proxy = ctx:try_get(chunk.entity[1], C.Health)
    kept.entity = chunk.entity[1]
    kept.try_get = ctx.try_get
    kept.thread = coroutine.create(function()
      local sum = 0
      while true do sum = sum + x[1] coroutine.yield(sum) end
    end)
    t.is_true(coroutine.resume(kept.thread))
  end,
})

-- ctx and its parts used with a wrong self
ecs.system("methods", {
  run = function(_, ctx)
    local commands, random = ctx.commands, ctx.random
    for _, self in ipairs { {}, "x", 5, true, kept.x, 5LL } do
      t.is_true(not pcall(commands.spawn, self))
      t.is_true(not pcall(commands.destroy, self, 1))
      t.is_true(not pcall(commands.add, self, 1, C.Frozen))
      t.is_true(not pcall(random.unit, self))
      t.is_true(not pcall(random.range, self, 0, 1))
    end
    for _, value in ipairs { {}, "x", 5, true, kept.x or 1, 5LL, print, kept.row, ctx, C.Wave } do
      t.is_true(not pcall(commands.add, commands, 1, value))
      t.is_true(not pcall(commands.set, commands, 1, value))
      t.is_true(not pcall(commands.remove, commands, 1, value))
      t.is_true(not pcall(commands.spawn, commands, value))
      t.is_true(not pcall(commands.spawn_many, commands, value, 3))
      t.is_true(not pcall(ctx.try_get, ctx, 1, value))
      t.is_true(not pcall(ctx.resource, ctx, value))
      t.is_true(value == C.Wave or not pcall(ctx.has, ctx, 1, value))
    end
    for _, entity in ipairs { {}, "x", true, 5LL, print } do
      t.is_true(not pcall(commands.destroy, commands, entity))
      t.is_true(not pcall(ctx.is_alive, ctx, entity))
    end
    -- numbers that are no entity are dead entities
    for _, entity in ipairs { -1, 0, 0.5, nan, inf, -inf, 2 ^ 53, 2 ^ 64, 1e300 } do
      t.equal(ctx:is_alive(entity), false)
      t.equal(ctx:has(entity, C.Health), false)
      commands:destroy(entity)
      commands:remove(entity, C.Health)
      commands:add(entity, C.Health { current = 5 })
    end
  end,
})

local runs = 0
ecs.system("later", {
  after = { "forgery", "indices" }, access = { read = { C.Health } },
  run = function(_, ctx)
    runs = runs + 1
    t.fails("no longer lent", function() return kept.x[1] end)
    t.fails("no longer lent", function() kept.x[1] = 5 end)
    t.fails("no longer lent", function() return kept.column[1] end)
    t.fails("no longer lent", function() return #kept.x end)
    t.fails("no longer lent", function() return #kept.column end)
    t.fails("is used after its visit", function() return kept.chunk.entity[1] end)
    t.fails("is used after its visit", function() return kept.chunk.count end)
    t.fails("kept after its system's run", function() return kept.row.x end)
    t.fails("kept after its system's run", function() kept.row.x = 5 end)
    t.fails("kept after its system's run", function() return kept.proxy.current end)
    t.fails("kept after its system's run", function() kept.proxy.current = 5 end)
    t.fails("outside of its system's run", function() return kept.ctx:try_get(kept.entity, C.Health) end)
    t.fails("outside of its system's run", function() kept.commands:destroy(kept.entity) end)
    t.fails("outside of its system's run", function() return kept.random:unit() end)
    local ok, message = coroutine.resume(kept.thread)
    t.is_true(not ok and message:find("no longer lent", 1, true), message)
    -- a method of another ctx reads with that system's rights, so it is refused too
    t.is_true(not pcall(kept.try_get, ctx, kept.entity, C.Health))
    if runs == 3 then finished = true end
  end,
})
