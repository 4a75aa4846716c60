-- Hot loops over events and observed values: they run often enough to be compiled.
local ecs, t = require "ecs", require "harness"
local C, world = ecs.components, ecs.world

local sums = { read = 0, react = 0, single = 0, changed = 0 }
local N = 200
for i = 1, N do world:spawn(C.Health { current = i }) end

ecs.system("send", {
  query = { write = { C.Health } }, access = { write = { C.Hit, C.Echo } },
  run = function(chunk, ctx)
    local out = ctx:send_many(C.Hit, chunk.count)
    local health = chunk.Health
    for i = 1, out.count do
      out.target[i], out.amount[i] = chunk.entity[i], 2
      health.current[i] = health.current[i] + 1
    end
    for _ = 1, chunk.count do ctx:send(C.Echo, { left = 3 }) end
  end,
})
ecs.system("read", {
  access = { read = { C.Hit, C.Echo } },
  run = function(_, ctx)
    local hits, echoes = ctx:events(C.Hit), ctx:events(C.Echo)
    for i = 1, hits.count do sums.read = sums.read + hits.amount[i] end
    for i = 1, echoes.count do sums.single = sums.single + echoes.left[i] end
  end,
})
ecs.on(C.Hit, {}, function(events, ctx)
  for i = 1, events.count do
    if ctx:is_alive(events.target[i]) then sums.react = sums.react + events.amount[i] end
  end
end)
ecs.on_changed(C.Health, { access = { read = { C.Health } } }, function(batch, ctx)
  for i = 1, batch.count do
    local now = ctx:try_get(batch.entity[i], C.Health)
    sums.changed = sums.changed + now.current - batch.Health.current[i]
  end
end)
ecs.system("check", {
  group = "presentation",
  run = function(_, ctx)
    local ticks = ctx.tick + 1
    t.equal(sums.read, 2 * N * (ticks - 1))
    t.equal(sums.single, 3 * N * (ticks - 1))
    t.equal(sums.react, 2 * N * ticks)
    t.equal(sums.changed, N * ticks)
    finished = ticks > 70
  end,
})
