-- [K8] Blobs: immutable arrays of rows, built once, kept in fields, read as columns and rows.
local ecs, t = require "ecs", require "harness"
local C, world = ecs.components, ecs.world

local rise = ecs.build_blob(C.Curve, { { t = 0, v = 1 }, { t = 1, v = 2, name = "top" }, { t = 2 } })
local again = ecs.build_blob("Curve", { { v = 1 }, { t = 1, v = 2, name = "top" }, { t = 2, v = 5 } })
local counts = ecs.build_blob(C.Count, { { count = 7, at = { 1, 2 } } })
local none = ecs.build_blob(C.Curve, {})

-- reading
t.is_true(rise == again, "the same rows are the same blob")
t.equal(rise.count, 3)
t.equal(#rise, 3)
t.equal(rise.v[1] + rise.v[2] + rise.v[3], 8)
t.equal(rise.name[1], "")
t.equal(rise.name[2], "top")
t.equal(rise[2].t, 1)
t.equal(rise[2].name, "top")
t.equal(counts.count[1], 7)  -- a field of that name hides the number of rows
t.equal(#counts, 1)
t.equal(counts.at.y[1], 2)
t.equal(counts[1].at.y, 2)
t.equal(none.count, 0)

-- what is wrong is an error
t.fails("blob 'Curve', field 't': row 4 is out of range, this blob has rows 1 to 3", function() return rise.t[4] end)
t.fails("row 0 is out of range", function() return rise[0] end)
t.fails("this blob has no rows", function() return none.t[1] end)
t.fails("a row index must be a number, got table", function() return rise.t[{}] end)
t.fails("blob 'Curve' has no field 'w'", function() return rise.w end)
t.fails("a blob never changes", function() rise.t[1] = 5 end)
t.fails("a blob never changes", function() rise.t = 5 end)
t.fails("a blob never changes", function() rise[1] = { t = 1 } end)
t.fails("a blob never changes", function() rise[1].t = 5 end)
t.fails("a blob never changes", function() rise.count = 5 end)
t.equal(rise.t[1], 0)

local message = t.fails("ecs.build_blob: blob 'Curve': 3 of 5 rows are wrong:", function()
  ecs.build_blob(C.Curve, { { t = "late" }, { t = 1 }, { tt = 2 }, { t = 3 }, 5 })
end)
t.is_true(message:find("\n  row 1: field 't': expected f32, got 'late'\n", 1, true), message)
t.is_true(message:find("\n  row 3: unknown field 'tt'; did you mean 't'?\n", 1, true), message)
t.is_true(message:find("\n  row 5: expected a table of fields, got 5", 1, true), message)
local many = {}
for i = 1, 100 do many[i] = { t = true } end
t.is_true(t.fails("100 of 100 rows", function() ecs.build_blob(C.Curve, many) end):find("  and 80 more", 1, true))
t.fails("unknown blob type 'Curv'; did you mean 'Curve'?", function() ecs.build_blob("Curv", {}) end)
t.fails("'Position' is a component, not a blob type", function() ecs.build_blob(C.Position, {}) end)
t.fails("expected a blob type such as C.Curve, got 5", function() ecs.build_blob(5, {}) end)
t.fails("expected a list of rows, got nil", function() ecs.build_blob(C.Curve) end)
t.fails("found key 'x'", function() ecs.build_blob(C.Curve, { x = {} }) end)

-- in fields
local mover = world:spawn(C.Mover { curve = rise, any = counts })
local value = world:get(mover, C.Mover)
t.is_true(value.curve == rise)
t.equal(value.any.count[1], 7)
t.equal(value.curve.v[2], 2)
value.curve = nil
t.equal(value.curve, nil)
value.curve = none
t.fails("component 'Mover', field 'curve': expected a blob of type 'Curve', got one of type 'Count'",
  function() value.curve = counts end)
for _, wrong in ipairs { 1, "Curve", {}, C.Curve, rise.t, rise[1], 0 / 0, true } do
  t.fails("expected a blob made by ecs.build_blob, or nil, got", function() value.curve = wrong end)
end
t.equal(value.curve, none)
value.curve = rise
world:resource(C.Story).curve = rise

-- a blob type is no component
for _, wrong in ipairs {
  function() return C.Curve { t = 1 } end, function() world:spawn(C.Curve) end,
  function() world:add(mover, C.Curve) end, function() ecs.prefab("Wrong", { C.Curve }) end,
} do
  t.fails("'Curve' is a blob type", wrong)
end
t.fails("'Curve'", function() ecs.system("reads a blob type", { query = { read = { C.Curve } }, run = function() end }) end)

local Moving = ecs.prefab("Moving", { C.Mover { curve = rise } })
world:spawn(Moving)

ecs.system("follows", {
  query = { write = { C.Mover } },
  run = function(chunk, ctx)
    local curves, time = chunk.Mover.curve, chunk.Mover.time
    for i = 1, chunk.count do
      local curve = curves[i]
      t.equal(curve.count, 3)
      local sum = 0
      for k = 1, curve.count do sum = sum + curve.v[k] end
      time[i] = sum
      curves[i] = rise
      t.fails("of type 'Curve', got one of type 'Count'", function() curves[i] = counts end)
    end
    t.is_true(ecs.build_blob(C.Curve, { { t = 0, v = 1 }, { t = 1, v = 2, name = "top" }, { t = 2 } }) == rise)
    finished = true
  end,
})

-- tools read schemas as JSON
local json = world:schema_json("Mover")
t.is_true(json:find('{"name":"Mover","kind":"component","version":1,', 1, true) == 1, json)
t.is_true(json:find('{"name":"curve","type":"blob","blob":"Curve","default":0,"offset":0,"size":4}', 1, true), json)
t.equal(world:schema_json(C.Mover), json)
t.fails("expected a component such as C.Position, got 5", function() world:schema_json(5) end)
