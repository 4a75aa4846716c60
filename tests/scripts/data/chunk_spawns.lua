-- [K7] The value of a chunk component that comes with a new entity: used if the entity starts a chunk, in whatever
-- order the components are given, at once and by commands.
local ecs, t = require "ecs", require "harness"
local C, world = ecs.components, ecs.world

local Cell = ecs.prefab("Cell", { C.Bounds { min_x = 70 }, C.Climate { heat = 71 } })
local others = { C.Velocity, C.Health, C.Numbers, C.Marked, C.Frozen, C.Shield, C.Team { id = 1 }, C.Path { { x = 1 } } }

-- What is given to spawn, and what the chunk has afterwards.
local function given(i)
  local bounds, climate = C.Bounds { min_x = i }, C.Climate { heat = 100 + i }
  local x, y = others[i % #others + 1], others[(i * 3 + 1) % #others + 1]
  if x == y then y = nil end
  local forms = {
    { { bounds, x, y }, i, 4 }, { { x, bounds, y }, i, 4 }, { { y or C.Look, x, bounds }, i, 4 },
    { { bounds, climate, x, y }, i, 100 + i }, { { climate, x, bounds }, i, 100 + i },
    { { Cell }, 70, 71 }, { { Cell, x, y }, 70, 71 }, { { Cell, x, bounds }, i, 71 }, { { Cell, climate }, 70, 100 + i },
    { { Cell, climate, x, y, bounds }, i, 100 + i },
    { { Cell, bounds, C.Position, C.Look, C.Body, C.Bag, C.Stunned, C.Odd, climate }, i, 100 + i },
  }
  return forms
end

-- Each entity is alone in its chunk: the key makes a partition of its own.
local keys = 0
local function alone(form)
  keys = keys + 1
  local list, count = { }, 0
  for _, v in pairs { 1, 2, 3, 4, 5, 6, 7, 8, 9 } do
    if form[v] ~= nil then count = count + 1; list[count] = form[v] end
  end
  list[count + 1] = C.Key { id = keys }
  return unpack(list)
end

local function check(get, e, form, has_climate)
  t.equal(get(e, C.Bounds).min_x, form[2])
  if has_climate then t.equal(get(e, C.Climate).heat, form[3]) end
end

for i = 1, 9 do
  for _, form in ipairs(given(i)) do
    local e = world:spawn(alone(form[1]))
    check(function(...) return world:get(...) end, e, form, world:has(e, C.Climate))
  end
end
-- A chunk with rows keeps its values.
local first = world:spawn(Cell, C.Odd)
local second = world:spawn(Cell, C.Odd, C.Bounds { min_x = 1 })
t.equal(world:get(first, C.Bounds).min_x, 70)
t.equal(world:get(second, C.Bounds).min_x, 70)

local born, step = {}, 0
ecs.system("record", {
  run = function(_, ctx)
    step = step + 1
    if step > 1 then return end
    for i = 1, 9 do
      for _, form in ipairs(given(i)) do born[#born + 1] = { ctx.commands:spawn(alone(form[1])), form } end
    end
  end,
})
ecs.system("check", {
  after = "record", access = { read = { C.Bounds, C.Climate } },
  run = function(_, ctx)
    if step ~= 2 then return end
    t.is_true(#born > 90)
    for _, pair in ipairs(born) do
      check(function(...) return ctx:try_get(...) end, pair[1], pair[2], ctx:has(pair[1], C.Climate))
    end
    finished = true
  end,
})
