// The parts that sources have in common, then one function per source.
#include "engine/sdl/gl/shaders.h"

#include "engine/sdl/gl/internal/item_constants.h"
#include "engine/shaders/shader_source.h"

#include <fmt/format.h>

namespace perigee::gl {

namespace {

// From the coordinates of an item to pixels of the target, and to the screen of OpenGL, which has y upwards.
constexpr char kPlacing[] = R"glsl(
uniform vec4 u_linear;   // xx, xy, yx, yy of the View
uniform vec2 u_offset;
uniform float u_scale;
uniform vec2 u_target;   // size in pixels
uniform int u_upright;

vec2 turned(vec2 p) { return vec2(dot(u_linear.xy, p), dot(u_linear.zw, p)); }
vec2 placed(vec2 p) { return turned(p) + u_offset; }
vec4 on_screen(vec2 pixel) { return vec4(pixel / u_target * 2.0 - 1.0, 0.0, 1.0) * vec4(1.0, -1.0, 1.0, 1.0); }
)glsl";

// A DrawItem: bits are color, ref, angle | stroke << 16, origin_x | origin_y << 8 | kind << 16 | flags << 24.
constexpr char kItem[] = R"glsl(
#ifdef PARTICLES
layout(location = 0) in vec2 a_place;
layout(location = 1) in uint a_life;  // step | angle << 16
uniform uvec4 u_looks[kLookSteps];  // of each step: width and height, which are floats, and color
uniform uvec2 u_look;       // ref, and the bits from origin_x on
#define a_box vec4(a_place, uintBitsToFloat(u_looks[a_life & 65535u].xy))
#define a_bits uvec4(u_looks[a_life & 65535u].z, u_look.x, a_life >> 16u, u_look.y)
#else
layout(location = 0) in vec2 a_place;
layout(location = 1) in uvec4 a_bits;
layout(location = 2) in vec2 a_size;
#define a_box vec4(a_place, a_size)
#endif

vec4 color_of(uint bits) {
    return vec4(uvec4(bits, bits >> 8u, bits >> 16u, bits >> 24u) & 255u) / 255.0;
}
vec2 origin() { return vec2(uvec2(a_bits.w, a_bits.w >> 8u) & 255u) / 128.0; }
uint kind() { return (a_bits.w >> 16u) & 255u; }
uint flags() { return a_bits.w >> 24u; }
uint angle_bits() { return a_bits.z & 65535u; }
float stroke() {
    uint bits = a_bits.z >> 16u;  // DrawItem::stroke_pixels
    if (bits < kFineStroke) return float(bits) / 16.0;
    return bits < kWideStroke ? float(bits - kFineStroke) / 4096.0 : 2048.0 + float(bits - kWideStroke) / 4.0;
}
// The boundary between two pixels that is next to an edge, as snapped() of engine/sdl/mesh/view.h.
vec2 snapped(vec2 pixels) { return floor(pixels + (0.5 + kSnapRoom)); }
float snapped(float pixels) { return floor(pixels + (0.5 + kSnapRoom)); }
float radians_of(uint bits) { return float(bits) * (6.283185307179586 / 65536.0); }
mat2 rotation(float angle) {
    float c = cos(angle);
    float s = sin(angle);
    return mat2(c, s, -s, c);
}
vec2 corner() { return vec2(gl_VertexID & 1, gl_VertexID >> 1); }
)glsl";

constexpr char kSprite[] = R"glsl(
uniform sampler2D u_frames;
#ifdef EFFECT
uniform sampler2D u_image;
out vec2 v_part;
flat out vec4 v_frame;
flat out vec2 v_texel;
#endif
out vec2 v_at;
flat out vec4 v_color;

