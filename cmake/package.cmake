# cpack: two Debian packages, perigee (to play, and to make games) and libperigee-dev (for hosts and plugins).
#
#   cmake --build --preset release && cpack --config build/release/CPackConfig.cmake -B DIR
#
# dpkg-shlibdeps reads perigee's dependencies from its programs. The libraries are static, so the packages
# that a host links with them are listed here.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME perigee)
set(CPACK_PACKAGE_VENDOR "Perigee contributors")
set(CPACK_PACKAGE_CONTACT "Perigee contributors <perigee@localhost>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_COMPONENTS_ALL development)
if(PERIGEE_PROGRAMS AND PERIGEE_SDL)
    list(APPEND CPACK_COMPONENTS_ALL program)
endif()
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME perigee)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION games)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
# Without it, text is drawn with pixels of our own.
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS fonts-dejavu-core)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS libperigee-dev)
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "games in Lua over native data: the program
Plays, checks, tests and packs games whose component types are declared in Lua
and whose systems are Lua over native chunks of memory, in a sandbox. With a
demo, examples, the documentation, and annotations for editors.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libperigee-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libfmt-dev, libzstd-dev, libphysfs-dev, libfribidi-dev, pkg-config")
if(NOT perigee_luajit_library)
    string(APPEND CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS ", libluajit-5.1-dev")
endif()
if(PERIGEE_SDL)
    # perigee has the decoder.
    set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_RECOMMENDS
        "perigee, libepoxy-dev, libpng-dev, libsdl2-dev, libsdl2-ttf-dev")
endif()
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS cmake)
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "games in Lua over native data: libraries for C++ programs
Static libraries, headers, and what CMake and pkg-config read, for programs
that embed Perigee, and the C interface of native plugins.")

# Perigee's licence, and that of the LuaJIT included in the program and the libraries.
file(READ "${PROJECT_SOURCE_DIR}/LICENSE" copyright)
if(perigee_luajit_static)
    cmake_path(GET perigee_luajit_static PARENT_PATH luajit_folder)
    if(EXISTS "${luajit_folder}/../COPYRIGHT")
        file(READ "${luajit_folder}/../COPYRIGHT" terms)
    else()
        set(terms "see https://luajit.org/")
    endif()
    string(APPEND copyright "\n\nThe program and libperigee_luajit.a contain LuaJIT:\n\n${terms}")
endif()
file(WRITE "${generated}/copyright" "${copyright}")
install(FILES "${generated}/copyright" DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/perigee" COMPONENT program)
install(FILES "${generated}/copyright" DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/libperigee-dev" COMPONENT development)

include(CPack)
