// What OpenGL mixes, and how.
#include "engine/sdl/gl/internal/blending.h"

namespace perigee::gl {

BlendSetting setting_of(BlendMode mode) noexcept {
    switch (mode) {
        case BlendMode::alpha:
            break;
        case BlendMode::add:
            return {GL_FUNC_ADD, GL_ONE, GL_ONE, 0, true};
        case BlendMode::multiply:
            return {GL_FUNC_ADD, GL_DST_COLOR, GL_ZERO, 1, true};
        case BlendMode::screen:
            return {GL_FUNC_ADD, GL_ONE, GL_ONE_MINUS_SRC_COLOR, 0, true};
        case BlendMode::subtract:
            return {GL_FUNC_REVERSE_SUBTRACT, GL_ONE, GL_ONE, 0, true};
        case BlendMode::replace:
            return {GL_FUNC_ADD, GL_ONE, GL_ZERO, 0, false};
        case BlendMode::darken:
            return {GL_MIN, GL_ONE, GL_ONE, 1, true};
        case BlendMode::lighten:
            return {GL_MAX, GL_ONE, GL_ONE, 0, true};
    }
    return {GL_FUNC_ADD, GL_ONE, GL_ONE_MINUS_SRC_ALPHA, 0, false};
}

void set_blending(const BlendSetting& setting) {
    if (setting.keeps_opacity) {
        glBlendEquationSeparate(setting.equation, GL_FUNC_ADD);
        glBlendFuncSeparate(setting.source, setting.target, GL_ZERO, GL_ONE);
    } else {
        glBlendEquation(setting.equation);
        glBlendFunc(setting.source, setting.target);
    }
}

}  // namespace perigee::gl
