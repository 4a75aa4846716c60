-- require "test": declaring tests, assertions, and games under test. Only for files in tests/.
-- Invariant: a file declares its tests while it is loaded; C++ runs them one by one, and a failure is an error at the
-- test's own line. The host owns the games; here they are objects with numbers.
local need = ...
local order, host = need "order", need "host"
local tostring, innermost, each_entry = need "text".tostring, need "callers".innermost, need "table_entries".each
local type, next, pcall, error, rawget, unpack = type, next, pcall, error, rawget, unpack
local format, find, sub, concat, sort = string.format, string.find, string.sub, table.concat, table.sort
local abs, floor, setmetatable = math.abs, math.floor, setmetatable

local test = {}

-- Raises at the innermost line of the test file.
local function raise(message)
  local _, level = innermost("S")
  error(message, level or 0)
end

local function expect(result, message)
  if result == nil then raise(message) end
  return result
end

-- ---- declaring ----------------------------------------------------------------------------------------------

local tests, around = {}, {}

--- t.describe("what", function() … end): the tests declared inside are named after it.
function test.describe(name, body)
  if type(name) ~= "string" or type(body) ~= "function" then raise("t.describe: expected a name and a function") end
  around[#around + 1] = name
  local done, message = pcall(body)
  around[#around] = nil
  if not done then error(message, 0) end
end

--- t.it("does this", function() … end): a test.
function test.it(name, body)
  if type(name) ~= "string" or type(body) ~= "function" then raise("t.it: expected a name and a function") end
  local full = concat(around, " › ")
  tests[#tests + 1] = { name = full == "" and name or full .. " › " .. name, body = body }
end

-- ---- comparing ----------------------------------------------------------------------------------------------

local shown

local function key_text(key) return type(key) == "string" and key or "[" .. tostring(key) .. "]" end

local function entries_of(t, depth)
  if depth > 3 then return "{ … }" end
  local list = {}
  each_entry(t, key_text, function(value, key)
    list[#list + 1] = (key and key .. " = " or "") .. shown(value, depth + 1)
  end)
  return #list == 0 and "{}" or "{ " .. concat(list, ", ") .. " }"
end

function shown(value, depth)
  if type(value) == "string" then return format("%q", #value <= 200 and value or sub(value, 1, 200) .. "…") end
  if type(value) == "number" then return value == floor(value) and tostring(value) or format("%.9g", value) end
  if type(value) == "table" then return entries_of(value, depth or 0) end
  return tostring(value)
end

local function same(a, b, near)
  if a == b then return true end
  if type(a) == "number" and type(b) == "number" then return abs(a - b) <= near or a ~= a and b ~= b end
  if type(a) ~= "table" or type(b) ~= "table" then return false end
  for key, entry in next, a do
    if not same(entry, rawget(b, key), near) then return false end
  end
  for key in next, b do
    if rawget(a, key) == nil then return false end
  end
  return true
end

--- t.equal(got, expected): compares tables by content.
function test.equal(got, expected, why)
  if same(got, expected, 0) then return end
  raise(format("%sexpected %s, got %s", why and tostring(why) .. ": " or "", shown(expected), shown(got)))
end

--- t.near(got, expected, by): numbers, or tables of them, no further apart than `by` (1e-6).
function test.near(got, expected, by)
  if same(got, expected, by or 1e-6) then return end
  raise(format("expected %s within %s, got %s", shown(expected), shown(by or 1e-6), shown(got)))
end

--- t.errors(f, text): f() raises an error that contains the text. Returns its message.
function test.errors(body, text)
  local done, message = pcall(body)
  if done then raise("expected an error, and there was none") end
  message = tostring(message)
  if text and not find(message, text, 1, true) then
    raise(format("expected an error with %s, got %s", shown(text), shown(message)))
  end
  return message
end

-- ---- components by name -------------------------------------------------------------------------------------

local names = setmetatable({}, { __mode = "k" })

--- t.components.Enemy refers to the component of this name, as written in the mod under test.
local handles = {}
test.components = setmetatable({}, {
  __index = function(_, name)
    if not handles[name] then
      handles[name] = setmetatable({}, {
        __tostring = function() return "component " .. tostring(name) end, __metatable = false,
        __newindex = function() raise("a component cannot be changed") end,
      })
      names[handles[name]] = name
    end
    return handles[name]
  end,
  __newindex = function() raise("components cannot be changed") end,
  __metatable = false,
})

local function name_of(what, where)
  local name = names[what] or what
  if type(name) ~= "string" then raise(where .. ": expected a component such as C.Enemy, got " .. shown(what)) end
  return name
end

-- ---- games --------------------------------------------------------------------------------------------------

local numbers = setmetatable({}, { __mode = "k" })
local game = {}

local function number_of(object, method)
  return numbers[object] or raise("call it as a method: game:" .. method .. "(…)")
end

--- t.game { seed = 1, errors = true }: the game under test, with its mods, before its first step. With `errors` a
--- script may fail without failing the test.
function test.game(options)
  options = options == nil and {} or options
  if type(options) ~= "table" then raise("t.game: expected options such as { seed = 1 }, got " .. shown(options)) end
  local wrong
  for key in next, options do
    if key ~= "seed" and key ~= "errors" then wrong = order.first(wrong, key) end
  end
  if wrong ~= nil then raise("t.game: there is no option " .. shown(wrong)) end
  local seed = options.seed or 0
  if type(seed) ~= "number" or seed ~= floor(seed) or seed < 0 then
    raise("t.game: expected a whole number for 'seed', got " .. shown(seed))
  end
  local object = setmetatable({}, { __index = game, __metatable = false, __tostring = function() return "game" end })
  numbers[object] = expect(host.test_start(seed, options.errors == true))
  return object
end

--- game:step(n): n fixed steps, each with its picture; default 1.
function game:step(count)
  count = count or 1
  if type(count) ~= "number" or count ~= floor(count) or count < 0 or count > 1e6 then
    raise("game:step: expected a number of steps, got " .. shown(count))
  end
  expect(host.test_step(number_of(self, "step"), count))
end

--- game:press("space"): down from the next step on, until game:release. Takes controls ("space", "mouse_left", "pad_a")
--- and the game's actions. `value` is for sticks and triggers; "mouse_wheel_up" and "mouse_wheel_down" turn by so many
--- notches.
function game:press(control, value)
  expect(host.test_set_input(number_of(self, "press"), tostring(control), value or 1))
end

function game:release(control)
  expect(host.test_set_input(number_of(self, "release"), tostring(control), 0))
end

--- game:tap("space"): down for one step.
function game:tap(control)
  self:press(control)
  self:step()
  self:release(control)
end

--- game:mouse(x, y): moves the mouse, in pixels of the logical screen.
function game:mouse(x, y)
  if type(x) ~= "number" or type(y) ~= "number" then raise("game:mouse: expected two numbers") end
  expect(host.test_move_mouse(number_of(self, "mouse"), x, y))
end

--- game:resize(width, height): the screen has this size from the next step on, as in a window of another shape. For
--- games with "fit": "expand", the only ones whose screen changes.
function game:resize(width, height)
  local least, most = host.test_screen_sides()
  local function is_side(n) return type(n) == "number" and n == floor(n) and n >= least and n <= most end
  if not is_side(width) or not is_side(height) then
    raise(format("game:resize: expected a width and a height, whole numbers from %d to %d, got %s and %s", least, most,
      shown(width), shown(height)))
  end
  expect(host.test_resize(number_of(self, "resize"), width, height))
end

--- game:type("text"): typed before the next step, after earlier presses.
function game:type(text)
  if type(text) ~= "string" then raise("game:type: expected a text, got " .. shown(text)) end
  expect(host.test_type_text(number_of(self, "type"), text))
end

--- game:find { C.Enemy, C.Health }: the entities that have all of them, as a list.
function game:find(list)
  if names[list] or type(list) ~= "table" then list = { list } end
  local words = {}
  for i = 1, #list do words[i] = name_of(list[i], "game:find") end
  if #words == 0 then raise("game:find: expected components") end
  return expect(host.test_find(number_of(self, "find"), unpack(words)))
end

--- game:count(C.Enemy, …): how many entities have all of them.
function game:count(...) return #self:find { ... } end

local function probed(self, method, what, entity)
  local done, message = host.test_probe(number_of(self, method), method, name_of(what, "game:" .. method), entity)
  if done == nil and message then raise(message) end
  return done
end

--- game:get(entity, C.Position): a table of its fields; nil when it lacks the component.
function game:get(entity, what)
  if type(entity) ~= "number" then raise("game:get: expected an entity, got " .. shown(entity)) end
  return probed(self, "get", what, entity)
end

--- game:resource(C.Score): a table of its fields.
function game:resource(what) return probed(self, "resource", what, 0) end

--- game:run("code", mod): runs Lua in the game, or in a mod, as a console would; outside systems.
function game:run(code, mod)
  if type(code) ~= "string" then raise("game:run: expected source text, got " .. shown(code)) end
  expect(host.test_run(number_of(self, "run"), mod, code))
end

--- game:hash(): hash of the whole world, 16 digits.
function game:hash() return expect(host.test_hash(number_of(self, "hash"))) end

--- game:has_quit(): true if it called app.quit(). Then no further step runs.
function game:has_quit() return expect(host.test_has_quit(number_of(self, "has_quit"))) end

local pictures = setmetatable({}, { __mode = "k" })

--- game:screenshot(): a picture of the last step, for t.golden_image.
function game:screenshot()
  local picture = setmetatable({}, { __metatable = false, __tostring = function() return "picture" end })
  pictures[picture] = expect(host.test_picture(number_of(self, "screenshot")))
  return picture
end

--- t.healthy(game): no system is suspended, and no script has failed.
function test.healthy(object) expect(host.test_health(number_of(object, "step"))) end

--- t.compiled(game): no system has run code that LuaJIT cannot compile so far.
function test.compiled(object) expect(host.test_compiled(number_of(object, "step"))) end

-- ---- golden values ------------------------------------------------------------------------------------------

--- t.golden("name", value): compares with tests/golden/name.txt; --update writes it.
function test.golden(name, value)
  local text = type(value) == "string" and value or shown(value)
  expect(host.test_compare(tostring(name), text, false))
end

--- t.golden_image("name", game:screenshot()): the same with tests/golden/name.png.
function test.golden_image(name, picture)
  local bytes = pictures[picture]
  if not bytes then raise("t.golden_image: expected a picture from game:screenshot(), got " .. shown(picture)) end
  expect(host.test_compare(tostring(name), bytes, true))
end

-- ---- for C++ ------------------------------------------------------------------------------------------------

local declared = {}

function declared.name(number) return tests[number] and tests[number].name end
function declared.run(number) tests[number].body() end

local list = {}
for name in next, test do list[#list + 1] = name end
sort(list)

--- What require "test" returns.
declared.module = setmetatable({}, {
  __index = function(_, key)
    local entry = test[key]
    if entry ~= nil then return entry end
    raise(format("test has no entry %s; there are %s", shown(key), concat(list, ", ")))
  end,
  __newindex = function() raise("test cannot be changed") end,
  __metatable = false,
})

return declared
