// The pages of documentation: their text, and the code blocks in it.
#pragma once

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
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

/// A relative path begins in the repository.
inline std::string text_of(const std::filesystem::path& path) {
    std::ifstream file(std::filesystem::path(PERIGEE_SOURCE_DIR) / path, std::ios::binary);
    INFO(path.string());
    REQUIRE(file.good());
    return {std::istreambuf_iterator<char>(file), {}};
}

inline std::string page_of_docs(const std::string& name) { return text_of("docs/" + name); }

/// docs/lua-api.md and the pages that it lists, one after the other.
inline std::string lua_api_pages() {
    const std::string index = page_of_docs("lua-api.md");
    const std::regex link{R"(\| \[[^\]]+\]\((lua/[\w-]+\.md)\))"};
    std::string text = index;
    for (std::sregex_iterator at{index.begin(), index.end(), link}, end; at != end; ++at)
        text += page_of_docs((*at)[1]);
    return text;
}

}  // namespace perigee::test
