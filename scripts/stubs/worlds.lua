---@meta
-- luacheck: ignore
-- The world of the game, and side worlds. See perigee.lua.

---@class perigee.World while files load: changes happen at once. In systems use ctx and ctx.commands.
local World = {}
--- Creates an entity, alive at once, from a prefab or from components and values.
---@param what? perigee.Prefab|perigee.Component|perigee.Value
---@param ... perigee.Component|perigee.Value
---@return perigee.Entity
function World:spawn(what, ...) end
--- Destroys the entity and its descendants.
---@param entity perigee.Entity
---@return boolean was_alive
function World:destroy(entity) end
--- Adds the component, or sets it if the entity has it.
---@param entity perigee.Entity
---@param what perigee.Component|perigee.Value
---@return boolean
function World:add(entity, what) end
--- Removes the component; false when the entity lacks it.
---@param entity perigee.Entity
---@param component perigee.Component
---@return boolean
function World:remove(entity, component) end
--- Sets the whole component.
---@param entity perigee.Entity
---@param value perigee.Value
---@return boolean
function World:set(entity, value) end
--- The component of an entity, as a row to read and write.
---@param entity perigee.Entity
---@param component perigee.Component
---@return any row nil when it is dead or lacks the component
function World:get(entity, component) end
--- True when the entity has the component.
---@param entity perigee.Entity
---@param component perigee.Component
---@return boolean
function World:has(entity, component) end
--- False for nil and for entities that were destroyed.
---@param entity perigee.Entity
---@return boolean
function World:is_alive(entity) end
--- A copy of the entity.
---@param entity perigee.Entity
---@return perigee.Entity
function World:clone(entity) end
--- Adds and removes several components in one move.
---@param entity perigee.Entity
---@param add (perigee.Component|perigee.Value)[]
---@param remove? perigee.Component[]
---@return boolean
function World:change(entity, add, remove) end
--- Enables or disables an enableable component.
---@param entity perigee.Entity
---@param component perigee.Component
---@param is_on boolean
---@return boolean
function World:enable(entity, component, is_on) end
--- True when the entity has the component and it is enabled.
---@param entity perigee.Entity?
---@param component perigee.Component
---@return boolean
function World:is_enabled(entity, component) end
--- Adds the component to everything that the query matches.
---@param query perigee.PreparedQuery
---@param what perigee.Component|perigee.Value
---@return integer entities
function World:add_all(query, what) end
--- Removes the component from everything that the query matches.
---@param query perigee.PreparedQuery
---@param component perigee.Component
---@return integer entities
function World:remove_all(query, component) end
--- Sets the component of everything that the query matches.
---@param query perigee.PreparedQuery
---@param value perigee.Value
---@return integer entities
function World:set_all(query, value) end
--- Enables or disables the component of everything that the query matches.
---@param query perigee.PreparedQuery
---@param component perigee.Component
---@param is_on boolean
---@return integer entities
function World:enable_all(query, component, is_on) end
--- Destroys everything that the query matches.
---@param query perigee.PreparedQuery
---@return integer entities
function World:destroy_all(query) end
--- The number of chunks that the query matches.
---@param query perigee.PreparedQuery
---@return integer
function World:chunk_count(query) end
--- The distinct values of a shared component, each with its entities and chunks.
---@param component perigee.Component
---@return table
function World:shared_values(component) end
--- A copy of the entity and its descendants.
---@param entity perigee.Entity
---@return perigee.Entity
function World:clone_tree(entity) end
--- Makes `child` the last child of `parent`; nil for none.
---@param child perigee.Entity
---@param parent? perigee.Entity
function World:set_parent(child, parent) end
--- Names the entity; `""` removes the name.
---@param entity perigee.Entity
---@param name string
function World:set_name(entity, name) end
--- The parent of the entity; nil when it has none.
---@param entity perigee.Entity
---@return perigee.Entity?
function World:parent(entity) end
--- The children of the entity, in order.
---@param entity perigee.Entity
---@return perigee.Entity[]
function World:children(entity) end
--- The name of the entity; nil when it has none.
---@param entity perigee.Entity
---@return string?
function World:name(entity) end
--- The entity at a path of names, "ship/turret"; nil when there is none.
---@param path string
---@return perigee.Entity?
function World:find(path) end
--- Sends an event, delivered at once.
---@param event perigee.Component|perigee.Value
---@param fields? table
function World:send(event, fields) end
--- The world's one value of a resource, as a row to read and write.
---@param component perigee.Component
---@return any row
function World:resource(component) end
--- The entities whose relation points at the entity, in order of their index.
---@param entity perigee.Entity?
---@param relation perigee.Component
---@return perigee.Entity[]
function World:sources(entity, relation) end
--- The number of entities, or of those that match the query.
---@param query? perigee.PreparedQuery
---@return integer
function World:entity_count(query) end
--- The entities that a query matches, in chunk order. Costs fuel for each.
---@param query perigee.PreparedQuery
---@return perigee.Entity[]
function World:entities(query) end
--- The archetype of an entity, or the one with this hash; nil when there is none. The hash is that of the names of its
--- components, so it is the same in each run.
---@param which perigee.Entity|string an entity, or a hash
---@return table? # { hash =, components = { names }, entities =, chunks = }
function World:archetype(which) end
--- Statistics of the world, for tools.
---@return table<string, integer> figures
function World:stats() end
--- Switches a system or group on or off, at once.
---@param name string
---@param is_on boolean
function World:enable_system(name, is_on) end
--- Whether a system or group is enabled, whether it runs, and whether it has failed.
---@param name string
---@return { enabled: boolean, active: boolean?, failed: boolean? }
function World:system_state(name) end
--- Runs a group once, at once.
---@param name string
function World:run_group(name) end
--- The schema of a component as JSON, for tools.
---@param component perigee.Component
---@return string json
function World:schema_json(component) end
--- Creates the entities of a data file.
---@param path string
---@return perigee.Entity[] top, table<string, perigee.Prefab> prefabs
function World:load(path) end
--- The buffer of the entity.
---@param entity perigee.Entity
---@param component perigee.Component
---@return perigee.Buffer
function World:buffer(entity, component) end
--- The value of an object component.
---@param entity perigee.Entity
---@param component perigee.Component
---@return any
function World:object(entity, component) end
--- Stores a value in an object component; nil removes it.
---@param entity perigee.Entity
---@param component perigee.Component
---@param value any
function World:set_object(entity, component, value) end

