// Pages lead to pages: links, the lists of pages and decisions, and the files that READMEs of folders name.
#include "tests/support/markdown.h"

#include <catch2/catch.hpp>

#include <filesystem>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace perigee {
namespace {

namespace fs = std::filesystem;
using Catch::Matchers::Contains;

std::string page(const char* name) { return test::page_of_docs(name); }

// The page without its blocks of code, where "](" begins the parameters of a lambda.
std::string without_code(const std::string& text) {
    std::string prose;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t block = std::min(text.find("```", at), text.size());
        prose += text.substr(at, block - at);
        const std::size_t end = block < text.size() ? text.find("```", block + 3) : text.npos;
        at = end == text.npos ? text.size() : end + 3;
    }
    return prose;
}

TEST_CASE("links between the pages lead to files") {
    const fs::path root(PERIGEE_SOURCE_DIR);
    std::vector<fs::path> pages{root / "README.md"};
    for (const auto& entry : fs::recursive_directory_iterator(root / "docs"))
        if (entry.path().extension() == ".md") pages.push_back(entry.path());
    CHECK(pages.size() > 40);
    for (const fs::path& page : pages) {
        const std::string text = without_code(test::text_of(page));
        for (std::size_t at = text.find("]("); at != std::string::npos; at = text.find("](", at + 1)) {
            const std::string target = text.substr(at + 2, text.find_first_of(")#", at + 2) - at - 2);
            if (target.empty() || target.starts_with("http")) continue;
            INFO(page << " -> " << target);
            const fs::path file = page.parent_path() / target;
            CHECK(fs::exists(file));
            // The HTML shows one of these for a folder.
            if (fs::is_directory(file) && page.parent_path().filename() != "html")
                CHECK((fs::exists(file / "README.md") || fs::exists(file / "main.lua")));
        }
    }
}

TEST_CASE("docs/decisions/README.md lists every decision") {
    const std::string index = page("decisions/README.md");
    int count = 0;
    for (const auto& entry : fs::directory_iterator(fs::path(PERIGEE_SOURCE_DIR) / "docs/decisions")) {
        const std::string name = entry.path().filename().string();
        if (name == "README.md") continue;
        CHECK_THAT(index, Contains("](" + name + ")"));
        ++count;
    }
    CHECK(count > 40);
}

TEST_CASE("docs/README.md lists every page") {
    const fs::path docs = fs::path(PERIGEE_SOURCE_DIR) / "docs";
    const std::string index = page("README.md");
    for (const fs::path& folder : {docs, docs / "tasks", docs / "lua"}) {
        for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
            const std::string name = fs::relative(entry.path(), docs).generic_string();
            if (entry.path().extension() != ".md" || name == "README.md") continue;
            CHECK_THAT(index, Contains("](" + name + ")"));
        }
    }
}

TEST_CASE("README files of folders name files that exist") {
    const fs::path root(PERIGEE_SOURCE_DIR);
    const std::regex link{R"(\]\(([^)#:]+)\))"}, file{R"(`([\w/]+\.(?:h|cpp|c|lua|cmake))`)"};
    // A file of each game or mod.
    const std::set<std::string> anywhere{"main.lua", "schema.lua"};
    int folders = 0;
    for (const char* top : {"bench", "cmake", "ecs", "engine", "game", "scripting", "scripts", "tests"}) {
        for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
            if (entry.path().filename() != "README.md") continue;
            const fs::path folder = entry.path().parent_path();
            const std::string text = without_code(test::text_of(entry.path()));
            ++folders;
            for (std::sregex_iterator at{text.begin(), text.end(), link}, end; at != end; ++at) {
                INFO(entry.path() << " -> " << (*at)[1]);
                CHECK(fs::exists(folder / (*at)[1].str()));
            }
            for (std::sregex_iterator at{text.begin(), text.end(), file}, end; at != end; ++at) {
                const std::string name = (*at)[1];
                INFO(entry.path() << ": " << name);
                CHECK((anywhere.contains(name) || fs::exists(folder / name) ||
                       fs::exists(folder / "internal" / name) || fs::exists(root / name)));
            }
        }
    }
    CHECK(folders > 50);
}

TEST_CASE("each folder of sources has a README that says where to begin") {
    int folders = 0;
    for (const char* top : {"ecs", "engine", "game", "scripting", "scripts/runtime"}) {
        for (const auto& entry : fs::recursive_directory_iterator(fs::path(PERIGEE_SOURCE_DIR) / top)) {
            if (!entry.is_directory()) continue;
            ++folders;
            CHECK_THAT(test::text_of(entry.path() / "README.md"), Contains("\nOpen ["));
        }
    }
    CHECK(folders > 90);
}

}  // namespace
}  // namespace perigee
