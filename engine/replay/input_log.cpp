// Encoding by difference to the step before, and decoding that trusts no byte of the file.
#include "engine/replay/input_log.h"

#define XXH_INLINE_ALL
#include "ecs/base/contract.h"
#include "ecs/base/internal/byte_stream.h"
#include "engine/base/error_codes.h"
#include "scripting/base/shown_text.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>

namespace perigee {

namespace {

using internal::ByteReader;
using internal::put_number;
using internal::put_varint;
using internal::unzigzag;
using internal::zigzag;
namespace e = engine_errors;

constexpr std::string_view kInputMagic = "perigee input log ";
constexpr std::string_view kInputVersion = "4";
constexpr std::string_view kVersionWithoutWorlds = "3";
constexpr std::string_view kVersionWithoutEvents = "2";
constexpr std::string_view kInputVersionWithoutLuaJit = "1";

constexpr std::uint8_t kNewActions = 0x01;
constexpr std::uint8_t kStates = 0x02;
constexpr std::uint8_t kMouse = 0x04;
constexpr std::uint8_t kWheel = 0x08;
constexpr std::uint8_t kText = 0x10;
constexpr std::uint8_t kEvents = 0x20;
constexpr std::uint8_t kAllFlags = kNewActions | kStates | kMouse | kWheel | kEvents;
constexpr std::uint8_t kAllFlagsWithoutEvents = kNewActions | kStates | kMouse | kWheel | kText;
constexpr std::uint8_t kRestart = 0x40;
constexpr std::uint8_t kLimit = 0x41;
constexpr std::uint8_t kAnswer = 0x42;
constexpr std::uint8_t kWorld = 0x43;
constexpr std::uint8_t kRepeat = 0x80;
constexpr std::uint64_t kMaxRepeats = 126;
constexpr std::uint8_t kEnd = 0xFF;
constexpr std::size_t kEndMarkBytes = 3 * sizeof(std::uint64_t);  // after the byte kEnd

constexpr std::size_t kMaxReasonBytes = 255;
constexpr std::size_t kMaxPlaceBytes = 255;

constexpr std::uint8_t kDown = 1;
constexpr std::uint8_t kPressed = 2;
constexpr std::uint8_t kLevel = 4;

constexpr std::uint8_t usual_level(bool is_down) { return is_down ? 255 : 0; }

// The step that costs nothing to write: no movement, no edges.
void clear_edges(StepInput& input) {
    for (ActionState& state : input.actions) state.pressed = state.released = false;
    input.wheel = 0;
    input.text.clear();
    input.events.clear();
}

// "released" follows from the step before, so it is not stored.
bool is_same_state(const ActionState& a, const ActionState& b) {
    return a.level == b.level && a.down == b.down && a.pressed == b.pressed;
}

bool read_states(ByteReader& in, std::vector<ActionState>& actions) {
    for (std::uint64_t count = in.get_varint(); count > 0 && in.is_ok(); --count) {
        const std::uint64_t action = in.get_varint();
        const std::uint8_t bits = in.get<std::uint8_t>();
        if (!in.is_ok()) return true;  // reported as truncated
        if (action >= actions.size() || bits > (kDown | kPressed | kLevel)) return false;
        ActionState& state = actions[action];
        const bool was_down = state.down;
        state.down = (bits & kDown) != 0;
        state.pressed = (bits & kPressed) != 0;
        state.released = was_down && !state.down;
        state.level = (bits & kLevel) != 0 ? in.get<std::uint8_t>() : usual_level(state.down);
        if (state.pressed && !state.down) return false;
    }
    return true;
}

bool read_names(ByteReader& in, std::vector<std::string>& names) {
    for (std::uint64_t count = in.get_varint(); count > 0 && in.is_ok(); --count) {
        const std::uint64_t size = in.get_varint();
        if (in.is_ok() && (size == 0 || size > kMaxActionNameBytes || names.size() == kMaxActions))
            return false;
        names.emplace_back(in.take(size));
    }
    return true;
}

bool move_mouse(std::int16_t& position, std::int64_t delta) {
    const std::int64_t moved = position + std::clamp<std::int64_t>(delta, -70'000, 70'000);
    if (moved < INT16_MIN || moved > INT16_MAX) return false;
    position = static_cast<std::int16_t>(moved);
    return true;
}

InputEvent text_event(std::uint64_t bytes) {
    InputEvent event{.kind = InputEvent::Kind::text};
    event.text_bytes = static_cast<std::uint8_t>(bytes);
    return event;
}

// A control that the log names for the first time, or by its number. False: there is no such control.
bool read_control(ByteReader& in, std::vector<InputCode>& controls, InputCode& code) {
    const std::uint64_t number = in.get_varint();
    if (!in.is_ok()) return true;  // reported as truncated
    if (number > controls.size()) return false;
    if (number == controls.size()) {
        const std::uint8_t device = in.get<std::uint8_t>();
        const std::string_view name = in.take(in.get_varint());
        if (!in.is_ok()) return true;
        if (device > static_cast<std::uint8_t>(InputDevice::gamepad)) return false;
        const auto named = input_code_from_name(static_cast<InputDevice>(device), name);
        if (!named) return false;
        controls.push_back(*named);
    }
    code = controls[number];
    return true;
}

bool read_place(ByteReader& in, InputPlace& place) {
    return move_mouse(place.x, unzigzag(in.get_varint())) && move_mouse(place.y, unzigzag(in.get_varint()));
}

bool read_text(ByteReader& in, InputEvent& event, std::string& text) {
    const std::uint64_t size = in.get_varint();
    if (in.is_ok() && (size == 0 || size > kMaxStepTextBytes - text.size())) return false;
    const std::string_view bytes = in.take(size);
    for (std::string_view rest = bytes; !rest.empty();) {
        const std::size_t character = shown_bytes(rest);
        if (character == 0) return false;
        rest.remove_prefix(character);
    }
    event = text_event(bytes.size());
    text += bytes;
    return true;
}

bool read_event(ByteReader& in, std::vector<InputCode>& controls, StepInput& input) {
    const std::uint8_t kind = in.get<std::uint8_t>();
    if (kind >= InputEvent::kKinds) return false;
    InputEvent event{.kind = static_cast<InputEvent::Kind>(kind)};
    bool is_valid = true;
    if (event.kind == InputEvent::Kind::text)
        is_valid = read_text(in, event, input.text);
    else if (event.kind == InputEvent::Kind::wheel)
        is_valid = move_mouse(event.notches, unzigzag(in.get_varint()));
    else
        is_valid = read_control(in, controls, event.code);
    if (!is_valid || !in.is_ok()) return is_valid;
    if (event.has_place()) is_valid = read_place(in, event.mouse);
    input.events.push_back(event);
    return is_valid;
}

bool read_events(ByteReader& in, std::vector<InputCode>& controls, StepInput& input) {
    std::uint64_t count = in.get_varint();
    if (in.is_ok() && (count == 0 || count > kMaxStepEvents)) return false;
    for (; count > 0 && in.is_ok(); --count)
        if (!read_event(in, controls, input)) return false;
    return true;
}

}  // namespace

// ---- writing ----------------------------------------------------------------------------------------------

InputLogWriter::InputLogWriter(const LogHeader& header, bool stores_worlds)
    : bytes_(header_text(kInputMagic, stores_worlds ? kInputVersion : kVersionWithoutWorlds, header)),
      stores_worlds_(stores_worlds) {}

void InputLogWriter::flush_repeats() {
    while (repeats_ > 0) {
        const std::uint64_t now = std::min(repeats_, kMaxRepeats);
        bytes_ += static_cast<char>(kRepeat + now);
        repeats_ -= now;
    }
}

void InputLogWriter::put_states(const StepInput& input) {
    std::string states;
    std::uint64_t count = 0;
    for (std::size_t id = 0; id < input.actions.size(); ++id) {
        const ActionState& state = input.actions[id];
        if (is_same_state(state, rest_.actions[id])) continue;
        const bool has_level = state.level != usual_level(state.down);
        put_varint(states, id);
        states += static_cast<char>((state.down ? kDown : 0) | (state.pressed ? kPressed : 0) |
                                    (has_level ? kLevel : 0));
        if (has_level) states += static_cast<char>(state.level);
        ++count;
    }
    put_varint(bytes_, count);
    bytes_ += states;
}

void InputLogWriter::put_control(InputCode code) {
    const auto known = std::ranges::find(controls_, code);
    put_varint(bytes_, static_cast<std::uint64_t>(known - controls_.begin()));
    if (known != controls_.end()) return;
    controls_.push_back(code);
    const std::string_view name = input_code_name(code);
    bytes_ += static_cast<char>(input_code_device(code));
    put_varint(bytes_, name.size());
    bytes_ += name;
}

void InputLogWriter::put_events(const StepInput& input) {
    put_varint(bytes_, input.events.size());
    std::string_view text = input.text;
    for (const InputEvent& event : input.events) {
        bytes_ += static_cast<char>(event.kind);
        if (event.is_of_control()) put_control(event.code);
        if (event.kind == InputEvent::Kind::text) {
            put_varint(bytes_, event.text_bytes);
            bytes_ += text.substr(0, event.text_bytes);
            text.remove_prefix(event.text_bytes);
        }
        if (event.kind == InputEvent::Kind::wheel) put_varint(bytes_, zigzag(event.notches));
        if (event.has_place()) {
            put_varint(bytes_, zigzag(event.mouse.x));
            put_varint(bytes_, zigzag(event.mouse.y));
        }
    }
}

void InputLogWriter::step(const ActionMap& map, const StepInput& input) {
    ECS_EXPECTS(input.actions.size() == map.size(), input.actions.size(), map.size());
    const std::size_t known = rest_.actions.size();
    const bool has_new = map.size() > known;
    rest_.actions.resize(map.size());

    std::uint8_t flags = has_new ? kNewActions : 0;
    if (!std::ranges::equal(input.actions, rest_.actions, is_same_state)) flags |= kStates;
    if (input.mouse_x != rest_.mouse_x || input.mouse_y != rest_.mouse_y) flags |= kMouse;
    if (input.wheel != 0) flags |= kWheel;
    if (!input.events.empty()) flags |= kEvents;

    ++step_count_;
    if (flags == 0) {
        ++repeats_;
        return;
    }
    flush_repeats();
    bytes_ += static_cast<char>(flags);
    if (has_new) {
        put_varint(bytes_, map.size() - known);
        for (std::size_t id = known; id < map.size(); ++id) {
            put_varint(bytes_, map[id].name.size());
            bytes_ += map[id].name;
        }
    }
    if ((flags & kStates) != 0) put_states(input);
    if ((flags & kMouse) != 0) {
        put_varint(bytes_, zigzag(input.mouse_x - rest_.mouse_x));
        put_varint(bytes_, zigzag(input.mouse_y - rest_.mouse_y));
    }
    if ((flags & kWheel) != 0) put_varint(bytes_, zigzag(input.wheel));
    if ((flags & kEvents) != 0) put_events(input);
    rest_ = input;
    clear_edges(rest_);
}

void InputLogWriter::restart() {
    flush_repeats();
    bytes_ += static_cast<char>(kRestart);
    rest_ = {};
    controls_.clear();
}

void InputLogWriter::mark_not_replayable(std::string_view reason) {
    flush_repeats();
    reason = reason.substr(0, kMaxReasonBytes);
    bytes_ += static_cast<char>(kLimit);
    put_varint(bytes_, reason.size());
    bytes_ += reason;
}

void InputLogWriter::answer(const SaveAnswer& answer) {
    flush_repeats();
    bytes_ += static_cast<char>(kAnswer);
    put_varint(bytes_, answer.place.size());
    bytes_ += answer.place;
    put_varint(bytes_, answer.bytes.size());
    bytes_ += answer.bytes;
}

void InputLogWriter::store_world(std::uint64_t world_hash, std::string_view bytes) {
    ECS_EXPECTS(stores_worlds_);
    flush_repeats();
    bytes_ += static_cast<char>(kWorld);
    put_number(bytes_, world_hash);
    put_varint(bytes_, bytes.size());
    bytes_ += bytes;
}

void InputLogWriter::finish(std::uint64_t world_hash) {
    flush_repeats();
    bytes_ += static_cast<char>(kEnd);
    put_number<std::uint64_t>(bytes_, step_count_);
    put_number<std::uint64_t>(bytes_, world_hash);
    checksum_.add(bytes_);
    put_number<std::uint64_t>(bytes_, checksum_.value());
}

std::string InputLogWriter::take_bytes() {
    flush_repeats();  // a quiet second is part of the recording
    checksum_.add(bytes_);
    return std::exchange(bytes_, {});
}

// ---- reading ----------------------------------------------------------------------------------------------

bool InputLog::read_step(ByteReader& in, std::uint8_t flags, Cursor& cursor) {
    StepInput& input = cursor.input;
    bool is_valid = true;
    if ((flags & kNewActions) != 0) is_valid = read_names(in, cursor.names);
    input.actions.resize(cursor.names.size());
    if (is_valid && (flags & kStates) != 0) is_valid = read_states(in, input.actions);
    if (is_valid && (flags & kMouse) != 0)
        is_valid = move_mouse(input.mouse_x, unzigzag(in.get_varint())) &&
                   move_mouse(input.mouse_y, unzigzag(in.get_varint()));
    if (is_valid && (flags & kWheel) != 0) is_valid = move_mouse(input.wheel, unzigzag(in.get_varint()));
    if (is_valid && (flags & kText) != 0) {
        const std::uint64_t size = in.get_varint();
        is_valid = size <= kMaxStepTextBytes;
        input.text = in.take(size);
        if (!input.text.empty()) input.events.push_back(text_event(input.text.size()));
    }
    if (is_valid && (flags & kEvents) != 0) is_valid = read_events(in, cursor.controls, input);
    return is_valid;
}

InputLog::Record InputLog::decode(std::string_view bytes, Cursor& cursor) {
    if (cursor.repeats > 0) {
        --cursor.repeats;
        clear_edges(cursor.input);
        return Record::step;
    }
    ByteReader in{bytes, cursor.at};
    const std::uint8_t tag = in.get<std::uint8_t>();
    if (!in.is_ok()) return Record::truncated;
    cursor.at = in.position();
    if (tag == kEnd) return Record::end;
    if (tag == kRestart) {
        cursor.names.clear();
        cursor.controls.clear();
        cursor.input = {};
        return Record::restart;
    }
    if (tag == kLimit) {
        const std::uint64_t size = in.get_varint();
        if (in.is_ok() && size > kMaxReasonBytes) return Record::corrupt;
        cursor.limit = in.take(size);
        cursor.at = in.position();
        return in.has_run_out() ? Record::truncated : in.is_ok() ? Record::limit : Record::corrupt;
    }
    if (tag == kAnswer) {
        const std::uint64_t place = in.get_varint();
        if (in.is_ok() && place > kMaxPlaceBytes) return Record::corrupt;
        cursor.answer.place = in.take(place);
        const std::uint64_t size = in.get_varint();
        if (in.is_ok() && size > kMaxAnswerBytes) return Record::corrupt;
        cursor.answer.bytes = in.take(size);
        cursor.at = in.position();
        return in.has_run_out() ? Record::truncated : in.is_ok() ? Record::answer : Record::corrupt;
    }
    if (tag == kWorld && cursor.has_worlds) {
        cursor.world_hash = in.get<std::uint64_t>();
        cursor.world_size = in.get_varint();
        cursor.world_at = in.position();
        static_cast<void>(in.take(cursor.world_size));
        cursor.at = in.position();
        return in.has_run_out() ? Record::truncated : in.is_ok() ? Record::world : Record::corrupt;
    }
    clear_edges(cursor.input);
    if (tag > kRepeat) {
        cursor.repeats = tag - kRepeat - 1U;
        return Record::step;
    }
    const std::uint8_t known = cursor.has_events ? kAllFlags : kAllFlagsWithoutEvents;
    if ((tag & ~known) != 0 || !read_step(in, tag, cursor)) return Record::corrupt;
    cursor.at = in.position();
    if (in.has_run_out()) return Record::truncated;
    return in.is_ok() ? Record::step : Record::corrupt;
}

Result<InputLog> InputLog::parse(std::string bytes, bool accept_truncated) {
    InputLog log;
    log.bytes_ = std::move(bytes);
    const Result<std::size_t> body = log.parse_header();
    if (!body) return body.error();
    log.cursor_.at = body.value();
    log.first_ = log.cursor_;
    if (Result<void> scanned = log.scan(accept_truncated); !scanned) return scanned.error();
    log.take_annotations();
    return log;
}

Result<std::size_t> InputLog::parse_header() {
    const std::string_view all = bytes_;
    if (!all.starts_with(kInputMagic)) return Error{e::kLogNotALog};
    const std::size_t header_end = all.find("\n\n");
    if (header_end == std::string_view::npos) return Error{fmt::format(e::kLogTruncated, 0)};

    std::string_view rest = all.substr(0, header_end + 1);
    const auto version = take_line(rest, kInputMagic);
    cursor_.has_worlds = version == kInputVersion;
    cursor_.has_events = cursor_.has_worlds || version == kVersionWithoutWorlds;
    if (!cursor_.has_events && version != kVersionWithoutEvents && version != kInputVersionWithoutLuaJit)
        return Error{fmt::format(e::kLogOtherVersion, version.value_or(""), kInputVersion)};
    std::optional<LogHeader> header = take_header(rest);
    if (!header || !rest.empty()) return Error{e::kLogBadHeader};
    header_ = std::move(*header);
    return header_end + 2;
}

// Plays the whole log once without a game, so that errors come before the first step.
Result<void> InputLog::scan(bool accept_truncated) {
    Cursor cursor = cursor_;
    std::uint64_t steps = 0;
    while (true) {
        switch (decode(bytes_, cursor)) {
            case Record::step:
                ++steps;
                break;
            case Record::restart:
            case Record::answer:
            case Record::world:
                break;
            case Record::limit:
                if (!limit_) limit_ = ReplayLimit{steps, cursor.limit};
                break;
            case Record::corrupt:
                return Error{fmt::format(e::kLogCorrupt, cursor.at, steps)};
            case Record::end:
                if (bytes_.size() - cursor.at >= kEndMarkBytes) return check_end(cursor, steps);
                [[fallthrough]];  // a truncated end mark is missing
            case Record::truncated:
                if (!accept_truncated) return Error{fmt::format(e::kLogTruncated, steps)};
                step_count_ = steps;
                return {};
        }
    }
}

Result<void> InputLog::check_end(const Cursor& cursor, std::uint64_t steps) {
    ByteReader in{bytes_, cursor.at};
    step_count_ = in.get<std::uint64_t>();
    world_hash_ = in.get<std::uint64_t>();
    const std::size_t hashed_size = in.position();
    const std::uint64_t checksum = in.get<std::uint64_t>();
    if (!in.is_at_end() || step_count_ != steps) return Error{fmt::format(e::kLogCorrupt, cursor.at, steps)};
    if (checksum != XXH3_64bits(bytes_.data(), hashed_size)) return Error{e::kLogBadChecksum};
    return {};
}

Result<void> InputLog::expect_game(std::string_view game, std::uint32_t steps_per_second) const {
    if (header_.game != game) return Error{fmt::format(e::kLogOtherGame, header_.game, game)};
    if (header_.steps_per_second != steps_per_second)
        return Error{fmt::format(e::kLogOtherRate, header_.steps_per_second, steps_per_second)};
    return {};
}

bool InputLog::is_restart_next() const noexcept {
    return cursor_.repeats == 0 && cursor_.at < bytes_.size() &&
           static_cast<std::uint8_t>(bytes_[cursor_.at]) == kRestart;
}

void InputLog::take_restart() {
    ECS_EXPECTS(is_restart_next());
    decode(bytes_, cursor_);
    take_annotations();
}

// Reads what belongs to the last step, so that the next record is a step, a restart or the end.
void InputLog::take_annotations() {
    answers_.clear();
    stored_hash_.reset();
    while (cursor_.repeats == 0 && cursor_.at < bytes_.size()) {
        const auto tag = static_cast<std::uint8_t>(bytes_[cursor_.at]);
        if (tag != kLimit && tag != kAnswer && tag != kWorld) return;
        const Record record = decode(bytes_, cursor_);
        if (record == Record::answer) answers_.push_back(std::move(cursor_.answer));
        if (record == Record::world) stored_hash_ = cursor_.world_hash;
        if (record != Record::answer && record != Record::limit && record != Record::world) return;
    }
}

std::optional<StoredWorld> InputLog::go_to_world(std::uint64_t step) {
    std::optional<StoredWorld> found;
    std::uint64_t steps = 0;
    for (Cursor cursor = first_; steps <= step;) {
        const Record record = decode(bytes_, cursor);
        if (record == Record::step) ++steps;
        if (record == Record::end || record == Record::truncated) break;
        if (record != Record::world) continue;
        found = {steps, cursor.world_hash,
                 std::string_view(bytes_).substr(cursor.world_at, cursor.world_size)};
        cursor_ = cursor;
    }
    if (!found) return found;
    steps_played_ = found->step_count;
    take_annotations();
    return found;
}

StepInput InputLog::take_step(ActionMap& map) {
    ECS_EXPECTS(!is_finished() && !is_restart_next(), steps_played_, step_count_);
    const Record record = decode(bytes_, cursor_);
    ECS_INVARIANT(record == Record::step);
    ++steps_played_;
    take_annotations();

    for (const std::string& name : cursor_.names)
        // A game that declares other actions than the recorded one may run out of room; the rest is unknown
        // to it.
        if (map.find(name) >= map.size()) static_cast<void>(map.declare(name, {}));
    StepInput input = cursor_.input;
    input.actions.assign(map.size(), {});
    for (std::size_t i = 0; i < cursor_.names.size(); ++i) {
        const std::size_t id = map.find(cursor_.names[i]);
        if (id < map.size()) input.actions[id] = cursor_.input.actions[i];
    }
    return input;
}

}  // namespace perigee
