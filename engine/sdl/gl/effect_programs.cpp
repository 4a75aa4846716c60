// Entries are few, and most draw calls need the one before.
#include "engine/sdl/gl/effect_programs.h"

#include "engine/sdl/window/error_codes.h"

#include <fmt/format.h>
#include <regex.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace perigee::gl {

EffectProgram::EffectProgram(const std::shared_ptr<const ShaderSource>& from, EffectKind kind)
    : pass(effect_vertex_source(kind), effect_fragment_source(*from, kind)),
      time(pass.program.uniform("time")),
      screen_size(pass.program.uniform("screen_size")),
      box(pass.program.uniform("u_box")),
      shows_image(pass.program.uniform("u_shows_image")),
      wraps(pass.program.uniform("u_wraps")),
      is_mask(pass.program.uniform("u_is_mask")),
      second_kinds(pass.program.uniform("u_second_kinds")),
      part_x(pass.program.uniform("u_part_x")),
      part_y(pass.program.uniform("u_part_y")),
      source(from) {
    for (const ShaderUniform& uniform : source->uniforms)
        uniforms.push_back(pass.program.uniform(uniform.name.c_str()));
    if (!pass.program.error().empty()) return;
    for (std::size_t i = 0; i < source->images.size(); ++i)  // the pass is in use
        glUniform1i(pass.program.uniform(source->images[i].c_str()),
                    kFirstSecondUnit + static_cast<GLint>(i));
}

namespace {

// `rows`: four numbers for each element.
void set_uniform(GLint place, const ShaderUniform& uniform, const float* rows) {
    const auto size = static_cast<std::size_t>(uniform.size), count = static_cast<std::size_t>(uniform.count);
    std::array<float, 4 * kMaxUniformElements> packed{};
    for (std::size_t i = 0; i < size * count; ++i) packed[i] = rows[4 * (i / size) + i % size];
    const bool is_matrix = uniform.form == ShaderUniform::Form::matrix;
    if (uniform.scalar != ShaderUniform::Scalar::floating) {
        std::array<GLint, kMaxUniformElements> whole{};
        constexpr float kMost = 2e9F;
        for (std::size_t i = 0; i < count; ++i)
            whole[i] = static_cast<GLint>(std::clamp(packed[i], -kMost, kMost));
        glUniform1iv(place, uniform.count, whole.data());
        return;
    }
    switch (uniform.size) {
        case 1:
            glUniform1fv(place, uniform.count, packed.data());
            break;
        case 2:
            if (is_matrix)
                glUniformMatrix2fv(place, 1, GL_TRUE, packed.data());
            else
                glUniform2fv(place, uniform.count, packed.data());
            break;
        case 3:
            if (is_matrix)
                glUniformMatrix3fv(place, 1, GL_TRUE, packed.data());
            else
                glUniform3fv(place, uniform.count, packed.data());
            break;
        default:
            if (is_matrix)
                glUniformMatrix4fv(place, 1, GL_TRUE, packed.data());
            else
                glUniform4fv(place, uniform.count, packed.data());
            break;
    }
}

}  // namespace

void EffectProgram::set(const DrawList& list, const ShaderUse& use, const Letterbox& letterbox,
                        PixelSize logical, bool has_image, bool image_wraps, bool draws_mask) const {
    glUniform1i(shows_image, has_image ? 1 : 0);
    glUniform1i(wraps, image_wraps ? 1 : 0);
    glUniform1i(is_mask, draws_mask ? 1 : 0);
    glUniform1f(time, use.time);
    glUniform2f(screen_size, static_cast<float>(logical.width), static_cast<float>(logical.height));
    glUniform4f(box, static_cast<float>(letterbox.x), static_cast<float>(letterbox.y), letterbox.scale_x,
                letterbox.scale_y);
    const std::span<const float> all = list.values_of(use);
    for (std::size_t i = 0; i < uniforms.size(); ++i) {
        const ShaderUniform& uniform = source->uniforms[i];
        // After a version that does not compile, the values are those of that version.
        const auto& sent = use.source->uniforms;
        const auto found = use.source == source ? sent.begin() + static_cast<std::ptrdiff_t>(i)
                                                : std::ranges::find(sent, uniform.name, &ShaderUniform::name);
        const float* values = nullptr;
        if (found != sent.end() && found->is_like(uniform))
            values = &all[4 * found->first];
        else if (uniform.form == ShaderUniform::Form::single)
            values = uniform.initial.data();
        // What the engine sets has its value already.
        if (values != nullptr && !std::isnan(values[0])) set_uniform(uniforms[i], uniform, values);
    }
}

const EffectProgram* EffectPrograms::find(const std::shared_ptr<const ShaderSource>& source,
                                          EffectKind kind) {
    auto entry = std::ranges::find(entries_, source, &Entry::version);
    // Mods may have the same effect: the same text is the same program.
    if (entry == entries_.end())
        entry =
            std::ranges::find_if(entries_, [&](const Entry& e) { return e.version->name == source->name; });
    if (entry == entries_.end()) entry = entries_.insert(entries_.end(), Entry{});
    if (entry->version != source) {
        if (!entry->version || entry->version->code != source->code) {
            entry->is_tried = {};
            entry->is_reported = false;
        }
        entry->version = source;
    }
    const auto number = static_cast<std::size_t>(kind);
    std::unique_ptr<EffectProgram>& good = entry->good[number];
    if (std::exchange(entry->is_tried[number], true)) return good.get();
    auto made = std::make_unique<EffectProgram>(source, kind);
    if (const std::string& error = made->pass.program.error(); error.empty()) {
        good = std::move(made);
    } else if (!std::exchange(entry->is_reported, true)) {
        const char* const format = good ? sdl_errors::kShaderStays : sdl_errors::kShaderLeftOut;
        reports_.push_back(fmt::format(fmt::runtime(format), message_of_shader(source->name, error)));
    }
    return good.get();
}

std::string message_of_shader(std::string_view name, std::string_view log) {
    constexpr std::size_t kMaxBytes = 600;
    // The source has number 1, but Mesa says 0 now and then. Around it, lines have six digits (shaders.cpp).
    // Not std::regex, which takes three seconds to compile.
    static const regex_t place = [] {
        regex_t made{};
        regcomp(&made, R"((ERROR: )?\b[01][:(]([0-9]{1,5})\b\)?(\([0-9]+\))?\s*:\s*)", REG_EXTENDED);
        return made;
    }();
    const std::string text{log.substr(0, kMaxBytes)};
    std::string message;
    const char* rest = text.c_str();
    for (std::array<regmatch_t, 3> found; regexec(&place, rest, found.size(), found.data(), 0) == 0;) {
        const auto& [whole, prefix, line] = found;
        const std::string number(rest + line.rm_so, rest + line.rm_eo);
        message.append(rest, static_cast<std::size_t>(whole.rm_so)).append(shader_place(name, number)) +=
            ": ";
        rest += whole.rm_eo;
    }
    message += rest;
    return message.find(name) == message.npos ? fmt::format("{}: {}", name, message) : message;
}

}  // namespace perigee::gl
