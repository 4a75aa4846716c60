// Messages about files, and worlds in them.
#include "ecs/base/error_codes.h"

#include <fmt/format.h>

namespace perigee::errors {

std::string save_no_file() { return "this is not a saved world"; }
std::string save_other_format(unsigned format, unsigned known) {
    return fmt::format("the saved world has format {}; this program reads format {}", format, known);
}
std::string save_damaged(std::string_view reason) {
    return fmt::format("the saved world is damaged: {}", reason);
}
std::string save_too_large(std::uint64_t bytes, std::uint64_t max) {
    return fmt::format("the saved world takes {} bytes; the limit is {}", bytes, max);
}
std::string save_part_too_large() { return "the world cannot be saved: one of its types takes over 4 GiB"; }
std::string save_object(std::string_view name, std::uint64_t entity) {
    return fmt::format(
        "component '{}', entity {}: the world cannot be saved with this object, which is outside of it", name,
        entity);
}
std::string save_object_unread(std::string_view name) {
    return fmt::format("component '{}': the saved world has objects of it, and no function reads them", name);
}
std::string save_unknown_type(std::string_view where) {
    return fmt::format("{}: the saved world has values of it, but it is not declared", where);
}
std::string save_does_not_fit(std::string_view reasons) {
    return fmt::format("the saved world does not fit this version of the game:\n{}", reasons);
}
std::string save_other_chunks() {
    return "the saved world has chunks of another size than this one (WorldConfig::shape)";
}
std::string save_no_room(std::string_view reason) {
    return fmt::format("the saved world does not fit into this one: {}", reason);
}
std::string save_unreadable(std::string_view file, std::string_view reason) {
    return fmt::format("the saved world '{}' {}", file, reason);
}
std::string save_in_file(std::string_view file, std::string_view reason) {
    return fmt::format("'{}': {}", file, reason);
}
std::string save_cannot_write(std::string_view file, std::string_view reason) {
    return fmt::format("cannot write '{}': {}", file, reason);
}

// ---- files ----
std::string file_missing() { return "does not exist"; }
std::string file_is_other(std::string_view kind) { return fmt::format("is a {}, not a file", kind); }
std::string file_unreadable(std::string_view reason) { return fmt::format("cannot be read: {}", reason); }
std::string file_too_large(std::uint64_t bytes, std::uint64_t max) {
    return fmt::format("has {} bytes; the limit is {}", bytes, max);
}
std::string file_in_use() { return "another program is writing it"; }
std::string pipe_without_reader() { return "it is a pipe that no program reads"; }
std::string output_is_no_file(std::string_view reason) { return fmt::format("it {}", reason); }

}  // namespace perigee::errors
