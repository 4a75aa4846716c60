// Where a program finds its decoder.
#include "engine/assets/decoder.h"
#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>

using namespace perigee;

TEST_CASE("the decoder is found next to the program, and otherwise in the libexec folder of its prefix") {
    const test::TemporaryFolder prefix;
    const std::filesystem::path program = prefix.write("bin/game", "");
    const std::filesystem::path installed = prefix.write("libexec/perigee/perigee_decoder", "");
    CHECK(decoder_program(program) == installed);
    const std::filesystem::path beside = prefix.write("bin/perigee_decoder", "");
    CHECK(decoder_program(program) == beside);
}
