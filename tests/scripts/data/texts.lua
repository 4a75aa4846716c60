-- Text fields: strings of any length in columns, rows, values, prefabs, resources and commands.
local ecs, t = require "ecs", require "harness"
local C, world = ecs.components, ecs.world

local long = ("x"):rep(65536)
local kept = C.Label { text = "kept by a value" }
local Boss = ecs.prefab("Boss", { C.Label { text = "boss", lines = { "a", "b" }, of = { text = "deep" } } })

-- ecs.world, defaults, rows
local anna = world:spawn(C.Label { text = "Anna", number = 1 })
local plain = world:spawn(C.Label)
local label = world:get(plain, C.Label)
t.equal(label.text, "nobody")
t.equal(label.of.text, "inside")
t.equal(label.lines[1], "")
label.text = "\0 any bytes \255"
t.equal(label.text, "\0 any bytes \255")
label.text = long
t.equal(#label.text, 65536)
label.lines = { "first", "second" }
t.equal(label.lines[1] .. label.lines[2], "firstsecond")
t.fails("component 'Label', field 'text': expected a text of at most 65536 bytes, got 65537 bytes",
  function() label.text = long .. "x" end)
t.fails("component 'Label', field 'text': expected text of at most 65536 bytes, got 5", function() label.text = 5 end)
t.fails("component 'Label', field 'text': expected text of at most 65536 bytes, got nil",
  function() label.text = nil end)
t.fails("field 'of.text': expected text", function() return C.Label { of = { text = {} } } end)
label.text = ""
t.equal(label.text, "")
world:set(anna, kept)
t.equal(world:get(anna, C.Label).text, "kept by a value")
local boss = world:get(world:spawn(Boss), C.Label)
t.equal(boss.text .. boss.lines[2] .. boss.of.text, "bossbdeep")

local story = world:resource(C.Story)
t.equal(story.title, "untitled")
story.title = "The Well"

ecs.system("columns", {
  query = { write = { C.Label } },
  run = function(chunk, ctx)
    local text, lines, inner = chunk.Label.text, chunk.Label.lines, chunk.Label.of.text
    for i = 1, chunk.count do
      local before = text[i]
      text[i] = before .. "!"
      t.equal(chunk.Label[i].text, before .. "!")
      text[i] = before
      lines[2][i] = "line"
      t.equal(lines[2][i], "line")
      inner[i] = "inner"
      t.equal(chunk.Label[i].of.text, "inner")
      t.fails("expected text of at most 65536 bytes, got true", function() text[i] = true end)
      chunk.Label[i] = { text = before }
    end
  end,
})

local later
ecs.system("commands", {
  access = { write = { C.Story }, read = { C.Label } },
  run = function(_, ctx)
    if later then t.equal(ctx:try_get(later, C.Label).text, "later " .. ctx.tick) end
    local e = ctx.commands:spawn(C.Label { text = "later " .. ctx.tick + 1 })
    ctx.commands:set(anna, C.Label { text = "set by a command" })
    -- "ends" sets it after us, from tick 2 on, to what a value has had since the file was loaded
    if later then
      t.equal(ctx:try_get(anna, C.Label).text, ctx.tick > 2 and "kept by a value" or "set by a command")
    end
    later = e
    local resource = ctx:resource(C.Story)
    t.is_true(resource.title == "The Well" or resource.title == "The Well, part 2")
    resource.title = "The Well, part 2"
  end,
})

-- Far more texts than the pool takes at a time: what is not in use goes, what a value or a row holds stays.
local said = 0
ecs.system("talks", {
  access = { write = { C.Label } },
  run = function(_, ctx)
    local mine = ctx:try_get(plain, C.Label)
    for _ = 1, 100 do
      said = said + 1
      mine.text = said .. (" so"):rep(7000)
    end
    t.equal(#mine.text, #tostring(said) + 21000)
  end,
})

ecs.system("ends", {
  access = { read = { C.Label } },
  run = function(_, ctx)
    if ctx.tick < 2 then return end
    ctx.commands:set(anna, kept)
    ctx.commands:spawn(Boss)
    finished = true
  end,
})
