// Compiling and linking, with the messages of the driver.
#include "engine/sdl/gl/program.h"

namespace perigee::gl {

namespace {

constexpr std::string_view kDesktop = "#version 330 core\n";
constexpr std::string_view kEmbedded = "#version 300 es\nprecision highp float;\nprecision highp int;\n";

// `get_length` and `get_text`: glGetShaderiv and glGetShaderInfoLog, or those of programs.
template <typename GetLength, typename GetText>
std::string log_of(GLuint name, GetLength get_length, GetText get_text) {
    GLint length = 0;
    get_length(name, GL_INFO_LOG_LENGTH, &length);
    std::string text(static_cast<std::size_t>(length > 0 ? length : 0), '\0');
    if (length > 0) get_text(name, length, nullptr, text.data());
    while (!text.empty() && (text.back() == '\0' || text.back() == '\n')) text.pop_back();
    return text.empty() ? "the driver says nothing" : text;
}

GLuint compiled(GLenum kind, std::string_view source, std::string& error) {
    const GLuint shader = glCreateShader(kind);
    const std::string_view version = epoxy_is_desktop_gl() ? kDesktop : kEmbedded;
    const char* const parts[] = {version.data(), source.data()};
    const GLint lengths[] = {static_cast<GLint>(version.size()), static_cast<GLint>(source.size())};
    glShaderSource(shader, 2, parts, lengths);
    glCompileShader(shader);
    GLint is_compiled = 0;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &is_compiled);
    if (is_compiled == 0) {
        error = log_of(
            shader, [](GLuint name, GLenum what, GLint* value) { glGetShaderiv(name, what, value); },
            [](GLuint name, GLint size, GLsizei* used, char* text) {
                glGetShaderInfoLog(name, size, used, text);
            });
    }
    return shader;
}

}  // namespace

Program::Program(std::string_view vertex_source, std::string_view fragment_source)
    : name_(glCreateProgram()) {
    const GLuint vertex = compiled(GL_VERTEX_SHADER, vertex_source, error_);
    const GLuint fragment = compiled(GL_FRAGMENT_SHADER, fragment_source, error_);
    glAttachShader(name_, vertex);
    glAttachShader(name_, fragment);
    if (error_.empty()) {
        glLinkProgram(name_);
        GLint is_linked = 0;
        glGetProgramiv(name_, GL_LINK_STATUS, &is_linked);
        if (is_linked == 0) {
            error_ = log_of(
                name_, [](GLuint name, GLenum what, GLint* value) { glGetProgramiv(name, what, value); },
                [](GLuint name, GLint size, GLsizei* used, char* text) {
                    glGetProgramInfoLog(name, size, used, text);
                });
        }
    }
    // The program keeps what it needs of them.
    glDeleteShader(vertex);
    glDeleteShader(fragment);
}

Program::~Program() { glDeleteProgram(name_); }

}  // namespace perigee::gl
