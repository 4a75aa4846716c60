// ShaderSource: the source of a fragment effect, and what can be known of it without a graphics driver.
//
// Invariant: each uniform has a type, a default and a name of its own, and `code` is plain GLSL: comments and
// defaults are blanked, LÖVE's words extern, number and Image are replaced, and lines keep their numbers. Not here: compiling (engine/sdl/gl/effect_programs.h).
//
//   uniform float strength = 0.5;
//   vec4 effect(vec4 color, sampler2D image, vec2 at, vec2 pixel) { return Texel(image, at) * color *
//   strength; }
#pragma once

#include "ecs/base/result.h"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace perigee {

inline constexpr std::size_t kMaxShaderBytes = 65'536;
inline constexpr std::size_t kMaxUniforms = 32;

/// Every shader has these; a source cannot declare them.
inline constexpr std::array<std::string_view, 3> kBuiltinUniforms{"time", "screen_size", "texel"};

struct ShaderUniform {
    std::string name;
    int size = 1;  ///< 1: float; 2 to 4: a vector
    std::array<float, 4> initial{};
};

struct ShaderSource {
    std::string name;  ///< of the file or the effect, for messages
    std::string code;
    std::vector<ShaderUniform> uniforms;
};

/// Errors: what is wrong with a declaration, as "assets/a.glsl:3: …"; no function `effect`; too long.
Result<ShaderSource> parse_shader(std::string_view name, std::string_view text);

}  // namespace perigee
