// Program: a vertex and a fragment shader, compiled for the context's version of GLSL.
//
// Invariant: an object has a linked program, or the message of the compiler. Sources have no #version line:
// the program adds the one of GLSL 3.30 or GLSL ES 3.00, which have everything in common that the sources
// use.
#pragma once

#include "engine/sdl/gl/gl_object.h"

#include <string>
#include <string_view>

namespace perigee::gl {

class Program {
public:
    Program(std::string_view vertex_source, std::string_view fragment_source);
    ~Program();
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    /// The message of the compiler or linker; empty if the program works.
    const std::string& error() const noexcept { return error_; }

    void use() const noexcept { glUseProgram(name_); }
    /// -1, which OpenGL ignores, if the program has no such uniform.
    GLint uniform(const char* name) const noexcept { return glGetUniformLocation(name_, name); }

private:
    GLuint name_;
    std::string error_;
};

}  // namespace perigee::gl
