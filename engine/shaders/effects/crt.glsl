// The screen of an old television: bent, with scanlines, separate colours and dark corners.
uniform float curvature = 0.08;
uniform float scanlines = 0.25;   // 0: none, 1: black
uniform float separation = 0.75;  // of red and blue, in pixels of the image
uniform float vignette = 0.3;

vec4 effect(vec4 color, sampler2D image, vec2 at, vec2 pixel) {
    vec2 from_middle = at * 2.0 - 1.0;
    from_middle *= 1.0 + curvature * from_middle.yx * from_middle.yx;
    vec2 bent = from_middle * 0.5 + 0.5;
    if (bent.x < 0.0 || bent.x > 1.0 || bent.y < 0.0 || bent.y > 1.0) return vec4(0.0, 0.0, 0.0, color.a);
    vec2 aside = vec2(separation * texel.x, 0.0);
    vec4 shown = Texel(image, bent);
    shown.r = Texel(image, bent - aside).r;
    shown.b = Texel(image, bent + aside).b;
    float line = 0.5 - 0.5 * cos(6.283185307 * bent.y / texel.y);
    shown.rgb *= 1.0 - scanlines * (1.0 - line);
    shown.rgb *= 1.0 - vignette * 0.5 * dot(from_middle, from_middle);
    return shown * color;
}
