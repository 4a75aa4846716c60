// EffectPrograms: compiled shaders of games, by their sources.
//
// Invariant: each version of a source is compiled once for each kind of items, when it is first drawn on one.
// If the driver refuses it, there is one report, and the last version that worked stays. Not here: the
// sources and the values (engine/shaders/shader_table.h).
#pragma once

#include "engine/draw/draw_list.h"
#include "engine/sdl/gl/pass.h"
#include "engine/sdl/gl/shaders.h"
#include "engine/sdl/window/letterbox.h"

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace perigee::gl {

struct EffectProgram {
    EffectProgram(const std::shared_ptr<const ShaderSource>& from, EffectKind kind);
    /// Sets the uniforms that only effects have. `logical`: size of the target in its own units. Expects:
    /// pass is in use. `image_wraps`: the image repeats outside of its borders.
    void set(const DrawList& list, const ShaderUse& use, const Letterbox& box, PixelSize logical,
             bool shows_image, bool image_wraps, bool draws_mask) const;

    Pass pass;
    GLint time, screen_size, box, shows_image, wraps, is_mask;
    GLint second_kinds;    // of its images (second_images.h)
    GLint part_x, part_y;  // of texts: from pixels of the target to the place in the text
    std::shared_ptr<const ShaderSource> source;
    std::vector<GLint> uniforms;  // of the source
};

class EffectPrograms {
public:
    /// Null if no version of the source works; items are then drawn without it.
    const EffectProgram* find(const std::shared_ptr<const ShaderSource>& source, EffectKind kind);
    std::vector<std::string> take_reports() { return std::exchange(reports_, {}); }

private:
    struct Entry {
        std::shared_ptr<const ShaderSource> version;  // the last one
        std::array<bool, kEffectKinds> is_tried{};    // of that version
        bool is_reported = false;
        std::array<std::unique_ptr<EffectProgram>, kEffectKinds> good;
    };
    std::vector<Entry> entries_;  // one per name
    std::vector<std::string> reports_;
};

/// The message of a compiler with the file's name in place of its number for the source: "0:3(12): error: …"
/// and "0(3) : error …" become "assets/a.glsl:3: error …". At most the first few lines.
std::string message_of_shader(std::string_view name, std::string_view log);

}  // namespace perigee::gl