---@class perigee.SideWorld
---@field name string
local SideWorld = {}
--- Runs it for so many steps, 1 without a number. False if a system of it failed meanwhile.
---@param steps? integer 0 to 600
---@return boolean
function SideWorld:step(steps) end
--- Sends it a plain value; the entities, with their descendants, move there with it.
---@param message any
---@param entities? perigee.Entity|perigee.Entity[]
function SideWorld:send(message, entities) end
--- The oldest message from it, and the entities that came with it; nil when there is none.
---@return any message
---@return perigee.Entity[] entities
function SideWorld:receive() end
--- Draws what its draw() and presentation systems draw.
---@param x? number
---@param y? number
---@param scale? number above 0
function SideWorld:draw(x, y, scale) end
--- Ends it with everything in it.
function SideWorld:destroy() end
--- False when it was destroyed.
---@return boolean
function SideWorld:is_alive() end
--- How many steps it has run, and how many entities live in it.
---@return { steps: integer, entities: integer }
function SideWorld:stats() end

---@class perigee.Outside what a side world can reach of its maker
local Outside = {}
--- Sends the maker a plain value; the entities, with their descendants, move there with it.
---@param message any
---@param entities? perigee.Entity|perigee.Entity[]
function Outside:send(message, entities) end
--- The oldest message from the maker, and the entities that came with it; nil when there is none.
---@return any message
---@return perigee.Entity[] entities
function Outside:receive() end
