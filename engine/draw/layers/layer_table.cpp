// Layers are few, and looked up by walking over them.
#include "engine/draw/layers/layer_table.h"

#include "ecs/base/suggest.h"
#include "engine/base/error_codes.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace perigee {

namespace {

namespace e = engine_errors;

// What they compose: each has layers that the other one has, and others.
bool overlap_in_part(const LayerLook& a, const LayerLook& b) noexcept {
    const LayerLook& lower = a.layer < b.layer ? a : b;
    const LayerLook& higher = a.layer < b.layer ? b : a;
    return a.is_screen == b.is_screen && lower.first < higher.first && higher.first <= lower.layer;
}

}  // namespace

LayerTable::Layer* LayerTable::of_name(std::string_view name) noexcept {
    const auto found = std::ranges::find(layers_, name, &Layer::name);
    return found != layers_.end() ? &*found : nullptr;
}

const LayerTable::Layer* LayerTable::of_number(std::int16_t layer) const noexcept {
    const auto found = std::ranges::find(layers_, layer, [](const Layer& one) { return one.look.layer; });
    return found != layers_.end() ? &*found : nullptr;
}

Result<void> LayerTable::declare(std::string_view prefix, std::string_view name, const LayerLook& look) {
    std::string whole = std::string(prefix) + std::string(name);
    // What the load before declared is in the way of nothing: it may get another number, or go.
    const Layer* const other = of_number(look.layer);
    if (other != nullptr && other->name != whole) {
        if (other->prefix != prefix || other->load == load_)
            return Error{fmt::format(e::kLayerNumberTaken, name, look.layer, other->name)};
        layers_.erase(layers_.begin() + (other - layers_.data()));
    }
    for (const Layer& one : layers_) {
        if (one.name == whole || (one.prefix == prefix && one.load != load_)) continue;
        if (overlap_in_part(one.look, look))
            return Error{fmt::format(e::kLayersOverlap, name, look.first, look.layer, one.name,
                                     one.look.first, one.look.layer)};
    }
    Layer* known = of_name(whole);
    if (known == nullptr) {
        const auto count = static_cast<std::size_t>(std::ranges::count_if(
            layers_, [&](const Layer& one) { return one.prefix == prefix && one.load == load_; }));
        if (const std::size_t most = prefix.empty() ? kMaxOfGame : kMaxOfMod; count >= most)
            return Error{fmt::format(e::kTooManyLayers, name, kMaxOfGame, kMaxOfMod)};
        known = &layers_.emplace_back();
        known->name = std::move(whole);
        known->prefix = prefix;
    }
    known->look = known->declared = look;
    known->load = load_;
    has_changed();
    return {};
}

std::optional<std::int16_t> LayerTable::find(std::string_view name, std::string_view prefix) const {
    const Layer* game = nullptr;
    for (const Layer& one : layers_) {
        if (one.name == name) game = &one;
        if (!prefix.empty() && one.prefix == prefix &&
            std::string_view{one.name}.substr(prefix.size()) == name)
            return one.look.layer;
    }
    if (game == nullptr) return std::nullopt;
    return game->look.layer;
}

std::string LayerTable::suggestion(std::string_view name) const {
    std::vector<std::string_view> names;
    for (const Layer& one : layers_) names.emplace_back(one.name);
    return did_you_mean(name, names);
}

std::string LayerTable::unknown(std::string_view name) const {
    return fmt::format(e::kUnknownLayer, name, suggestion(name));
}

bool LayerTable::change(std::int16_t layer, const LayerLook& look) {
    const auto known = std::ranges::find(layers_, layer, [](const Layer& one) { return one.look.layer; });
    if (known == layers_.end()) return false;
    if (known->look == look) return true;
    known->look = look;
    known->look.layer = layer;
    has_changed();
    return true;
}

const LayerLook* LayerTable::look_of(std::int16_t layer) const noexcept {
    const Layer* const known = of_number(layer);
    return known != nullptr ? &known->look : nullptr;
}

bool LayerTable::is_of(std::string_view prefix, std::int16_t layer) const noexcept {
    const Layer* const known = of_number(layer);
    return known != nullptr && known->prefix == prefix;
}

const LayerLook* LayerTable::declared_look_of(std::int16_t layer) const noexcept {
    const Layer* const known = of_number(layer);
    return known != nullptr ? &known->declared : nullptr;
}

void LayerTable::begin_load() {
    before_ = layers_;
    ++load_;
}

void LayerTable::end_load(std::span<const std::string> loaded) {
    const auto is_loaded = [&](const Layer& one) {
        return std::ranges::find(loaded, one.prefix) != loaded.end();
    };
    std::erase_if(layers_, [&](const Layer& one) { return !is_loaded(one) || one.load != load_; });
    for (Layer& one : before_)
        if (!is_loaded(one)) layers_.push_back(std::move(one));
    before_.clear();
    has_changed();
}

void LayerTable::has_changed() {
    ++version_;
    looks_.clear();
    for (const Layer& one : layers_)
        if (one.look.sort != LayerSort::camera || one.look.moves() || one.look.is_composed() ||
            one.look.is_screen)
            looks_.push_back(one.look);
    std::ranges::sort(looks_, {}, &LayerLook::layer);
}

}  // namespace perigee
