-- Every function of the API with arguments that are valid where it is open: one line each. A new function without a
-- line here fails the test that goes through them. Each gets the object that it belongs to and `at`: entity, prefab,
-- query, and a number that is new each time.
local ecs = require "ecs"
local C = ecs.components
local calls = {}

local function nothing() end
local function named(at) return "new" .. at.number end

calls.ecs = {
  array = function() return ecs.array("u8", 4) end,
  blob = function(_, at) return ecs.blob(named(at), { { "t", "f32" } }) end,
  build_blob = function() return ecs.build_blob(C.Curve, { { t = 1 } }) end,
  component = function(_, at) return ecs.component(named(at), { { "x", "f32" } }) end,
  components = function() return ecs.components.Position end,
  enum = function() return ecs.enum { "a", "b" } end,
  event = function(_, at) return ecs.event(named(at), { { "x", "f32" } }) end,
  flags = function() return ecs.flags { "a", "b" } end,
  group = function(_, at) return ecs.group(named(at), {}) end,
  import = function() return ecs.import "game" end,
  list = function() return ecs.list("u8") end,
  load_prefabs = function() return ecs.load_prefabs "phases/none.json" end,
  on = function() return ecs.on(C.Ping, {}, nothing) end,
  on_added = function() return ecs.on_added(C.Health, {}, nothing) end,
  on_changed = function() return ecs.on_changed(C.Health, {}, nothing) end,
  on_destroyed = function() return ecs.on_destroyed(C.Health, {}, nothing) end,
  on_removed = function() return ecs.on_removed(C.Health, {}, nothing) end,
  outside = function() return ecs.outside end,
  patch_prefab = function() return ecs.patch_prefab("game:Rock", { C.Frozen }) end,
  prefab = function(_, at) return ecs.prefab(named(at), { C.Position }) end,
  query = function() return ecs.query { read = { C.Position } } end,
  replace_system = function() return ecs.replace_system("game:sys", { run = nothing }) end,
  resource = function(_, at) return ecs.resource(named(at), { { "x", "f32" } }) end,
  service = function(_, at) return ecs.service(named(at), nothing) end,
  side_world = function() return ecs.side_world("side", "phases/side.lua") end,
  string = function() return ecs.string(8) end,
  struct = function() return ecs.struct { { "x", "f32" } } end,
  system = function(_, at) return ecs.system(named(at), { run = nothing }) end,
  world = function() return ecs.world end,
  wrap_system = function() return ecs.wrap_system("game:sys", { before = nothing }) end,
}

calls.side = {
  destroy = function(s)
    s:destroy()
    kept.side = ecs.side_world("side", "phases/side.lua")
  end,
  draw = function(s) return s:draw(1, 2, 0.5) end,
  is_alive = function(s) return s:is_alive() end,
  receive = function(s) return s:receive() end,
  send = function(s) return s:send { hello = true } end,
  stats = function(s) return s:stats().steps end,
  step = function(s) return s:step() end,
}

calls.world = {
  add = function(w, at) return w:add(at.entity, C.Frozen) end,
  add_all = function(w, at) return w:add_all(at.query, C.Frozen) end,
  archetype = function(w, at) return w:archetype(at.entity).hash end,
  buffer = function(w, at) return w:buffer(at.entity, C.Path):push { x = 1 } end,
  change = function(w, at) return w:change(at.entity, { C.Frozen }, { C.Shield }) end,
  children = function(w, at) return w:children(at.entity) end,
  chunk_count = function(w, at) return w:chunk_count(at.query) end,
  clone = function(w, at) return w:clone(at.entity) end,
  clone_tree = function(w, at) return w:clone_tree(at.entity) end,
  destroy = function(w, at) return w:destroy(at.entity) end,
  destroy_all = function(w, at) return w:destroy_all(at.query) end,
  enable = function(w, at) return w:enable(at.entity, C.Shield, false) end,
  enable_all = function(w, at) return w:enable_all(at.query, C.Shield, false) end,
  enable_system = function(w) return w:enable_system("idle", false) end,
  entities = function(w, at) return w:entities(at.query) end,
  entity_count = function(w) return w:entity_count() end,
  find = function(w) return w:find "turret" end,
  get = function(w, at)
    local position = w:get(at.entity, C.Position)
    if position then position.x = 5 end
  end,
  has = function(w, at) return w:has(at.entity, C.Position) end,
  is_alive = function(w, at) return w:is_alive(at.entity) end,
  is_enabled = function(w, at) return w:is_enabled(at.entity, C.Shield) end,
  load = function(w) return w:load "phases/none.json" end,
  name = function(w, at) return w:name(at.entity) end,
  object = function(w, at) return w:object(at.entity, C.Brain) end,
  parent = function(w, at) return w:parent(at.entity) end,
  remove = function(w, at) return w:remove(at.entity, C.Health) end,
  remove_all = function(w, at) return w:remove_all(at.query, C.Health) end,
  resource = function(w) w:resource(C.Score).points = 5 end,
  run_group = function(w) return w:run_group "idle group" end,
  schema_json = function(w) return w:schema_json(C.Position) end,
  send = function(w) return w:send(C.Ping, { number = 1 }) end,
  set = function(w, at) return w:set(at.entity, C.Health { current = 1 }) end,
  set_all = function(w, at) return w:set_all(at.query, C.Position { x = 1 }) end,
  set_name = function(w, at) return w:set_name(at.entity, "turret") end,
  set_object = function(w, at) return w:set_object(at.entity, C.Brain, { mood = 3 }) end,
  set_parent = function(w, at) return w:set_parent(at.entity, nil) end,
  shared_values = function(w) return w:shared_values(C.Team) end,
  sources = function(w, at) return w:sources(at.entity, C.Likes) end,
  spawn = function(w) return w:spawn(C.Position) end,
  stats = function(w) return w:stats() end,
  system_state = function(w) return w:system_state "idle" end,
}

