---@meta
-- luacheck: ignore
-- What scripts can call, for editors that read LuaCATS annotations (lua-language-server). Never run: `perigee stubs GAME`
-- writes it next to the annotations of the game's own components. docs/lua-api.md says what each call does and refuses.

---@alias perigee.Entity integer a number: a good table key; equal numbers mean the same entity
---@alias perigee.Color integer|string|number[] 0xRRGGBBAA, "#rrggbb", a name such as "orange", or { r, g, b, a }
---@alias perigee.AssetPath string "assets/shot.wav", or "mod:assets/shot.wav"
---@alias perigee.ImagePath string "assets/hero.png", or "mod:assets/hero.png"
---@alias perigee.Action string an action, or a control: "space", "mouse_left", "pad_a"
---@alias perigee.Group "initialization"|"simulation"|"presentation"|string

---@class perigee.Component a component, resource or event; called with fields it gives a value
---@class perigee.Value all fields of a component, checked; can be kept and used many times
---@class perigee.Prefab the result of `ecs.prefab`, for `spawn`
---@class perigee.Blob an array that never changes, with rows and columns; or a struct with its fields
---@field count integer of an array
---@class perigee.PreparedQuery the result of `ecs.query`

---@class perigee.SchemaOptions
---@field kind? "component"|"tag"|"shared"|"enableable"|"chunk"|"cleanup"|"shared_cleanup"|"buffer"|"object" the kind; "component" by default
---@field version? integer raise it when a change of the fields may lose values
---@field doc? string for people
---@field requires? string[] components that are added with it
---@field owner? string the one system that may write it
---@field capacity? integer of a buffer: elements stored in the chunk; more are stored outside
---@field index? boolean of a relation, a component with one entity field: the entities that point at one can be found
---@field on_target_destroyed? "clear"|"destroy" of a relation: what happens to its entities when the target dies
---@field presentation? boolean presentation data: only presentation systems and draw() read and write its values
---@field hash? fun(value: any): number of an object component: its contribution to the world hash
---@field migrate? table<integer, fun(old: table): table> for each older version: turns its fields into those of the next

---@class perigee.AccessLists
---@field read? perigee.Component[] to read
---@field write? perigee.Component[] to write
---@field services? string[] of other mods, "mod:name"

---@class perigee.Imported what a mod may use of another one; read-only
---@field id string
---@field components table<string, perigee.Component>
---@field resources table<string, perigee.Component>
---@field events table<string, perigee.Component>
---@field prefabs table<string, perigee.Prefab>
---@field services table<string, function>

---@class perigee.Query
---@field read? perigee.Component[] rows that have these, to read
---@field write? perigee.Component[] rows that have these, to write
---@field optional? perigee.Component[]|perigee.AccessLists columns where a chunk has them
---@field without? perigee.Component[] only rows that lack these
---@field any? perigee.Component[] only rows that have at least one of these
---@field changed? perigee.Component[] only chunks that were written since the last run
---@field shared? perigee.Value[] only this value of a shared component
---@field related? any[] { C.Likes, entity }: only rows whose relation points at the entity; or a list of such pairs
---@field include_disabled? boolean disabled rows too
---@field runs? boolean whole chunks; the script loops over `chunk:runs()`
---@field order_by? any[] { C.Sprite, "layer", "descending" }

---@class perigee.System
---@field group? perigee.Group "simulation" by default
---@field before? string|string[] systems before which it runs
---@field after? string|string[] systems after which it runs
---@field every? number seconds between runs; every step by default
---@field query? perigee.Query the rows to visit
---@field queries? table<string, perigee.Query> more queries, which `run` visits: ctx.queries.towers:chunks()
---@field access? perigee.AccessLists what it reads and writes besides the rows
---@field enabled? boolean false: it does not run until it is switched on
---@field commands? string where its commands are played back, "end of simulation"; the end of its group by default
---@field exclusive? boolean true: `run` changes the world at once, through `ecs.world`
---@field run_if? fun(ctx: perigee.Context): boolean called each time; false skips the run
---@field run? fun(chunk: perigee.Chunk, ctx: perigee.Context) once per chunk of rows; once, without a chunk, if the query names no component
---@field on_create? fun(ctx: perigee.Context) when it is declared
---@field on_start? fun(ctx: perigee.Context) before the first run, and before the first after it was disabled
---@field on_stop? fun(ctx: perigee.Context) when it is disabled or removed
---@field on_destroy? fun(ctx: perigee.Context) when it is removed

