---@meta
-- luacheck: ignore
-- The module gfx: drawing, and the components that are drawn. Their options are in gfx_options.lua. See perigee.lua.

---@class gfx
---@field Sprite perigee.Component
---@field Shape perigee.Component
---@field Animation perigee.Component
---@field AnimationEvent perigee.Component
---@field Emitter perigee.Component
---@field Text perigee.Component
---@field Trail perigee.Component
---@field View perigee.Component
---@field Follow perigee.Component
---@field Shake perigee.Component
---@field Light perigee.Component
---@field ShadowCaster perigee.Component
---@field Lighting perigee.Component
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
--- A line, as wide as `set_line_width` says. With more points, or a list of them, it is `gfx.polyline`.
---@param x1 number
---@param y1 number
---@param x2 number
---@param y2 number
---@param color? perigee.Color
---@overload fun(points: number[], color?: perigee.Color)
---@overload fun(x1: number, y1: number, x2: number, y2: number, x3: number, y3: number, ...: number)
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
--- A polygon, concave or not. The numbers may be arguments instead of a list; a colour may follow them.
---@param mode "fill"|"line"
---@param points number[] x1, y1, x2, y2, …: at least three points
---@param color? perigee.Color
---@overload fun(mode: "fill"|"line", x1: number, y1: number, x2: number, y2: number, x3: number, y3: number, ...: number|perigee.Color)
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
--- An image as a panel: its corners keep their size, its edges are stretched one way, its middle both ways.
---@param image perigee.ImagePath|perigee.Pixels|perigee.Canvas
---@param x number
---@param y number
---@param width number
---@param height number
---@param border integer|perigee.Border in pixels of the image; a table is read once
---@param color? perigee.Color
function gfx.nine_slice(image, x, y, width, height, border, color) end
--- Fills a rectangle with an image, side by side.
---@param image perigee.ImagePath|perigee.Pixels|perigee.Canvas
---@param x number
---@param y number
---@param width number
---@param height number
---@param offset_x? number of a tile, from x
---@param offset_y? number of a tile, from y
---@param style? perigee.ImageOptions|perigee.ImageStyle frame, quad, scales and colour
---@overload fun(image: perigee.ImagePath|perigee.Pixels|perigee.Canvas, x: number, y: number, width: number, height: number, style: perigee.ImageOptions|perigee.ImageStyle)
function gfx.tiled(image, x, y, width, height, offset_x, offset_y, style) end
--- Triangles that you draw many times with `gfx.draw_mesh`.
---@param vertices perigee.Vertex[]|integer or their number
---@param options? perigee.MeshOptions
---@return perigee.Mesh
function gfx.mesh(vertices, options) end
--- Draws a mesh; its point 0, 0 is at x, y. One scale holds both ways.
---@param mesh perigee.Mesh
---@param x? number
---@param y? number
---@param rotation? number
---@param scale_x? number
---@param scale_y? number
---@param color? perigee.Color
function gfx.draw_mesh(mesh, x, y, rotation, scale_x, scale_y, color) end
--- The colour of later drawing in this frame: one colour, or r, g, b, a from 0 to 1.
---@param color perigee.Color|number
---@param g? number
---@param b? number
---@param a? number
function gfx.set_color(color, g, b, a) end
--- The colour of later drawing: r, g, b, a from 0 to 1.
---@return number, number, number, number
function gfx.get_color() end
--- The layer of later drawing in this frame; higher is nearer.
---@param layer integer|string -32768 to 32767 as a number, or its name
function gfx.set_layer(layer) end
--- Declares a layer while a file loads, and returns its number, which is its order; without options, returns that of a
--- declared layer.
---@param name string letters, digits, '-' and '_'
---@param options? perigee.LayerOptions
---@return integer
function gfx.layer(name, options) end
--- Another camera sees the layer, from the next picture on; without numbers, the one that it was declared with.
---@param layer perigee.Layer
---@param x? number
---@param y? number
---@param zoom? number above 0
---@param rotation? number of the camera, clockwise
function gfx.set_layer_camera(layer, x, y, zoom, rotation) end
--- How far the layer moves when the camera does, from the next picture on.
---@param layer perigee.Layer
---@param x number
---@param y? number as x if it is left out
function gfx.set_layer_parallax(layer, x, y) end
--- What the layer is drawn with as a whole, from the next picture on; without an effect, nothing.
---@param layer perigee.Layer
---@param effect? perigee.Shader|string
function gfx.set_layer_effect(layer, effect) end
--- What the whole picture is drawn with, from the next one on; without an effect, nothing.
---@param effect? perigee.Shader|string
function gfx.set_picture_effect(effect) end
--- Whether later drawing in this frame goes through the camera or is fixed on the screen.
---@param space "world"|"screen"
function gfx.set_space(space) end
--- The width of later lines and outlines in this frame.
---@param pixels number above 0
function gfx.set_line_width(pixels) end
--- The width of later lines and outlines.
---@return number
function gfx.get_line_width() end
--- How corners of later lines and outlines of many points look: "miter" until it is set.
---@param join "miter"|"bevel"|"round"
function gfx.set_line_join(join) end
--- How the ends of later lines look: "butt" until it is set.
---@param cap "butt"|"round"|"square"
function gfx.set_line_cap(cap) end
--- How corners of later lines and outlines of many points look.
---@return "miter"|"bevel"|"round"
function gfx.get_line_join() end
--- How the ends of later lines look.
---@return "butt"|"round"|"square"
function gfx.get_line_cap() end
--- The side of the squares that `gfx.points` draws.
---@param pixels number above 0
function gfx.set_point_size(pixels) end
--- The side of the squares that `gfx.points` draws.
---@return number
function gfx.get_point_size() end
--- The height of later text in this frame.
---@param pixels number above 0
function gfx.set_font_size(pixels) end
--- How later drawing in this frame mixes with what is behind it.
---@param mode "alpha"|"add"|"multiply"|"screen"|"subtract"|"replace"|"darken"|"lighten"
function gfx.set_blend(mode) end
--- How later drawing mixes with what is behind it.
---@return "alpha"|"add"|"multiply"|"screen"|"subtract"|"replace"|"darken"|"lighten"
function gfx.get_blend() end
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
--- Keeps later drawing inside of what a function draws, or outside of it. Without arguments, it is not kept anywhere.
---@param draw? fun() what it draws is the mask
---@param options? { inverted?: boolean }
function gfx.set_mask(draw, options) end
--- Keeps later drawing inside of what a function draws, or outside of it, within the mask that is set.
---@param draw fun() what it draws is the mask
---@param options? { inverted?: boolean }
function gfx.intersect_mask(draw, options) end
--- Centres the view on a world point, for later drawing in this frame.
---@param x number
---@param y number
---@param zoom? number above 0
---@param rotation? number of the camera, clockwise
function gfx.set_camera(x, y, zoom, rotation) end
--- Sends later drawing in this frame into the view of one camera; without one, into all views.
---@param camera? perigee.Entity with gfx.View
function gfx.set_view(camera) end
--- How much `gfx.Shake` shakes the picture: 1 as the game says, 0 not at all.
---@param strength number 0 to 1
function gfx.set_shake(strength) end
--- The colour behind everything, until it is set again.
---@param color perigee.Color|number
---@param g? number
---@param b? number
---@param a? number
function gfx.set_background(color, g, b, a) end
--- The colour behind everything: r, g, b, a from 0 to 1. In draw() only.
---@return number, number, number, number
function gfx.get_background() end
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
--- What is between the pixels of an image that is drawn larger or turned. Without a filter it has the default again.
---@param image perigee.ImagePath|perigee.Pixels|perigee.Canvas
---@param filter? "nearest"|"linear"
function gfx.set_filter(image, filter) end
--- The filter of all images, canvases and pixels of this game or mod that have none of their own; "nearest" until it is
--- set.
---@param filter "nearest"|"linear"
function gfx.set_default_filter(filter) end
--- What a quad shows that is larger than its image: nothing more, the image again, or the image again, mirrored.
---@param image perigee.ImagePath|perigee.Pixels|perigee.Canvas
---@param wrap "clamp"|"repeat"|"mirror"
function gfx.set_wrap(image, wrap) end
--- An image that you draw into; transparent at first.
---@param width integer 1 to 4096
---@param height integer 1 to 4096
---@param options? perigee.CanvasOptions
---@return perigee.Canvas
function gfx.canvas(width, height, options) end
--- Sends later drawing in this frame into a canvas; without one, onto the screen again.
---@param canvas? perigee.Canvas
function gfx.set_canvas(canvas) end
--- The canvas that is drawn into; nil for the screen.
---@return perigee.Canvas?
function gfx.get_canvas() end
--- Empties a canvas, or makes all of it one colour; also while main.lua loads.
---@param canvas perigee.Canvas
---@param color? perigee.Color|number
---@param g? number
---@param b? number
---@param a? number
function gfx.clear_canvas(canvas, color, g, b, a) end
--- The pixels of a canvas at the end of the frame before, if that frame asked for them, too.
---@param canvas perigee.Canvas
---@return perigee.Pixels|nil pixels, string? why
function gfx.canvas_pixels(canvas) end
--- Writes a canvas to `pictures/<name>.png` in the mod's save folder at the end of the frame; nil and why if not.
---@param canvas perigee.Canvas
---@param name string letters, digits, '-', '_' and '.'
---@return true|nil is_saved, string? why
function gfx.save_canvas(canvas, name) end
--- Writes the picture of this frame, as large as the window, to the same folder; nil and why if not.
---@param name string letters, digits, '-', '_' and '.'
---@return true|nil is_saved, string? why
function gfx.screenshot(name) end
--- The shader of a file, or of a source, with a function `vec4 effect(vec4 color, sampler2D image, vec2 at, vec2 pixel)`.
---@param path string `*.glsl`, or a source of more than one line
---@return perigee.Shader
function gfx.shader(path) end
--- A shader that comes with the engine.
---@param name "bloom"|"blur"|"crt"|"dissolve"|"outline"|"palette"|"vignette"|"wave"
---@return perigee.Shader
function gfx.effect(name) end
--- Draws all that comes later in this frame, but not entities, with a shader; without one, as it is.
---@param shader? perigee.Shader
function gfx.set_shader(shader) end
--- The shader of later drawing; nil if there is none.
---@return perigee.Shader?
function gfx.get_shader() end
--- An image in memory that you write pixel by pixel; transparent at first, or as the image of a file is.
---@overload fun(path: perigee.ImagePath, options?: perigee.SurfaceOptions): perigee.Pixels
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
---@param options perigee.ParticleOptions
---@return string
function gfx.particles(name, options) end
--- Emits particles at once; not in draw().
---@param name string of a preset
---@param x number
---@param y number
---@param count? integer
function gfx.burst(name, x, y, count) end
--- The font of later texts, and their size. Without a path, the default font.
---@param path? perigee.FontPath
---@param size? number above 0
function gfx.set_font(path, size) end
--- The font of later texts, for `gfx.set_font`.
---@return perigee.FontPath? path nil for the default font
---@return number size
function gfx.get_font() end
--- Describes what a font has besides its file, while a file loads; returns the path.
---@param path perigee.FontPath
---@param options? perigee.FontOptions
---@return string
function gfx.font(path, options) end
--- The height of a line in a font, and how far its base line is below its top.
---@param path? perigee.FontPath
---@param size? number above 0
---@return number line_height, number ascent
function gfx.font_metrics(path, size) end
--- Defines an image for `{icon:name}` in texts with markup, while a file loads; returns the name as texts have it.
---@param name string
---@param path perigee.ImagePath
---@param options? perigee.IconOptions
---@return string
function gfx.icon(name, path, options) end
--- The number of characters of a text, for the option `reveal`. With markup, tags do not count, and an icon is one.
---@param text string|number|boolean
---@param options? { markup?: boolean }
---@return integer
function gfx.text_length(text, options) end
--- The size that `gfx.print` needs for a text.
---@param text string|number|boolean
---@param size? number|perigee.PrintOptions above 0 as a size
---@param wrap_width? number above 0
---@return number width, number height
function gfx.text_size(text, size, wrap_width) end
--- The lines in which `gfx.print` draws a text.
---@param text string|number|boolean
---@param size? number|perigee.PrintOptions above 0 as a size
---@param wrap_width? number above 0
---@return string[]
function gfx.text_lines(text, size, wrap_width) end
--- The size of the logical screen in pixels, independent of the window. With the fit "expand" it grows with it.
---@return integer width, integer height
function gfx.size() end
--- The world point under a screen point, for the cameras after the last step.
---@param x number
---@param y number
---@param camera? perigee.Entity with gfx.View; else the one whose view is there
---@return number x, number y
function gfx.to_world(x, y, camera) end
--- The screen point of a world point, for the cameras after the last step.
---@param x number
---@param y number
---@param camera? perigee.Entity with gfx.View; else the lowest one on the screen
---@return number x, number y
function gfx.to_screen(x, y, camera) end
--- The camera whose view is at a screen point; nil if there is none.
---@param x number
---@param y number
---@return perigee.Entity? camera
function gfx.view_at(x, y) end
--- The part of the screen, or of its canvas, that a view covers; nothing if there is none.
---@param camera perigee.Entity with gfx.View
---@return number? x, number? y, number? width, number? height
function gfx.view_rect(camera) end