void main() {
    vec2 offset = (corner() - origin()) * a_box.zw;
    bool is_turned = angle_bits() != 0u;
    if (is_turned) offset = rotation(radians_of(angle_bits())) * offset;
    vec2 pixel = placed(a_box.xy + offset);
    if (!is_turned && u_upright == 1) pixel = snapped(pixel);
    vec4 frame = texelFetch(u_frames, ivec2(int(a_bits.y % kFrameColumns), int(a_bits.y / kFrameColumns)), 0);
    vec2 part = corner();
    if ((flags() & kFlipX) != 0u) part.x = 1.0 - part.x;
    if ((flags() & kFlipY) != 0u) part.y = 1.0 - part.y;
    v_at = mix(frame.xy, frame.zw, part);
#ifdef EFFECT
    v_part = part;
    v_frame = frame;
    v_texel = 1.0 / max(vec2(textureSize(u_image, 0)) * abs(frame.zw - frame.xy), 1.0);
#endif
    v_color = color_of(a_bits.x);
    gl_Position = on_screen(pixel);
}
)glsl";

// v_at: pixels from the middle, along the axes of the item. v_size: half the width and height, stroke, corner
// radius. v_arc: cosine and sine of half its opening. v_arc_shape: its ArcShape, or kOpenCutOff.
constexpr char kShape[] = R"glsl(
#ifdef EFFECT
out vec2 v_part;
flat out vec4 v_frame;
flat out vec2 v_texel;
#endif
out vec2 v_at;
flat out vec4 v_size;
flat out vec2 v_arc;
flat out uint v_arc_shape;
flat out uint v_kind;
flat out float v_is_stretched;  // 1: a pixel along an axis of the item is not one of the target
flat out vec4 v_color;

uniform int u_similar;

vec2 middle;
vec2 half_size;
vec2 across;  // one pixel along each axis of the item
vec2 down;
float border = 1.0;  // around the shape, for its soft edge
mat2 part_axes = mat2(1.0);  // from the axes of v_at to those of the shape's rectangle

void set_axes(float angle) {
    mat2 turn = rotation(angle);
    across = turned(turn[0]) / u_scale;
    down = turned(turn[1]) / u_scale;
}

void set_snapped(vec2 a, vec2 b) {
    vec2 low = snapped(min(a, b));
    vec2 high = snapped(max(a, b));
    middle = (low + high) * 0.5;
    half_size = (high - low) * 0.5;
    across = vec2(1.0, 0.0);
    down = vec2(0.0, 1.0);
    v_is_stretched = 0.0;
}

void set_rectangle() {
    vec2 low = -origin() * a_box.zw;
    // Round corners are stretched with the rest.
    if (angle_bits() == 0u && u_upright == 1 && (a_bits.y == 0u || u_similar == 1)) {
        set_snapped(placed(a_box.xy + low), placed(a_box.xy + low + a_box.zw));
        if (a_bits.y == 0u) border = 0.0;
        return;
    }
    float angle = radians_of(angle_bits());
    middle = placed(a_box.xy + rotation(angle) * (low + a_box.zw * 0.5));
    half_size = abs(a_box.zw) * 0.5 * u_scale;
    set_axes(angle);
}

void set_line(float width) {
    vec2 start = placed(a_box.xy);
    vec2 line = placed(a_box.zw) - start;
    float length_ = length(line);
    across = length_ > 0.0 ? line / length_ : vec2(1.0, 0.0);
    down = vec2(-across.y, across.x);
    vec2 along = across;
    uint cap = a_bits.w & 255u;
    float half_width = width * 0.5;
    v_is_stretched = 0.0;
    if (cap == kButt && (abs(across.x) < 0.0001 || abs(across.y) < 0.0001)) {
        // Level and upright lines fill whole pixels.
        float whole = max(1.0, snapped(width));
        vec2 side = abs(down) * half_width;
        vec2 low = snapped(min(start, start + line) - side);
        vec2 high = snapped(max(start, start + line) + side);
        if (abs(across.y) < 0.0001) high.y = low.y + whole; else high.x = low.x + whole;
        set_snapped(low, high);
        part_axes = mat2(along.x, -along.y, along.y, along.x);
        border = 0.0;
        v_size.w = 0.0;
        return;
    }
    middle = start + line * 0.5;
    half_size = vec2(length_ * 0.5 + (cap == kButt ? 0.0 : half_width), half_width);
    if (cap == kRound) v_size.w = half_width;
}