---@class perigee.GroupOptions
---@field group? perigee.Group|"step" the parent group; "simulation" by default; "step": a top-level group
---@field before? string|string[] systems and groups before which it runs
---@field access? perigee.AccessLists what run_if reads
---@field after? string|string[] systems and groups after which it runs
---@field every? number seconds between runs; every step by default
---@field enabled? boolean false: it does not run until it is switched on
---@field run_if? fun(ctx: perigee.Context): boolean called each time; false skips all of its systems

---@class perigee.ReactionOptions
---@field name? string "on Damage" and so on by default
---@field access? perigee.AccessLists what it reads and writes besides the batch
---@field before? string|string[] reactions before which it runs
---@field after? string|string[] reactions after which it runs
---@field enabled? boolean false: it does not run until it is switched on
---@field run_if? fun(ctx: perigee.Context): boolean called each time; false skips the run

---@class perigee.Chunk rows that match, as columns: chunk.Position.x[i], i from 1 to chunk.count
---@field count integer
---@field entity perigee.Entity[]
---@field index integer counts the visits of this run from 1
---@field first_row integer index of this chunk's first row among all rows of the run
local Chunk = {}
--- Visits the rows that match as runs of neighbours; the loop that `runs = true` needs.
---@return fun(): integer, integer # first and last row of each run of rows that match
function Chunk:runs() end
--- Visits the rows that match one by one: faster than `runs` when runs are short.
---@return fun(): integer # each row that matches
function Chunk:rows() end
--- True if the component was written in this chunk, or rows were added or removed, since the system last ran; without a
--- component, if rows were added or removed. It need not be in the query, but declared.
---@param component? perigee.Component
---@return boolean
function Chunk:changed(component) end

---@class perigee.NamedQuery an entry of ctx.queries
local NamedQuery = {}
--- Visits the chunks with rows that match. Loops over different queries nest; each query has one loop at a time.
---@return fun(): perigee.Chunk # each chunk
function NamedQuery:chunks() end
--- How many rows match.
---@return integer
function NamedQuery:entity_count() end

---@class perigee.Batch the argument of a reaction: columns, like a chunk's
---@field count integer
---@field entity perigee.Entity[]

--- An image that is drawn into.
---@class perigee.Canvas
---@field width integer
---@field height integer
local Canvas = {}

--- Triangles that are drawn many times.
---@class perigee.Mesh
---@field count integer of vertices
local Mesh = {}
--- Moves a vertex; what is left out stays. A colour may take the place of r, g, b, a.
---@param i integer from 1
---@param x number
---@param y number
---@param u? number
---@param v? number
---@param r? number|perigee.Color
---@param g? number
---@param b? number
---@param a? number
function Mesh:set(i, x, y, u, v, r, g, b, a) end
--- x, y, u, v, r, g, b, a of a vertex.
---@param i integer from 1
---@return number x, number y, number u, number v, number r, number g, number b, number a
function Mesh:get(i) end
--- Replaces vertices.
---@param list perigee.Vertex[]
---@param first? integer
function Mesh:set_vertices(list, first) end
--- Sets the image; without one, the mesh has its colours alone.
---@param image? perigee.ImagePath|perigee.Pixels|perigee.Canvas
function Mesh:set_image(image) end

--- A fragment effect for images.
---@class perigee.Shader
local Shader = {}
--- Sets a uniform for what is drawn later: one number for a float, up to four for a vector, a list of them, or a colour
--- as a text; lists for an array or the rows of a matrix; an image by its path, a canvas or pixels.
---@param name string
---@param value number|string|number[]|number[][]|perigee.ImagePath|perigee.Pixels|perigee.Canvas
---@param ... number|number[]
function Shader:send(name, value, ...) end

--- An image in memory: colours 0xRRGGBBAA by number from 1, row by row; x, y is `pixels[y * width + x + 1]`.
---@class perigee.Pixels
---@field width integer
---@field height integer
local Pixels = {}
--- The colour of a pixel by its place, from 0.
---@param x integer
---@param y integer
---@return integer color
function Pixels:get(x, y) end
--- Sets the colour of a pixel by its place, from 0.
---@param x integer
---@param y integer
---@param color perigee.Color
function Pixels:set(x, y, color) end
--- Gives all pixels a colour.
---@param color perigee.Color
function Pixels:fill(color) end
--- Gives a rectangle a colour; what is outside of the image is left out.
---@param x number
---@param y number
---@param width number
---@param height number
---@param color perigee.Color
function Pixels:rect(x, y, width, height, color) end
--- Writes a list of colours into row y, from column x on.
---@param y integer
---@param colors perigee.Color[]
---@param x? integer from 0
function Pixels:row(y, colors, x) end
--- Copies other pixels to x, y; what is outside of the image is left out.
---@param from perigee.Pixels
---@param x integer
---@param y integer
function Pixels:copy(from, x, y) end

