// Runs a shell command and returns its output.
#pragma once

#include <catch2/catch.hpp>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <string>

namespace perigee::test {

struct CommandOutput {
    int status = -1;   ///< -1: ended by a signal
    std::string text;  ///< both streams
};

inline CommandOutput output_of(const std::string& command) {
    CommandOutput output;
    FILE* pipe = popen(("{ " + command + "; } 2>&1").c_str(), "r");
    REQUIRE(pipe != nullptr);
    std::array<char, 4096> buffer;
    for (std::size_t got = 0; (got = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
        output.text.append(buffer.data(), got);
    const int status = pclose(pipe);
    output.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return output;
}

/// The output of a command that must succeed.
inline std::string said_by(const std::string& command) {
    const CommandOutput output = output_of(command);
    INFO(command << "\n" << output.text);
    REQUIRE(output.status == 0);
    return output.text;
}

}  // namespace perigee::test
