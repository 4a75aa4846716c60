---@meta
-- luacheck: ignore
-- What functions of gfx take: options, paths, vertices. See gfx.lua.

---@class perigee.PrintOptions
---@field size? number above 0
---@field width? number above 0: wraps the text, and aligns it in a box of this width
---@field align? "left"|"center"|"right"|"justify"
---@field color? perigee.Color
---@field font? perigee.FontPath
---@field markup? boolean the text has colours, {red}…{/}, and icons, {icon:name}
---@field reveal? number characters that are drawn
---@field outline? number pixels around the letters
---@field outline_color? perigee.Color
---@field shadow? number|number[] pixels to the right and down
---@field shadow_color? perigee.Color

---@class perigee.FontOptions
---@field fallback? perigee.FontPath|perigee.FontPath[] for characters that the font lacks
---@field glyphs? string of a strip of glyphs, from left to right
---@field spacing? number pixels after each glyph of a strip
---@field line_height? number above 0: multiplies the distance of lines

---@class perigee.IconOptions
---@field frame? integer of the sheet or atlas, from 0
---@field quad? number[] { x, y, width, height }
---@field scale? number above 0: of the height of the text

---@alias perigee.FontPath string `*.ttf`, `*.otf`, `*.fnt`, or `*.png` with `gfx.font`

---@alias perigee.Layer integer|string its number, -32768 to 32767, or its name

---@class perigee.LayerOptions
---@field order integer -32768 to 32767: its number; higher is nearer
---@field sort? "none"|"y"|"order" what decides the order of entities within it
---@field parallax? number|{ x?: number, y?: number } how far it moves when the camera does
---@field origin? { x?: number, y?: number } the camera's place at which the parallax moves nothing
---@field camera? { x?: number, y?: number, zoom?: number, rotation?: number } that sees this layer alone
---@field effect? perigee.Shader|string of the layer as a whole
---@field blend? string of the layer as a whole
---@field from? perigee.Layer `effect` and `blend` are for the layers from this one on, as one picture
---@field background? perigee.Color what the picture of the layer is filled with first, under its effect
---@field space? "world"|"screen"

---@class perigee.ImageOptions
---@field frame? integer of the sheet or atlas, from 0
---@field quad? number[] { x, y, width, height }
---@field rotation? number
---@field scale? number
---@field scale_x? number
---@field scale_y? number
---@field origin_x? number 0 to 1: the part of the width that lies left of x
---@field origin_y? number 0 to 1: the part of the height that lies above y
---@field color? perigee.Color

---@class perigee.SurfaceOptions
---@field filter? "nearest"|"linear" between the pixels when drawn larger
---@field wrap? "clamp"|"repeat"|"mirror" outside of it

---@class perigee.CanvasOptions
---@field filter? "nearest"|"linear" between the pixels when drawn larger
---@field wrap? "clamp"|"repeat"|"mirror" outside of it
---@field msaa? boolean smooth edges of meshes and turned images, at five times the memory
---@field name? string for gfx.View

---@alias perigee.Vertex (number|perigee.Color)[] { x, y, u, v, r, g, b, a }, or with a colour in place of r, g, b, a

---@class perigee.MeshOptions
---@field mode? "fan"|"strip"|"triangles" which vertices are a triangle
---@field indices? integer[] of vertices, from 1
---@field image? perigee.ImagePath|perigee.Pixels|perigee.Canvas

---@class perigee.Border
---@field left? integer
---@field right? integer
---@field top? integer
---@field bottom? integer
---@field scale? number of the borders
---@field quad? number[] { x, y, width, height }: the part of the image

---@class perigee.ParticleOptions
---@field image? string
---@field frame? integer
---@field frames? integer[]|{ from: integer, to: integer } one after the other in a life
---@field shape? "circle"|"rectangle"
---@field rate? number particles a second of an emitter
---@field count? integer of a burst
---@field lifetime? number|{ min: number, max: number } seconds
---@field speed? number|{ min: number, max: number } pixels a second, at first
---@field speed_curve? number|number[] what the speed is multiplied by, over a life
---@field direction? number
---@field spread? number
---@field radius? number of the disc in which particles begin
---@field area? perigee.ParticleArea
---@field gravity? number|{ x?: number, y?: number }
---@field radial? number|{ min: number, max: number } pixels a second, each second, away from where the emitter was
---@field tangential? number|{ min: number, max: number } the same, clockwise around it
---@field drag? number 0 to 1
---@field size? number|number[]
---@field size_variation? number 0 to 1
---@field color? perigee.Color|perigee.Color[]
---@field rotation? number|{ min: number, max: number }
---@field spin? number|{ min: number, max: number }
---@field faces_velocity? boolean
---@field blend? string
---@field layer? perigee.Layer
---@field space? "world"|"local"
---@field collisions? perigee.ParticleCollisions

---@class perigee.ParticleArea
---@field shape? "disc"|"ring"|"rectangle"|"frame"|"line"|"cloud"
---@field width number
---@field height? number `width` without it; a line has none
---@field rotation? number
---@field outward? boolean true: directions count from the one away from the middle

---@class perigee.ParticleCollisions
---@field grid perigee.Pixels a pixel that is not transparent is a solid cell
---@field cell? number 1 to 16384: the side of a cell in pixels of the world
---@field x? number of the left upper corner of the grid
---@field y? number
---@field bounce? number 0 to 1: the part of its speed with which a particle comes back
---@field friction? number 0 to 1: the part of its speed along the cell that it loses
---@field on_hit? "bounce"|"stop"|"die"

---@alias perigee.ImageStyle table<string, number> what gfx.style makes: frame, rotation, scale_x, scale_y, origin_x, origin_y, color
