// Real folders, hostile paths, missing files, and two stores side by side.
#include "engine/assets/assets.h"

#include "engine/assets/surface_id.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/zip_writer.h"

#include <catch2/catch.hpp>
#include <sys/resource.h>
#include <sys/stat.h>

#include <filesystem>
#include <random>

using namespace perigee;
using perigee::test::TemporaryFolder;
using perigee::test::ZipWriter;

namespace {

std::string error_of(const auto& result) { return result ? "no error" : result.error().message; }

}  // namespace

TEST_CASE("a file is read by its relative path, whole or from its start") {
    const TemporaryFolder folder;
    folder.write("assets/a.txt", std::string_view{"zero\0byte", 9});
    AssetStore store;
    REQUIRE(store.mount("game", folder.path()).value() == 0);
    CHECK(store.read(0, "assets/a.txt").value() == std::string_view{"zero\0byte", 9});
    CHECK(store.read(0, "assets/a.txt", 4).value() == "zero");
    CHECK(store.has(0, "assets/a.txt"));
    CHECK_FALSE(store.has(0, "assets"));
    CHECK_FALSE(store.has(0, "../etc/passwd"));
}

TEST_CASE("paths that could leave the game are refused with the reason") {
    const auto why = [](std::string_view path) { return error_of(check_asset_path(path)); };
    CHECK(why("assets/a.png") == "no error");
    CHECK(why("a b/ü.png") == "no error");
    CHECK(why("..a/b..") == "no error");
    CHECK(why("") == "asset path '': is empty");
    CHECK(why("/etc/passwd") ==
          "asset path '/etc/passwd': is absolute; paths are relative to the game's folder");
    CHECK(why("a\\b") == "asset path 'a\\b': contains a backslash; use '/' on every system");
    CHECK(why("C:/x") == "asset path 'C:/x': contains ':'");
    CHECK(why(std::string_view{"a\0b", 3}) == "asset path 'a?b': contains a control character");
    CHECK(why("a//b") == "asset path 'a//b': contains an empty part");
    CHECK(why("a/") == "asset path 'a/': contains an empty part");
    CHECK(why(std::string(256, 'a')).ends_with("': is longer than 255 bytes"));
    for (const char* path : {"..", "../a", "a/..", "a/../b", ".", "./a", "a/./b"})
        CHECK(why(path) == "asset path '" + std::string{path} +
                               "': contains '.' or '..' as a part; paths never leave the game's folder");
}

TEST_CASE("no path made of hostile parts reads a file outside the mount") {
    const TemporaryFolder folder;
    folder.write("secret.txt", "secret");
    folder.write("game/main.lua", "inside");
    std::filesystem::create_symlink("../secret.txt", folder.path() / "game/link.txt");
    std::filesystem::create_directory_symlink("..", folder.path() / "game/up");
    std::filesystem::create_symlink("main.lua", folder.path() / "game/inner.txt");
    AssetStore store;
    REQUIRE(store.mount("game", folder.path() / "game"));

    const std::string parts[] = {"..",         ".",        "",     "up", "link.txt",
                                 "secret.txt", "main.lua", "game", "/",  folder.path().string(),
                                 "\\",         "m0",       "C:"};
    std::mt19937 random{1};
    for (int i = 0; i < 3000; ++i) {
        std::string path = parts[random() % std::size(parts)];
        for (unsigned more = random() % 4; more > 0; --more) path += "/" + parts[random() % std::size(parts)];
        const Result<std::string> bytes = store.read(0, path);
        if (bytes) CHECK(bytes.value() == "inside");
    }
    CHECK(error_of(store.read(0, "link.txt")) == "'link.txt' is a symbolic link; links are not followed");
    CHECK(error_of(store.read(0, "up/secret.txt")) ==
          "'up/secret.txt' is a symbolic link; links are not followed");
    CHECK(error_of(store.read(0, "inner.txt")) == "'inner.txt' is a symbolic link; links are not followed");
    CHECK(store.list(0, "").value() == std::vector<std::string>{"main.lua"});
}

TEST_CASE("a directory and a missing file have different error messages") {
    const TemporaryFolder folder;
    folder.write("main.lua/oops.txt", "");
    AssetStore store;
    REQUIRE(store.mount("game", folder.path()));
    CHECK(error_of(store.read(0, "main.lua")) == "'main.lua' is a directory");
    CHECK(error_of(store.read(0, "none.lua")) == "'none.lua' does not exist");
    REQUIRE(store.mount("mod", folder.path()));
    CHECK(error_of(store.read(1, "none.lua")) == "'mod:none.lua' does not exist");
}

