// Layers that do not look like others: another camera sees them, or they are drawn as a whole. And shaders,
// which layers and items have.
#include "engine/assets/surface_id.h"
#include "engine/draw/draw_list.h"
#include "engine/draw/internal/layer_keys.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace perigee {

namespace {

int width_of(const LayerLook& look) noexcept { return look.layer - look.first; }

}  // namespace

void DrawList::set_layers(std::span<const LayerLook> looks) {
    shown_layers_.clear();
    for (const LayerLook& look : looks)
        if (look.moves() || look.is_composed() || look.is_screen) shown_layers_.push_back({look});
    for (ShownLayer& inner : shown_layers_) {
        inner.is_whole = inner.look.is_composed();
        for (std::uint32_t i = 0; i < shown_layers_.size(); ++i) {
            const LayerLook& outer = shown_layers_[i].look;
            const bool has_it = outer.is_composed() && outer.is_screen == inner.look.is_screen &&
                                outer.spans(inner.look.first) && outer.spans(inner.look.layer) &&
                                width_of(outer) > width_of(inner.look);
            if (!has_it) continue;
            if (inner.outer == 0 || width_of(outer) < width_of(shown_layers_[inner.outer - 1].look))
                inner.outer = i + 1;
        }
    }
    for (ShownLayer& inner : shown_layers_) {
        std::size_t depth = 1;
        for (std::uint32_t outer = inner.outer; outer != 0; outer = shown_layers_[outer - 1].outer) ++depth;
        if (depth > kMaxLayerDepth) inner.is_whole = false;
    }
}

// No camera sees what is on the screen, and that of the list sees what is above a layer.
std::uint32_t DrawList::look_number(std::uint64_t key) const noexcept {
    const std::int16_t layer = layer_of(key);
    const auto found = std::ranges::lower_bound(shown_layers_, layer, {},
                                                [](const ShownLayer& shown) { return shown.look.layer; });
    const bool is_there = found != shown_layers_.end() && found->look.layer == layer && found->look.moves();
    if (!is_there || key >> 63U != 0 || is_above_layer(key)) return 0;
    return static_cast<std::uint32_t>(found - shown_layers_.begin() + 1);
}

std::uint32_t DrawList::whole_number(std::uint64_t key) const noexcept {
    const std::int16_t layer = layer_of(key);
    std::uint32_t smallest = 0;
    for (std::uint32_t i = 0; i < shown_layers_.size(); ++i) {
        const ShownLayer& one = shown_layers_[i];
        if (!one.is_whole || one.look.is_screen != (key >> 63U != 0) || !one.look.spans(layer)) continue;
        if (is_above_layer(key) && one.look.layer == layer) continue;
        if (smallest == 0 || width_of(one.look) < width_of(shown_layers_[smallest - 1].look))
            smallest = i + 1;
    }
    return smallest;
}

bool DrawList::is_on_screen(std::int16_t layer) const noexcept {
    return std::ranges::any_of(shown_layers_, [layer](const ShownLayer& shown) {
        return shown.look.layer == layer && shown.look.is_screen;
    });
}

DrawCamera DrawList::camera_of(std::int16_t layer, const DrawCamera& of_list) const noexcept {
    for (const ShownLayer& shown : shown_layers_)
        if (shown.look.layer == layer) return shown.look.seen_by(of_list);
    return of_list;
}

void DrawList::use_effects(const ShaderTable& shaders, const ShownImage& of_image) {
    for (ShownLayer& shown : shown_layers_) {
        const ShaderId effect = shown.look.effect;
        const auto is_part = [&](const Entry& entry) {
            return shown.look.spans(layer_of(entry.key)) && shown.look.is_screen == (entry.key >> 63U != 0);
        };
        if (shown.is_whole && shaders.has(effect) && std::ranges::any_of(entries_, is_part))
            shown.shader = use_effect(effect, shaders, of_image);
    }
}

void DrawList::use_picture_effect(ShaderId effect, const ShaderTable& shaders, const ShownImage& of_image) {
    picture_effect_ = shaders.has(effect) ? use_effect(effect, shaders, of_image) : 0;
}

std::uint32_t DrawList::use_effect(ShaderId effect, const ShaderTable& shaders, const ShownImage& of_image) {
    ShaderImages images = shaders[effect].images;
    for (std::uint32_t& image : images)
        if (of_image) image = of_image(image);
    return use_shader(shaders[effect], static_cast<float>(shaders.time), images);
}

