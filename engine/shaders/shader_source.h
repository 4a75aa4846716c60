// ShaderSource: the source of a fragment effect, and what can be known of it without a graphics driver.
//
// Invariant: each uniform has a type, a default and a name of its own, and `code` is plain GLSL: comments and
// defaults are blanked, LÖVE's words extern, number and Image are replaced, and lines keep their numbers.
// Where an image of its own is read, `code` has second_texel(number, image, at), which the back end defines.
// Not here: compiling (engine/sdl/gl/effect_programs.h).
//
//   uniform float strength = 0.5;
//   vec4 effect(vec4 color, sampler2D image, vec2 at, vec2 pixel) { return Texel(image, at) * color *
//   strength; }
#pragma once

#include "ecs/base/result.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace perigee {

inline constexpr std::size_t kMaxShaderBytes = 65'536;
inline constexpr std::size_t kMaxUniforms = 32;
/// Images of a shader besides the one that is drawn.
inline constexpr std::size_t kMaxShaderImages = 4;
/// Numbers and vectors of all uniforms together; arrays and matrices have several.
inline constexpr std::size_t kMaxUniformElements = 160;

/// Every shader has these. A source may declare those with a type, as files of LÖVE do: the engine then sets
/// them until they are sent.
struct BuiltinUniform {
    std::string_view name;
    std::string_view type;  ///< empty: a source cannot declare it
};
inline constexpr std::array<BuiltinUniform, 3> kBuiltinUniforms{
    {{"time", "float"}, {"screen_size", "vec2"}, {"texel", ""}}};
/// Null for other names.
const BuiltinUniform* builtin_uniform(std::string_view name) noexcept;

struct ShaderUniform {
    std::string name;
    int size = 1;  ///< of an element: 1: float; 2 to 4: a vector, or a row of a matrix
    /// The default of each element; a matrix has 1 on its diagonal. If the first is NaN, the engine sets it.
    std::array<float, 4> initial{};
    int count = 1;  ///< elements: of an array, or rows
    enum class Form : std::uint8_t { single, array, matrix };
    Form form = Form::single;
    /// Whole numbers and booleans have size 1.
    enum class Scalar : std::uint8_t { floating, whole, boolean };
    static constexpr std::array<std::string_view, 3> kScalarNames{"float", "int", "bool"};
    Scalar scalar = Scalar::floating;
    std::size_t first = 0;  ///< element among those of the source

    /// "vec2", "int", "vec2[8]" or "mat4".
    std::string type() const;
    /// They can take each other's values.
    bool is_like(const ShaderUniform& other) const noexcept {
        return size == other.size && count == other.count && form == other.form && scalar == other.scalar;
    }
};

struct ShaderSource {
    std::string name;  ///< of the file or the effect, for messages
    std::string code;
    std::vector<ShaderUniform> uniforms;
    std::size_t elements = 0;         ///< of all uniforms
    std::vector<std::string> images;  ///< names of `uniform sampler2D`, at most kMaxShaderImages

    /// Null if it declares no such uniform.
    const ShaderUniform* find(std::string_view uniform) const noexcept;
};

/// "assets/a.glsl:3", or "main.lua:12, line 3" of a source that stands in a Lua file.
std::string shader_place(std::string_view name, std::string_view line);

/// Errors: what is wrong with a declaration, as "assets/a.glsl:3: …"; no function `effect`; too long.
Result<ShaderSource> parse_shader(std::string_view name, std::string_view text);

}  // namespace perigee
