// Lets what is bright glow. Draw a canvas with it that has room around what glows.
uniform float threshold = 0.5;  // what is darker does not glow
uniform float strength = 1.0;
uniform float radius = 8.0;     // in pixels of the image

vec4 effect(vec4 color, sampler2D image, vec2 at, vec2 pixel) {
    vec3 glow = vec3(0.0);
    float total = 0.0;
    for (int y = -4; y <= 4; ++y) {
        for (int x = -4; x <= 4; ++x) {
            vec2 offset = vec2(float(x), float(y)) / 4.0;
            float weight = exp(-2.5 * dot(offset, offset));
            vec4 near = Texel(image, at + offset * radius * texel);
            glow += max(near.rgb - threshold, 0.0) * near.a * weight;
            total += weight;
        }
    }
    glow *= strength / (total * max(1.0 - threshold, 0.01));
    vec4 own = Texel(image, at);
    vec3 sum = min(own.rgb * own.a + glow, 1.0);
    float opacity = max(own.a, max(sum.r, max(sum.g, sum.b)));
    if (opacity <= 0.0) return vec4(0.0);
    return vec4(sum / opacity, opacity) * color;
}