void set_round() {
    middle = placed(a_box.xy);
    half_size = abs(a_box.zw) * u_scale;
    float angle = radians_of(angle_bits());
    if (kind() != kArc) {
        set_axes(angle);
        return;
    }
    float from = radians_of(a_bits.y & 65535u);
    float opening = radians_of((a_bits.y >> 16u) - (a_bits.y & 65535u) & 65535u);
    v_arc_shape = a_bits.w & 255u;
    if (v_arc_shape == kOpen && (a_bits.w >> 8u & 255u) != kRound) v_arc_shape = kOpenCutOff;
    if (opening == 0.0) {
        opening = 6.283185307179586;
        if (v_arc_shape == kPie) v_arc_shape = kClosed;  // a circle, without a line to its edge
    }
    v_arc = vec2(cos(opening * 0.5), sin(opening * 0.5));
    // The middle of the arc is the axis that points down. An arc of an ellipse is that of a circle, stretched.
    float stretch = a_box.z == a_box.w ? 1.0 : abs(a_box.w / a_box.z);
    if (stretch != 1.0) v_is_stretched = 1.0;
    half_size.y = half_size.x;
    part_axes = rotation(from + opening * 0.5 - 1.5707963267948966);
    mat2 turn = rotation(angle) * mat2(1.0, 0.0, 0.0, stretch) * part_axes;
    across = turned(turn[0]) / u_scale;
    down = turned(turn[1]) / u_scale;
}

void main() {
    v_kind = kind();
    v_color = color_of(a_bits.x);
    v_arc = vec2(0.0);
    v_arc_shape = kPie;
    v_is_stretched = u_similar == 1 ? 0.0 : 1.0;
    v_size = vec4(0.0);
    float width = stroke() > 0.0 ? max(1.0, stroke() * u_scale) : 0.0;
    if (v_kind == kRectangle) {
        set_rectangle();
        if (border == 0.0 && width > 0.0) width = max(1.0, snapped(width));
        v_size.w = min(float(a_bits.y) / kCornerParts * u_scale, min(half_size.x, half_size.y));
    } else if (v_kind == kLine) {
        set_line(max(1.0, width));
        width = 0.0;
    } else {
        set_round();
    }
    v_size.xy = half_size;
    v_size.z = width;
    // An open arc has its stroke on both sides.
    v_at = (corner() * 2.0 - 1.0) * (half_size + border + (v_kind == kArc ? width * 0.5 : 0.0));
#ifdef EFFECT
    vec2 own_half = max(v_kind == kLine ? abs(part_axes * half_size) : half_size, 0.0001);
    v_part = part_axes * v_at / own_half * 0.5 + 0.5;
    v_frame = vec4(0.0, 0.0, 1.0, 1.0);
    v_texel = 0.5 / own_half;
#endif
    gl_Position = on_screen(middle + across * v_at.x + down * v_at.y);
}
)glsl";

constexpr char kGlyph[] = R"glsl(
uniform vec2 u_texel;  // 1 / size of the texture
#ifdef EFFECT
uniform vec3 u_part_x;  // from pixels of the target to the place in the text
uniform vec3 u_part_y;
out vec2 v_part;
flat out vec4 v_frame;
flat out vec2 v_texel;
#endif
out vec2 v_at;
flat out vec4 v_color;

void main() {
    vec2 offset = corner() * a_box.zw;
    if ((a_bits.w & 65535u) != 0u) offset = rotation(radians_of(a_bits.w & 65535u)) * offset;
    if (u_linear != vec4(u_scale, 0.0, 0.0, u_scale)) offset = turned(offset) / u_scale;
    vec4 box = vec4(a_bits.y & 65535u, a_bits.y >> 16u, a_bits.z & 65535u, a_bits.z >> 16u);
    v_at = mix(box.xy, box.zw, corner()) * u_texel;
    v_color = color_of(a_bits.x);
#ifdef EFFECT
    vec3 pixel = vec3(a_box.xy + offset, 1.0);
    v_part = vec2(dot(pixel, u_part_x), dot(pixel, u_part_y));
    v_frame = vec4(0.0, 0.0, 1.0, 1.0);
    v_texel = vec2(length(u_part_x.xy), length(u_part_y.xy));
#endif
    gl_Position = on_screen(a_box.xy + offset);
}
)glsl";

