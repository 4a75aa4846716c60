// A clip is described by several calls, since numbers are what scripts pass quickly.
#include "engine/modules/gfx_animation.h"

#include "ecs/base/suggest.h"
#include "engine/base/error_codes.h"
#include "engine/modules/gfx_module.h"
#include "engine/modules/in_turn.h"
#include "engine/modules/internal/module_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <numeric>

namespace perigee {

namespace {

namespace e = engine_errors;

GfxContext& clip_context(void* context) noexcept { return *static_cast<GfxContext*>(context); }
ClipMaker& maker(void* context) noexcept { return clip_context(context).clip_maker; }

std::uint16_t small_number(double number) noexcept {
    return number > 0.0 ? static_cast<std::uint16_t>(std::min(number, 65535.0)) : std::uint16_t{0};
}

/// Runs `make`, which returns a Result<void>; its error and a lack of memory become error().
template <typename Make> bool made(void* context, Make make) noexcept {
    GfxContext& self = clip_context(context);
    try {
        if (const Result<void> result = make(self); !result) {
            self.error = result.error().message;
            return false;
        }
        return true;
    } catch (const std::bad_alloc&) {
        self.error.clear();
        return false;
    }
}

void clip_begin(void* context, double image) noexcept {
    maker(context).clip = {};
    maker(context).clip.image = static_cast<AssetHandle>(std::max(image, 0.0));
}

bool clip_frame(void* context, double frame, double seconds) noexcept {
    return made(context, [=](GfxContext& self) -> Result<void> {
        ClipDescription& clip = self.clip_maker.clip;
        if (clip.frames.size() > AnimationClips::kMaxFrames) return {};  // define refuses it
        clip.frames.push_back(small_number(frame));
        clip.seconds.push_back(static_cast<float>(seconds));
        return {};
    });
}

bool clip_event(void* context, double position, const char* name, double length) noexcept {
    return made(context, [=](GfxContext& self) -> Result<void> {
        self.clip_maker.clip.events.push_back(
            {small_number(position), std::string{internal::text_of(name, length)}});
        return {};
    });
}

bool clip_end(void* context, const char* name, double length, double loop) noexcept {
    return made(context, [=](GfxContext& self) -> Result<void> {
        ClipDescription& clip = self.clip_maker.clip;
        clip.name = fmt::format("{}#{}", self.assets.name_of(clip.image), internal::text_of(name, length));
        clip.loop = static_cast<ClipLoop>(std::min<std::uint16_t>(small_number(loop), 2));
        return self.clips->define(clip, self.mount);
    });
}

/// The name of the clip that clip_end made.
const char* clip_name(void* context) noexcept { return maker(context).clip.name.c_str(); }

// ---- Aseprite ---------------------------------------------------------------------------------------------

/// An event of a tag of the next sheet; -1: forgets all of them.
bool sheet_event(void* context, const char* tag, double tag_length, double position, const char* name,
                 double length) noexcept {
    return made(context, [=](GfxContext& self) -> Result<void> {
        std::vector<ClipMaker::TagEvent>& events = self.clip_maker.events;
        if (position < 0)
            events.clear();
        else
            events.push_back({std::string{internal::text_of(tag, tag_length)},
                              {small_number(position), std::string{internal::text_of(name, length)}}});
        return {};
    });
}

// "assets/hero.png" for the image that "mod:assets/hero.json" names.
std::string image_beside(std::string_view file, std::string_view image) {
    return std::string{file.substr(0, file.find_last_of("/:") + 1)} +
           std::string{image.substr(image.find_last_of("/\\") + 1)};
}

Result<void> check_tag_events(const ClipMaker& maker, std::string_view file) {
    std::vector<std::string_view> tags;
    for (const AsepriteSheet::Tag& tag : maker.sheet.tags) tags.push_back(tag.name);
    for (const ClipMaker::TagEvent& event : maker.events)
        if (std::ranges::find(tags, event.tag) == tags.end())
            return Error{fmt::format(e::kAsepriteNoTag, file, event.tag, did_you_mean(event.tag, tags))};
    return {};
}

// The positions in a tag's frames that a clip shows: one way, or there and back as often as the tag says.
std::vector<std::size_t> positions_of(const AsepriteSheet::Tag& tag) {
    std::vector<std::size_t> positions(tag.frames.size());
    std::iota(positions.begin(), positions.end(), std::size_t{0});
    std::vector<std::size_t> way = positions;
    for (std::uint32_t time = 1; time < tag.times && positions.size() <= AnimationClips::kMaxFrames; ++time) {
        if (tag.returns) std::ranges::reverse(way);
        // Where it turns, a frame is shown once.
        const bool turns = tag.returns && way.size() > 1;
        positions.insert(positions.end(), way.begin() + (turns ? 1 : 0), way.end());
    }
    return positions;
}

Result<void> define_tags(GfxContext& self, AssetHandle image) {
    ClipMaker& maker = self.clip_maker;
    maker.names.clear();
    for (const AsepriteSheet::Tag& tag : maker.sheet.tags) {
        ClipDescription clip;
        clip.image = image;
        clip.name = fmt::format("{}#{}", self.assets.name_of(image), tag.name);
        for (const std::size_t position : positions_of(tag)) {
            const std::uint16_t frame = tag.frames[position];
            for (const ClipMaker::TagEvent& event : maker.events)
                if (event.tag == tag.name && event.event.position == position)
                    clip.events.push_back({static_cast<std::uint16_t>(clip.frames.size()), event.event.name});
            clip.frames.push_back(frame);
            clip.seconds.push_back(maker.sheet.frames[frame].seconds);
        }
        if (tag.times != 0)
            clip.loop = ClipLoop::once;
        else if (tag.returns)
            clip.loop = ClipLoop::ping_pong;
        if (Result<void> defined = self.clips->define(clip, self.mount); !defined) return defined;
        maker.names.push_back(std::move(clip.name));
    }
    return {};
}

/// Reads an export of Aseprite, cuts its image into frames and defines a clip for each tag.
bool aseprite(void* context, const char* path, double length) noexcept {
    return made(context, [=](GfxContext& self) -> Result<void> {
        const std::string_view file = internal::text_of(path, length);
        const Result<AssetHandle> data = self.assets.intern_for(self.mount, file);
        if (!data) return data.error();
        const Result<std::string> json = self.assets.read(data.value(), kMaxAsepriteBytes);
        if (!json) return json.error();
        Result<AsepriteSheet> sheet = read_aseprite(json.value(), file);
        if (!sheet) return sheet.error();
        self.clip_maker.sheet = std::move(sheet).value();
        if (Result<void> known = check_tag_events(self.clip_maker, file); !known) return known;
        const Result<AssetHandle> image =
            self.assets.intern_for(self.mount, image_beside(file, self.clip_maker.sheet.image));
        if (!image) return image.error();
        self.loader.update(image.value());
        std::vector<ImageFrame> frames;
        for (const AsepriteSheet::Frame& frame : self.clip_maker.sheet.frames)
            frames.push_back({0, frame.x, frame.y, frame.width, frame.height});
        // A missing image is drawn as the placeholder; the log says so.
        if (!self.images.set_frames(image.value(), frames, self.mount) && self.images.is_full())
            return Error{e::kTooManyFrames};
        return define_tags(self, image.value());
    });
}

double tag_count(void* context) noexcept { return static_cast<double>(maker(context).names.size()); }

// Expects: 0 <= number < tag_count().
const char* tag_name(void* context, double number) noexcept {
    return maker(context).sheet.tags[static_cast<std::size_t>(number)].name.c_str();
}
const char* tag_clip(void* context, double number) noexcept {
    return maker(context).names[static_cast<std::size_t>(number)].c_str();
}

}  // namespace

void add_animation_functions(NativeModule& gfx) {
    const NativeFunction functions[] = {
        native_function<&clip_begin>("clip_begin"), native_function<&clip_frame>("clip_frame"),
        native_function<&clip_event>("clip_event"), function_in_turn<&clip_end>("clip_end"),
        native_function<&clip_name>("clip_name"),   native_function<&sheet_event>("sheet_event"),
        function_in_turn<&aseprite>("aseprite"),    native_function<&tag_count>("tag_count"),
        native_function<&tag_name>("tag_name"),     native_function<&tag_clip>("tag_clip"),
    };
    gfx.functions.insert(gfx.functions.end(), std::begin(functions), std::end(functions));
}

}  // namespace perigee
