// The functions of app.*; Lua has checked the arguments.
#include "engine/modules/app_module.h"

#include "engine/modules/in_turn.h"
#include "scripting/base/shown_text.h"

#include <cmath>
#include <string>

namespace perigee {

namespace {

AppContext& app(void* context) noexcept { return *static_cast<AppContext*>(context); }

constexpr double kMinSide = 64;

int side(double pixels) noexcept {
    return static_cast<int>(std::fmin(std::fmax(std::round(pixels), kMinSide), double{kMaxWindowSide}));
}

bool is_allowed(void* context) noexcept { return app(context).is_allowed; }

void quit(void* context, bool from_presentation) noexcept { app(context).requests.quit(from_presentation); }

void set_title(void* context, const char* title, double length) noexcept {
    const std::string text = shown_word({title, static_cast<std::size_t>(length)});
    app(context).requests.request_window([&text](WindowRequest& request) { request.title = text; });
}

void set_size(void* context, double width, double height) noexcept {
    app(context).requests.request_window([&](WindowRequest& request) {
        request.size = WindowRequest::Size{side(width), side(height)};
    });
}

void set_fullscreen(void* context, bool is_fullscreen) noexcept {
    app(context).requests.request_window([is_fullscreen](WindowRequest& request) {
        request.is_fullscreen = is_fullscreen;
        request.toggles_fullscreen = false;
    });
}

void toggle_fullscreen(void* context) noexcept {
    app(context).requests.request_window(
        [](WindowRequest& request) { request.toggles_fullscreen = !request.toggles_fullscreen; });
}

bool is_fullscreen(void* context) noexcept { return app(context).requests.is_fullscreen(); }

void set_cursor(void* context, bool is_shown) noexcept {
    app(context).requests.request_window(
        [is_shown](WindowRequest& request) { request.shows_cursor = is_shown; });
}

/// `fit`: a ScreenFit. Expects: there is one of this number.
void set_fit(void* context, double fit) noexcept {
    const auto wanted = static_cast<ScreenFit>(static_cast<std::uint8_t>(fit));
    app(context).requests.request_window([wanted](WindowRequest& request) { request.fit = wanted; });
}

void set_pixel_art(void* context, bool is_on) noexcept {
    app(context).requests.request_window([is_on](WindowRequest& request) { request.is_pixel_art = is_on; });
}

}  // namespace

NativeModule app_module(AppContext& context) {
    return {"app",
            &context,
            {
                native_function<&is_allowed>("is_allowed"),
                function_in_turn<&quit>("quit"),
                function_in_turn<&set_title>("set_title"),
                function_in_turn<&set_size>("set_size"),
                function_in_turn<&set_fullscreen>("set_fullscreen"),
                function_in_turn<&toggle_fullscreen>("toggle_fullscreen"),
                native_function<&is_fullscreen>("is_fullscreen"),
                function_in_turn<&set_cursor>("set_cursor"),
                function_in_turn<&set_fit>("set_fit"),
                function_in_turn<&set_pixel_art>("set_pixel_art"),
            },
            {{"max_title_bytes", kMaxTitleBytes}, {"screen_fits", kScreenFitNames}}};
}

}  // namespace perigee