TEST_CASE("a pipe is not a file, and a file of more than 256 MB is too large") {
    const TemporaryFolder folder;
    REQUIRE(::mkfifo((folder.path() / "pipe").c_str(), 0600) == 0);
    std::filesystem::resize_file(folder.write("huge", ""),
                                 AssetStore::kMaxFileBytes + 1);  // sparse: no disk is used
    AssetStore store;
    REQUIRE(store.mount("game", folder.path()));
    CHECK(error_of(store.read(0, "pipe")) == "'pipe' is not a regular file");
    CHECK(error_of(store.read(0, "huge")) == "'huge' is larger than 256 MB");
}

TEST_CASE("a failed mount is an error and leaves the store unchanged") {
    const TemporaryFolder folder;
    const auto file = folder.write("no.zip", "this is no archive");
    AssetStore store;
    CHECK(error_of(store.mount("game", folder.path() / "absent")) ==
          "'" + (folder.path() / "absent").string() + "': no such folder or archive");
    CHECK(error_of(store.mount("game", file))
              .starts_with("'" + file.string() + "': not a folder and not a readable zip archive ("));
    REQUIRE(store.mount("game", folder.path()).value() == 0);
    CHECK(error_of(store.mount("game", folder.path())) == "a mod named 'game' is loaded already");
}

TEST_CASE("files under assets/ get handles in bytewise order, whatever the order of requests") {
    const TemporaryFolder folder;
    for (const char* name : {"assets/b.png", "assets/a/z.png", "assets/a.png", "assets/Z.png", "other.png"})
        folder.write(name, "x");
    AssetStore store;
    REQUIRE(store.mount("game", folder.path()));
    CHECK(store.handle_count() == 4);
    CHECK(store.intern(0, "other.png").value() == 5);
    CHECK(store.intern(0, "assets/b.png").value() == 4);
    std::vector<std::string> names;
    for (AssetHandle handle = 1; handle <= store.handle_count(); ++handle)
        names.push_back(store.name_of(handle));
    CHECK(names == std::vector<std::string>{"assets/Z.png", "assets/a.png", "assets/a/z.png", "assets/b.png",
                                            "other.png"});
    CHECK(store.name_of(0) == "none");
    CHECK(store.name_of(99) == "none");
    CHECK(store.read(store.intern(0, "assets/a.png").value()).value() == "x");
}

TEST_CASE("a missing asset gets a handle and is reported once") {
    const TemporaryFolder folder;
    AssetStore store;
    REQUIRE(store.mount("game", folder.path()));
    const AssetHandle handle = store.intern(0, "assets/ghost.png").value();
    CHECK(store.intern(0, "assets/ghost.png").value() == handle);
    CHECK(store[handle].is_missing);
    CHECK(store.take_missing() ==
          std::vector<std::string>{"asset 'assets/ghost.png' does not exist; a placeholder is used"});
    CHECK(store.take_missing().empty());
    CHECK_FALSE(store.intern(0, "../ghost.png"));
}

TEST_CASE("two stores can mount the same folder, and the second outlives the first") {
    const TemporaryFolder folder;
    folder.write("a.txt", "a");
    auto first = std::make_unique<AssetStore>();
    AssetStore second;
    REQUIRE(first->mount("game", folder.path()));
    REQUIRE(second.mount("other name", folder.path()));
    CHECK(first->read(0, "a.txt").value() == "a");
    first.reset();
    CHECK(second.read(0, "a.txt").value() == "a");
    folder.write("a.txt", "changed");
    CHECK(second.read(0, "a.txt").value() == "changed");
}

TEST_CASE("a zip archive looks like a folder") {
    ZipWriter zip;
    zip.add("main.lua", "return 1");
    zip.add("assets/b.txt", "b");
    zip.add("assets/a.txt", "");
    zip.add("../outside.txt", "no");
    const TemporaryFolder folder;
    AssetStore store;
    REQUIRE(store.mount("game", folder.write("game.zip", zip.finish())));
    CHECK(store.read(0, "main.lua").value() == "return 1");
    CHECK(store.read(0, "assets/a.txt").value().empty());
    CHECK(store.name_of(1) == "assets/a.txt");
    CHECK(store.name_of(2) == "assets/b.txt");
    CHECK(error_of(store.read(0, "assets")) == "'assets' is a directory");
    CHECK_FALSE(store.read(0, "outside.txt"));
    CHECK_FALSE(store.read(0, "../outside.txt"));
}

TEST_CASE("asset folders nested too deeply are refused") {
    const TemporaryFolder folder;
    std::string path = "assets";
    for (int i = 0; i < 31; ++i) path += "/d";
    folder.write("good/" + path + "/a.txt", "a");
    folder.write("bad/" + path + "/d/a.txt", "a");
    AssetStore store;
    REQUIRE(store.mount("good", folder.path() / "good"));
    CHECK(store.handle_count() == 1);
    CHECK(error_of(store.mount("bad", folder.path() / "bad")) ==
          "'bad:assets': folders of assets are nested more than 32 deep");
    CHECK_FALSE(store.find_mount("bad"));
}

