---@meta test
-- luacheck: ignore
-- The module of files in tests/: see docs/testing.md.

---@class perigee.Picture the result of `game:screenshot()`

---@class perigee.TestGame the game with its mods; it runs only while a test steps it
local game = {}

---@param count? integer fixed steps; 1 when left out
function game:step(count) end
---@param control string an action of the game, "space", "mouse_left", "pad_a"
---@param value? number 1 when left out
function game:press(control, value) end
---@param control string
function game:release(control) end
--- Down for one step.
---@param control string
function game:tap(control) end
---@param x number
---@param y number
function game:mouse(x, y) end
--- Typed before the next step, after earlier presses.
---@param text string
function game:type(text) end
--- The entities that have all of these components.
---@param components any[]
---@return perigee.Entity[]
function game:find(components) end
---@return integer
function game:count(...) end
--- Its fields; a list for a buffer, true for a tag, nil when it lacks the component.
---@param entity perigee.Entity
---@return any
function game:get(entity, component) end
---@return table
function game:resource(component) end
---@return string digits
function game:hash() end
---@return boolean
function game:has_quit() end
--- The current picture of the game, for `t.golden_image`.
---@return perigee.Picture
function game:screenshot() end
--- Runs Lua in the game or a mod, outside of systems.
---@param code string
---@param mod? string
function game:run(code, mod) end

---@class perigee.Test
---@field components table<string, any>
local t = {}

---@param name string
---@param body fun()
function t.describe(name, body) end
---@param name string
---@param body fun()
function t.it(name, body) end
function t.equal(got, expected, why) end
---@param by? number
function t.near(got, expected, by) end
---@param body fun()
---@param text? string
---@return string message
function t.errors(body, text) end
---@param options? { seed?: integer, errors?: boolean }
---@return perigee.TestGame
function t.game(options) end
---@param game perigee.TestGame
function t.healthy(game) end

--- No system has run code that LuaJIT cannot compile so far.
---@param game perigee.TestGame
function t.compiled(game) end
---@param name string
function t.golden(name, value) end
---@param name string
---@param picture perigee.Picture
function t.golden_image(name, picture) end

return t
