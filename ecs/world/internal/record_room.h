// Limits the records for observers that one playback causes. Observers pay for records (observers.h); this
// keeps the commands of one mod from making more of them than any observer can pay for. A record without room
// is dropped, and the playback fails, not the observers.
#pragma once

#include <cstddef>
#include <cstdint>

namespace perigee::internal {

struct RecordRoom {
    explicit RecordRoom(std::size_t& left) noexcept : bytes(left) {}

    std::size_t& bytes;         ///< bytes left
    std::uint64_t refused = 0;  ///< records

    bool take(std::size_t records, std::size_t record_bytes) noexcept {
        if (record_bytes > bytes) {
            refused += records;
            return false;
        }
        bytes -= record_bytes;
        return true;
    }
};

/// The room of the playback that this thread carries out; null: no limit.
inline constinit thread_local RecordRoom* t_record_room = nullptr;

}  // namespace perigee::internal
