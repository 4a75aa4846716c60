// Shaders are found by their owner and their file or name; there are few.
#include "engine/shaders/shader_table.h"

#include "ecs/base/contract.h"
#include "ecs/base/counted.h"
#include "ecs/base/suggest.h"
#include "engine/assets/surface_id.h"
#include "engine/base/error_codes.h"
#include "engine/shaders/internal/embedded_effects.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace perigee {

namespace {

namespace e = engine_errors;

constexpr std::size_t kValues = 4;  // of each element of a uniform
constexpr std::string_view kEffectEnding = ".glsl";

std::string_view effect_name(const EmbeddedFile& file) noexcept {
    return file.name.substr(0, file.name.size() - kEffectEnding.size());
}

}  // namespace

std::vector<std::string_view> effect_names() {
    std::vector<std::string_view> names;
    for (const EmbeddedFile& file : embedded_effects()) names.push_back(effect_name(file));
    return names;
}

Result<ShaderId> ShaderTable::add(Entry entry) {
    std::size_t owned = 0;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        const Entry& other = entries_[i];
        if (other.owner != entry.owner) continue;
        const bool is_text = !other.place.empty() || !entry.place.empty();
        if (is_text ? other.text == entry.text && other.place.empty() == entry.place.empty()
                    : other.file == entry.file && other.effect == entry.effect)
            return static_cast<ShaderId>(i + 1);
        ++owned;
    }
    if (owned >= kMaxOfOwner) return Error{fmt::format(e::kTooManyShaders, kMaxOfOwner)};
    entries_.push_back(std::move(entry));
    return static_cast<ShaderId>(entries_.size());
}

Result<ShaderId> ShaderTable::of_file(AssetHandle file, const AssetStore& assets, MountId owner) {
    const std::size_t before = entries_.size();
    Entry entry;
    entry.owner = owner;
    entry.file = file;
    Result<ShaderId> id = add(std::move(entry));
    if (entries_.size() != before) read(entries_.back(), assets);
    return id;
}

Result<ShaderId> ShaderTable::of_effect(std::string_view name, MountId owner) {
    const auto files = embedded_effects();
    const auto file = std::ranges::find(files, name, effect_name);
    ECS_EXPECTS(file != files.end());
    const std::size_t before = entries_.size();
    Entry entry;
    entry.owner = owner;
    entry.effect = name;
    Result<ShaderId> id = add(std::move(entry));
    if (entries_.size() != before) {
        entries_.back().text = file->text;
        take(entries_.back(), name);
    }
    return id;
}

// Of a text that this load has not asked for: the one at this place, or any if there is no room for more.
ShaderTable::Entry* ShaderTable::replaceable(std::string_view place, MountId owner) noexcept {
    const auto is_old = [&](const Entry& entry) {
        return entry.owner == owner && !entry.place.empty() && entry.load != load_;
    };
    const auto here = std::ranges::find_if(
        entries_, [&](const Entry& entry) { return is_old(entry) && entry.place == place; });
    if (here != entries_.end()) return &*here;
    const auto owned = std::ranges::count(entries_, owner, &Entry::owner);
    if (static_cast<std::size_t>(owned) < kMaxOfOwner) return nullptr;
    const auto any = std::ranges::find_if(entries_, is_old);
    return any != entries_.end() ? &*any : nullptr;
}

Result<ShaderId> ShaderTable::of_text(std::string_view place, std::string_view text, MountId owner) {
    const auto same = std::ranges::find_if(entries_, [&](const Entry& entry) {
        return entry.owner == owner && !entry.place.empty() && entry.text == text;
    });
    if (same != entries_.end()) {
        same->load = load_;
        return static_cast<ShaderId>(same - entries_.begin() + 1);
    }
    Result<ShaderSource> parsed = parse_shader(place, text);
    if (!parsed) return parsed.error();
    Entry* entry = replaceable(place, owner);
    // The back end knows sources by their names.
    std::string name{place};
    const auto has_name = [&](const Entry& other) {
        return &other != entry && other.shader.source && other.shader.source->name == name;
    };
    for (int number = 2; std::ranges::any_of(entries_, has_name); ++number)
        name = fmt::format("{} ({})", place, number);
    ShaderSource source = std::move(parsed).value();
    source.name = std::move(name);
    if (entry == nullptr) {
        Entry made;
        made.owner = owner;
        made.place = place;
        made.text = text;
        Result<ShaderId> id = add(std::move(made));
        if (!id) return id;
        entry = &entries_.back();
    }
    entry->place = place;
    entry->text = text;
    entry->load = load_;
    use(*entry, std::move(source));
    return static_cast<ShaderId>(entry - entries_.data() + 1);
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
    use(entry, std::move(parsed).value());
}

