// EffectPrograms: compiled shaders of games, by their sources.
//
// Invariant: each version of a source is compiled once, when it is first drawn. If the driver refuses it,
// there is one report, and the last version that worked stays. Not here: the sources and the values
// (engine/shaders/shader_table.h).
#pragma once

#include "engine/draw/draw_list.h"
#include "engine/sdl/gl/pass.h"
#include "engine/sdl/window/letterbox.h"

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace perigee::gl {

struct EffectProgram {
    EffectProgram(const std::shared_ptr<const ShaderSource>& from, std::string_view fragment);
    /// What only effects have. `logical`: size of the target in its own units. Expects: pass is in use.
    /// `image_wraps`: the image is itself again outside of it.
    void set(const DrawList& list, const ShaderUse& use, const Letterbox& box, PixelSize logical,
             bool image_wraps, bool draws_mask) const;

    Pass pass;
    GLint time, screen_size, box, wraps, is_mask;
    std::shared_ptr<const ShaderSource> source;
    std::vector<GLint> uniforms;  // of the source
};

class EffectPrograms {
public:
    /// Null: no version of it works, so images are drawn without it.
    const EffectProgram* find(const std::shared_ptr<const ShaderSource>& source);
    std::vector<std::string> take_reports() { return std::exchange(reports_, {}); }

private:
    struct Entry {
        std::shared_ptr<const ShaderSource> tried;  // the last version
        std::unique_ptr<EffectProgram> good;
    };
    std::vector<Entry> entries_;  // one per name
    std::vector<std::string> reports_;
};

/// The message of a compiler with the file's name in place of its number for the source: "0:3(12): error: …"
/// and "0(3) : error …" become "assets/a.glsl:3: error …". At most the first few lines.
std::string message_of_shader(std::string_view name, std::string_view log);

}  // namespace perigee::gl
