// Darkens the image towards its corners.
uniform float strength = 0.7;  // 0: not at all, 1: black
uniform float size = 0.45;     // of the part in the middle that stays as it is
uniform float softness = 0.5;

vec4 effect(vec4 color, sampler2D image, vec2 at, vec2 pixel) {
    float far = length(at - 0.5) * 1.41421356;
    float dark = smoothstep(size, size + max(softness, 0.0001), far);
    vec4 own = Texel(image, at);
    return vec4(own.rgb * (1.0 - strength * dark), own.a) * color;
}
