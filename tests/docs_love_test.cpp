// The page for users of LÖVE is complete: each function of tests/love_names.txt has one row in the table of
// its module, and each function of Perigee that the page names exists. Not here: whether the notes are right.
#include "tests/support/annotated_api.h"
#include "tests/support/markdown.h"

#include <catch2/catch.hpp>

#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <utility>

namespace perigee {
namespace {

using Names = std::set<std::pair<std::string, std::string>>;  // module, function

Names functions_of_love() {
    Names names;
    std::istringstream lines(test::text_of("tests/love_names.txt"));
    for (std::string line; std::getline(lines, line);) {
        if (line.empty() || line.starts_with('#')) continue;
        const std::size_t space = line.find(' ');
        REQUIRE(space != line.npos);
        CHECK(names.emplace(line.substr(0, space), line.substr(space + 1)).second);
    }
    return names;
}

// The names in the first cells of the tables, by the section that they stand in.
std::multiset<std::pair<std::string, std::string>> rows_of_page() {
    constexpr std::string_view kLove = "## love.", kCallbacks = "## Callbacks";
    const std::regex quoted{"`([^`]+)`"};
    std::multiset<std::pair<std::string, std::string>> rows;
    std::string module;
    std::istringstream lines(test::text_of("docs/coming-from-love.md"));
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("## ")) {
            module = line.starts_with(kLove) ? line.substr(kLove.size())
                     : line == kCallbacks    ? "callbacks"
                                             : "";
        }
        if (module.empty() || !line.starts_with("| `")) continue;
        const std::string cell = line.substr(0, line.find('|', 1));
        for (std::sregex_iterator at{cell.begin(), cell.end(), quoted}, end; at != end; ++at)
            rows.emplace(module, (*at)[1]);
    }
    return rows;
}

TEST_CASE("each function of LÖVE has one row in the table of its module") {
    const Names wanted = functions_of_love();
    CHECK(wanted.size() == 299);
    const auto rows = rows_of_page();
    for (const auto& name : wanted) {
        INFO(name.first << "." << name.second);
        CHECK(rows.count(name) == 1);
    }
    for (const auto& name : rows) {
        INFO(name.first << "." << name.second << " is no function of LÖVE");
        CHECK(wanted.contains(name));
    }
}

TEST_CASE("each row says what to write here, or why there is nothing") {
    const std::regex row{R"(\| (`.+`) \| (.+) \| ?(.*) ?\|)"};
    std::istringstream lines(test::text_of("docs/coming-from-love.md"));
    int count = 0;
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with("| `")) continue;
        INFO(line);
        std::smatch cells;
        REQUIRE(std::regex_match(line, cells, row));
        const std::string here = cells[2];
        CHECK((here == "no" || here == "not yet" || here.find('`') != here.npos));
        ++count;
    }
    CHECK(count > 120);
}

TEST_CASE("each function that the page for users of LÖVE names exists") {
    const ApiTable api = annotated_api();
    const std::string text = test::text_of("docs/coming-from-love.md");
    const std::regex call{R"((^|[^\w.])(gfx|input|audio|app|save)\.(\w+))"};
    std::set<std::string> named;
    for (std::sregex_iterator at{text.begin(), text.end(), call}, end; at != end; ++at) {
        const std::string module = (*at)[2], name = (*at)[3];
        if (name == "md") continue;  // a page
        const ApiClass* const found = api.find(module);
        REQUIRE(found != nullptr);
        INFO(module << "." << name);
        CHECK((found->function(name) != nullptr || found->field(name) != nullptr));
        named.insert(module + "." + name);
    }
    CHECK(named.size() > 50);
}

}  // namespace
}  // namespace perigee
