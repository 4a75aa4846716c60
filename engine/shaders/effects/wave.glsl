// Moves the rows of the image from side to side, as under water.
uniform float amplitude = 3.0;    // in pixels of the image
uniform float wavelength = 24.0;  // in pixels of the image
uniform float speed = 1.0;        // waves per second

vec4 effect(vec4 color, sampler2D image, vec2 at, vec2 pixel) {
    float phase = at.y / (texel.y * max(wavelength, 0.01)) + time * speed;
    vec2 there = at + vec2(sin(6.283185307 * phase) * amplitude * texel.x, 0.0);
    if (there.x < 0.0 || there.x > 1.0) return vec4(0.0);
    return Texel(image, there) * color;
}
