// The numbers of the format of an input log, for its writer and its reader. input_log.h describes the format.
//
// Not here: reading (input_log.cpp) and writing (input_log_write.cpp).
#pragma once

#include "engine/input/input.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace perigee::input_format {

inline constexpr std::string_view kInputMagic = "perigee input log ";
inline constexpr std::string_view kInputVersion = "5";
inline constexpr std::string_view kVersionWithoutContents = "4";
inline constexpr std::string_view kVersionWithoutWorlds = "3";
inline constexpr std::string_view kVersionWithoutEvents = "2";
inline constexpr std::string_view kInputVersionWithoutLuaJit = "1";

inline constexpr std::uint8_t kNewActions = 0x01;
inline constexpr std::uint8_t kStates = 0x02;
inline constexpr std::uint8_t kMouse = 0x04;
inline constexpr std::uint8_t kWheel = 0x08;
inline constexpr std::uint8_t kText = 0x10;    // in versions without events
inline constexpr std::uint8_t kScreen = 0x10;  // in the newest version
inline constexpr std::uint8_t kEvents = 0x20;
inline constexpr std::uint8_t kAllFlags = kNewActions | kStates | kMouse | kWheel | kEvents;
inline constexpr std::uint8_t kAllFlagsWithoutEvents = kNewActions | kStates | kMouse | kWheel | kText;
inline constexpr std::uint8_t kRestart = 0x40;
inline constexpr std::uint8_t kLimit = 0x41;
inline constexpr std::uint8_t kAnswer = 0x42;
inline constexpr std::uint8_t kWorld = 0x43;
inline constexpr std::uint8_t kContent = 0x44;
inline constexpr std::uint8_t kLoaded = 0x45;
inline constexpr std::uint8_t kRepeat = 0x80;
inline constexpr std::uint64_t kMaxRepeats = 126;
inline constexpr std::uint8_t kEnd = 0xFF;
inline constexpr std::size_t kEndMarkBytes = 3 * sizeof(std::uint64_t);  // after the byte kEnd

inline constexpr std::size_t kMaxReasonBytes = 255;
inline constexpr std::size_t kMaxPlaceBytes = 255;

inline bool is_annotation(std::uint8_t tag) { return tag >= kLimit && tag <= kLoaded; }

inline constexpr std::uint8_t kDown = 1;
inline constexpr std::uint8_t kPressed = 2;
inline constexpr std::uint8_t kLevel = 4;

constexpr std::uint8_t usual_level(bool is_down) { return is_down ? 255 : 0; }

// The step that costs nothing to write: no movement, no edges.
inline void clear_edges(StepInput& input) {
    for (ActionState& state : input.actions) state.pressed = state.released = false;
    input.wheel = 0;
    input.text.clear();
    input.events.clear();
}

}  // namespace perigee::input_format
