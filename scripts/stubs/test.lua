---@meta test
-- luacheck: ignore
-- The module of files in tests/: see docs/testing.md.

---@class perigee.Picture the result of `game:screenshot()`

---@class perigee.TestGame the game with its mods; it runs only in `step`
local game = {}

--- Runs steps, each with its picture.
---@param count? integer fixed steps; 1 by default
function game:step(count) end
--- Holds a control down from the next step on, until `release`.
---@param control string an action of the game, "space", "mouse_left", "pad_a"
---@param value? number 1 by default; for "mouse_wheel_up" and "mouse_wheel_down", the number of notches
function game:press(control, value) end
--- Ends `press`.
---@param control string
function game:release(control) end
--- Down for one step.
---@param control string
function game:tap(control) end
--- Moves the mouse, in pixels of the logical screen.
---@param x number
---@param y number
function game:mouse(x, y) end
--- The screen has this size from the next step on, as in a window of another shape. For games with "fit": "expand".
---@param width integer
---@param height integer
function game:resize(width, height) end
--- Typed before the next step, after earlier presses.
---@param text string
function game:type(text) end
--- The entities that have all of these components.
---@param components any[]
---@return perigee.Entity[]
function game:find(components) end
--- The number of entities that have all of these components.
---@return integer
function game:count(...) end
--- Its fields; a list for a buffer, true for a tag, nil when it lacks the component.
---@param entity perigee.Entity
---@return any
function game:get(entity, component) end
--- The fields of a resource.
---@return table
function game:resource(component) end
--- The hash of the whole world, 16 digits.
---@return string digits
function game:hash() end
--- True when the game has called `app.quit`. Then no further step runs.
---@return boolean
function game:has_quit() end
--- The current picture of the game, for `t.golden_image`.
---@return perigee.Picture
function game:screenshot() end
--- Runs Lua in the game or a mod, outside systems.
---@param code string
---@param mod? string
function game:run(code, mod) end

---@class perigee.Test
---@field components table<string, any>
local t = {}

--- Groups tests: their names begin with this one.
---@param name string
---@param body fun()
function t.describe(name, body) end
--- Declares a test.
---@param name string
---@param body fun()
function t.it(name, body) end
--- Compares tables by content.
function t.equal(got, expected, why) end
--- Compares numbers, or tables of them, which may differ by up to `by` (1e-6).
---@param by? number
function t.near(got, expected, by) end
--- Expects `body` to raise an error that contains `text`; returns its message.
---@param body fun()
---@param text? string
---@return string message
function t.errors(body, text) end
--- Starts the game under test with its mods. With `errors`, scripts may fail without failing the test.
---@param options? { seed?: integer, errors?: boolean }
---@return perigee.TestGame
function t.game(options) end
--- Expects that no system is suspended and no script has failed.
---@param game perigee.TestGame
function t.healthy(game) end

--- No system has run code that LuaJIT cannot compile so far.
---@param game perigee.TestGame
function t.compiled(game) end
--- Compares a value with `tests/golden/NAME.txt`; `--update` writes the file.
---@param name string
function t.golden(name, value) end
--- Compares a picture with `tests/golden/NAME.png`; `--update` writes the file.
---@param name string
---@param picture perigee.Picture
function t.golden_image(name, picture) end

return t
