// The code blocks in a page of documentation.
#pragma once

#include <catch2/catch.hpp>

#include <sstream>
#include <string>
#include <vector>

namespace perigee::test {

struct Block {
    std::string language;  ///< "lua", "cpp", "sh", "cmake"
    std::string file;      ///< "main.lua"; empty if the block has none
    bool is_addition;      ///< "+": goes to the end of the file
    std::string text;
};

inline std::vector<Block> blocks_of(const std::string& markdown) {
    std::vector<Block> blocks;
    std::istringstream lines(markdown);
    bool is_inside = false;
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("```")) {
            if (!is_inside) {
                std::istringstream words(line.substr(3));
                Block block{};
                std::string plus;
                words >> block.language >> block.file >> plus;
                block.is_addition = plus == "+";
                blocks.push_back(block);
            }
            is_inside = !is_inside;
        } else if (is_inside) {
            blocks.back().text += line + "\n";
        }
    }
    REQUIRE_FALSE(is_inside);
    return blocks;
}

}  // namespace perigee::test
