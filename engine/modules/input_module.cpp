// The functions of input.*. An action declared after the input of this step was collected is at rest.
#include "engine/modules/input_module.h"

#include "engine/modules/in_turn.h"
#include "engine/modules/internal/module_text.h"

#include <algorithm>
#include <string_view>

namespace perigee {

namespace {

InputContext& input(void* context) noexcept { return *static_cast<InputContext*>(context); }

ActionState state_of(void* context, double action) noexcept {
    const std::vector<ActionState>& actions = input(context).step.actions;
    return action >= 0.0 && action < static_cast<double>(actions.size())
               ? actions[static_cast<std::size_t>(action)]
               : ActionState{};
}

/// Number of a declared action, -1 if there is none.
double find(void* context, const char* name, double length) noexcept {
    const std::size_t id = input(context).map.find(internal::text_of(name, length));
    return id < input(context).map.size() ? static_cast<double>(id) : -1.0;
}

InputDevice device_at(double number) noexcept {
    return number == 0.0 ? InputDevice::keyboard : number == 1.0 ? InputDevice::mouse : InputDevice::gamepad;
}

/// `device`: an InputDevice. False with error() set for an unknown control.
bool add_control(void* context, double device, const char* name, double length) noexcept {
    const Result<InputCode> code = parse_input_code(device_at(device), internal::text_of(name, length));
    if (!code) {
        input(context).error = code.error().message;
        return false;
    }
    input(context).controls.push_back(code.value());
    return true;
}

/// The control of the device that is probably meant, or "".
const char* nearest_control(void* context, double device, const char* name, double length) noexcept {
    input(context).error = nearest_input_code_name(device_at(device), internal::text_of(name, length));
    return input(context).error.c_str();
}

void clear_controls(void* context) noexcept { input(context).controls.clear(); }

/// Declares an action with the controls added before; its number, or -1 with error() set.
double declare(void* context, const char* name, double length) noexcept {
    InputContext& self = input(context);
    const Result<ActionId> id = self.map.declare(internal::text_of(name, length), self.controls, self.owner);
    self.controls.clear();
    if (id) return id.value();
    self.error = id.error().message;
    return -1;
}

const char* input_error(void* context) noexcept { return input(context).error.c_str(); }

bool down(void* context, double action) noexcept { return state_of(context, action).down; }
bool pressed(void* context, double action) noexcept { return state_of(context, action).pressed; }
bool released(void* context, double action) noexcept { return state_of(context, action).released; }
double value(void* context, double action) noexcept { return state_of(context, action).value(); }

double mouse_x(void* context) noexcept { return StepInput::mouse_pixels(input(context).step.mouse_x); }
double mouse_y(void* context) noexcept { return StepInput::mouse_pixels(input(context).step.mouse_y); }
double wheel(void* context) noexcept { return input(context).step.wheel; }

const char* text(void* context) noexcept { return input(context).step.text.data(); }
double text_length(void* context) noexcept { return static_cast<double>(input(context).step.text.size()); }

// For an invalid event: an empty one.
InputEvent event_at(void* context, double number) noexcept {
    const std::vector<InputEvent>& events = input(context).step.events;
    return number >= 0.0 && number < static_cast<double>(events.size())
               ? events[static_cast<std::size_t>(number)]
               : InputEvent{.kind = InputEvent::Kind::text};
}

double event_count(void* context) noexcept { return static_cast<double>(input(context).step.events.size()); }
/// As InputEvent::Kind.
double event_kind(void* context, double number) noexcept {
    return static_cast<double>(event_at(context, number).kind);
}
/// The InputDevice of an event's control; -1 when it has none.
double event_device(void* context, double number) noexcept {
    const InputEvent event = event_at(context, number);
    return event.is_of_control() ? static_cast<double>(input_code_device(event.code)) : -1.0;
}
/// Its name within its device.
const char* event_control(void* context, double number) noexcept {
    const InputEvent event = event_at(context, number);
    return event.is_of_control() ? input_code_name(event.code).data() : "";
}
bool event_has_place(void* context, double number) noexcept { return event_at(context, number).has_place(); }
double event_x(void* context, double number) noexcept {
    return StepInput::mouse_pixels(event_at(context, number).mouse.x);
}
double event_y(void* context, double number) noexcept {
    return StepInput::mouse_pixels(event_at(context, number).mouse.y);
}
double event_notches(void* context, double number) noexcept { return event_at(context, number).notches; }
/// Its number of bytes in text(); they follow those of the previous events.
double event_text_length(void* context, double number) noexcept {
    return event_at(context, number).text_bytes;
}

double action_count(void* context) noexcept { return static_cast<double>(input(context).map.size()); }
/// Expects: action < action_count.
const char* action_name(void* context, double action) noexcept {
    return input(context).map[static_cast<std::size_t>(action)].name.c_str();
}

}  // namespace

NativeModule input_module(InputContext& context) {
    context.map.set_owners(context.owner + 1);
    return {"input",
            &context,
            {
                function_in_turn<&find>("find"),
                native_function<&add_control>("add_control"),
                native_function<&nearest_control>("nearest_control"),
                native_function<&clear_controls>("clear_controls"),
                function_in_turn<&declare>("declare"),
                native_function<&input_error>("error"),
                native_function<&down>("down"),
                native_function<&pressed>("pressed"),
                native_function<&released>("released"),
                native_function<&value>("value"),
                native_function<&mouse_x>("mouse_x"),
                native_function<&mouse_y>("mouse_y"),
                native_function<&wheel>("wheel"),
                native_function<&text>("text"),
                native_function<&text_length>("text_length"),
                native_function<&event_count>("event_count"),
                native_function<&event_kind>("event_kind"),
                native_function<&event_device>("event_device"),
                native_function<&event_control>("event_control"),
                native_function<&event_has_place>("event_has_place"),
                native_function<&event_x>("event_x"),
                native_function<&event_y>("event_y"),
                native_function<&event_notches>("event_notches"),
                native_function<&event_text_length>("event_text_length"),
                function_in_turn<&action_count>("action_count"),
                function_in_turn<&action_name>("action_name"),
            },
            {
                {"event_kinds", InputEvent::kKindNames},
                {"device_lists", kInputLists},
                {"device_prefixes", kInputPrefixes},
            }};
}

}  // namespace perigee
