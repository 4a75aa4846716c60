-- quat and mat4: their columns, parts, values and defaults.
local ecs, t = require "ecs", require "harness"
local C, world = ecs.components, ecs.world

local quat_parts = { "x", "y", "z", "w" }
local matrix_parts = {
  "xx", "xy", "xz", "xw", "yx", "yy", "yz", "yw", "zx", "zy", "zz", "zw", "wx", "wy", "wz", "ww",
}

local function shown(fields, parts)
  local list = {}
  for i = 1, #parts do list[i] = fields[parts[i]] end
  return table.concat(list, " ")
end

local kNoTurn = "0 0 0 1"
local kIdentity = "1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1"

local plain = world:spawn(C.Pose)
local pose = world:get(plain, C.Pose)
t.equal(shown(pose.turn, quat_parts), kNoTurn)
t.equal(shown(pose.place, matrix_parts), kIdentity)
t.equal(shown(pose.bent, quat_parts), "1 0 0 0")
t.equal(shown(pose.turns[1], quat_parts), kNoTurn)
t.equal(shown(pose.turns[2], quat_parts), kNoTurn)

local counted = {}
for i = 1, 16 do counted[i] = i end
local listed = world:spawn(C.Pose { turn = { 0.5, 0.25, 0, -1 }, place = counted, turns = { { w = 0, z = 1 } } })
pose = world:get(listed, C.Pose)
t.equal(shown(pose.turn, quat_parts), "0.5 0.25 0 -1")
t.equal(shown(pose.place, matrix_parts), table.concat(counted, " "))
t.equal(shown(pose.turns[1], quat_parts), "0 0 1 0")
t.equal(shown(pose.turns[2], quat_parts), kNoTurn)

-- What a value does not name keeps its default.
local named = world:spawn(C.Pose { turn = { y = 1 }, place = { wx = 7, wz = -7 }, bent = { y = 2 } })
pose = world:get(named, C.Pose)
t.equal(shown(pose.turn, quat_parts), "0 1 0 1")
t.equal(shown(pose.place, matrix_parts), "1 0 0 0 0 1 0 0 0 0 1 0 7 0 -7 1")
t.equal(shown(pose.bent, quat_parts), "1 2 0 0")

t.fails("unknown field 'q'", C.Pose, { turn = { q = 1 } })
t.fails("unknown field 'wq'", C.Pose, { place = { wq = 1 } })
t.fails("expected a table of fields, got 1", C.Pose, { turn = 1 })
t.fails("by name and by position", C.Pose, { turn = { 1, x = 2 } })
local many = { unpack(counted) }
many[17] = 17
t.fails("unknown field 17", C.Pose, { place = many })
t.fails("field 'turn': expected f32, got 'far'", C.Pose, { turn = { x = "far" } })

ecs.system("turn", {
  query = { write = { C.Pose } },
  run = function(chunk)
    local turn, place = chunk.Pose.turn, chunk.Pose.place
    for i = 1, chunk.count do
      turn.x[i], turn.w[i] = i, turn.w[i] + 10
      place.wy[i] = place.xx[i] + place.ww[i]
      chunk.Pose.turns[2].z[i] = i * 2
    end
    t.equal(chunk.Pose[1].turn.w, turn.w[1])
    local row = chunk.Pose[chunk.count]
    row.turn = { z = 3 }
    t.equal(turn.z[chunk.count], 3)
    row.place = counted
    t.equal(place.ww[chunk.count], 16)
    t.fails("has no field 'v'", function() return turn.v[1] end)
    t.fails("has no field 'wv'", function() return place.wv[1] end)
    t.fails("written row by row", function() chunk.Pose.turn.x = 1 end)
    finished = true
  end,
})
