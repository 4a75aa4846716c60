// Folders and archives on disk, which mods are found in them, and how the list is printed.
#include "engine/mods/mod_set.h"

#include "tests/support/temporary_folder.h"
#include "tests/support/zip_writer.h"

#include <catch2/catch.hpp>

using namespace perigee;

namespace {

class Games {
public:
    explicit Games(std::string_view manifest = R"({"id": "swarm", "version": "1.5"})") {
        folder.write("game/main.lua", "");
        folder.write("game/mod.json", manifest);
    }
    void mod(const std::string& path, std::string_view manifest) {
        folder.write(path + "/mod.json", manifest);
        folder.write(path + "/main.lua", "");
    }
    Result<ModSet> find(const std::vector<std::filesystem::path>& folders = {}) {
        return find_mods(folder.path() / "game", folders);
    }
    std::string text(const std::vector<std::filesystem::path>& folders = {}) {
        const Result<ModSet> set = find(folders);
        return set ? text_of(set.value()) : set.error().message;
    }

    test::TemporaryFolder folder;
};

}  // namespace

TEST_CASE("mods are found in the game's folder and in the player's folders, also as archives") {
    Games games;
    games.mod("game/mods/storms", R"({"id": "storms", "version": "1.2.0", "depends": {"base": "^1.0"}})");
    games.mod("game/mods/base", R"({"version": "1.0.0"})");
    games.mod("game/mods/.hidden", "{}");
    games.folder.write("game/mods/read me.txt", "not a mod");
    test::ZipWriter zip;
    zip.add("mod.json", R"({"version": "3"})");
    zip.add("main.lua", "");
    games.folder.write("game/mods/packed.zip", zip.finish());
    games.mod("more/extra", R"({"depends": {"packed": "3.x"}})");
    games.folder.write("more/more.txt", "");
    std::filesystem::create_directory_symlink(games.folder.path() / "game/mods/base",
                                              games.folder.path() / "more/link");

    CHECK(games.text({games.folder.path() / "more"}) ==
          "swarm 1.5.0\n"
          "   1. base 1.0.0                   by name\n"
          "   2. packed 3.0.0                 by name\n"
          "   3. extra 0.0.0                  after packed: depends on packed 3.x\n"
          "   4. storms 1.2.0                 after base: depends on base ^1.0\n");
    const ModSet set = std::move(games.find({games.folder.path() / "more"})).value();
    REQUIRE(set.mods.size() == 4);
    CHECK(set.sources[0].folder == "mods/base");
    CHECK(set.sources[0].path.empty());
    CHECK(set.sources[1].path == games.folder.path() / "game/mods/packed.zip");
    CHECK(set.sources[3].path == games.folder.path() / "more/extra");
}

TEST_CASE("a game in an archive contains its mods") {
    Games games;
    test::ZipWriter zip;
    zip.add("main.lua", "");
    zip.add("mods/base/main.lua", "");
    zip.add("mods/base/mod.json", R"({"version": "2.1.0"})");
    zip.add("mods/inner.zip", "PK");
    const auto file = games.folder.write("packed.zip", zip.finish());
    const Result<ModSet> set = find_mods(file, {});
    REQUIRE(set);
    CHECK(text_of(set.value())
              .starts_with("packed 0.0.0\n   1. base 2.1.0                   by name\n"
                           "left out:\n      inner: '"));
}

TEST_CASE("mods with problems are listed with all of them") {
    Games games;
    games.mod("game/mods/bad", "{");
    games.mod("game/mods/worse", R"({"version": 1, "titel": "x"})");
    games.folder.write("game/mods/empty/readme.txt", "");
    games.folder.write("game/mods/broken.zip", "no archive");
    games.mod("game/mods/good", "{}");
    const Result<ModSet> set = games.find();
    REQUIRE(set);
    REQUIRE(set.value().order.places.size() == 1);
    const auto& problems = set.value().order.problems;
    REQUIRE(problems.size() == 5);
    CHECK(problems[0].text.starts_with("mod.json:1:2: not valid JSON: "));
    CHECK(problems[1].mod == "broken");
    CHECK(problems[1].text.find("not a folder and not a readable zip archive") != std::string::npos);
    CHECK(problems[2].mod == "empty");
    CHECK(problems[2].text == "it has no main.lua");
    CHECK(problems[3].text.find("'titel'") != std::string::npos);
    CHECK(problems[4].text.find("'version'") != std::string::npos);
}

TEST_CASE("all errors in a game's manifest are reported") {
    CHECK(Games{R"({"titel": 1, "version": 2})"}.text() ==
          "mod.json: unknown key 'titel'; did you mean 'title'?\n"
          "mod.json: 'version': expected a version such as \"1.2.0\", got 2");
    CHECK(Games{R"({"api": ">=7"})"}.text() ==
          "mod.json: 'api': the game is made for scripting interface >=7, and this program has 1.0.0");
    CHECK(Games{"{}"}.text() == "game 0.0.0: no mods\n");
}

TEST_CASE("a missing mod folder is an error") {
    Games games;
    CHECK(games.text({games.folder.path() / "nowhere"}) ==
          "'" + (games.folder.path() / "nowhere").string() +
              "': cannot read this mod folder: No such file or directory");
}

TEST_CASE("mods are left out with those that need them, as if they were not there") {
    Games games;
    for (const char* mod : {"alpha", "beta", "gamma"}) games.mod(std::string("game/mods/") + mod, "{}");
    games.mod("game/mods/delta", R"({"depends": {"beta": "*"}})");
    games.mod("game/mods/eta", R"({"depends": {"delta": "*"}})");
    games.mod("game/mods/theta", R"({"optional": {"beta": "*"}, "conflicts": {"gamma": "*"}})");
    const auto order = [&](const std::vector<std::string>& left_out) {
        const Result<ModSet> set = find_mods(games.folder.path() / "game", {}, left_out);
        if (!set) return set.error().message;
        std::string ids;
        for (const ModPlace& place : set.value().order.places)
            ids += set.value().mods[place.mod].manifest.id + " ";
        for (const ModProblem& problem : set.value().order.problems) ids += "! " + problem.mod + " ";
        CHECK(set.value().mods.size() == set.value().sources.size());
        for (std::size_t i = 0; i < set.value().mods.size(); ++i)
            CHECK(set.value().sources[i].folder == "mods/" + set.value().mods[i].manifest.id);
        return ids;
    };
    CHECK(order({"gamma"}) == "alpha beta delta eta theta ");
    CHECK(order({"gamma", "beta"}) == "alpha theta ");
    CHECK(order({"delta", "eta", "gamma"}) == "alpha beta theta ");
    CHECK(order({"zeta"}) == "there is no mod 'zeta' to leave out; did you mean 'beta'?");
}
