// Definition, and look-up with a cache by hash.
#include "engine/extract/animation_clips.h"

#include "ecs/base/suggest.h"
#include "ecs/schema/text_pool.h"
#include "engine/base/error_codes.h"

#include <fmt/format.h>

#include <algorithm>

namespace perigee {

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
    const auto known = numbers_.find(clip.name);
    if (known != numbers_.end()) {
        clips_[known->second] = std::move(clip);
        return {};
    }
    if (counts_[owner] >= kMaxClips)
        return Error{fmt::format(engine_errors::kTooManyClips, description.name, kMaxClips)};
    ++counts_[owner];
    numbers_.emplace(clip.name, static_cast<std::uint32_t>(clips_.size()));
    clips_.push_back(std::move(clip));
    found_.clear();
    return {};
}

const AnimationClip* AnimationClips::find(std::string_view name) const noexcept {
    const auto known = std::ranges::find(clips_, name, &AnimationClip::name);
    return known == clips_.end() ? nullptr : &*known;
}

const AnimationClip* AnimationClips::find(const TextPool& texts, TextHandle name) {
    if (name.index == 0) return nullptr;
    const auto [place, is_new] = found_.try_emplace(texts.content_hash(name), kUnknown);
    if (is_new) {
        const std::string text{texts.text(name)};
        if (const auto known = numbers_.find(text); known != numbers_.end()) {
            place->second = known->second;
        } else {
            std::vector<std::string_view> names;
            for (const AnimationClip& clip : clips_) names.push_back(clip.name);
            reports_.push_back(fmt::format(engine_errors::kUnknownClip, text, did_you_mean(text, names)));
        }
    }
    return place->second == kUnknown ? nullptr : &clips_[place->second];
}

}  // namespace perigee
