// The sources of the shaders: items as they are in the draw list, glyphs, and meshes.
//
// Invariant: they are valid GLSL 3.30 and GLSL ES 3.00; program.h adds the version. Shapes are one instance
// each, and their edges are a distance that the fragment shader computes. Source of the distances: Inigo
// Quilez, https://iquilezles.org/articles/distfunctions2d/.
#pragma once

#include <string>

namespace perigee::gl {

std::string sprite_vertex_source();
std::string shape_vertex_source();
std::string glyph_vertex_source();
std::string mesh_vertex_source();

/// Of effects: with the place in the frame and its size.
std::string effect_vertex_source();
/// `code`: of the ShaderSource. Lines of it have number 1 for their source in messages of the compiler.
std::string effect_fragment_source(const std::string& code);

std::string image_fragment_source();
std::string glyph_fragment_source();
std::string shape_fragment_source();
std::string mesh_fragment_source();
/// The same for masks: what is less than half opaque is nothing.
std::string mask_source(const std::string& fragment_source);

}  // namespace perigee::gl