constexpr char kMesh[] = R"glsl(
#ifdef EFFECT
uniform sampler2D u_image;
uniform vec4 u_part;
uniform int u_has_image;
out vec2 v_part;
flat out vec4 v_frame;
flat out vec2 v_texel;
#endif
layout(location = 0) in vec2 a_place;
layout(location = 1) in vec2 a_part;
layout(location = 2) in vec4 a_color;
out vec2 v_at;
out vec4 v_smooth_color;

void main() {
    v_at = a_part;
    v_smooth_color = a_color;
#ifdef EFFECT
    v_part = a_part;
    v_frame = u_part;
    v_texel = vec2(0.0);
    if (u_has_image == 1)
        v_texel = 1.0 / max(vec2(textureSize(u_image, 0)) * abs(u_part.zw - u_part.xy), 1.0);
#endif
    gl_Position = on_screen(placed(a_place));
}
)glsl";

// What blending expects: the colour with the coverage taken out of it, or white mixed in for modes that
// darken.
constexpr char kOutput[] = R"glsl(
uniform float u_base;  // what transparency shows: 0 black, 1 white
out vec4 o_color;

#ifdef MASK
void cut(float opacity) { if (opacity < 0.5) discard; }
#else
void cut(float opacity) {}
#endif

void show(vec4 color) {
    cut(color.a);
    o_color = vec4(mix(vec3(u_base), color.rgb, color.a), color.a);
}
)glsl";

// Of a canvas, colours are multiplied by their opacity already.
constexpr char kTexel[] = R"glsl(
uniform int u_premultiplied;

void show_texel(vec4 texel, vec4 color) {
    if (u_premultiplied == 0) {
        show(texel * color);
    } else {
        float opacity = texel.a * color.a;
        cut(opacity);
        o_color = vec4(vec3(u_base * (1.0 - opacity)) + texel.rgb * color.rgb * color.a, opacity);
    }
}
)glsl";

// What the source of a game finds. Lines around it have numbers above all of its own, for messages of
// compilers. Texel: a colour whose opacity is not multiplied in, of a place from 0 to 1 in the frame; nothing
// of its neighbours on the page. An image that wraps has a page of its own. What has no image is white.
// Files of LÖVE may hold a vertex shader, too, between #ifdef VERTEX and #endif; the other part needs PIXEL.
constexpr char kEffectBegin[] = R"glsl(
#line 100001 0
uniform sampler2D u_image;
uniform int u_premultiplied;
uniform vec2 u_target;
uniform vec4 u_box;  // left and top of the picture in the target, pixels per unit in x and y
uniform int u_wraps;
uniform int u_shows_image;
in vec2 v_part;
flat in vec4 v_frame;
flat in vec2 v_texel;

#define love_ScreenSize vec4(screen_size, 0.0, 0.0)
#define texel v_texel
#define PIXEL

// Of a colour that its opacity is multiplied into. Light that was added to a clear picture has none, and
// counts as as opaque as it is bright.
vec4 straight(vec4 found) {
    float opacity = max(found.a, max(found.r, max(found.g, found.b)));
    return opacity > 0.0 ? vec4(found.rgb / opacity, opacity) : vec4(0.0);
}

vec4 Texel(sampler2D image, vec2 at) {
    if (u_shows_image == 0) return vec4(1.0);
    vec2 half_texel = min(v_texel * 0.5, vec2(0.5));
    vec2 inside = u_wraps == 1 ? at : clamp(at, half_texel, 1.0 - half_texel);
    vec4 found = texture(image, mix(v_frame.xy, v_frame.zw, inside));
    return u_premultiplied == 1 ? straight(found) : found;
}

// Of an image of the shader itself, which is a whole texture.
uniform int u_second_kinds[4];  // bits: 1 colours are multiplied by their opacity, 2 upside down
vec4 second_texel(int number, sampler2D image, vec2 at) {
    int kind = u_second_kinds[number];
    if (kind >= 2) at.y = 1.0 - at.y;
    vec4 found = texture(image, at);
    return kind == 1 || kind == 3 ? straight(found) : found;
}
#line 1 1
)glsl";

