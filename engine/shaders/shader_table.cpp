// Shaders are found by their owner and their file or name; there are few.
#include "engine/shaders/shader_table.h"

#include "ecs/base/contract.h"
#include "ecs/base/suggest.h"
#include "engine/base/error_codes.h"
#include "engine/shaders/internal/embedded_effects.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace perigee {

namespace {

namespace e = engine_errors;

constexpr std::size_t kValues = 4;  // of each uniform
constexpr std::string_view kEnding = ".glsl";

std::string_view name_of(const EmbeddedFile& file) noexcept {
    return file.name.substr(0, file.name.size() - kEnding.size());
}

}  // namespace

std::vector<std::string_view> effect_names() {
    std::vector<std::string_view> names;
    for (const EmbeddedFile& file : embedded_effects()) names.push_back(name_of(file));
    return names;
}

Result<ShaderId> ShaderTable::add(Entry entry) {
    std::size_t owned = 0;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        const Entry& other = entries_[i];
        if (other.owner != entry.owner) continue;
        if (other.file == entry.file && other.effect == entry.effect) return static_cast<ShaderId>(i + 1);
        ++owned;
    }
    if (owned >= kMaxOfOwner) return Error{fmt::format(e::kTooManyShaders, kMaxOfOwner)};
    entries_.push_back(std::move(entry));
    return static_cast<ShaderId>(entries_.size());
}

Result<ShaderId> ShaderTable::of_file(AssetHandle file, const AssetStore& assets, MountId owner) {
    const std::size_t before = entries_.size();
    Result<ShaderId> id = add({.owner = owner, .file = file, .effect = {}, .text = {}, .shader = {}});
    if (entries_.size() != before) read(entries_.back(), assets);
    return id;
}

Result<ShaderId> ShaderTable::of_effect(std::string_view name, MountId owner) {
    const auto files = embedded_effects();
    const auto file = std::ranges::find(files, name, name_of);
    ECS_EXPECTS(file != files.end());
    const std::size_t before = entries_.size();
    Result<ShaderId> id =
        add({.owner = owner, .file = 0, .effect = std::string{name}, .text = {}, .shader = {}});
    if (entries_.size() != before) {
        entries_.back().text = file->text;
        take(entries_.back(), name);
    }
    return id;
}

const Shader& ShaderTable::operator[](ShaderId id) const {
    ECS_EXPECTS(has(id), id);
    return entries_[id - 1].shader;
}

// AssetStore reports missing files.
void ShaderTable::read(Entry& entry, const AssetStore& assets) {
    if (assets[entry.file].is_missing) return;
    Result<std::string> text = assets.read(entry.file, kMaxShaderBytes + 1);
    if (!text) {
        reports_.push_back(text.error().message);
        return;
    }
    if (entry.text == text.value()) return;
    entry.text = std::move(text).value();
    take(entry, assets.name_of(entry.file));
}

// The text becomes the source if it is one.
void ShaderTable::take(Entry& entry, std::string_view name) {
    Result<ShaderSource> parsed = parse_shader(name, entry.text);
    if (!parsed) {
        reports_.push_back(parsed.error().message);
        return;
    }
    auto source = std::make_shared<const ShaderSource>(std::move(parsed).value());
    std::vector<float> values;
    for (const ShaderUniform& uniform : source->uniforms) {
        const ShaderUniform* const before = find(entry.shader, uniform.name);
        const bool is_kept = before != nullptr && before->size == uniform.size;
        const float* const from =
            is_kept ? &entry.shader.values[kValues * static_cast<std::size_t>(
                                                         before - entry.shader.source->uniforms.data())]
                    : uniform.initial.data();
        values.insert(values.end(), from, from + kValues);
    }
    entry.shader = {std::move(source), std::move(values), ++last_stamp_};
}

void ShaderTable::reload(const AssetStore& assets) {
    for (Entry& entry : entries_)
        if (entry.file != 0) read(entry, assets);
}

const ShaderUniform* ShaderTable::find(const Shader& shader, std::string_view uniform) const {
    if (!shader.source) return nullptr;
    const auto& uniforms = shader.source->uniforms;
    const auto found = std::ranges::find(uniforms, uniform, &ShaderUniform::name);
    return found != uniforms.end() ? &*found : nullptr;
}

int ShaderTable::size_of(ShaderId id, std::string_view uniform) const {
    const ShaderUniform* const found = find((*this)[id], uniform);
    return found != nullptr ? found->size : 0;
}

Result<void> ShaderTable::send(ShaderId id, std::string_view uniform, std::span<const float> values) {
    ECS_EXPECTS(has(id) && values.size() <= kValues, id, values.size());
    Shader& shader = entries_[id - 1].shader;
    if (!shader.source) return {};
    const ShaderSource& source = *shader.source;
    const ShaderUniform* const found = find(shader, uniform);
    if (found == nullptr) {
        if (std::ranges::find(kBuiltinUniforms, uniform) != kBuiltinUniforms.end())
            return Error{fmt::format(e::kUniformIsSet, uniform)};
        std::vector<std::string_view> names;
        for (const ShaderUniform& each : source.uniforms) names.push_back(each.name);
        return Error{fmt::format(e::kNoUniform, source.name, uniform.substr(0, 60),
                                 did_you_mean(uniform.substr(0, 60), names))};
    }
    if (static_cast<int>(values.size()) != found->size) {
        const std::string type = found->size == 1 ? "float" : fmt::format("vec{}", found->size);
        return Error{fmt::format(e::kUniformSize, source.name, uniform, type, found->size, values.size())};
    }
    float* const to = &shader.values[kValues * static_cast<std::size_t>(found - source.uniforms.data())];
    if (std::equal(values.begin(), values.end(), to)) return {};
    std::ranges::copy(values, to);
    shader.stamp = ++last_stamp_;
    return {};
}

}  // namespace perigee