std::uint32_t DrawList::use_shader(const Shader& shader, float time, const ShaderImages& images) {
    if (!shader.source) return 0;
    // From the back: mostly it is the last one.
    for (std::size_t number = shader_uses_.size(); number > 0; --number)
        if (shader_uses_[number - 1].stamp == shader.stamp && shader_uses_[number - 1].images == images)
            return static_cast<std::uint32_t>(number);
    if (shader_uses_.size() >= kMaxShaderUses ||
        shader.values.size() > kMaxShaderValues - shader_values_.size())
        return 0;
    shader_uses_.push_back(
        {shader.source, shader.stamp, static_cast<std::uint32_t>(shader_values_.size()), time, images});
    shader_values_.insert(shader_values_.end(), shader.values.begin(), shader.values.end());
    return static_cast<std::uint32_t>(shader_uses_.size());
}

std::span<const float> DrawList::values_of(const ShaderUse& use) const noexcept {
    return std::span{shader_values_}.subspan(use.first_value, 4 * use.source->elements);
}

std::string DrawList::shown_shader(std::uint32_t number, const ImageName& image_name) const {
    const ShaderUse* const use = shader(number);
    if (use == nullptr) return "shader none";
    std::string out = fmt::format("shader {} time {:g}", use->source->name, use->time);
    const std::span<const float> values = values_of(*use);
    for (const ShaderUniform& uniform : use->source->uniforms) {
        out += ' ' + uniform.name;
        for (std::size_t i = 0; i < static_cast<std::size_t>(uniform.count); ++i) {
            const auto element =
                values.subspan(4 * (uniform.first + i), static_cast<std::size_t>(uniform.size));
            out += fmt::format("{}{:g}", i == 0 ? ' ' : '/', fmt::join(element, ","));
        }
    }
    return out + shown_images(*use, image_name);
}

std::string DrawList::shown_images(const ShaderUse& use, const ImageName& image_name) {
    std::string out;
    for (std::size_t i = 0; i < use.source->images.size(); ++i) {
        const std::uint32_t image = use.images[i];
        out += ' ' + use.source->images[i] + ' ';
        if (image == 0)
            out += "white";
        else if (is_surface(image))  // which have no names
            out += fmt::format("{} {}", is_canvas(image) ? "canvas" : "pixels",
                               image - (is_canvas(image) ? kFirstSurface : kFirstPixels) + 1);
        else
            out += image_name ? image_name(image) : fmt::format("#{}", image);
    }
    return out;
}

void DrawList::find_parts() {
    using Step = DrawPart::Step;
    parts_.clear();
    open_layers_.clear();
    const auto add = [this](Step step, std::uint32_t number) {
        const ShownLayer& layer = shown_layers_[number - 1];
        parts_.push_back({.step = step,
                          .blend = layer.look.blend,
                          .shader = layer.shader,
                          .background = layer.look.background});
    };
    const auto close = [&] {
        add(Step::end, open_layers_.back());
        open_layers_.pop_back();
    };
    std::uint32_t last = 0;
    for (std::uint32_t first = 0; first < runs_.size(); ++first) {
        const std::uint32_t whole = runs_[first].whole;
        if (first != 0 && whole == last) {
            ++parts_.back().count;
            continue;
        }
        last = whole;
        const auto is_around = [&](std::uint32_t open) {
            std::uint32_t number = whole;
            while (number != 0 && number != open) number = shown_layers_[number - 1].outer;
            return number != 0;
        };
        while (!open_layers_.empty() && !is_around(open_layers_.back())) close();
        // From the outermost one that is not open yet.
        const auto kept = static_cast<std::ptrdiff_t>(open_layers_.size());
        const std::uint32_t open = open_layers_.empty() ? 0 : open_layers_.back();
        for (std::uint32_t number = whole; number != open; number = shown_layers_[number - 1].outer)
            open_layers_.insert(open_layers_.begin() + kept, number);
        for (std::size_t i = static_cast<std::size_t>(kept); i < open_layers_.size(); ++i)
            add(Step::begin, open_layers_[i]);
        parts_.push_back({.first = first, .count = 1});
    }
    while (!open_layers_.empty()) close();
}

}  // namespace perigee
