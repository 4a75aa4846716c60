// Blurs the image.
uniform float radius = 4.0;  // in pixels of the image

vec4 effect(vec4 color, sampler2D image, vec2 at, vec2 pixel) {
    vec4 sum = vec4(0.0);
    float total = 0.0;
    for (int y = -3; y <= 3; ++y) {
        for (int x = -3; x <= 3; ++x) {
            vec2 offset = vec2(float(x), float(y)) / 3.0;
            float weight = exp(-2.0 * dot(offset, offset));
            vec4 near = Texel(image, at + offset * radius * texel);
            sum += vec4(near.rgb * near.a, near.a) * weight;
            total += weight;
        }
    }
    if (sum.a <= 0.0) return vec4(0.0);
    return vec4(sum.rgb / sum.a, sum.a / total) * color;
}
