// Owning handles of OpenGL objects, and the functions of OpenGL (libepoxy).
//
// Invariant: a handle deletes its object while the context that made it is current, even if that context is
// lost. Zero: no object.
#pragma once

#include <epoxy/gl.h>

#include <utility>

namespace perigee::gl {

/// kMake and kDelete: functions that get a count and an array of names, as glGenBuffers.
template <auto kMake, auto kDelete> class Object {
public:
    Object() noexcept = default;
    Object(Object&& other) noexcept : name_(std::exchange(other.name_, 0U)) {}
    Object& operator=(Object&& other) noexcept {
        std::swap(name_, other.name_);
        return *this;
    }
    ~Object() { reset(); }

    static Object make() {
        Object object;
        kMake(1, &object.name_);
        return object;
    }
    void reset() noexcept {
        if (name_ != 0) kDelete(1, &name_);
        name_ = 0;
    }
    GLuint name() const noexcept { return name_; }
    explicit operator bool() const noexcept { return name_ != 0; }

private:
    GLuint name_ = 0;
};

// libepoxy's functions are variables that are set at the first call, so they cannot be template arguments
// themselves.
inline void make_buffers(GLsizei n, GLuint* names) { glGenBuffers(n, names); }
inline void delete_buffers(GLsizei n, const GLuint* names) { glDeleteBuffers(n, names); }
inline void make_textures(GLsizei n, GLuint* names) { glGenTextures(n, names); }
inline void delete_textures(GLsizei n, const GLuint* names) { glDeleteTextures(n, names); }
inline void make_arrays(GLsizei n, GLuint* names) { glGenVertexArrays(n, names); }
inline void delete_arrays(GLsizei n, const GLuint* names) { glDeleteVertexArrays(n, names); }

inline void make_framebuffers(GLsizei n, GLuint* names) { glGenFramebuffers(n, names); }
inline void delete_framebuffers(GLsizei n, const GLuint* names) { glDeleteFramebuffers(n, names); }
inline void make_renderbuffers(GLsizei n, GLuint* names) { glGenRenderbuffers(n, names); }
inline void delete_renderbuffers(GLsizei n, const GLuint* names) { glDeleteRenderbuffers(n, names); }

using Buffer = Object<make_buffers, delete_buffers>;
using Texture = Object<make_textures, delete_textures>;
using VertexArray = Object<make_arrays, delete_arrays>;
using Framebuffer = Object<make_framebuffers, delete_framebuffers>;
using Renderbuffer = Object<make_renderbuffers, delete_renderbuffers>;

}  // namespace perigee::gl