---@class perigee.Random
local Random = {}
--- A number below 1 and at least 0.
---@return number # in [0, 1)
function Random:unit() end
--- A number between two others; it may be `a`, never `b`.
---@param a number
---@param b number
---@return number # in [a, b)
function Random:range(a, b) end
--- A whole number from `a` to `b`.
---@param a integer
---@param b integer
---@return integer # both included
function Random:integer(a, b) end
--- True with probability `p`.
---@param p number
---@return boolean
function Random:chance(p) end
--- One element of a list, each with the same probability.
---@generic T
---@param list T[]
---@return T
function Random:pick(list) end

---@class perigee.Buffer a list per entity
---@field count integer
local Buffer = {}
--- Adds an element at the end.
---@param element table
function Buffer:push(element) end
--- Adds an element before `index`, from 1.
---@param index integer
---@param element table
function Buffer:insert(index, element) end
--- Removes an element; those after it move up.
---@param index integer
function Buffer:remove(index) end
--- Changes the number of elements. New ones have the defaults.
---@param length integer
function Buffer:resize(length) end
--- Removes all elements.
function Buffer:clear() end
--- Frees unused memory.
function Buffer:trim() end
--- The same memory as elements of another component of the same size.
---@param component perigee.Component
---@return perigee.Buffer
function Buffer:as(component) end

---@class perigee.Context
---@field dt number seconds since the last run
---@field tick integer number of the step, from 0
---@field time number seconds since the start
---@field alpha number presentation: how far the frame is between two steps, 0 .. 1
---@field random perigee.Random
---@field commands perigee.Commands structural changes; not in presentation
---@field queries table<string, perigee.NamedQuery> the named queries of the system
local Context = {}
--- The component of any entity, as a row. Needs it in `query` or `access`; writing needs `write`.
---@param entity perigee.Entity?
---@param component perigee.Component
---@return any row nil when it is dead or lacks the component
function Context:try_get(entity, component) end
--- A resource as a row. Needs it in `access`.
---@param component perigee.Component
---@return any row
function Context:resource(component) end
--- The events delivered since this system's last run, as columns. Needs the type in `access`.
---@param event perigee.Component
---@return perigee.Batch
function Context:events(event) end
--- Sends an event, delivered at the end of the group. Needs the type in `access.write`.
---@param event perigee.Component|perigee.Value
---@param fields? table
function Context:send(event, fields) end
--- Sends `count` events, as columns to fill in this run. Needs the type in `access.write`.
---@param event perigee.Component
---@param count integer
---@return perigee.Batch
function Context:send_many(event, count) end
--- True when the entity has the component.
---@param entity perigee.Entity?
---@param component perigee.Component
---@return boolean
function Context:has(entity, component) end
--- False for nil and for entities that were destroyed.
---@param entity perigee.Entity?
---@return boolean
function Context:is_alive(entity) end
--- True when the entity has the component and it is enabled.
---@param entity perigee.Entity?
---@param component perigee.Component
---@return boolean
function Context:is_enabled(entity, component) end
--- The entities whose relation points at the entity, in order of their index. Needs access to the relation.
---@param entity perigee.Entity?
---@param relation perigee.Component
---@return perigee.Entity[]
function Context:sources(entity, relation) end
--- How many rows this run visits, or how many entities a query matches.
---@param query? perigee.PreparedQuery
---@return integer
function Context:entity_count(query) end
--- How many chunks this run visits, or how many a query matches.
---@param query? perigee.PreparedQuery
---@return integer
function Context:chunk_count(query) end
--- The buffer of any entity; nil when it is dead or lacks the component. Needs it in `query` or `access`.
---@param entity perigee.Entity
---@param component perigee.Component
---@return perigee.Buffer?
function Context:buffer(entity, component) end
--- The value of an object component of any entity.
---@param entity perigee.Entity
---@param component perigee.Component
---@return any
function Context:object(entity, component) end
--- Stores a value in an object component of any entity, at once; nil removes it.
---@param entity perigee.Entity
---@param component perigee.Component
---@param value any
function Context:set_object(entity, component, value) end
--- Whether a system or group is enabled, whether it runs, and whether it has failed.
---@param name string
---@return { enabled: boolean, active: boolean?, failed: boolean? }
function Context:system_state(name) end
--- Starts a job of C++, which runs after these jobs. Until the system has waited for it, only commands, `ctx:send`,
--- `ctx.random` and the time work.
---@param name string
---@param ... perigee.Job
---@return perigee.Job
function Context:start_job(name, ...) end
--- Returns when all jobs of this run have ended; raises an error if one failed.
function Context:wait_for_jobs() end
--- Writes a line to the log, like `print`.
---@param ... any
function Context:log(...) end