// Coverage: how much of the pixel is inside of the edge of what is drawn.
constexpr char kEffectEnd[] = R"glsl(
#line 100001 0
uniform int u_is_mask;

void show_effect(vec4 color, float coverage) {
    vec2 pixel = vec2(gl_FragCoord.x, u_target.y - gl_FragCoord.y);
    vec4 found = clamp(effect(color, u_image, v_part, (pixel - u_box.xy) / u_box.zw), 0.0, 1.0);
    show(vec4(found.rgb, found.a * coverage));
    if (u_is_mask == 1 && o_color.a < 0.5) discard;
}
)glsl";

constexpr char kEffectOfImage[] = R"glsl(
flat in vec4 v_color;
void main() { show_effect(v_color, 1.0); }
)glsl";

constexpr char kEffectOfShape[] = R"glsl(
void main() {
    float coverage = shape_coverage();
    if (coverage <= 0.0) discard;
    show_effect(v_color, coverage);
}
)glsl";

constexpr char kEffectOfGlyph[] = R"glsl(
in vec2 v_at;
flat in vec4 v_color;
void main() { show_effect(v_color, texture(u_image, v_at).r); }
)glsl";

// Without an image the opacity of the corners is the coverage: soft edges of polygons have it.
constexpr char kEffectOfMesh[] = R"glsl(
uniform vec4 u_color;
in vec2 v_at;
in vec4 v_smooth_color;
void main() {
    if (u_shows_image == 1)
        show_effect(v_smooth_color * u_color, 1.0);
    else
        show_effect(vec4(v_smooth_color.rgb, 1.0) * u_color, v_smooth_color.a);
}
)glsl";

constexpr char kImage[] = R"glsl(
uniform sampler2D u_image;
in vec2 v_at;
flat in vec4 v_color;

void main() { show_texel(texture(u_image, v_at), v_color); }
)glsl";

constexpr char kCoverage[] = R"glsl(
uniform sampler2D u_image;
in vec2 v_at;
flat in vec4 v_color;

void main() { show(vec4(v_color.rgb, v_color.a * texture(u_image, v_at).r)); }
)glsl";

constexpr char kDistance[] = R"glsl(
uniform int u_is_hard;  // edges are not smooth: what replaces the colours around it cannot mix with them
in vec2 v_at;
flat in vec4 v_size;
flat in vec2 v_arc;
flat in uint v_arc_shape;
flat in uint v_kind;
flat in float v_is_stretched;
flat in vec4 v_color;

float distance_to_box(vec2 p, vec2 size, float radius) {
    vec2 q = abs(p) - size + radius;
    return length(max(q, 0.0)) + min(max(q.x, q.y), 0.0) - radius;
}

float distance_to_ellipse(vec2 p, vec2 radii) {
    if (abs(radii.x - radii.y) < 0.001) return length(p) - radii.x;
    vec2 r = max(radii, 0.0001);
    float a = length(p / r);
    float b = length(p / (r * r));
    return b > 0.0 ? a * (a - 1.0) / b : -min(r.x, r.y);
}

// The arc opens around the axis that points down; `end` is its end on the right.
float distance_to_arc(vec2 p, float radius, float stroke) {
    p.x = abs(p.x);
    vec2 end = vec2(v_arc.y, v_arc.x);
    bool is_within = end.y * p.x < end.x * p.y;
    if (v_arc_shape == kOpen && stroke > 0.0) {
        float ring = is_within ? abs(length(p) - radius) : length(p - end * radius);
        return ring - stroke * 0.5;
    }
    if (v_arc_shape == kOpenCutOff && stroke > 0.0)
        return max(abs(length(p) - radius) - stroke * 0.5, p.x * end.y - p.y * end.x);
    float disc = length(p) - radius;
    if (v_arc_shape != kPie) return max(disc, radius * end.y - p.y);
    float side = length(p - end * clamp(dot(p, end), 0.0, radius));
    return max(disc, is_within ? -side : side);
}

