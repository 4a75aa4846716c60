// A function that changes a value first closes the block: items in it were drawn with the value before.
#include "engine/modules/gfx_shaders.h"

#include "engine/base/error_codes.h"
#include "engine/modules/gfx_module.h"
#include "engine/modules/in_turn.h"
#include "engine/modules/internal/module_number.h"
#include "engine/modules/internal/module_text.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <string>
#include <string_view>

namespace perigee {

namespace {

using internal::whole;

GfxContext& shading(void* context) noexcept { return *static_cast<GfxContext*>(context); }

// Lua has asked for none of this number yet, so nothing keeps the surfaces that it had.
double number_of(GfxContext& self, const Result<ShaderId>& id) {
    if (id) {
        self.shaders->forget_surfaces(id.value());
        return id.value();
    }
    self.error = id.error().message;
    return 0;
}

bool may_use_shaders(void* context) noexcept { return shading(context).may_use_shaders; }

/// The shader of an asset; 0: there are too many (see error()).
double shader(void* context, double asset) noexcept {
    GfxContext& self = shading(context);
    const auto file = whole<AssetHandle>(asset);
    if (!self.may_use_shaders || !self.assets.is_handle(file)) return 0;
    return number_of(self, self.shaders->of_file(file, self.assets, self.mount));
}

/// The shader of a source, which stands at this place; 0: see error(). Lua may have asked for it.
double shader_of_text(void* context, const char* text, double length, const char* place,
                      double place_length) noexcept {
    GfxContext& self = shading(context);
    if (!self.may_use_shaders) return 0;
    const Result<ShaderId> id = self.shaders->of_text(internal::text_of(place, place_length),
                                                      internal::text_of(text, length), self.mount);
    if (!id) self.error = id.error().message;
    return id ? id.value() : 0;
}

/// Makes its images white that are surfaces: nothing keeps them.
void forget_surfaces(void* context, double number) noexcept {
    const auto id = whole<ShaderId>(number);
    if (shading(context).shaders->has(id)) shading(context).shaders->forget_surfaces(id);
}

/// An effect by its number in the list of names; 0: as above.
double effect(void* context, double number) noexcept {
    GfxContext& self = shading(context);
    const std::vector<std::string_view> names = effect_names();
    const std::size_t at = std::min<std::size_t>(whole<std::uint32_t>(number), names.size() - 1);
    return number_of(self, self.shaders->of_effect(names[at], self.mount));
}

/// 0: later images are drawn without one. False: the painter is closed.
bool set_shader(void* context, double number) noexcept {
    GfxContext& self = shading(context);
    if (!self.painter.is_open()) return false;
    self.painter.close_block();
    const auto id = whole<ShaderId>(number);
    self.painter.shader = self.shaders->has(id) ? id : 0;
    return true;
}

/// Of later drawing; 0: none.
double current_shader(void* context) noexcept { return shading(context).painter.shader; }

/// ShaderTable::size_of.
double uniform_size(void* context, double number, const char* name, double length) noexcept {
    const ShaderTable& shaders = *shading(context).shaders;
    const auto id = whole<ShaderId>(number);
    return shaders.has(id) ? shaders.size_of(id, internal::text_of(name, length)) : 0;
}

/// False: see error().
bool send(void* context, double number, const char* name, double length, double count, double a, double b,
          double c, double d) noexcept {
    GfxContext& self = shading(context);
    const auto id = whole<ShaderId>(number);
    if (!self.shaders->has(id)) return true;
    if (self.painter.is_open()) self.painter.close_block();
    const std::array<float, 4> values{static_cast<float>(a), static_cast<float>(b), static_cast<float>(c),
                                      static_cast<float>(d)};
    const std::size_t used = std::min<std::size_t>(whole<std::uint8_t>(count), values.size());
    const Result<void> sent =
        self.shaders->send(id, internal::text_of(name, length), std::span{values}.first(used));
    if (!sent) self.error = sent.error().message;
    return sent.ok();
}

/// The same for any number of values: `bytes` are floats.
bool send_list(void* context, double number, const char* name, double length, const char* bytes,
               double byte_count) noexcept {
    GfxContext& self = shading(context);
    const auto id = whole<ShaderId>(number);
    if (!self.shaders->has(id)) return true;
    if (self.painter.is_open()) self.painter.close_block();
    const std::string_view all = internal::text_of(bytes, byte_count);
    std::vector<float> values(all.size() / sizeof(float));
    if (!values.empty()) std::memcpy(values.data(), all.data(), values.size() * sizeof(float));
    const Result<void> sent = self.shaders->send(id, internal::text_of(name, length), values);
    if (!sent) self.error = sent.error().message;
    return sent.ok();
}

/// `image`: of a file or a surface. False: see error().
bool send_image(void* context, double number, const char* name, double length, double image) noexcept {
    GfxContext& self = shading(context);
    const auto id = whole<ShaderId>(number), wanted = whole<std::uint32_t>(image);
    if (!self.shaders->has(id)) return true;
    if (self.painter.is_open()) self.painter.close_block();
    const Result<void> sent =
        self.shaders->send_image(id, internal::text_of(name, length), self.images.knows(wanted) ? wanted : 0);
    if (!sent) self.error = sent.error().message;
    return sent.ok();
}

}  // namespace

std::vector<NativeFunction> gfx_shader_functions() {
    return {
        native_function<&may_use_shaders>("may_use_shaders"),
        function_in_turn<&shader>("shader"),
        function_in_turn<&effect>("effect"),
        native_function<&set_shader>("set_shader"),
        native_function<&current_shader>("current_shader"),
        function_in_turn<&uniform_size>("uniform_size"),
        function_in_turn<&send>("send"),
        function_in_turn<&send_list>("send_list"),
        function_in_turn<&send_image>("send_image"),
        function_in_turn<&shader_of_text>("shader_of_text"),
        function_in_turn<&forget_surfaces>("forget_surfaces"),
    };
}

}  // namespace perigee
