// LayerTable: the layers that files declare, by name.
//
// Invariant: a name has one number and a number one name, as long as files run. What a load of an owner's
// files declares replaces what the load before declared, once it has succeeded. Layers change pictures alone:
// they are in no hash and no saved world. Not here: how they are drawn (draw_list.h), what scripts call
// (engine/modules/internal/gfx_layers.h).
#pragma once

#include "ecs/base/result.h"
#include "engine/draw/layer_look.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perigee {

class LayerTable {
public:
    static constexpr std::size_t kMaxOfGame = 64;
    static constexpr std::size_t kMaxOfMod = 8;

    /// `prefix`: of the owner's names: "" of the game, "weather:" of a mod. Declared again, a layer changes.
    /// Errors: the number has another name, or the owner has too many.
    Result<void> declare(std::string_view prefix, std::string_view name, const LayerLook& look);

    /// The number of a name as the owner of the prefix writes it: its own layer, or one of the game or of a
    /// mod by its whole name.
    std::optional<std::int16_t> find(std::string_view name, std::string_view prefix = {}) const;
    /// The message for a name that no layer has.
    std::string unknown(std::string_view name) const;
    /// The end of such a message: the nearest name.
    std::string suggestion(std::string_view name) const;

    /// Changes the look of a declared layer, which keeps its number, until its files are loaded again. False:
    /// there is none.
    bool change(std::int16_t layer, const LayerLook& look);
    /// Null if there is none of this number.
    const LayerLook* look_of(std::int16_t layer) const noexcept;
    /// The owner of this prefix declared it.
    bool is_of(std::string_view prefix, std::int16_t layer) const noexcept;
    /// The look with which the layer was declared. Null if there is no such layer.
    const LayerLook* declared_look_of(std::int16_t layer) const noexcept;

    /// Before files are loaded again.
    void begin_load();
    /// After that: the owners of these prefixes have what they declared since, all others what they had
    /// before.
    void end_load(std::span<const std::string> loaded);

    /// The looks that differ from the default, sorted by layer number.
    const std::vector<LayerLook>& looks() const noexcept { return looks_; }
    /// Rises with each change.
    std::uint64_t version() const noexcept { return version_; }
    bool is_empty() const noexcept { return layers_.empty(); }

private:
    struct Layer {
        std::string name;  // with the prefix
        std::string prefix;
        LayerLook look;
        LayerLook declared;
        std::uint64_t load = 0;  // in which it was declared last
    };
    Layer* of_name(std::string_view name) noexcept;
    const Layer* of_number(std::int16_t layer) const noexcept;
    void has_changed();

    std::vector<Layer> layers_;
    std::vector<Layer> before_;  // the load
    std::vector<LayerLook> looks_;
    std::uint64_t load_ = 0;
    std::uint64_t version_ = 1;
};

}  // namespace perigee
