// Everything about the disk happens through PlayerData, so it is in a recording.
#include "engine/modules/world_saves.h"

#include "engine/base/error_codes.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

namespace perigee {

std::vector<WorldResult> WorldSaves::carry_out(const PlayerData::Make& save,
                                               const std::function<Result<void>(std::string_view)>& load) {
    std::vector<WorldResult> done;
    for (WorldRequest& request : std::exchange(requests_, {})) {
        WorldResult result{std::move(request), {}, false};
        const Result<void> carried_out =
            result.request.is_load ? load_from(result, load) : save_as(result.request.name, save);
        if (!carried_out) result.error = carried_out.error().message;
        results_.push_back(result);
        if (results_.size() > kMaxResults) results_.pop_front();
        done.push_back(std::move(result));
    }
    return done;
}

bool WorldSaves::take_result() {
    if (results_.empty()) return false;
    result_ = std::move(results_.front());
    results_.pop_front();
    return true;
}

// The room is checked before writing, within what a replay skips, since other machines may compress a world
// to another size.
Result<void> WorldSaves::save_as(const std::string& name, const PlayerData::Make& save) {
    if (!files_.list_files()) return Error{files_.error};
    std::uint64_t size = 0;
    Result<void> written = files_.data.write_made(files_.place, name, [&]() -> Result<std::string> {
        Result<std::string> bytes = save();
        if (!bytes) return Error{fmt::format(engine_errors::kWorldCannotSave, bytes.error().message)};
        size = bytes.value().size();
        if (!files_.has_room(name, size)) return Error{files_.error};
        return bytes;
    });
    if (written) files_.files[name].bytes = size;
    return written;
}

Result<void> WorldSaves::load_from(WorldResult& result,
                                   const std::function<Result<void>(std::string_view)>& load) {
    Result<std::optional<PlayerData::Content>> found =
        files_.data.read(files_.place, result.request.name, PlayerData::Version::newest_intact);
    if (!found) return found.error();
    if (!found.value()) return Error{engine_errors::kWorldUnknown};
    Result<void> loaded = load(found.value()->bytes);
    if (!loaded) return Error{fmt::format(engine_errors::kWorldCannotLoad, loaded.error().message)};
    result.is_previous = found.value()->is_previous;
    return {};
}

}  // namespace perigee
