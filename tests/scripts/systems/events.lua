-- Events: sending, reading, reacting, and what goes wrong.
local ecs, t = require "ecs", require "harness"
local C, world = ecs.components, ecs.world

local seen, late, rounds, notes = {}, {}, 0, {}
local kept, kept_row, kept_out, kept_ctx
local someone = world:spawn(C.Health)

ecs.system("b sends", {
  access = { write = { C.Hit, C.Over, C.Talk } },
  run = function(_, ctx)
    if ctx.tick > 0 then return end
    ctx:send(C.Hit, { target = someone, amount = 1 })
    ctx:send(C.Hit { amount = 2 })
    ctx:send(C.Hit)
    ctx:send(C.Over)
    ctx:send(C.Talk, { text = "hello", mood = "angry", at = { x = 1, y = 2 }, slots = { 5, 6 } })
    local out = ctx:send_many(C.Hit, 3)
    t.equal(out.count, 3)
    for i = 1, out.count do out.amount[i] = 10 * i end
    out[2].target = someone
    t.equal(out.amount[1], 10)
    for _ = 1, 300 do ctx:send(C.Hit, { amount = 7 }) end
    out.amount[3] = 31  -- where it was, however many followed
    t.fails("out of range, this batch has rows 1 to 3", function() out.amount[4] = 1 end)
    t.fails("out of range", function() return out.amount[0 / 0] end)
    local empty = ctx:send_many(C.Hit, 0)
    t.equal(empty.count, 0)
    kept_out = ctx:send_many(C.Over, 2)
    t.equal(kept_out.count, 2)

    t.fails("unknown field 'amonut'; did you mean 'amount'?", function() ctx:send(C.Hit, { amonut = 1 }) end)
    t.fails("field 'amount'", function() ctx:send(C.Hit, { amount = "much" }) end)
    t.fails("expected a table of fields", function() ctx:send(C.Hit, 5) end)
    t.fails("a value and something else", function() ctx:send(C.Hit { amount = 1 }, {}) end)
    t.fails("'Health' is a component, not an event", function() ctx:send(C.Health) end)
    t.fails("'Health' is a component, not an event", function() ctx:send(C.Health { current = 1 }) end)
    t.fails("ctx:send: expected a component", function() ctx:send(5) end)
    t.fails("ctx:send: expected a component", function() ctx:send() end)
    t.fails("event 'Unheard' is not declared as written", function() ctx:send(C.Unheard, {}) end)
    t.fails("event 'Unheard' is not declared as written", function() ctx:send(C.Unheard {}) end)
    t.fails("event 'Unheard' is not declared as written", function() ctx:send_many(C.Unheard, 1) end)
    for _, bad in ipairs { -1, 0 / 0, 2 ^ 31, "3", {} } do
      t.fails("expected a count", function() ctx:send_many(C.Hit, bad) end)
    end
    t.fails("too many events 'Hit'", function() ctx:send_many(C.Hit, 2 ^ 30) end)
    finished_sending = true
    error("this system fails, and nothing of it happens")
  end,
})

ecs.system("a sends", {
  access = { write = { C.Hit, C.Over, C.Talk } },
  run = function(_, ctx)
    if ctx.tick > 1 then return end
    ctx:send(C.Hit, { target = someone, amount = ctx.tick + 1 })
    local out = ctx:send_many(C.Hit, 2)
    out.amount[1], out.amount[2] = 20, 30
    ctx:send(C.Over)
    ctx:send(C.Talk, { text = "hello", mood = "angry", at = { x = 1, y = 2 }, slots = { 5, 6 } })
    kept_out, kept_ctx = out, ctx
    t.fails("is not declared", function() ctx:events(C.Unheard) end)
  end,
})

