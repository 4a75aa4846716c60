// One sentence, or one file.
#include "game/command_output.h"

#include "game/error_codes.h"

#include <fmt/format.h>

#include <cstdio>
#include <fstream>
#include <system_error>

namespace perigee {

int give_up(const Error& error, int status) {
    fmt::print(stderr, "perigee: {}\n", error.message);
    return status;
}

Result<void> write_file(const std::filesystem::path& file, std::string_view text) {
    std::error_code failed;
    std::filesystem::create_directories(file.parent_path(), failed);
    std::ofstream out{file, std::ios::binary};
    out << text;
    out.close();
    if (failed || !out) return Error{fmt::format(game_errors::kCannotWrite, file.string())};
    return {};
}

}  // namespace perigee
