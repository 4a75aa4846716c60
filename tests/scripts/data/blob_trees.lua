-- [K8] Blobs with a root struct, lists, and references to nodes of their own type, built while main.lua loads and in
-- systems.
local ecs, t = require "ecs", require "harness"
local C, world = ecs.components, ecs.world

-- a tree
local tree = ecs.build_blob(C.Tree, {
  value = 1, name = "root", children = {
    { value = 2 }, { value = 3, children = { { name = "leaf" } } }, { value = 2 },
  },
})
t.equal(tree.value, 1)
t.equal(tree.name, "root")
t.equal(#tree.children, 3)
t.equal(tree.children.count, 3)
t.equal(tree.children[1].value, 2)
t.equal(tree.children[2].children[1].name, "leaf")
t.equal(tree.children[2].children[1].value, 1, "a field that is omitted has its default")
t.equal(#tree.children[1].children, 0, "a list that is omitted is empty")
t.is_true(tree.children[1] == tree.children[3], "equal nodes are one node")

-- lists of numbers, vectors, structs with lists, and lists in structs
local level = ecs.build_blob("Level", {
  size = { 3, 4 }, start = tree, heights = { 1, 2.5, 3 }, corners = { { 1, 2 }, { y = 4 } },
  waves = { { at = 1, kinds = { "bat", "orc" } }, { at = 2 } }, part = { notes = { "one", "two" } },
})
t.equal(level.size.x + level.size.y, 7)
t.is_true(level.start == tree)
t.equal(#level.heights, 3)
t.equal(level.heights[2], 2.5)
t.equal(level.corners[1].y, 2)
t.equal(level.corners.y[2], 4)
t.equal(#level.waves, 2)
t.equal(level.waves[1].kinds[2], "orc")
t.equal(level.waves.at[2], 2)
t.equal(#level.waves[2].kinds, 0)
t.equal(level.part.notes[2], "two")
local sum = 0
for i = 1, #level.heights do sum = sum + level.heights[i] end
t.equal(sum, 6.5)

-- the same contents are the same blob, and parts of one are used in another
local same = ecs.build_blob(C.Tree, {
  name = "root", children = { tree.children[1], { value = 3, children = tree.children[2].children }, { value = 2 } },
})
t.is_true(same == tree)
local grown = ecs.build_blob(C.Tree, { value = 9, children = { tree, tree } })
t.is_true(grown.children[2] == tree)
local shared = { value = 4 }
local both = ecs.build_blob(C.Tree, { children = { shared, shared } })
t.is_true(both.children[1] == both.children[2])

-- one table on very many paths is built once
local deep = { value = 0 }
for i = 1, 60 do deep = { value = i, children = { deep, deep } } end
t.equal(ecs.build_blob(C.Tree, deep).children[2].children[1].value, 58)

-- what is wrong is an error that says where
t.fails("ecs.build_blob: blob 'Tree': field 'value': expected f32, got 'x'", function()
  ecs.build_blob(C.Tree, { value = "x" })
end)
t.fails("blob 'Tree': at children[2].children[1]: blob 'Tree', field 'value': expected f32, got 'x'", function()
  ecs.build_blob(C.Tree, { children = { {}, { children = { { value = "x" } } } } })
end)
t.fails("blob 'Level': at waves[2].kinds[1]: blob 'Level.waves.kinds': expected one of the labels bat, orc, got 'cow'",
  function() ecs.build_blob(C.Level, { waves = { {}, { kinds = { "cow" } } } }) end)
t.fails("at heights[3]: blob 'Level.heights': expected f32, got true", function()
  ecs.build_blob(C.Level, { heights = { 1, 2, true } })
end)
t.fails("at part.notes[1]: blob 'Level.part.notes': expected text of at most 65536 bytes, got 5", function()
  ecs.build_blob(C.Level, { part = { notes = { 5 } } })
end)
t.fails("at children: blob 'Tree', field 'children': rows are listed one after the other, without keys; found key 'x'",
  function() ecs.build_blob(C.Tree, { children = { x = {} } }) end)
t.fails("unknown field 'vale'; did you mean 'value'?", function() ecs.build_blob(C.Tree, { vale = 1 }) end)
t.fails("expected a table of fields, got nil", function() ecs.build_blob(C.Tree) end)
t.fails("blob 'Level': field 'start': expected a blob made by ecs.build_blob, or nil, got 5", function()
  ecs.build_blob(C.Level, { start = 5 })
end)
t.fails("field 'start': expected a blob of type 'Tree', got one of type 'Level'", function()
  ecs.build_blob(C.Level, { start = level })
end)
local ring = { value = 1 }
ring.children = { { children = { ring } } }
t.fails("this table is inside itself, and a blob cannot be", function() ecs.build_blob(C.Tree, ring) end)
local chain = {}
for _ = 1, 200 do chain = { children = { chain } } end
t.is_true(#t.fails("blobs refer to blobs at most 256 deep", function() ecs.build_blob(C.Tree, chain) end) < 400)
local node = ecs.build_blob(C.Tree, {})
t.fails("blob 'Tree': blobs refer to blobs at most 256 deep", function()
  for i = 1, 200 do node = ecs.build_blob(C.Tree, { value = i, children = { node } }) end
end)

-- reading what is not there, and writing
t.fails("blob 'Tree' has no field 'vale'; did you mean 'value'?", function() return tree.vale end)
t.fails("row 4 is out of range, this blob has rows 1 to 3", function() return tree.children[4] end)
t.fails("row 1 is out of range, this blob has no rows", function() return tree.children[1].children[1] end)
t.fails("a blob never changes", function() tree.value = 5 end)
t.fails("a blob never changes", function() tree.children[1] = tree end)
t.fails("a blob never changes", function() level.heights[1] = 5 end)
t.fails("a blob never changes", function() level.waves[1].at = 5 end)

-- tables make blobs only inside of blobs
t.fails("expected a blob made by ecs.build_blob, or nil, got table", function()
  return C.Plant { tree = { value = 1 } }
end)
t.fails("expected a blob of type 'Tree', got one of type 'Level'", function() return C.Plant { tree = level } end)

world:spawn(C.Plant { tree = tree, level = level })
local Planted = ecs.prefab("Planted", { C.Plant { tree = grown } })
world:spawn(Planted)

ecs.system("grows", {
  query = { write = { C.Plant } },
  run = function(chunk, ctx)
    for i = 1, chunk.count do
      local now = chunk.Plant.tree[i]
      local next = ecs.build_blob(C.Tree, { value = now.value + 1, children = { now.children[1] } })
      chunk.Plant.tree[i] = next
      t.equal(chunk.Plant.tree[i].value, now.value + 1)
      t.is_true(chunk.Plant.tree[i].children[1] == now.children[1])
    end
    ctx.commands:spawn(C.Plant { tree = ecs.build_blob(C.Tree, { name = "late", children = { {}, {} } }) })
    finished = true
  end,
})