#ifndef __SANITIZE_ADDRESS__  // which opens a pipe to look at an object
TEST_CASE("a folder that cannot be listed completely is refused with the reason") {
    const TemporaryFolder folder;
    folder.write("assets/a.txt", "a");
    rlimit before{};
    REQUIRE(::getrlimit(RLIMIT_NOFILE, &before) == 0);
    AssetStore store;
    const rlimit none{0, before.rlim_max};
    REQUIRE(::setrlimit(RLIMIT_NOFILE, &none) == 0);
    const std::string error = error_of(store.mount("game", folder.path()));
    REQUIRE(::setrlimit(RLIMIT_NOFILE, &before) == 0);
    CHECK(error == "'assets' cannot be read: Too many open files");
    CHECK(store.mount("game", folder.path()));
    CHECK(store.handle_count() == 1);
}
#endif

TEST_CASE("only zip archives are opened, whatever the file name") {
    const TemporaryFolder folder;
    // A WAD and a GRP with one file each, which PhysFS would read.
    std::string wad =
        std::string("PWAD\1\0\0\0\x0E\0\0\0", 12) + "hi" + std::string("\x0C\0\0\0\2\0\0\0", 8) + "MAIN.LUA";
    std::string grp =
        std::string("KenSilverman\1\0\0\0", 16) + "MAIN.LUA    " + std::string("\2\0\0\0", 4) + "hi";
    AssetStore store;
    for (const std::string& archive : {wad, grp}) {
        for (const char* name : {"a.zip", "a.wad", "a.grp"}) {
            const auto file = folder.write(name, archive);
            CHECK(error_of(store.mount("game", file)) ==
                  "'" + file.string() +
                      "': not a folder and not a readable zip archive (it is not a zip archive)");
        }
    }
    REQUIRE(::mkfifo((folder.path() / "pipe.zip").c_str(), 0600) == 0);
    CHECK(error_of(store.mount("game", folder.path() / "pipe.zip")).ends_with("(it is a pipe, not a file)"));
    ZipWriter zip;
    zip.add("main.lua", "hi");
    CHECK(store.mount("game", folder.write("a.dat", zip.finish())));
}

TEST_CASE("assets that only presentation requests get reserved handles") {
    const TemporaryFolder folder;
    folder.write("assets/a.png", "");
    folder.write("other/b.png", "");
    // The handle that simulation gets for a file, after pictures asked for so many others.
    const auto handle_after = [&](int pictures) {
        AssetStore store;
        REQUIRE(store.mount("game", folder.path()).ok());
        store.reserve_presentation_handles();
        store.set_presenting(true);
        CHECK(store.intern(0, "assets/a.png").value() == 1);
        for (int i = 0; i < pictures; ++i) {
            const AssetHandle handle = store.intern(0, "none" + std::to_string(i) + ".png").value();
            CHECK(store.intern(0, "none" + std::to_string(i) + ".png").value() == handle);
            CHECK(store[handle].is_missing);
        }
        if (pictures > 0) CHECK_FALSE(store[store.intern(0, "other/b.png").value()].is_missing);
        store.set_presenting(false);
        const AssetHandle handle = store.intern(0, "other/b.png").value();
        CHECK(store[handle].path == "other/b.png");
        store.set_presenting(true);
        CHECK(store.intern(0, "other/b.png").value() == handle);
        return handle;
    };
    CHECK(handle_after(0) == handle_after(5));
    AssetStore store;
    REQUIRE(store.mount("game", folder.path()).ok());
    store.reserve_presentation_handles();
    store.set_presenting(true);
    for (std::size_t i = 0; i < AssetStore::kPresentationHandles; ++i)
        REQUIRE(store.intern(0, "x" + std::to_string(i)).ok());
    const Result<AssetHandle> more = store.intern(0, "more");
    REQUIRE_FALSE(more.ok());
    CHECK(more.error().message ==
          "presentation requests more than 1024 files outside assets/; move them into assets/");
}

TEST_CASE("no file has the id of a surface as its handle, however many files there are") {
    const test::TemporaryFolder folder;
    constexpr int kFiles = 31'000;
    for (int i = 0; i < kFiles; ++i) folder.write("assets/" + std::to_string(i), "");
    AssetStore store;
    for (const char* mod : {"one", "two"}) {  // the same files, so that there are enough handles
        const MountId mount = store.mount(mod, folder.path()).value();
        for (int i = 0; i < kFiles; ++i)
            REQUIRE_FALSE(is_surface(store.intern(mount, "assets/" + std::to_string(i)).value()));
    }
    CHECK(store.handle_count() > kEndOfSurfaces);
    store.reserve_presentation_handles();
    store.set_presenting(true);
    CHECK_FALSE(is_surface(store.intern(0, "other.png").value()));
}
