// The sources of the shaders: items as they are in the draw list, glyphs, and meshes.
//
// Invariant: they are valid GLSL 3.30 and GLSL ES 3.00; program.h adds the version. Shapes are one instance
// each, and their edges are a distance that the fragment shader computes. Source of the distances: Inigo
// Quilez, https://iquilezles.org/articles/distfunctions2d/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace perigee {
struct ShaderSource;
}

namespace perigee::gl {

std::string sprite_vertex_source();
std::string shape_vertex_source();
std::string glyph_vertex_source();
std::string mesh_vertex_source();

/// The vertex shader for sprites or shapes that are particles (ParticleItem).
std::string particle_source(const std::string& vertex_source);

/// The kinds of items that effects are drawn on; each needs its own program.
enum class EffectKind : std::uint8_t { image, shape, text, mesh };
inline constexpr std::size_t kEffectKinds = 4;

/// The vertex shader for effects: it also passes on the place in the item and the size of a pixel there.
std::string effect_vertex_source(EffectKind kind);
/// In messages of the compiler, lines of the source's code have number 1 for their source.
std::string effect_fragment_source(const ShaderSource& source, EffectKind kind);

std::string image_fragment_source();
std::string glyph_fragment_source();
std::string shape_fragment_source();
std::string mesh_fragment_source();
/// The same for masks: what is less than half opaque is nothing.
std::string mask_source(const std::string& fragment_source);

}  // namespace perigee::gl
