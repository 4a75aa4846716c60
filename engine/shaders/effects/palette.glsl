// Swaps up to four colours. The opacity stays that of the image.
uniform vec3 from1 = vec3(0.0), from2 = vec3(0.0), from3 = vec3(0.0), from4 = vec3(0.0);
uniform vec3 to1 = vec3(0.0), to2 = vec3(0.0), to3 = vec3(0.0), to4 = vec3(0.0);
uniform float tolerance = 0.02;  // how far a colour may be from that in `from`

vec4 effect(vec4 color, sampler2D image, vec2 at, vec2 pixel) {
    vec4 own = Texel(image, at);
    vec3 swapped = own.rgb;
    if (distance(own.rgb, from4) <= tolerance) swapped = to4;
    if (distance(own.rgb, from3) <= tolerance) swapped = to3;
    if (distance(own.rgb, from2) <= tolerance) swapped = to2;
    if (distance(own.rgb, from1) <= tolerance) swapped = to1;
    return vec4(swapped, own.a) * color;
}
