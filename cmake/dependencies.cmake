# What the layers link, all of it Debian 12 packages (cmake/packages.txt). xxhash is used header-only.
# PERIGEE_LUAJIT_ROOT links another LuaJIT: its prefix, with include/ and lib/ under it.
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(physfs REQUIRED IMPORTED_TARGET physfs)

set(PERIGEE_LUAJIT_ROOT "" CACHE PATH "Prefix of another LuaJIT to link instead of the system's")
add_library(perigee_luajit INTERFACE)
add_library(perigee::luajit ALIAS perigee_luajit)
if(PERIGEE_LUAJIT_ROOT)
    # Named after the prefix, so that changing it finds again instead of keeping the old answer.
    string(MD5 key "${PERIGEE_LUAJIT_ROOT}")
    find_path(PERIGEE_LUAJIT_INCLUDE_${key} luajit.h PATHS "${PERIGEE_LUAJIT_ROOT}/include"
        PATH_SUFFIXES luajit-2.1 luajit NO_DEFAULT_PATH REQUIRED)
    find_library(PERIGEE_LUAJIT_LIBRARY_${key} NAMES luajit-5.1 luajit PATHS "${PERIGEE_LUAJIT_ROOT}/lib"
        NO_DEFAULT_PATH REQUIRED)
    target_include_directories(perigee_luajit SYSTEM INTERFACE "${PERIGEE_LUAJIT_INCLUDE_${key}}")
    target_link_libraries(perigee_luajit INTERFACE "${PERIGEE_LUAJIT_LIBRARY_${key}}" m ${CMAKE_DL_LIBS})
else()
    pkg_check_modules(luajit REQUIRED IMPORTED_TARGET luajit)
    target_link_libraries(perigee_luajit INTERFACE PkgConfig::luajit)
endif()

if(PERIGEE_SDL)
    find_package(CLI11 REQUIRED)
    pkg_check_modules(libedit REQUIRED IMPORTED_TARGET libedit)
    pkg_check_modules(libzip REQUIRED IMPORTED_TARGET libzip)
    pkg_check_modules(png REQUIRED IMPORTED_TARGET libpng)
    pkg_check_modules(vorbisfile REQUIRED IMPORTED_TARGET vorbisfile)
    pkg_check_modules(sdl2 REQUIRED IMPORTED_TARGET sdl2 SDL2_image SDL2_mixer SDL2_ttf)
    add_library(perigee_sdl INTERFACE)
    add_library(perigee::sdl ALIAS perigee_sdl)
    target_link_libraries(perigee_sdl INTERFACE PkgConfig::sdl2)
endif()
if(PERIGEE_TESTS)
    find_package(Catch2 2 REQUIRED)
endif()
