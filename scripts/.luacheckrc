-- How luacheck reads the Lua that ships. Run by the tests; by hand: luacheck --config scripts/.luacheckrc scripts
std = "luajit"
max_line_length = 120
unused_args = false -- run(chunk, ctx) has a fixed shape
-- A sketch defines these two; everything else is local or required.
globals = { "update", "draw", "state" }
-- A sketch may leave out the require of these.
read_globals = { "gfx", "input", "audio", "app", "save" }