calls.ctx = {
  alpha = function(ctx) return ctx.alpha end,
  buffer = function(ctx, at) return ctx:buffer(at.entity, C.Path) end,
  chunk_count = function(ctx) return ctx:chunk_count() + ctx:chunk_count(kept.query) end,
  commands = function(ctx) return ctx.commands end,
  dt = function(ctx) return ctx.dt end,
  entity_count = function(ctx) return ctx:entity_count() + ctx:entity_count(kept.query) end,
  events = function(ctx) return ctx:events(C.Ping).count end,
  has = function(ctx, at) return ctx:has(at.entity, C.Position) end,
  is_alive = function(ctx, at) return ctx:is_alive(at.entity) end,
  is_enabled = function(ctx, at) return ctx:is_enabled(at.entity, C.Shield) end,
  log = function(ctx) return ctx:log("hello") end,
  object = function(ctx, at) return ctx:object(at.entity, C.Brain) end,
  queries = function(ctx) for chunk in ctx.queries.all:chunks() do return chunk.count end end,
  random = function(ctx) return ctx.random end,
  resource = function(ctx) return ctx:resource(C.Score).points end,
  send = function(ctx) return ctx:send(C.Ping, { number = 1 }) end,
  send_many = function(ctx) return ctx:send_many(C.Ping, 2) end,
  set_object = function(ctx, at) return ctx:set_object(at.entity, C.Brain, { mood = 4 }) end,
  sources = function(ctx, at) return ctx:sources(at.entity, C.Likes) end,
  start_job = function(ctx) return ctx:start_job "none" end,
  system_state = function(ctx) return ctx:system_state "idle" end,
  tick = function(ctx) return ctx.tick end,
  time = function(ctx) return ctx.time end,
  try_get = function(ctx, at) return ctx:try_get(at.entity, C.Position) end,
  wait_for_jobs = function(ctx) return ctx:wait_for_jobs() end,
}

calls.commands = {
  add = function(c, at) return c:add(at.entity, C.Frozen) end,
  add_all = function(c, at) return c:add_all(at.query, C.Frozen) end,
  buffer = function(c, at) return c:buffer(at.entity, C.Path) end,
  change = function(c, at) return c:change(at.entity, { C.Frozen }, { C.Shield }) end,
  clone = function(c, at) return c:clone(at.entity) end,
  destroy = function(c, at) return c:destroy(at.spare) end,
  destroy_all = function(c, at) return c:destroy_all(at.none) end,
  enable = function(c, at) return c:enable(at.entity, C.Shield, false) end,
  enable_all = function(c, at) return c:enable_all(at.query, C.Shield, false) end,
  enable_system = function(c) return c:enable_system("idle", false) end,
  load = function(c) return c:load "phases/none.json" end,
  remove = function(c, at) return c:remove(at.entity, C.Health) end,
  remove_all = function(c, at) return c:remove_all(at.query, C.Health) end,
  run_group = function(c) return c:run_group "idle group" end,
  set = function(c, at) return c:set(at.entity, C.Health { current = 1 }) end,
  set_all = function(c, at) return c:set_all(at.query, C.Position { x = 1 }) end,
  set_buffer = function(c, at) return c:set_buffer(at.entity, C.Path) end,
  set_name = function(c, at) return c:set_name(at.entity, "turret") end,
  set_object = function(c, at) return c:set_object(at.entity, C.Brain, { mood = 5 }) end,
  set_parent = function(c, at) return c:set_parent(at.entity, nil) end,
  spawn = function(c) return c:spawn(C.Position) end,
  sort_key = function(c, at) return c:sort_key(at.number) end,
  spawn_many = function(c, at) return c:spawn_many(at.prefab, 3) end,
}

calls.random = {
  chance = function(r) return r:chance(0.5) end,
  integer = function(r) return r:integer(1, 6) end,
  pick = function(r) return r:pick { 1, 2 } end,
  range = function(r) return r:range(0, 1) end,
  unit = function(r) return r:unit() end,
}

-- What was kept from a time when ecs.world was open.
calls.kept = {
  value = function(k) k.value.x = 7 end,
  value_read = function(k) return k.value.x end,
  buffer = function(k) k.buffer:push { x = 2 } end,
  buffer_as = function(k) return k.buffer:as(C.Path).count end,
  buffer_clear = function(k) k.buffer:clear() end,
  buffer_insert = function(k) k.buffer:insert(1, { x = 3 }) end,
  buffer_read = function(k) return k.buffer.count + #k.buffer end,
  buffer_remove = function(k) k.buffer:remove(1) end,
  buffer_resize = function(k) k.buffer:resize(4) end,
  buffer_trim = function(k) k.buffer:trim() end,
  buffer_write = function(k) k.buffer.x[1] = 3 end,
  resource = function(k) k.resource.points = 9 end,
  resource_read = function(k) return k.resource.points end,
  chunk = function(k) return k.chunk.Position.x[1] end,
  chunk_changed = function(k) return k.chunk:changed(C.Position) end,
  chunk_column = function(k) return k.column[1] end,
  chunk_entity = function(k) return k.chunk.entity[1] end,
  chunk_row = function(k) return k.chunk.Position[1].x end,
  chunk_rows = function(k) for i in k.chunk:rows() do return i + k.column[i] end end,
  chunk_runs = function(k) for first, last in k.chunk:runs() do return k.column[first] + last end end,
  events = function(k) return k.events.number[1] end,
  located = function(k) return k.located.x end,
  queried = function(k) return k.queried.count end,
  service = function(k) return k.service() end,
}

return calls
