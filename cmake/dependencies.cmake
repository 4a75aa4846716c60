# The libraries that the layers link, all of them Debian 12 packages (cmake/packages.txt). xxhash is used
# header-only. Imported targets are global, also visible to a host's folders; a target that the host has
# already defined is used.
set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL ON)
if(NOT TARGET Threads::Threads)
    find_package(Threads REQUIRED)
endif()
if(NOT TARGET fmt::fmt)
    find_package(fmt REQUIRED)
endif()
if(NOT TARGET nlohmann_json::nlohmann_json)
    find_package(nlohmann_json REQUIRED)
endif()
find_package(PkgConfig REQUIRED)
# perigee_pkg_config(NAME MODULE...): defines PkgConfig::perigee_NAME, independent of a host's targets for
# these modules.
macro(perigee_pkg_config name)
    pkg_check_modules(perigee_${name} IMPORTED_TARGET GLOBAL ${ARGN})
    if(NOT perigee_${name}_FOUND)
        string(REPLACE ";" ", " modules "${ARGN}")
        message(FATAL_ERROR "Perigee needs ${modules}; cmake/packages.txt has the names of Debian's packages")
    endif()
endmacro()
perigee_pkg_config(zstd libzstd)
perigee_pkg_config(physfs physfs)
perigee_pkg_config(fribidi fribidi)

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
set(perigee_luajit_library "")
set(perigee_luajit_static "")
add_library(perigee_luajit INTERFACE)
add_library(perigee::luajit ALIAS perigee_luajit)
# For programs whose games may load modules in C.
add_library(perigee_lua_modules INTERFACE)
if(luajit_root AND NOT luajit_root STREQUAL "system")
    # Named after the prefix, so that changing it finds again instead of keeping the old answer.
    string(MD5 key "${luajit_root}")
    find_path(PERIGEE_LUAJIT_INCLUDE_${key} luajit.h PATHS "${luajit_root}/include"
        PATH_SUFFIXES luajit-2.1 luajit NO_DEFAULT_PATH REQUIRED)
    find_library(PERIGEE_LUAJIT_LIBRARY_${key} NAMES luajit-5.1 luajit PATHS "${luajit_root}/lib"
        NO_DEFAULT_PATH REQUIRED)
    mark_as_advanced(PERIGEE_LUAJIT_INCLUDE_${key} PERIGEE_LUAJIT_LIBRARY_${key})
    set(library "${PERIGEE_LUAJIT_LIBRARY_${key}}")
    target_include_directories(perigee_luajit SYSTEM
        INTERFACE "$<BUILD_INTERFACE:${PERIGEE_LUAJIT_INCLUDE_${key}}>")
    target_link_libraries(perigee_luajit INTERFACE "$<BUILD_INTERFACE:${library}>" m ${CMAKE_DL_LIBS})
    # C modules of trusted games look for Lua's functions in the program.
    target_link_options(perigee_lua_modules INTERFACE "LINKER:--export-dynamic-symbol=lua_*"
        "LINKER:--export-dynamic-symbol=luaL_*")
    if(library MATCHES "\\.a$")
        set(perigee_luajit_static "${library}")
        file(GLOB perigee_luajit_files "${luajit_root}/share/luajit-2.1*/jit")
    endif()
    set(perigee_luajit_library "${library}")
    message(STATUS "LuaJIT: ${luajit_root}")
else()
    perigee_pkg_config(luajit luajit)
    target_link_libraries(perigee_luajit INTERFACE PkgConfig::perigee_luajit)
    message(STATUS "LuaJIT: the system's")
endif()

if(PERIGEE_SDL)
    perigee_pkg_config(png libpng)
    perigee_pkg_config(jpeg libjpeg)
    perigee_pkg_config(vorbisfile vorbisfile)
    perigee_pkg_config(fonts freetype2 harfbuzz fribidi)
    perigee_pkg_config(epoxy epoxy)
    perigee_pkg_config(sdl2 sdl2 SDL2_ttf)
endif()
if(PERIGEE_PROGRAMS AND PERIGEE_SDL)
    find_package(CLI11 REQUIRED)
    perigee_pkg_config(libedit libedit)
    perigee_pkg_config(minizip minizip)
endif()
if(PERIGEE_TESTS)
    find_package(Catch2 2 REQUIRED)
endif()
