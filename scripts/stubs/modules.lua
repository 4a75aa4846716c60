---@meta
-- luacheck: ignore
-- The modules that scripts require: ecs, input, audio, app, save. See perigee.lua; gfx is in gfx.lua.

---@class perigee.ecs
---@field components perigee.Components
---@field world perigee.World
---@field outside? perigee.Outside in a side world: its maker; nil elsewhere
local ecs = {}
--- Declares a component: a name, then options and fields `{ name, type, default }`.
---@param name string
---@param schema perigee.SchemaOptions|any[]
function ecs.component(name, schema) end
--- Declares a resource: a type with a single value per world.
---@param name string
---@param fields any[]
function ecs.resource(name, fields) end
--- Declares an event: delivered, not stored. It may have no fields.
---@param name string
---@param fields? any[]
function ecs.event(name, fields) end
--- Declares a blob: the fields of its rows, or with `root = true` of its one struct.
---@param name string
---@param fields any[]
function ecs.blob(name, fields) end
--- Builds a blob from rows, or from the fields of its struct. The same contents give the same blob.
---@param component perigee.Component
---@param contents table
---@return perigee.Blob
function ecs.build_blob(component, contents) end
--- A field type of blobs: any number of values of one type.
---@param type any
function ecs.list(type) end
--- A field type: a group of named fields.
---@param fields any[]
function ecs.struct(fields) end
--- A field type: one of these labels. The first is the default.
---@param labels string[]
function ecs.enum(labels) end
--- A field type: any number of these labels.
---@param labels string[]
function ecs.flags(labels) end
--- A field type: text of at most this many bytes, stored in the row.
---@param bytes integer
function ecs.string(bytes) end
--- A field type: a fixed number of values of one type.
---@param type any
---@param count integer
function ecs.array(type, count) end
--- Declares a prefab: components and values, `base`, `children`, `without`, `references`.
---@param name string
---@param parts table
---@return perigee.Prefab
function ecs.prefab(name, parts) end
--- Reads prefabs from a data file.
---@param path string
---@return table<string, perigee.Prefab>
function ecs.load_prefabs(path) end
--- Declares a system.
---@param name string
---@param system perigee.System
function ecs.system(name, system) end
--- Declares a group of systems inside another group.
---@param name string
---@param options? perigee.GroupOptions
function ecs.group(name, options) end
--- Another mod's components, resources, events, prefabs and services, by its own names.
---@param mod string in depends or optional of mod.json, or the game
---@return perigee.Imported|nil mod nil when an optional one is missing
function ecs.import(mod) end
--- Replaces another mod's system; its place in the order stays.
---@param name string "mod:name"
---@param system perigee.System
function ecs.replace_system(name, system) end
--- Runs systems directly before and after another mod's system.
---@param name string "mod:name"
---@param parts { before?: perigee.System|function, after?: perigee.System|function }
function ecs.wrap_system(name, parts) end
--- Changes another mod's prefab for entities spawned from now on.
---@param name string "mod:Name"
---@param changes table as in ecs.prefab
function ecs.patch_prefab(name, changes) end
--- Lets other mods call a function. Arguments and results are copied.
---@param name string
---@param f function called by other mods, by value
function ecs.service(name, f) end
--- The side world of this name; made from the file if there is none.
---@param name string
---@param file string of the mod: "menu.lua"
---@param options? { seed?: number }
---@return perigee.SideWorld
function ecs.side_world(name, file, options) end
--- Prepares a query for commands, counts and lists. `ecs.query {}` matches everything that is alive.
---@param query perigee.Query
---@return perigee.PreparedQuery
function ecs.query(query) end
--- Runs a function at the end of each group for the events of a type.
---@param event perigee.Component
---@param options perigee.ReactionOptions
---@param run fun(events: perigee.Batch, ctx: perigee.Context)
function ecs.on(event, options, run) end
--- Runs a function at the end of each group for entities that gained a component.
---@param component perigee.Component
---@param options perigee.ReactionOptions
---@param run fun(batch: perigee.Batch, ctx: perigee.Context)
function ecs.on_added(component, options, run) end
--- Runs a function at the end of each group for entities that lost a component.
---@param component perigee.Component
---@param options perigee.ReactionOptions
---@param run fun(batch: perigee.Batch, ctx: perigee.Context)
function ecs.on_removed(component, options, run) end
--- Runs a function at the end of each group for entities whose value of a component changed.
---@param component perigee.Component
---@param options perigee.ReactionOptions
---@param run fun(batch: perigee.Batch, ctx: perigee.Context)
function ecs.on_changed(component, options, run) end
--- Runs a function at the end of each group for destroyed entities that had a component.
---@param component perigee.Component
---@param options perigee.ReactionOptions
---@param run fun(batch: perigee.Batch, ctx: perigee.Context)
function ecs.on_destroyed(component, options, run) end

---@class perigee.PlayOptions
---@field volume? number
---@field pan? number
---@field pitch? number
---@field priority? number

---@class perigee.MusicOptions
---@field volume? number
---@field loop? boolean
---@field fade? number in seconds