ecs.system("reads", {
  access = { read = { C.Hit, C.Over, C.Talk } },
  run = function(_, ctx)
    local events = ctx:events(C.Hit)
    t.equal(#events, events.count)
    for i = 1, events.count do seen[#seen + 1] = events.amount[i] end
    for i = 1, events.count do t.equal(events[i].amount, events.amount[i]) end
    t.is_true(ctx:events(C.Hit) == events)
    if events.count > 0 then
      t.equal(events.target[1], someone)
      t.equal(events.target[2], nil)
      kept, kept_row = events, events[1]
      t.fails("read-only", function() events.amount[1] = 5 end)
      t.fails("read-only", function() events[1].amount = 5 end)
      t.fails("has no field 'amuont'", function() return events.amuont end)
      local talk = ctx:events(C.Talk)
      t.equal(talk.text[1], "hello")
      t.equal(talk.mood[1], "angry")
      t.equal(talk.at.y[1], 2)
      t.equal(talk.slots[2][1], 6)
      t.equal(ctx:events(C.Over).count, 1)
    end
    for _, bad in ipairs { 0, -1, events.count + 1, 0 / 0, 1 / 0, 2 ^ 53, -2 ^ 63 } do
      t.fails("out of range", function() return events.amount[bad] end)
    end
    for _, bad in ipairs { "x", {}, true, setmetatable({}, { __sub = function() return -5 end }) } do
      t.is_true(not pcall(function() return events.amount[bad] end))
    end
    t.fails("'Hit' is not declared as written", function() ctx:send(C.Hit) end)
    t.fails("is not declared", function() ctx:events(C.Unheard) end)
    t.fails("'Health' is a component, not an event", function() ctx:events(C.Health) end)
    t.fails("ctx:events: expected a component", function() ctx:events(nil) end)
    t.fails("'Hit' is an event; read it with ctx:events", function() ctx:try_get(someone, C.Hit) end)
    t.fails("is an event and does not belong to entities", function() ctx.commands:add(someone, C.Hit) end)
  end,
})

ecs.system("shows", {
  group = "presentation", access = { read = { C.Hit } },
  run = function(_, ctx)
    for i = 1, ctx:events(C.Hit).count do late[#late + 1] = ctx:events(C.Hit).amount[i] end
    t.fails("a presentation system sees a finished world and sends no events", function() ctx:send(C.Hit) end)
  end,
})

ecs.on(C.Hit, { access = { write = { C.Health, C.Echo } } }, function(events, ctx)
  notes[#notes + 1] = "hit " .. events.count
  local health = ctx:try_get(events.target[1], C.Health)
  health.current = health.current - events.amount[1]
  ctx:send(C.Echo, { left = 3 })
  t.equal(ctx:events(C.Hit), events)
end)
ecs.on(C.Hit, { name = "before", before = "on Hit" }, function(events)
  notes[#notes + 1] = "before " .. events.count
end)
ecs.on(C.Echo, { access = { write = { C.Echo } } }, function(events, ctx)
  rounds = rounds + events.count
  for i = 1, events.count do
    if events.left[i] > 0 then ctx:send(C.Echo, { left = events.left[i] - 1 }) end
  end
end)

t.fails("expected a function(events, ctx)", function() ecs.on(C.Hit, {}) end)
t.fails("unknown key 'query'", function() ecs.on(C.Hit, { query = {} }, function() end) end)
t.fails("'Health' is a component, not an event; use ecs.on_added", function() ecs.on(C.Health, {}, function() end) end)
t.fails("react to the event itself", function() ecs.on_added(C.Hit, {}, function() end) end)
t.fails("exists already", function() ecs.on(C.Hit, { name = "before" }, function() end) end)
t.fails("'Hit' is an event, not a component; send it", function() world:spawn(C.Hit) end)
t.fails("'Hit' is an event, not a component; send it", function() world:add(someone, C.Hit { amount = 1 }) end)
t.fails("'Hit' is an event; events are sent", function() ecs.prefab("Bad", { C.Hit }) end)
t.fails("'Hit' is an event, name it under access", function() ecs.query { read = { C.Hit } } end)

ecs.system("checks", {
  group = "presentation",
  run = function(_, ctx)
    if ctx.tick == 1 then
      t.equal(table.concat(late, " "), "1 20 30")
      t.equal(table.concat(notes, ", "), "before 3, hit 3, before 3, hit 3")
      t.equal(rounds, 8)
      t.fails("batches end with the run", function() return kept.amount[1] end)
    elseif ctx.tick == 3 then
      t.equal(table.concat(seen, " "), "1 20 30 2 20 30")
      t.equal(table.concat(late, " "), "1 20 30 2 20 30")
      t.fails("batches end with the run", function() return #kept end)
      t.fails("batches end with the run", function() return kept.count end)
      t.fails("batches end with the run", function() return kept.amount[1] end)
      t.fails("batches end with the run", function() return kept_out.amount[1] end)
      t.fails("batches end with the run", function() kept_out.amount[1] = 5 end)
      t.is_true(not pcall(function() return kept_row.amount end))
      t.fails("outside of its system's run", function() kept_ctx:send(C.Hit) end)
      t.fails("outside of its system's run", function() kept_ctx:events(C.Hit) end)
      finished = finished_sending
    end
  end,
})
