// Encoding by difference to the step before.
#include "ecs/base/contract.h"
#include "ecs/base/internal/byte_stream.h"
#include "engine/replay/input_log.h"
#include "engine/replay/internal/input_log_format.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <utility>

namespace perigee {

using internal::put_number;
using internal::put_varint;
using internal::zigzag;
namespace f = input_format;

namespace {

// "released" follows from the step before, so it is not stored.
bool is_same_state(const ActionState& a, const ActionState& b) {
    return a.level == b.level && a.down == b.down && a.pressed == b.pressed;
}

}  // namespace

const std::size_t InputLogWriter::kVersionAt = f::kInputMagic.size();
const std::string_view InputLogWriter::kNewerVersion = f::kInputVersion;

InputLogWriter::InputLogWriter(const LogHeader& header, bool stores_worlds)
    : bytes_(header_text(f::kInputMagic,
                         stores_worlds ? f::kVersionWithoutContents : f::kVersionWithoutWorlds, header)),
      stores_worlds_(stores_worlds) {}

void InputLogWriter::flush_repeats() {
    while (repeats_ > 0) {
        const std::uint64_t now = std::min(repeats_, f::kMaxRepeats);
        bytes_ += static_cast<char>(f::kRepeat + now);
        repeats_ -= now;
    }
}

void InputLogWriter::put_states(const StepInput& input) {
    std::string states;
    std::uint64_t count = 0;
    for (std::size_t id = 0; id < input.actions.size(); ++id) {
        const ActionState& state = input.actions[id];
        if (is_same_state(state, rest_.actions[id])) continue;
        const bool has_level = state.level != f::usual_level(state.down);
        put_varint(states, id);
        states += static_cast<char>((state.down ? f::kDown : 0) | (state.pressed ? f::kPressed : 0) |
                                    (has_level ? f::kLevel : 0));
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

    std::uint8_t flags = has_new ? f::kNewActions : 0;
    if (!std::ranges::equal(input.actions, rest_.actions, is_same_state)) flags |= f::kStates;
    if (input.mouse_x != rest_.mouse_x || input.mouse_y != rest_.mouse_y) flags |= f::kMouse;
    if (input.wheel != 0) flags |= f::kWheel;
    if (!input.events.empty()) flags |= f::kEvents;
    if (input.screen != rest_.screen) flags |= f::kScreen;

    ++step_count_;
    if (flags == 0) {
        ++repeats_;
        return;
    }
    flush_repeats();
    if ((flags & f::kScreen) != 0) use_newer_version();
    bytes_ += static_cast<char>(flags);
    if (has_new) {
        put_varint(bytes_, map.size() - known);
        for (std::size_t id = known; id < map.size(); ++id) {
            put_varint(bytes_, map[id].name.size());
            bytes_ += map[id].name;
        }
    }
    if ((flags & f::kStates) != 0) put_states(input);
    if ((flags & f::kMouse) != 0) {
        put_varint(bytes_, zigzag(input.mouse_x - rest_.mouse_x));
        put_varint(bytes_, zigzag(input.mouse_y - rest_.mouse_y));
    }
    if ((flags & f::kWheel) != 0) put_varint(bytes_, zigzag(input.wheel));
    if ((flags & f::kScreen) != 0) {
        put_varint(bytes_, input.screen.width);
        put_varint(bytes_, input.screen.height);
    }
    if ((flags & f::kEvents) != 0) put_events(input);
    rest_ = input;
    f::clear_edges(rest_);
}

void InputLogWriter::restart() {
    flush_repeats();
    bytes_ += static_cast<char>(f::kRestart);
    rest_ = {};
    controls_.clear();
}

void InputLogWriter::mark_not_replayable(std::string_view reason) {
    flush_repeats();
    reason = reason.substr(0, f::kMaxReasonBytes);
    bytes_ += static_cast<char>(f::kLimit);
    put_varint(bytes_, reason.size());
    bytes_ += reason;
}

void InputLogWriter::answer(const SaveAnswer& answer) {
    flush_repeats();
    const std::uint64_t content = answer.content != nullptr ? put_content(*answer.content) : 0;
    bytes_ += static_cast<char>(answer.content != nullptr ? f::kLoaded : f::kAnswer);
    put_varint(bytes_, answer.place.size());
    bytes_ += answer.place;
    put_varint(bytes_, answer.bytes.size());
    bytes_ += answer.bytes;
    if (answer.content != nullptr) put_varint(bytes_, content);
}

void InputLogWriter::use_newer_version() {
    if (!std::exchange(is_newer_, true) && !is_header_taken_)
        bytes_.replace(kVersionAt, kNewerVersion.size(), kNewerVersion);
}

// Once for each content; its number.
std::uint64_t InputLogWriter::put_content(std::string_view content) {
    use_newer_version();
    const XXH128_hash_t hash = XXH3_128bits(content.data(), content.size());
    const auto [number, is_new] = contents_.try_emplace({hash.high64, hash.low64}, contents_.size());
    if (!is_new) return number->second;
    bytes_ += static_cast<char>(f::kContent);
    put_varint(bytes_, content.size());
    bytes_ += content;
    return number->second;
}

// The checksum of the newer version is made of the same bytes, in case the log gets that version.
void InputLogWriter::add_to_checksums() {
    if (!std::exchange(is_header_taken_, true)) {
        std::string newer = bytes_;
        newer.replace(kVersionAt, kNewerVersion.size(), kNewerVersion);
        newer_checksum_.add(newer);
    } else {
        newer_checksum_.add(bytes_);
    }
    checksum_.add(bytes_);
}

void InputLogWriter::store_world(std::uint64_t world_hash, std::string_view bytes) {
    ECS_EXPECTS(stores_worlds_);
    flush_repeats();
    bytes_ += static_cast<char>(f::kWorld);
    put_number(bytes_, world_hash);
    put_varint(bytes_, bytes.size());
    bytes_ += bytes;
}

void InputLogWriter::finish(std::uint64_t world_hash) {
    flush_repeats();
    bytes_ += static_cast<char>(f::kEnd);
    put_number<std::uint64_t>(bytes_, step_count_);
    put_number<std::uint64_t>(bytes_, world_hash);
    add_to_checksums();
    put_number<std::uint64_t>(bytes_, (is_newer_ ? newer_checksum_ : checksum_).value());
}

std::string InputLogWriter::take_bytes() {
    flush_repeats();  // a quiet second is part of the recording
    add_to_checksums();
    return std::exchange(bytes_, {});
}

}  // namespace perigee
