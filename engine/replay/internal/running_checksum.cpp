// The state of XXH3 is half a kilobyte, so it is not in the header.
#include "engine/replay/internal/running_checksum.h"

#define XXH_INLINE_ALL
#define XXH_NO_INLINE_HINTS 1  // GCC cannot inline the streaming functions in debug builds
#include <xxhash.h>

namespace perigee::internal {

struct RunningChecksum::State {
    XXH3_state_t of_bytes;
};

RunningChecksum::RunningChecksum() : state_(std::make_unique<State>()) {
    XXH3_64bits_reset(&state_->of_bytes);
}
RunningChecksum::~RunningChecksum() = default;
RunningChecksum::RunningChecksum(RunningChecksum&&) noexcept = default;
RunningChecksum& RunningChecksum::operator=(RunningChecksum&&) noexcept = default;

void RunningChecksum::add(std::string_view bytes) noexcept {
    XXH3_64bits_update(&state_->of_bytes, bytes.data(), bytes.size());
}

std::uint64_t RunningChecksum::value() const noexcept { return XXH3_64bits_digest(&state_->of_bytes); }

}  // namespace perigee::internal
