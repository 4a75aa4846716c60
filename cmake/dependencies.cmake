# What the layers link, all of it Debian 12 packages (cmake/packages.txt). xxhash is used header-only.
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(physfs REQUIRED IMPORTED_TARGET physfs)

# The LuaJIT: a prefix with include/ and lib/ under it, or "system". Without a word it is the one that ./run and ./test
# build (cmake/luajit.sh), and the system's where that one is not there.
set(PERIGEE_LUAJIT_ROOT "" CACHE STRING "Prefix of a LuaJIT; 'system'; empty: build/luajit/current, else the system's")
set(luajit_root "${PERIGEE_LUAJIT_ROOT}")
set(luajit_current "${PROJECT_SOURCE_DIR}/build/luajit/current")
if(NOT luajit_root AND EXISTS "${luajit_current}/lib")
    file(REAL_PATH "${luajit_current}" luajit_root)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${luajit_current}")
endif()
# Its own files, compiled in; nothing where the library can change without the program.
set(perigee_luajit_files "${PROJECT_BINARY_DIR}/generated/no_luajit_files")
add_library(perigee_luajit INTERFACE)
add_library(perigee::luajit ALIAS perigee_luajit)
if(luajit_root AND NOT luajit_root STREQUAL "system")
    # Named after the prefix, so that changing it finds again instead of keeping the old answer.
    string(MD5 key "${luajit_root}")
    find_path(PERIGEE_LUAJIT_INCLUDE_${key} luajit.h PATHS "${luajit_root}/include"
        PATH_SUFFIXES luajit-2.1 luajit NO_DEFAULT_PATH REQUIRED)
    find_library(PERIGEE_LUAJIT_LIBRARY_${key} NAMES luajit-5.1 luajit PATHS "${luajit_root}/lib"
        NO_DEFAULT_PATH REQUIRED)
    mark_as_advanced(PERIGEE_LUAJIT_INCLUDE_${key} PERIGEE_LUAJIT_LIBRARY_${key})
    target_include_directories(perigee_luajit SYSTEM INTERFACE "${PERIGEE_LUAJIT_INCLUDE_${key}}")
    target_link_libraries(perigee_luajit INTERFACE "${PERIGEE_LUAJIT_LIBRARY_${key}}" m ${CMAKE_DL_LIBS})
    # C modules of trusted games look for Lua's functions in the program.
    target_link_options(perigee_luajit INTERFACE "LINKER:--export-dynamic-symbol=lua_*"
        "LINKER:--export-dynamic-symbol=luaL_*")
    if("${PERIGEE_LUAJIT_LIBRARY_${key}}" MATCHES "\\.a$")
        file(GLOB perigee_luajit_files "${luajit_root}/share/luajit-2.1*/jit")
    endif()
    message(STATUS "LuaJIT: ${luajit_root}")
else()
    pkg_check_modules(luajit REQUIRED IMPORTED_TARGET luajit)
    target_link_libraries(perigee_luajit INTERFACE PkgConfig::luajit)
    message(STATUS "LuaJIT: the system's")
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