---@class perigee.Controls
---@field keys? string|string[]
---@field mouse? string|string[]
---@field pad? string|string[]

---@class input
input = {}
--- Names an action and its controls. Declaring a name again replaces them.
---@param name string
---@param controls perigee.Controls
function input.action(name, controls) end
--- True while the action is down, or one of several.
---@param action perigee.Action
---@param ... perigee.Action
---@return boolean
function input.down(action, ...) end
--- True in the one step in which the action goes down, or one of several.
---@param action perigee.Action
---@param ... perigee.Action
---@return boolean
function input.pressed(action, ...) end
--- True in the one step in which the action goes up, or one of several.
---@param action perigee.Action
---@param ... perigee.Action
---@return boolean
function input.released(action, ...) end
--- How far a stick or trigger is pushed; 1 for a key that is down.
---@param action perigee.Action
---@return number # from 0 to 1
function input.value(action) end
--- One direction from two actions.
---@param negative perigee.Action
---@param positive perigee.Action
---@return number # from -1 to 1
function input.axis(negative, positive) end
--- A direction from four actions, at most 1 long.
---@param left perigee.Action
---@param right perigee.Action
---@param up perigee.Action
---@param down perigee.Action
---@return number x, number y
function input.vector(left, right, up, down) end
--- The position of the mouse on the logical screen.
---@return number x, number y
function input.mouse() end
--- How far the wheel turned since the last step; positive is away from the player.
---@return number notches
function input.wheel() end
--- The text typed since the last step.
---@return string
function input.text() end

---@class perigee.InputEvent
---@field type "down"|"up"|"text"|"wheel"
---@field control? string of down and up: "a", "mouse_left", "pad_a"
---@field is_repeat? boolean of down: the key was already down
---@field text? string of text
---@field notches? integer of wheel; positive is away from the player
---@field x? number of mouse buttons and the wheel: where the mouse was
---@field y? number
--- What the player did since the last step, in order; not in draw() and presentation systems.
---@return perigee.InputEvent[]
function input.events() end

---@class audio
audio = {}
--- Starts a sound. The options are its volume, or a table.
---@param path perigee.AssetPath
---@param options? number|perigee.PlayOptions
function audio.play(path, options) end
--- Replaces the music.
---@param path perigee.AssetPath
---@param options? perigee.MusicOptions
function audio.music(path, options) end
--- Stops the music, faded out over `fade` seconds.
---@param fade? number
function audio.stop_music(fade) end
--- The volume of the music, from 0 to 1.
---@param volume number
function audio.set_music_volume(volume) end
--- The volume of everything, from 0 to 1.
---@param volume number
function audio.set_volume(volume) end

---What survives saving a file: numbers, strings, booleans and tables of those.
---@type table
state = {}

---@class app
app = {}
--- Ends the run after this frame.
function app.quit() end
--- Switches to full screen, or back to a window.
---@param on? boolean true by default
function app.set_fullscreen(on) end
--- Switches between full screen and a window.
function app.toggle_fullscreen() end
--- True when the window is full screen.
---@return boolean is_fullscreen only in draw() and presentation systems
function app.is_fullscreen() end
--- The title of the window.
---@param title string
function app.set_title(title) end
--- The size of the window outside full screen, in pixels. The game still draws on `gfx.size()`, unless its fit is
--- "expand".
---@param width number
---@param height number
function app.set_size(width, height) end
--- Shows or hides the mouse pointer over the window.
---@param shown boolean
function app.set_cursor(shown) end
--- How the screen is fitted into the window, instead of what mod.json says.
---@param fit "letterbox"|"integer"|"stretch"|"expand"
function app.set_fit(fit) end
--- Whether the picture is drawn at its logical size and scaled as a whole, instead of what mod.json says.
---@param on boolean
function app.set_pixel_art(on) end

---@class save
save = {}
--- Stores a table for the player under a name.
---@param name string letters, digits, '-', '_' and '.'
---@param value table numbers, strings, booleans, and tables of those
---@return true|nil written, string? why_not
function save.write(name, value) end
--- Reads a stored table; nil when there is none.
---@param name string
---@return table? value, string? problem
function save.read(name) end
--- The names of all stored tables, in order.
---@return string[]? names, string? why_not
function save.list() end
--- Deletes a stored table.
---@param name string
---@return boolean? was_there, string? why_not
function save.delete(name) end
--- Saves the whole world at the end of this step. For the game, not for mods.
---@param name string letters, digits, '-', '_' and '.'
---@return true|nil asked, string? why_not
function save.write_world(name) end
--- Replaces the world by a saved one at the end of this step. For the game, not for mods.
---@param name string
---@return true|nil asked, string? why_not
function save.load_world(name) end
--- The oldest result of save.write_world or save.load_world that was not taken yet; nil when there is none.
---@return { action: "save"|"load", name: string, ok: boolean, message?: string }? result
function save.world_result() end
--- The names of all saved worlds, in order.
---@return string[]? names, string? why_not
function save.worlds() end
--- Deletes a saved world.
---@param name string
---@return boolean? was_there, string? why_not
function save.delete_world(name) end

return ecs
