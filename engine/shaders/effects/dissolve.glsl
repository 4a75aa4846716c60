// Burns the image away in patches.
uniform float amount = 0.5;   // 0: all of it is there, 1: nothing
uniform float patches = 6.0;  // size in pixels of the image
uniform float edge = 0.08;    // width of the glowing edge
uniform vec3 glow = vec3(1.0, 0.6, 0.1);

float random_at(vec2 place) { return fract(sin(dot(place, vec2(12.9898, 78.233))) * 43758.5453); }

float noise_at(vec2 place) {
    vec2 cell = floor(place);
    vec2 part = fract(place);
    part = part * part * (3.0 - 2.0 * part);
    float above = mix(random_at(cell), random_at(cell + vec2(1.0, 0.0)), part.x);
    float below = mix(random_at(cell + vec2(0.0, 1.0)), random_at(cell + vec2(1.0, 1.0)), part.x);
    return mix(above, below, part.y);
}

vec4 effect(vec4 color, sampler2D image, vec2 at, vec2 pixel) {
    float left = noise_at(at / texel / max(patches, 0.01)) - amount * (1.0 + edge);
    vec4 own = Texel(image, at) * color;
    if (amount <= 0.0) return own;
    if (left + edge < 0.0 || amount >= 1.0) return vec4(0.0);
    return left < 0.0 ? vec4(glow, own.a) : own;
}