float shape_coverage() {
    float d;
    float stroke = v_size.z;
    if (v_kind == kCircle) {
        d = distance_to_ellipse(v_at, v_size.xy);
    } else if (v_kind == kArc) {
        d = distance_to_arc(v_at, v_size.x, stroke);
        if (v_arc_shape == kOpen || v_arc_shape == kOpenCutOff) stroke = 0.0;
    } else {
        d = distance_to_box(v_at, v_size.xy, v_size.w);
    }
    if (stroke > 0.0) d = abs(d + stroke * 0.5) - stroke * 0.5;
    float pixel = v_is_stretched == 0.0 ? 1.0 : max(length(vec2(dFdx(d), dFdy(d))), 0.0001);
    float coverage = clamp(0.5 - d / pixel, 0.0, 1.0);
    return u_is_hard == 1 ? step(0.5, coverage) : coverage;
}
)glsl";

constexpr char kShapeColor[] = R"glsl(
void main() {
    float coverage = shape_coverage();
    if (coverage <= 0.0) discard;
    show(vec4(v_color.rgb, v_color.a * coverage));
}
)glsl";

constexpr char kMeshColor[] = R"glsl(
uniform sampler2D u_image;
uniform int u_has_image;
uniform int u_wraps;
uniform vec4 u_part;  // left, top, right and bottom of the image in the texture
uniform vec4 u_color;
in vec2 v_at;
in vec4 v_smooth_color;

void main() {
    vec2 at = u_wraps == 1 ? v_at : clamp(v_at, 0.0, 1.0);
    vec4 texel = u_has_image == 1 ? texture(u_image, mix(u_part.xy, u_part.zw, at)) : vec4(1.0);
    show_texel(texel, v_smooth_color * u_color);
}
)glsl";

std::string joined(std::initializer_list<const char*> parts) {
    std::string source;
    for (const char* part : parts) source += part;
    return source;
}

}  // namespace

std::string sprite_vertex_source() { return item_constants() + joined({kPlacing, kItem, kSprite}); }
std::string shape_vertex_source() { return item_constants() + joined({kPlacing, kItem, kShape}); }
std::string glyph_vertex_source() { return item_constants() + joined({kPlacing, kItem, kGlyph}); }
std::string mesh_vertex_source() { return joined({kPlacing, kMesh}); }

std::string particle_source(const std::string& vertex_source) {
    return "#define PARTICLES\n" + vertex_source;
}

std::string effect_vertex_source(EffectKind kind) {
    const auto with = [](std::string source) { return "#define EFFECT\n" + source; };
    switch (kind) {
        case EffectKind::shape:
            return with(shape_vertex_source());
        case EffectKind::text:
            return with(glyph_vertex_source());
        case EffectKind::mesh:
            return with(mesh_vertex_source());
        case EffectKind::image:
            break;
    }
    return with(sprite_vertex_source());
}

std::string effect_fragment_source(const ShaderSource& source, EffectKind kind) {
    std::string builtins;  // that the source does not declare; texel is a macro
    for (const BuiltinUniform& builtin : kBuiltinUniforms)
        if (!builtin.type.empty() && source.find(builtin.name) == nullptr)
            builtins += fmt::format("uniform {} {};\n", builtin.type, builtin.name);
    const auto with = [&](const std::string& end) {
        return joined({kOutput, builtins.c_str(), kEffectBegin, source.code.c_str(), kEffectEnd}) + end;
    };
    switch (kind) {
        case EffectKind::shape:
            return with(item_constants() + joined({kDistance, kEffectOfShape}));
        case EffectKind::text:
            return with(kEffectOfGlyph);
        case EffectKind::mesh:
            return with(kEffectOfMesh);
        case EffectKind::image:
            break;
    }
    return with(kEffectOfImage);
}

std::string image_fragment_source() { return joined({kOutput, kTexel, kImage}); }
std::string glyph_fragment_source() { return joined({kOutput, kCoverage}); }
std::string shape_fragment_source() { return item_constants() + joined({kOutput, kDistance, kShapeColor}); }
std::string mesh_fragment_source() { return joined({kOutput, kTexel, kMeshColor}); }
std::string mask_source(const std::string& fragment_source) { return "#define MASK\n" + fragment_source; }

}  // namespace perigee::gl
