// A line around the parts of an image that can be seen, within the image.
uniform vec4 tint = vec4(1.0, 1.0, 1.0, 1.0);
uniform float width = 1.0;  // in pixels of the image

vec4 effect(vec4 color, sampler2D image, vec2 at, vec2 pixel) {
    float around = 0.0;
    for (int i = 0; i < 16; ++i) {
        float angle = float(i) * 0.39269908;
        vec2 there = at + vec2(cos(angle), sin(angle)) * width * texel;
        bool is_inside = there.x >= 0.0 && there.x <= 1.0 && there.y >= 0.0 && there.y <= 1.0;
        if (is_inside) around = max(around, Texel(image, there).a);
    }
    vec4 own = Texel(image, at) * color;
    float behind = around * tint.a * color.a * (1.0 - own.a);
    float opacity = own.a + behind;
    if (opacity <= 0.0) return vec4(0.0);
    return vec4((own.rgb * own.a + tint.rgb * behind) / opacity, opacity);
}
