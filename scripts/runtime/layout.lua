-- The memory that C++ and trusted Lua share, as FFI types. C++ owns and writes it; mods only ever hold references to
-- structs whose fields are constant and, addresses above all, have names nobody can guess.
-- Mirrors scripting/view.h, whose sizes and offsets are compared here when a state starts.
local rt = ...
local ffi, host = require("ffi"), rt.host
local typeof, cast = ffi.typeof, ffi.cast

local layout = {}

--- A name for a field of a struct that mods can hold. Unguessable, and no name tells another: what it hides may be an
--- address.
function layout.secret_name() return "f" .. host.secret() end

ffi.cdef [[
typedef struct {
  uint64_t address;
  int32_t count;
  uint32_t first_row;
  uint64_t epoch, self, mask;
} perigee_view;
typedef struct {
  int32_t count, index;
  double first_row;
  uint64_t runs, rows;
  void *views;
  int32_t run_limit;
  uint32_t reserved;
} perigee_chunk;
typedef struct {
  double dt, tick, time, alpha;
  uint64_t epoch;
  uint32_t reserved, may_command;
  void *random;
  void *system;
} perigee_system;
typedef struct { uint64_t outside_epoch; uint32_t phase, error_row, is_presentation, error_length; } perigee_state;
]]

layout.view_pointer = typeof("perigee_view *")
layout.chunk_pointer = typeof("perigee_chunk *")
layout.system_pointer = typeof("perigee_system *")
layout.state_pointer = typeof("perigee_state *")
layout.view_bytes = ffi.sizeof("perigee_view")
layout.system_bytes = ffi.sizeof("perigee_system")

for struct, fields in next, host.layout do
  for field, offset in next, fields do
    local found = field == "size" and ffi.sizeof("perigee_" .. struct) or ffi.offsetof("perigee_" .. struct, field)
    if found ~= offset then error("layout of " .. struct .. "." .. field .. " differs between C++ and Lua", 0) end
  end
end

layout.phases = { schema = 1, main = 2, idle = 3, system = 4, playback = 5 }
layout.cell = cast(layout.state_pointer, host.cell)

--- A struct type that mods may hold references to: all fields constant. `fields` is C text with %s for its names.
function layout.opaque(fields, ...)
  return typeof("struct { " .. string.format(fields, ...) .. " }")
end

--- An object that is nothing but its metamethods. Unlike a table's, its length is asked too.
function layout.object(meta)
  return (ffi.new(ffi.metatype(layout.opaque("const uint32_t %s;", layout.secret_name()), meta)))
end

--- The object at `address` as a reference to `ctype`: what mods hold. The memory outlives the state.
function layout.reference(ctype, address)
  return cast(typeof("$ *", ctype), address)[0]
end

return layout