// What has the same name and type keeps its values.
void ShaderTable::use(Entry& entry, ShaderSource of_entry) {
    auto source = std::make_shared<const ShaderSource>(std::move(of_entry));
    const Shader& old = entry.shader;
    std::vector<float> values;
    for (const ShaderUniform& uniform : source->uniforms) {
        const ShaderUniform* const before = find(old, uniform.name);
        const auto count = static_cast<std::size_t>(uniform.count);
        const float* const from = before != nullptr ? &old.values[kValues * before->first] : nullptr;
        if (from != nullptr && before->is_like(uniform) && !std::isnan(*from)) {
            values.insert(values.end(), from, from + kValues * count);
            continue;
        }
        for (std::size_t row = 0; row < count; ++row) {
            std::array<float, kValues> element = uniform.initial;
            if (uniform.form == ShaderUniform::Form::matrix) element[row] = 1.0F;
            values.insert(values.end(), element.begin(), element.end());
        }
    }
    std::array<std::uint32_t, kMaxShaderImages> images{};
    for (std::size_t i = 0; old.source && i < source->images.size(); ++i) {
        const auto before = std::ranges::find(old.source->images, source->images[i]);
        if (before != old.source->images.end())
            images[i] = old.images[static_cast<std::size_t>(before - old.source->images.begin())];
    }
    entry.shader = {std::move(source), std::move(values), images, ++last_stamp_};
}

void ShaderTable::reload(const AssetStore& assets) {
    for (Entry& entry : entries_)
        if (entry.file != 0) read(entry, assets);
}

const ShaderUniform* ShaderTable::find(const Shader& shader, std::string_view uniform) const {
    return shader.source ? shader.source->find(uniform) : nullptr;
}

int ShaderTable::size_of(ShaderId id, std::string_view uniform) const {
    const Shader& shader = (*this)[id];
    if (!shader.source) return kIsUnknown;
    const auto& images = shader.source->images;
    if (std::ranges::find(images, uniform) != images.end()) return kIsImage;
    const ShaderUniform* const found = find(shader, uniform);
    return found != nullptr ? found->size * found->count : 0;
}

Error ShaderTable::no_uniform(const ShaderSource& source, std::string_view uniform) const {
    if (builtin_uniform(uniform) != nullptr) return Error{fmt::format(e::kUniformIsSet, uniform)};
    std::vector<std::string_view> names{source.images.begin(), source.images.end()};
    for (const ShaderUniform& each : source.uniforms) names.push_back(each.name);
    return Error{fmt::format(e::kNoUniform, source.name, uniform.substr(0, 60),
                             did_you_mean(uniform.substr(0, 60), names))};
}

Result<void> ShaderTable::send_image(ShaderId id, std::string_view uniform, std::uint32_t image) {
    ECS_EXPECTS(has(id), id);
    Shader& shader = entries_[id - 1].shader;
    if (!shader.source) return {};
    const ShaderSource& source = *shader.source;
    const auto found = std::ranges::find(source.images, uniform);
    if (found == source.images.end()) {
        const ShaderUniform* const other = find(shader, uniform);
        if (other == nullptr) return no_uniform(source, uniform);
        return Error{fmt::format(e::kUniformIsNoImage, source.name, uniform, other->type())};
    }
    std::uint32_t& to = shader.images[static_cast<std::size_t>(found - source.images.begin())];
    if (std::exchange(to, image) != image) shader.stamp = ++last_stamp_;
    return {};
}

void ShaderTable::forget_surfaces(ShaderId id) {
    ECS_EXPECTS(has(id), id);
    Shader& shader = entries_[id - 1].shader;
    for (std::uint32_t& image : shader.images)
        if (is_surface(std::exchange(image, is_surface(image) ? 0 : image))) shader.stamp = ++last_stamp_;
}

Result<void> ShaderTable::send(ShaderId id, std::string_view uniform, std::span<const float> values) {
    ECS_EXPECTS(has(id), id);
    Shader& shader = entries_[id - 1].shader;
    if (!shader.source) return {};
    const ShaderSource& source = *shader.source;
    const ShaderUniform* const found = find(shader, uniform);
    if (found == nullptr) {
        if (std::ranges::find(source.images, uniform) != source.images.end())
            return Error{fmt::format(e::kUniformIsImage, source.name, uniform)};
        return no_uniform(source, uniform);
    }
    const auto size = static_cast<std::size_t>(found->size),
               needed = size * static_cast<std::size_t>(found->count);
    if (values.size() != needed)
        return Error{fmt::format(e::kUniformSize, source.name, uniform, found->type(),
                                 counted(needed, "number"), values.size())};
    bool has_changed = false;
    for (std::size_t i = 0; i < needed; ++i) {
        float& to = shader.values[kValues * (found->first + i / size) + i % size];
        has_changed |= std::exchange(to, values[i]) != values[i];
    }
    if (has_changed) shader.stamp = ++last_stamp_;
    return {};
}

}  // namespace perigee
