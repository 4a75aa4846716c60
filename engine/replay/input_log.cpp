// Decoding that trusts no byte of the file. Not here: writing (input_log_write.cpp).
#include "engine/replay/input_log.h"

#define XXH_INLINE_ALL
#include "ecs/base/contract.h"
#include "ecs/base/internal/byte_stream.h"
#include "engine/base/error_codes.h"
#include "engine/replay/internal/input_log_format.h"
#include "scripting/base/shown_text.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>

namespace perigee {

namespace {

using internal::ByteReader;
using internal::unzigzag;
namespace e = engine_errors;
namespace f = input_format;

bool read_states(ByteReader& in, std::vector<ActionState>& actions) {
    for (std::uint64_t count = in.get_varint(); count > 0 && in.is_ok(); --count) {
        const std::uint64_t action = in.get_varint();
        const std::uint8_t bits = in.get<std::uint8_t>();
        if (!in.is_ok()) return true;  // reported as truncated
        if (action >= actions.size() || bits > (f::kDown | f::kPressed | f::kLevel)) return false;
        ActionState& state = actions[action];
        const bool was_down = state.down;
        state.down = (bits & f::kDown) != 0;
        state.pressed = (bits & f::kPressed) != 0;
        state.released = was_down && !state.down;
        state.level = (bits & f::kLevel) != 0 ? in.get<std::uint8_t>() : f::usual_level(state.down);
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

bool read_screen(ByteReader& in, ScreenSize& screen) {
    const std::uint64_t width = in.get_varint(), height = in.get_varint();
    if (width > kMaxScreenSide || height > kMaxScreenSide || (width == 0) != (height == 0)) return false;
    screen = {static_cast<std::uint16_t>(width), static_cast<std::uint16_t>(height)};
    return true;
}

}  // namespace

bool InputLog::read_step(ByteReader& in, std::uint8_t flags, Cursor& cursor) {
    StepInput& input = cursor.input;
    bool is_valid = true;
    if ((flags & f::kNewActions) != 0) is_valid = read_names(in, cursor.names);
    input.actions.resize(cursor.names.size());
    if (is_valid && (flags & f::kStates) != 0) is_valid = read_states(in, input.actions);
    if (is_valid && (flags & f::kMouse) != 0)
        is_valid = move_mouse(input.mouse_x, unzigzag(in.get_varint())) &&
                   move_mouse(input.mouse_y, unzigzag(in.get_varint()));
    if (is_valid && (flags & f::kWheel) != 0) is_valid = move_mouse(input.wheel, unzigzag(in.get_varint()));
    if (is_valid && (flags & f::kScreen) != 0 && cursor.has_contents) {
        is_valid = read_screen(in, input.screen);
    } else if (is_valid && (flags & f::kText) != 0) {
        const std::uint64_t size = in.get_varint();
        is_valid = size <= kMaxStepTextBytes;
        input.text = in.take(size);
        if (!input.text.empty()) input.events.push_back(text_event(input.text.size()));
    }
    if (is_valid && (flags & f::kEvents) != 0) is_valid = read_events(in, cursor.controls, input);
    return is_valid;
}

// What is in a log besides steps and restarts, after its tag.
InputLog::Record InputLog::decode_annotation(std::uint8_t tag, ByteReader& in, Cursor& cursor) {
    const auto take = [&in](std::uint64_t max, auto& bytes) {
        const std::uint64_t size = in.get_varint();
        if (in.is_ok() && size > max) return false;
        bytes = in.take(size);
        return true;
    };
    switch (tag) {
        case f::kLimit:
            return take(f::kMaxReasonBytes, cursor.limit) ? Record::limit : Record::corrupt;
        case f::kAnswer:
        case f::kLoaded: {
            if (tag == f::kLoaded && !cursor.has_contents) return Record::corrupt;
            if (!take(f::kMaxPlaceBytes, cursor.answer.place) || !take(kMaxAnswerBytes, cursor.answer.bytes))
                return Record::corrupt;
            if (tag == f::kAnswer) return Record::answer;
            cursor.content = in.get_varint();
            return !in.is_ok() || cursor.content < cursor.contents.size() ? Record::loaded : Record::corrupt;
        }
        case f::kWorld: {
            if (!cursor.has_worlds) return Record::corrupt;
            cursor.world_hash = in.get<std::uint64_t>();
            cursor.world_size = in.get_varint();
            cursor.world_at = in.position();
            static_cast<void>(in.take(cursor.world_size));
            return Record::world;
        }
        default: {
            if (!cursor.has_contents) return Record::corrupt;
            std::string_view content;
            if (!take(kMaxWorldBytes, content)) return Record::corrupt;
            if (in.is_ok()) cursor.contents.push_back({in.position() - content.size(), content.size()});
            return Record::content;
        }
    }
}

InputLog::Record InputLog::decode(std::string_view bytes, Cursor& cursor) {
    if (cursor.repeats > 0) {
        --cursor.repeats;
        f::clear_edges(cursor.input);
        return Record::step;
    }
    ByteReader in{bytes, cursor.at};
    const std::uint8_t tag = in.get<std::uint8_t>();
    if (!in.is_ok()) return Record::truncated;
    cursor.at = in.position();
    if (tag == f::kEnd) return Record::end;
    if (tag == f::kRestart) {
        cursor.names.clear();
        cursor.controls.clear();
        cursor.input = {};
        return Record::restart;
    }
    if (f::is_annotation(tag)) {
        const Record record = decode_annotation(tag, in, cursor);
        if (record == Record::corrupt && !in.has_run_out()) return record;
        cursor.at = in.position();
        return in.has_run_out() ? Record::truncated : in.is_ok() ? record : Record::corrupt;
    }
    f::clear_edges(cursor.input);
    if (tag > f::kRepeat) {
        cursor.repeats = tag - f::kRepeat - 1U;
        return Record::step;
    }
    std::uint8_t known = cursor.has_events ? f::kAllFlags : f::kAllFlagsWithoutEvents;
    if (cursor.has_contents) known |= f::kScreen;
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
    if (!all.starts_with(f::kInputMagic)) return Error{e::kLogNotALog};
    const std::size_t header_end = all.find("\n\n");
    if (header_end == std::string_view::npos) return Error{fmt::format(e::kLogTruncated, 0)};

    std::string_view rest = all.substr(0, header_end + 1);
    const auto version = take_line(rest, f::kInputMagic);
    cursor_.has_contents = version == f::kInputVersion;
    cursor_.has_worlds = cursor_.has_contents || version == f::kVersionWithoutContents;
    cursor_.has_events = cursor_.has_worlds || version == f::kVersionWithoutWorlds;
    if (!cursor_.has_events && version != f::kVersionWithoutEvents &&
        version != f::kInputVersionWithoutLuaJit)
        return Error{fmt::format(e::kLogOtherVersion, version.value_or(""), f::kInputVersion)};
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
            case Record::content:
            case Record::loaded:
                break;
            case Record::limit:
                if (!limit_) limit_ = ReplayLimit{steps, cursor.limit};
                break;
            case Record::corrupt:
                return Error{fmt::format(e::kLogCorrupt, cursor.at, steps)};
            case Record::end:
                if (bytes_.size() - cursor.at >= f::kEndMarkBytes) return check_end(cursor, steps);
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
           static_cast<std::uint8_t>(bytes_[cursor_.at]) == f::kRestart;
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
        if (!f::is_annotation(tag)) return;
        const Record record = decode(bytes_, cursor_);
        if (record == Record::truncated || record == Record::corrupt) return;
        if (record == Record::loaded) cursor_.answer.content = content(cursor_.content);
        if (record == Record::answer || record == Record::loaded)
            answers_.push_back(std::exchange(cursor_.answer, {}));
        if (record == Record::world) stored_hash_ = cursor_.world_hash;
    }
}

// One copy for all answers that have it.
std::shared_ptr<const std::string> InputLog::content(std::uint64_t number) {
    std::shared_ptr<const std::string> known = contents_[number].lock();
    if (known != nullptr) return known;
    const Cursor::Content& place = cursor_.contents[number];
    known = std::make_shared<const std::string>(bytes_, place.at, place.size);
    contents_[number] = known;
    return known;
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
