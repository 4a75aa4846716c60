// The clock of one animation, and the walk over all of them.
#include "engine/extract/animation.h"

#include "ecs/events/system_events.h"
#include "ecs/query/query.h"
#include "ecs/schedule/schedule.h"
#include "ecs/schema/text_pool.h"
#include "ecs/world/world.h"
#include "engine/extract/animation_clips.h"

#include <cmath>
#include <string_view>

namespace perigee {

namespace {

void enter(Animation& animation, std::size_t position, AnimationListener& listener) {
    animation.position = static_cast<std::uint16_t>(position);
    listener.enters(animation.position);
}

void finish(Animation& animation, float time, AnimationListener& listener) {
    animation.time = time;
    if (animation.finished) return;
    animation.finished = true;
    listener.ends(animation.position);
}

void go_forward(Animation& animation, const AnimationClip& clip, AnimationListener& listener) {
    while (animation.time >= clip.ends[animation.position]) {
        if (animation.position + 1U < clip.frames.size()) {
            enter(animation, animation.position + 1U, listener);
        } else if (clip.repeats) {
            animation.time -= clip.length();
            enter(animation, 0, listener);
        } else {
            return finish(animation, clip.length(), listener);
        }
    }
}

void go_back(Animation& animation, const AnimationClip& clip, AnimationListener& listener) {
    while (animation.time < clip.start(animation.position)) {
        if (animation.position > 0) {
            enter(animation, animation.position - 1U, listener);
        } else if (clip.repeats) {
            animation.time += clip.length();
            enter(animation, clip.frames.size() - 1, listener);
        } else {
            return finish(animation, 0.0F, listener);
        }
    }
}

// Sends the events of one entity's clip.
class EventSender final : public AnimationListener {
public:
    EventSender(SystemContext& context, ComponentId event) : context_(context), event_(event) {}
    void follow(Entity entity, const Animation& animation, const AnimationClip& clip) noexcept {
        entity_ = entity;
        clip_ = &clip;
        clip_name_ = animation.clip;
    }
    void enters(std::uint16_t position) override {
        for (const AnimationClip::Event& event : clip_->events)
            if (event.position == position) send(event.name, position);
    }
    void ends(std::uint16_t position) override { send("end", position); }

private:
    void send(std::string_view name, std::uint16_t position) {
        const Result<TextHandle> text = context_.world.texts().intern(name);
        auto* const row = reinterpret_cast<AnimationEvent*>(context_.events.send_many(event_, 1));
        if (row == nullptr) return;
        row->entity = entity_;
        row->clip = clip_name_;
        if (text) row->name = text.value();
        row->frame = clip_->frames[position];
    }

    SystemContext& context_;
    ComponentId event_;
    Entity entity_;
    const AnimationClip* clip_ = nullptr;
    TextHandle clip_name_;
};

std::uint32_t key_of(std::uint64_t hash) noexcept {
    const auto key = static_cast<std::uint32_t>(hash ^ hash >> 32U);
    return key == 0 ? 1 : key;
}

}  // namespace

void advance(Animation& animation, const AnimationClip& clip, std::uint32_t key, float seconds,
             AnimationListener& listener) {
    const bool is_other = animation.playing != key;
    if (is_other || !std::isfinite(animation.time)) animation.time = 0.0F;
    if (is_other) {
        animation.playing = key;
        animation.finished = false;
        if (seconds < 0.0F) animation.time = std::nextafter(clip.length(), 0.0F);
        return enter(animation, clip.position_at(animation.time), listener);
    }
    const bool is_inside = animation.position < clip.frames.size() &&
                           animation.time >= clip.start(animation.position) &&
                           animation.time < clip.ends[animation.position];
    const bool is_at_end = animation.finished &&
                           (animation.time == 0.0F || animation.time == clip.length()) &&
                           animation.position < clip.frames.size();
    if (!is_inside && !is_at_end) {  // a script wrote the time, or the clip was defined again
        animation.finished = false;
        animation.time = std::fmod(animation.time, clip.length());
        if (animation.time < 0.0F) animation.time += clip.length();
        enter(animation, clip.position_at(animation.time), listener);
    }
    if (!std::isfinite(seconds)) return;
    if (clip.repeats) seconds = std::fmod(seconds, clip.length());
    animation.time += seconds;
    if (animation.time > 0.0F && animation.time < clip.length()) animation.finished = false;
    if (seconds > 0.0F)
        go_forward(animation, clip, listener);
    else
        go_back(animation, clip, listener);
}

Result<void> add_animation_system(Schedule& schedule, const EngineComponents& components,
                                  AnimationClips& clips) {
    SystemDesc desc;
    desc.name = "gfx:animate";
    desc.group = kTransforms;
    desc.query.terms = {{components.animation, Access::write}, {components.sprite, Access::write}};
    desc.access.write = {components.animation_event};
    desc.needs_rows = true;
    desc.run = [&clips, event = components.animation_event](SystemContext& context) -> Result<void> {
        EventSender sender{context, event};
        const TextPool& texts = context.world.texts();
        const auto dt = static_cast<float>(context.time.dt);
        context.world.each_chunk(*context.query, [&](ChunkView& chunk) {
            auto* const animations = reinterpret_cast<Animation*>(chunk.column_data(0));
            auto* const sprites = reinterpret_cast<Sprite*>(chunk.column_data(1));
            TextHandle last;
            const AnimationClip* clip = nullptr;
            std::uint32_t key = 0;
            for (std::uint32_t row = 0; row < chunk.row_count(); ++row) {
                Animation& animation = animations[row];
                if (animation.clip != last) {
                    last = animation.clip;
                    clip = clips.find(texts, last);
                    key = key_of(texts.content_hash(last));
                }
                if (clip == nullptr) continue;
                sender.follow(chunk.entities()[row], animation, *clip);
                advance(animation, *clip, key, dt * animation.speed, sender);
                sprites[row].image = clip->image;
                sprites[row].frame = clip->frames[animation.position];
            }
        });
        return {};
    };
    const Result<SystemId> added = schedule.add(std::move(desc));
    if (!added) return added.error();
    return {};
}

}  // namespace perigee