---@class perigee.Job
local Job = {}
--- Returns when the job has ended, and those that it runs after; raises an error if one failed.
function Job:wait() end

---@class perigee.Commands recorded now, carried out at the end of the group, or where the system's `commands` says
local Commands = {}
--- Creates an entity from a prefab or from components and values. Its id is real at once; it is alive after playback.
---@param what? perigee.Prefab|perigee.Component|perigee.Value
---@param ... perigee.Component|perigee.Value
---@return perigee.Entity
function Commands:spawn(what, ...) end
--- Creates `count` entities. At playback `fill` sets their values, chunk by chunk.
---@param prefab perigee.Prefab
---@param count integer
---@param fill? fun(chunk: perigee.Chunk, first: integer, last: integer)
function Commands:spawn_many(prefab, count, fill) end

--- Creates the entities of a data file at playback. The file is read now.
---@param path string
function Commands:load(path) end
--- Destroys the entity and its descendants. Cleanup components stay until they are removed.
---@param entity perigee.Entity
function Commands:destroy(entity) end
--- Adds the component, or sets it if the entity has it.
---@param entity perigee.Entity
---@param what perigee.Component|perigee.Value
function Commands:add(entity, what) end
--- Removes the component, if the entity has it.
---@param entity perigee.Entity
---@param component perigee.Component
function Commands:remove(entity, component) end
--- Sets the whole component, if the entity has it.
---@param entity perigee.Entity
---@param value perigee.Value
function Commands:set(entity, value) end
--- Enables or disables an enableable component.
---@param entity perigee.Entity
---@param component perigee.Component
---@param is_on boolean
function Commands:enable(entity, component, is_on) end
--- Adds and removes several components in one move.
---@param entity perigee.Entity
---@param add (perigee.Component|perigee.Value)[]
---@param remove? perigee.Component[]
function Commands:change(entity, add, remove) end
--- A copy of the entity as it is at playback. Its id is real at once.
---@param entity perigee.Entity
---@return perigee.Entity
function Commands:clone(entity) end
--- Adds the component to everything that the query matches at playback.
---@param query perigee.PreparedQuery
---@param what perigee.Component|perigee.Value
function Commands:add_all(query, what) end
--- Removes the component from everything that the query matches at playback.
---@param query perigee.PreparedQuery
---@param component perigee.Component
function Commands:remove_all(query, component) end
--- Sets the component of everything that the query matches at playback.
---@param query perigee.PreparedQuery
---@param value perigee.Value
function Commands:set_all(query, value) end
--- Enables or disables the component of everything that the query matches at playback.
---@param query perigee.PreparedQuery
---@param component perigee.Component
---@param is_on boolean
function Commands:enable_all(query, component, is_on) end
--- Destroys everything that the query matches at playback.
---@param query perigee.PreparedQuery
function Commands:destroy_all(query) end
--- From now on commands of this run are played back after those with a lower key.
---@param key number
function Commands:sort_key(key) end
--- Switches a system or group on or off.
---@param name string
---@param is_on boolean
function Commands:enable_system(name, is_on) end
--- Runs a group once more, when the engine's group that runs now has ended.
---@param name string
function Commands:run_group(name) end
--- Makes `child` the last child of `parent`; nil for none.
---@param child perigee.Entity
---@param parent? perigee.Entity
function Commands:set_parent(child, parent) end
--- Names the entity; `""` removes the name.
---@param entity perigee.Entity
---@param name string
function Commands:set_name(entity, name) end
--- A list to fill at once. At playback it replaces the entity's own; the component is added if necessary.
---@param entity perigee.Entity
---@param component perigee.Component
---@return perigee.Buffer
function Commands:buffer(entity, component) end
--- Like `buffer`, for an entity that has the buffer by then; otherwise nothing happens.
---@param entity perigee.Entity
---@param component perigee.Component
---@return perigee.Buffer
function Commands:set_buffer(entity, component) end
--- Stores a value in an object component, which is added if necessary.
---@param entity perigee.Entity
---@param component perigee.Component
---@param value any
function Commands:set_object(entity, component, value) end
