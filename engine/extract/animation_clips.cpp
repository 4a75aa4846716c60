// Definition; names have numbers in internal/name_index.h.
#include "engine/extract/animation_clips.h"

#include "engine/base/error_codes.h"

#include <fmt/format.h>

#include <algorithm>

namespace perigee {

AnimationClips::AnimationClips() : names_(engine_errors::kUnknownClip) {}

std::uint16_t AnimationClip::position_at(float time) const noexcept {
    const auto after = std::upper_bound(ends.begin(), ends.end() - 1, time);
    return static_cast<std::uint16_t>(after - ends.begin());
}

Result<void> AnimationClips::define(const ClipDescription& description, std::size_t owner) {
    const std::size_t count = description.frames.size();
    const bool returns = description.loop == ClipLoop::ping_pong && count > 2;
    const std::size_t shown = returns ? 2 * count - 2 : count;
    if (count == 0) return Error{fmt::format(engine_errors::kEmptyClip, description.name)};
    if (shown > kMaxFrames)
        return Error{fmt::format(engine_errors::kLongClip, description.name, shown, kMaxFrames)};

    AnimationClip clip;
    clip.name = description.name;
    clip.image = description.image;
    clip.repeats = description.loop != ClipLoop::once;
    float end = 0.0F;
    for (std::size_t i = 0; i < shown; ++i) {
        const std::size_t from = i < count ? i : shown - i;
        const float seconds = from < description.seconds.size() ? description.seconds[from] : 0.0F;
        end += std::max(seconds, kMinSeconds);
        clip.frames.push_back(description.frames[from]);
        clip.ends.push_back(end);
        for (const AnimationClip::Event& event : description.events)
            if (event.position == from) clip.events.push_back({static_cast<std::uint16_t>(i), event.name});
    }

    if (owner >= counts_.size()) counts_.resize(owner + 1);
    if (const auto known = names_.find(clip.name)) {
        clips_[*known] = std::move(clip);
        return {};
    }
    if (counts_[owner] >= kMaxClips)
        return Error{fmt::format(engine_errors::kTooManyClips, description.name, kMaxClips)};
    ++counts_[owner];
    names_.add(clip.name);
    clips_.push_back(std::move(clip));
    return {};
}

const AnimationClip* AnimationClips::find(std::string_view name) const {
    const auto known = names_.find(name);
    return known ? &clips_[*known] : nullptr;
}

const AnimationClip* AnimationClips::find(const TextPool& texts, TextHandle name) {
    const auto known = names_.find(texts, name);
    return known ? &clips_[*known] : nullptr;
}

}  // namespace perigee
