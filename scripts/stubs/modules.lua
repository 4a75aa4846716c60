---@meta
-- luacheck: ignore
-- The modules that scripts require: ecs, gfx, input, audio, app, save. See perigee.lua.

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

---@class perigee.PrintOptions
---@field size? number above 0
---@field width? number above 0: wraps the text, and aligns it in a box of this width
---@field align? "left"|"center"|"right"
---@field color? perigee.Color

---@class perigee.ImageOptions
---@field frame? integer of the sheet or atlas, from 0
---@field quad? number[] { x, y, width, height }
---@field rotation? number
---@field scale? number
---@field scale_x? number
---@field scale_y? number
---@field origin_x? number
---@field origin_y? number
---@field color? perigee.Color

---@class perigee.SurfaceOptions
---@field filter? "nearest"|"linear" between the pixels when drawn larger

---@class perigee.CanvasOptions
---@field filter? "nearest"|"linear" between the pixels when drawn larger
---@field msaa? boolean smooth edges of meshes and turned images, at five times the memory

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

---@alias perigee.Range number|{ min: number, max: number }

---@class gfx
---@field Sprite perigee.Component
---@field Shape perigee.Component
---@field Animation perigee.Component
---@field AnimationEvent perigee.Component
---@field Emitter perigee.Component
---@field Text perigee.Component
---@field Trail perigee.Component
---@field Camera perigee.Component
gfx = {}
--- A rectangle with its corner at x, y, about which it rotates.
---@param mode "fill"|"line"
---@param x number
---@param y number
---@param width number
---@param height number
---@param color? perigee.Color
---@param rotation? number
function gfx.rectangle(mode, x, y, width, height, color, rotation) end
--- A circle about x, y.
---@param mode "fill"|"line"
---@param x number
---@param y number
---@param radius number at least 0
---@param color? perigee.Color
function gfx.circle(mode, x, y, radius, color) end
--- A line, as wide as `set_line_width` says.
---@param x1 number
---@param y1 number
---@param x2 number
---@param y2 number
---@param color? perigee.Color
function gfx.line(x1, y1, x2, y2, color) end
--- A rectangle with round corners.
---@param mode "fill"|"line"
---@param x number
---@param y number
---@param width number
---@param height number
---@param radius number at least 0, of the corners
---@param color? perigee.Color
---@param rotation? number
function gfx.rounded_rectangle(mode, x, y, width, height, radius, color, rotation) end
--- An ellipse about x, y.
---@param mode "fill"|"line"
---@param x number
---@param y number
---@param radius_x number at least 0
---@param radius_y number at least 0
---@param color? perigee.Color
---@param rotation? number
function gfx.ellipse(mode, x, y, radius_x, radius_y, color, rotation) end
--- A part of a circle, between two angles that count clockwise from the right. The shape, if any, comes before x:
--- "pie" joins the ends by the centre, "closed" directly, "open" not at all.
---@param mode "fill"|"line"
---@param x number
---@param y number
---@param radius number at least 0
---@param from number
---@param to number
---@param color? perigee.Color
---@overload fun(mode: "fill"|"line", shape: "pie"|"open"|"closed", x: number, y: number, radius: number, from: number, to: number, color?: perigee.Color)
function gfx.arc(mode, x, y, radius, from, to, color) end
--- A triangle.
---@param mode "fill"|"line"
---@param x1 number
---@param y1 number
---@param x2 number
---@param y2 number
---@param x3 number
---@param y3 number
---@param color? perigee.Color
function gfx.triangle(mode, x1, y1, x2, y2, x3, y3, color) end
--- A polygon, concave or not. The numbers may be arguments instead of a list; then there is no colour.
---@param mode "fill"|"line"
---@param points number[] x1, y1, x2, y2, …: at least three points
---@param color? perigee.Color
---@overload fun(mode: "fill"|"line", x1: number, y1: number, x2: number, y2: number, x3: number, y3: number, ...: number)
function gfx.polygon(mode, points, color) end
--- A line through any number of points. The numbers may be arguments instead of a list; then it is open.
---@param points number[] x1, y1, x2, y2, …: at least two points
---@param color? perigee.Color
---@param closed? boolean
---@overload fun(x1: number, y1: number, x2: number, y2: number, ...: number)
function gfx.polyline(points, color, closed) end
--- A Bézier curve from the first point to the last, pulled by those between. The numbers may be arguments.
---@param points number[] x1, y1, x2, y2, …: 2 to 32 points
---@param color? perigee.Color
---@overload fun(x1: number, y1: number, x2: number, y2: number, ...: number)
function gfx.bezier(points, color) end
--- Squares, as large as `set_point_size` says. The numbers may be arguments.
---@param points number[] x1, y1, x2, y2, …
---@param color? perigee.Color
---@overload fun(x1: number, y1: number, ...: number)
function gfx.points(points, color) end
--- A rectangle whose colour runs along an angle: 0 is from left to right.
---@param x number
---@param y number
---@param width number
---@param height number
---@param from perigee.Color
---@param to perigee.Color
---@param angle? number
function gfx.gradient(x, y, width, height, from, to, angle) end
--- A text that starts at x, y.
---@param text string|number|boolean
---@param x? number
---@param y? number
---@param options? number|perigee.PrintOptions above 0 as a size
function gfx.print(text, x, y, options) end
--- An image with its top left corner at x, y, unless an origin is given.
---@param path perigee.ImagePath|perigee.Pixels|perigee.Canvas
---@param x number
---@param y number
---@param options? perigee.ImageOptions|perigee.ImageStyle
function gfx.image(path, x, y, options) end
--- Options for `gfx.image` that are made once, so that drawing takes no memory. Their fields can be changed.
---@param options perigee.ImageOptions
---@return perigee.ImageStyle
function gfx.style(options) end
--- One frame of an image, centred at x, y: the fast way to draw many.
---@param path perigee.ImagePath|perigee.Pixels|perigee.Canvas
---@param frame integer
---@param x number
---@param y number
---@param scale_x? number
---@param scale_y? number
---@param rotation? number
---@param color? perigee.Color
function gfx.sprite(path, frame, x, y, scale_x, scale_y, rotation, color) end
--- The colour of later drawing in this frame: one colour, or r, g, b, a from 0 to 1.
---@param color perigee.Color|number
---@param g? number
---@param b? number
---@param a? number
function gfx.set_color(color, g, b, a) end
--- The layer of later drawing in this frame; higher is nearer.
---@param layer integer -32768 to 32767
function gfx.set_layer(layer) end
--- Whether later drawing in this frame goes through the camera or is fixed on the screen.
---@param space "world"|"screen"
function gfx.set_space(space) end
--- The width of later lines and outlines in this frame.
---@param pixels number above 0
function gfx.set_line_width(pixels) end
--- How corners of later lines and outlines of many points look: "miter" until it is set.
---@param join "miter"|"bevel"|"round"
function gfx.set_line_join(join) end
--- How the ends of later lines look: "butt" until it is set.
---@param cap "butt"|"round"|"square"
function gfx.set_line_cap(cap) end
--- The side of the squares that `gfx.points` draws.
---@param pixels number above 0
function gfx.set_point_size(pixels) end
--- The height of later text in this frame.
---@param pixels number above 0
function gfx.set_font_size(pixels) end
--- How later drawing in this frame mixes with what is behind it.
---@param mode "alpha"|"add"|"multiply"|"screen"|"subtract"|"replace"|"darken"|"lighten"
function gfx.set_blend(mode) end
--- Everything that `gfx.set_…` sets in a frame is as at its start. The transform stays.
function gfx.reset() end
--- Saves the transform, or everything that is set in a frame. Each needs a `gfx.pop`; at most 256 are open.
---@param what? "transform"|"all"
function gfx.push(what) end
--- Back to what the last `gfx.push` saved.
function gfx.pop() end
--- Moves later drawing.
---@param x number
---@param y number
function gfx.translate(x, y) end
--- Turns later drawing about the origin, clockwise.
---@param angle number
function gfx.rotate(angle) end
--- Scales later drawing from the origin; one number scales both ways.
---@param x number
---@param y? number
function gfx.scale(x, y) end
--- Slants later drawing: x grows by `x` for each y, and y by `y` for each x.
---@param x number
---@param y number
function gfx.shear(x, y) end
--- Any transform: x, y is drawn where xx * x + xy * y + x0, yx * x + yy * y + y0 was.
---@param xx number
---@param xy number
---@param x0 number
---@param yx number
---@param yy number
---@param y0 number
function gfx.transform(xx, xy, x0, yx, yy, y0) end
--- Ends all transforms.
function gfx.origin() end
--- Where a point is drawn under the transform.
---@param x number
---@param y number
---@return number x, number y
function gfx.transform_point(x, y) end
--- The point that the transform draws at x, y.
---@param x number
---@param y number
---@return number x, number y
function gfx.inverse_transform_point(x, y) end
--- Limits later drawing to a rectangle of the screen; without arguments, it is not limited.
---@param x? number
---@param y? number
---@param width? number at least 0
---@param height? number at least 0
function gfx.set_scissor(x, y, width, height) end
--- Limits later drawing to the part of this rectangle that is in the scissor.
---@param x number
---@param y number
---@param width number at least 0
---@param height number at least 0
function gfx.intersect_scissor(x, y, width, height) end
--- The scissor; nothing if there is none.
---@return number? x, number? y, number? width, number? height
function gfx.get_scissor() end
--- Centres the view on a world point, for later drawing in this frame.
---@param x number
---@param y number
---@param zoom? number above 0
function gfx.set_camera(x, y, zoom) end
--- The colour behind everything, until it is set again.
---@param color perigee.Color|number
---@param g? number
---@param b? number
---@param a? number
function gfx.set_background(color, g, b, a) end
--- A colour as a number, for `color` fields and arguments.
---@param color perigee.Color|number
---@param g? number
---@param b? number
---@param a? number
---@return integer
function gfx.color(color, g, b, a) end
--- Cuts an image into frames of one size, row by row.
---@param path perigee.ImagePath
---@param frame_width integer above 0
---@param frame_height integer above 0
---@return integer frames
function gfx.sheet(path, frame_width, frame_height) end
--- Cuts an image into frames of any size.
---@param path perigee.ImagePath
---@param rectangles number[][] each { x, y, width, height }
---@return integer frames
function gfx.atlas(path, rectangles) end
--- An image that you draw into; transparent at first.
---@param width integer 1 to 4096
---@param height integer 1 to 4096
---@param options? perigee.CanvasOptions
---@return perigee.Canvas
function gfx.canvas(width, height, options) end
--- Sends later drawing in this frame into a canvas; without one, onto the screen again.
---@param canvas? perigee.Canvas
function gfx.set_canvas(canvas) end
--- Empties a canvas, or makes all of it one colour.
---@param canvas perigee.Canvas
---@param color? perigee.Color
function gfx.clear_canvas(canvas, color) end
--- The pixels of a canvas at the end of the frame before, if that frame asked for them, too.
---@param canvas perigee.Canvas
---@return perigee.Pixels|nil pixels, string? why
function gfx.canvas_pixels(canvas) end
--- Writes a canvas to `pictures/<name>.png` in the mod's save folder at the end of the frame; nil and why if not.
---@param canvas perigee.Canvas
---@param name string letters, digits, '-', '_' and '.'
---@return true|nil is_saved, string? why
function gfx.save_canvas(canvas, name) end
--- An image in memory that you write pixel by pixel; transparent at first.
---@param width integer 1 to 4096
---@param height integer 1 to 4096
---@param options? perigee.SurfaceOptions
---@return perigee.Pixels
function gfx.pixels(width, height, options) end
--- The size of an image in pixels; 0, 0 when the file is missing.
---@param path perigee.ImagePath|perigee.Pixels|perigee.Canvas
---@return integer width, integer height
function gfx.image_size(path) end
--- Defines a clip for `gfx.Animation`, and returns its name.
---@param path string
---@param options? { name?: string, frames?: integer[], from?: integer, to?: integer, fps?: number, durations?: number[], loop?: "loop"|"once"|"ping-pong", events?: table<integer, string> }
---@return string
function gfx.clip(path, options) end
--- Reads the JSON that Aseprite exports beside a sheet; returns the name of a clip for each tag.
---@param path string
---@param options? { events?: table<string, table<integer, string>> }
---@return table<string, string>
function gfx.aseprite(path, options) end
--- Defines a preset of particles for `gfx.Emitter` and `gfx.burst`, and returns its name.
---@param name string
---@param options { image?: string, frame?: integer, shape?: "circle"|"rectangle", rate?: number, count?: integer, lifetime?: perigee.Range, speed?: perigee.Range, direction?: number, spread?: number, radius?: number, gravity?: number|{ x?: number, y?: number }, drag?: number, size?: number|number[], color?: perigee.Color|perigee.Color[], rotation?: perigee.Range, spin?: perigee.Range, blend?: string, layer?: integer, space?: "world"|"local" }
---@return string
function gfx.particles(name, options) end
--- Emits particles at once; not in draw().
---@param name string of a preset
---@param x number
---@param y number
---@param count? integer
function gfx.burst(name, x, y, count) end
--- The size that `gfx.print` needs for a text.
---@param text string|number|boolean
---@param size? number above 0
---@param wrap_width? number above 0
---@return number width, number height
function gfx.text_size(text, size, wrap_width) end
--- The size of the logical screen in pixels, independent of the window.
---@return integer width, integer height
function gfx.size() end
--- The world point under a screen point, for the camera after the last step.
---@param x number
---@param y number
---@return number x, number y
function gfx.to_world(x, y) end
--- The screen point of a world point, for the camera after the last step.
---@param x number
---@param y number
---@return number x, number y
function gfx.to_screen(x, y) end

---@class input
input = {}
--- Names an action and its controls. Declaring a name again replaces them.
---@param name string
---@param controls perigee.Controls
function input.action(name, controls) end
--- True while the action is down.
---@param action perigee.Action
---@return boolean
function input.down(action) end
--- True in the one step in which the action goes down.
---@param action perigee.Action
---@return boolean
function input.pressed(action) end
--- True in the one step in which the action goes up.
---@param action perigee.Action
---@return boolean
function input.released(action) end
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
--- The size of the window outside full screen, in pixels. The game still draws on `gfx.size()`.
---@param width number
---@param height number
function app.set_size(width, height) end
--- Shows or hides the mouse pointer over the window.
---@param shown boolean
function app.set_cursor(shown) end

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
