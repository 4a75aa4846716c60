// ShaderTable: the shaders that a game and its mods use, and the values of their uniforms.
//
// Invariant: a shader has the last version of its source that could be read, and a value of the right type
// for each of its uniforms. Values belong to the picture: they are no part of the world, and simulation
// cannot read them. Not here: programs of the graphics card, and who may have shaders
// (engine/modules/gfx_shaders.h).
#pragma once

#include "ecs/base/result.h"
#include "engine/assets/assets.h"
#include "engine/shaders/shader_source.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perigee {

/// Number of a shader in its table; 0 = none.
using ShaderId = std::uint32_t;

struct Shader {
    std::shared_ptr<const ShaderSource> source;  ///< null: there is no version that could be read
    std::vector<float> values;                   ///< four for each element of the source's uniforms
    /// For its images: asset handles or surfaces; 0: white.
    std::array<std::uint32_t, kMaxShaderImages> images{};
    std::uint64_t stamp = 0;  ///< another one after each change, of all shaders
};

/// The names of the effects that come with the engine.
std::vector<std::string_view> effect_names();

class ShaderTable {
public:
    static constexpr std::size_t kMaxOfOwner = 64;

    /// The shader of a file. Each owner, a mod, has its own values. A file that is missing or faulty is a
    /// shader without a source. Errors: kMaxOfOwner are there.
    Result<ShaderId> of_file(AssetHandle file, const AssetStore& assets, MountId owner);
    /// One of effect_names(). Expects: such a name. Errors: as above.
    Result<ShaderId> of_effect(std::string_view name, MountId owner);
    /// The shader of a source that stands in a Lua file, at `place`, "main.lua:12". The same text is the same
    /// shader. In the load after one that had another text at this place, it is the new version of that one.
    /// Errors: the text is no source; as above.
    Result<ShaderId> of_text(std::string_view place, std::string_view text, MountId owner);
    /// Before Lua files are loaded again.
    void begin_load() noexcept { ++load_; }

    bool has(ShaderId id) const noexcept { return id != 0 && id <= entries_.size(); }
    /// Expects: has(id).
    const Shader& operator[](ShaderId id) const;

    /// Sets a uniform. Errors: the shader has none of this name, or it has another number of values. A shader
    /// without a source takes everything. Expects: has(id).
    Result<void> send(ShaderId id, std::string_view uniform, std::span<const float> values);
    /// The same for one of its images: an asset handle or a surface; 0: white.
    Result<void> send_image(ShaderId id, std::string_view uniform, std::uint32_t image);
    /// Makes images that are surfaces white: those who made them are gone. Expects: has(id).
    void forget_surfaces(ShaderId id);

    static constexpr int kIsImage = -1;
    static constexpr int kIsUnknown = -2;
    /// The number of values of a uniform; 0: there is none; kIsImage; kIsUnknown: there is no source.
    /// Expects: has(id).
    int size_of(ShaderId id, std::string_view uniform) const;

    /// Reads all files again. Uniforms keep their values if their types are the same.
    void reload(const AssetStore& assets);
    /// One message for each version of a file that is faulty.
    std::vector<std::string> take_reports() { return std::exchange(reports_, {}); }

    double time = 0.0;  ///< of the picture, in seconds of the game

private:
    struct Entry {
        MountId owner = 0;
        AssetHandle file = 0;  // 0: an effect
        std::string effect;
        std::string text;        // as it was read last
        std::string place;       // of a text in a Lua file
        std::uint64_t load = 0;  // in which that was asked for last
        Shader shader;
    };
    Result<ShaderId> add(Entry entry);
    Entry* replaceable(std::string_view place, MountId owner) noexcept;
    void use(Entry& entry, ShaderSource source);
    Error no_uniform(const ShaderSource& source, std::string_view uniform) const;
    void read(Entry& entry, const AssetStore& assets);
    void take(Entry& entry, std::string_view name);
    const ShaderUniform* find(const Shader& shader, std::string_view uniform) const;

    std::vector<Entry> entries_;  // shader n is entries_[n - 1]
    std::uint64_t last_stamp_ = 0;
    std::uint64_t load_ = 0;
    std::vector<std::string> reports_;
};

}  // namespace perigee
