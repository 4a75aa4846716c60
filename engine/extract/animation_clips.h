// AnimationClips: the clips that the files of a game and its mods define, by name: which frames of an image
// follow each other, and for how long.
//
// Invariant: clips are defined while files load, never in a step, so all steps of a run see the same ones
// until a reload. A clip is named by text, "assets/hero.png#walk", so components, saved worlds and hashes do
// not depend on the order of definitions. Not here: the state of one animation (components.h), and its
// advance (animation.h).
#pragma once

#include "ecs/base/result.h"
#include "ecs/schema/field_type.h"
#include "engine/extract/internal/name_index.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace perigee {

enum class ClipLoop : std::uint8_t { loop, once, ping_pong };

struct AnimationClip {
    struct Event {
        std::uint16_t position = 0;  ///< index into frames
        std::string name;
    };

    std::string name;
    std::uint32_t image = 0;            ///< asset handle
    std::vector<std::uint16_t> frames;  ///< of the image, in the order in which they are shown
    std::vector<float> ends;  ///< when each of them ends, in seconds from the start of the clip; rising
    bool repeats = true;
    std::vector<Event> events;

    float start(std::size_t position) const noexcept { return position == 0 ? 0.0F : ends[position - 1]; }
    float length() const noexcept { return ends.back(); }
    /// The frame that is shown at a time, which is clamped to the clip.
    std::uint16_t position_at(float time) const noexcept;
};

/// What a file says about a clip.
struct ClipDescription {
    std::string name;
    std::uint32_t image = 0;
    std::vector<std::uint16_t> frames;
    std::vector<float> seconds;                ///< of each frame
    std::vector<AnimationClip::Event> events;  ///< positions in `frames`
    ClipLoop loop = ClipLoop::loop;
};

class AnimationClips {
public:
    static constexpr std::size_t kMaxFrames = 1024;  ///< of a clip
    static constexpr std::size_t kMaxClips = 4096;   ///< of a mod
    static constexpr float kMinSeconds = 0.001F;     ///< of a frame

    AnimationClips();

    /// Adds a clip, or replaces that of the same name. A ping-pong clip shows its inner frames again on the
    /// way back, with their events. `owner`: the mount of the mod. Errors: no frames or too many; too many
    /// clips of the owner.
    Result<void> define(const ClipDescription& description, std::size_t owner);

    bool is_empty() const noexcept { return clips_.empty(); }
    /// Null for "" and for an unknown name, which is reported once. Lifetime: until the next define.
    /// Cost: a look-up by the hash of the text.
    const AnimationClip* find(const TextPool& texts, TextHandle name);
    const AnimationClip* find(std::string_view name) const;

    /// One message per unknown name since the last call.
    std::vector<std::string> take_reports() { return names_.take_reports(); }

private:
    std::vector<AnimationClip> clips_;  ///< by number of the name
    internal::NameIndex names_;
    std::vector<std::size_t> counts_;  ///< by owner
};

}  // namespace perigee
