// The functions of audio.*; the handle of a missing sound plays nothing.
#include "engine/modules/audio_module.h"

#include "engine/modules/in_turn.h"
#include "engine/modules/internal/module_text.h"

#include <algorithm>
#include <string_view>

namespace perigee {

namespace {

AudioContext& audio(void* context) noexcept { return *static_cast<AudioContext*>(context); }

// 0 (silence) for anything that is not a handle of the store.
AssetHandle known(void* context, double handle) noexcept {
    if (!(handle >= 1.0 && handle <= static_cast<double>(audio(context).assets.handle_count()))) return 0;
    const auto asset = static_cast<AssetHandle>(handle);
    return audio(context).assets[asset].is_missing ? 0 : asset;
}

/// Handle of a sound or piece of music, -1 for a bad path (see error()).
double audio_asset(void* context, const char* path, double length) noexcept {
    AudioContext& self = audio(context);
    const Result<AssetHandle> handle = self.assets.intern_for(self.mount, internal::text_of(path, length));
    if (handle) return handle.value();
    self.error = handle.error().message;
    return -1;
}

void place_missing_audio(void* context, double handle, const char* place, double length) noexcept {
    audio(context).assets.set_request_place(static_cast<AssetHandle>(handle),
                                            internal::text_of(place, length));
}

const char* audio_error(void* context) noexcept { return audio(context).error.c_str(); }

void play(void* context, double sound, double volume, double pan, double pitch, double priority) noexcept {
    const double whole =
        priority == priority ? std::clamp<double>(priority, -kMaxSoundPriority, kMaxSoundPriority) : 0.0;
    audio(context).queue.play({known(context, sound), static_cast<float>(volume), static_cast<float>(pan),
                               static_cast<float>(pitch), static_cast<std::int8_t>(whole)},
                              audio(context).mount);
}

void play_music(void* context, double music, double volume, bool loop, double fade_seconds) noexcept {
    audio(context).queue.play_music(known(context, music), static_cast<float>(volume), loop,
                                    static_cast<float>(fade_seconds));
}

void stop_music(void* context, double fade_seconds) noexcept {
    audio(context).queue.stop_music(static_cast<float>(fade_seconds));
}
void set_music_volume(void* context, double volume) noexcept {
    audio(context).queue.set_music_volume(static_cast<float>(volume));
}
void set_volume(void* context, double volume) noexcept {
    audio(context).queue.set_master_volume(static_cast<float>(volume));
}

}  // namespace

NativeModule audio_module(AudioContext& context) {
    return {"audio",
            &context,
            {
                function_in_turn<&audio_asset>("asset"),
                native_function<&audio_error>("error"),
                function_in_turn<&place_missing_audio>("place_missing"),
                function_in_turn<&play>("play"),
                function_in_turn<&play_music>("play_music"),
                function_in_turn<&stop_music>("stop_music"),
                function_in_turn<&set_music_volume>("set_music_volume"),
                function_in_turn<&set_volume>("set_volume"),
            }};
}

}  // namespace perigee
