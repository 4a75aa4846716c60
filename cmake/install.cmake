# The files that cmake --install puts into a prefix. The prefix is relocatable: nothing in it refers to a path
# outside.
#
#   development   libraries, headers under include/perigee/, what find_package and pkg-config read
#   program       perigee, its decoder, the games and examples, the documentation
#
# A component of the CMake package is a layer and the layers below it, with its own export set, so that a host
# that uses only the core needs no libraries of the others. The system's packages that each needs are listed
# here once, for both ways to find them.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(cmake_folder "${CMAKE_INSTALL_LIBDIR}/cmake/perigee")
set(pkg_config_folder "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX BASE_DIRECTORY "${CMAKE_INSTALL_PREFIX}/${pkg_config_folder}"
    OUTPUT_VARIABLE up_to_prefix)
set(generated "${PROJECT_BINARY_DIR}/generated/install")
set(perigee_components)
set(config_needs "")

# perigee_install_layer(NAME ABOUT text [HEADERS] [TARGETS more...] [BELOW layer] [NEEDS package...] [MODULES name...]
#     [LIBS flag...])
# HEADERS: headers only, also for C. NEEDS: packages found by CMake. MODULES: packages of pkg-config, as
# PkgConfig::perigee_NAME=module,module. Each is followed by ":" and the Debian package that contains it.
function(perigee_install_layer layer)
    cmake_parse_arguments(PARSE_ARGV 1 arg "HEADERS" "BELOW;ABOUT" "TARGETS;NEEDS;MODULES;LIBS")
    install(TARGETS perigee_${layer} ${arg_TARGETS} EXPORT perigee-${layer}
        ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT development
        INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
    install(EXPORT perigee-${layer} NAMESPACE perigee:: DESTINATION "${cmake_folder}" COMPONENT development
        FILE perigee-${layer}-targets.cmake)

    set(requires)
    if(arg_BELOW)
        string(REPLACE "_" "-" below "${arg_BELOW}")
        list(APPEND requires "perigee-${below} = ${PROJECT_VERSION}")
    endif()
    set(needs "set(_perigee_below_${layer} ${arg_BELOW})\n")
    string(APPEND needs "set(_perigee_packages_${layer})\nset(_perigee_modules_${layer})\n")
    foreach(need IN LISTS arg_NEEDS)
        string(REGEX MATCH "^([^:]*):([^:]*):(.*)$" all "${need}")
        list(APPEND requires ${CMAKE_MATCH_2})
        string(APPEND needs "list(APPEND _perigee_packages_${layer} ${CMAKE_MATCH_1}:${CMAKE_MATCH_3})\n")
    endforeach()
    foreach(module IN LISTS arg_MODULES)
        string(REGEX MATCH "^([^:]*):([^:]*):(.*)$" all "${module}")
        string(REPLACE "," ";" names "${CMAKE_MATCH_2}")
        list(APPEND requires ${names})
        string(APPEND needs "list(APPEND _perigee_modules_${layer} \"${module}\")\n")
    endforeach()
    set(config_needs "${config_needs}${needs}" PARENT_SCOPE)
    set(perigee_components ${perigee_components} ${layer} PARENT_SCOPE)

    string(REPLACE "_" "-" name "perigee-${layer}")
    list(JOIN requires ", " requires)
    list(JOIN arg_LIBS " " libs)
    if(arg_HEADERS)
        perigee_pkg_config_file(${name} ABOUT "${arg_ABOUT}" CFLAGS "-I\${includedir}")
    else()
        perigee_pkg_config_file(${name} ABOUT "${arg_ABOUT}" REQUIRES "${requires}"
            LIBS "-L\${libdir} -lperigee_${layer} ${libs}"
            CFLAGS "\${standard} -I\${includedir} -DPERIGEE_DEBUG_CHECKS=${perigee_debug_checks}")
    endif()
endfunction()

function(perigee_pkg_config_file name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "ABOUT;REQUIRES;LIBS;CFLAGS" "")
    foreach(field IN ITEMS about requires libs cflags)
        string(TOUPPER ${field} upper)
        set(${field} "${arg_${upper}}")
    endforeach()
    configure_file("${PROJECT_SOURCE_DIR}/cmake/perigee.pc.in" "${generated}/${name}.pc" @ONLY)
    install(FILES "${generated}/${name}.pc" DESTINATION "${pkg_config_folder}" COMPONENT development)
endfunction()

perigee_install_layer(ecs ABOUT "entities, schemas, chunks, queries, systems" NEEDS Threads:: fmt:fmt:libfmt-dev
    MODULES zstd:libzstd:libzstd-dev LIBS -pthread)

set(luajit_modules)
set(luajit_libs)
if(perigee_luajit_static)
    set(name libperigee_luajit${CMAKE_STATIC_LIBRARY_SUFFIX})
    install(FILES "${perigee_luajit_static}" DESTINATION "${CMAKE_INSTALL_LIBDIR}" RENAME ${name}
        COMPONENT development)
    target_link_libraries(perigee_luajit INTERFACE
        "$<INSTALL_INTERFACE:$<INSTALL_PREFIX>/${CMAKE_INSTALL_LIBDIR}/${name}>")
    set(luajit_libs -lperigee_luajit -lm -ldl)
elseif(perigee_luajit_library)
    # A shared one stays where it is.
    target_link_libraries(perigee_luajit INTERFACE "$<INSTALL_INTERFACE:${perigee_luajit_library}>")
    set(luajit_libs "${perigee_luajit_library}")
else()
    set(luajit_modules luajit:luajit:libluajit-5.1-dev)
endif()
set_target_properties(perigee_luajit PROPERTIES EXPORT_NAME luajit)
perigee_install_layer(scripting ABOUT "systems in Lua" TARGETS perigee_luajit BELOW ecs MODULES ${luajit_modules}
    LIBS ${luajit_libs})
perigee_install_layer(engine ABOUT "games and mods, without a window" BELOW scripting
    MODULES physfs:physfs:libphysfs-dev fribidi:fribidi:libfribidi-dev LIBS -ldl)
if(PERIGEE_SDL)
    perigee_install_layer(engine_sdl ABOUT "a window, its picture, sound and input" BELOW engine
        MODULES epoxy:epoxy:libepoxy-dev
            png:libpng:libpng-dev "sdl2:sdl2,SDL2_ttf:libsdl2-dev libsdl2-ttf-dev")
endif()
set_target_properties(perigee_plugin PROPERTIES EXPORT_NAME plugin)
perigee_install_layer(plugin ABOUT "the interface of native plugins" HEADERS)

# The name that a guess finds.
perigee_pkg_config_file(perigee ABOUT "games and mods, without a window" REQUIRES "perigee-engine = ${PROJECT_VERSION}")

install(DIRECTORY "${PROJECT_BINARY_DIR}/install_include/perigee" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
    COMPONENT development)
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/perigee-config.cmake.in" "${generated}/perigee-config.cmake"
    INSTALL_DESTINATION "${cmake_folder}" PATH_VARS CMAKE_INSTALL_LIBEXECDIR CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file("${generated}/perigee-config-version.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${generated}/perigee-config.cmake" "${generated}/perigee-config-version.cmake"
    DESTINATION "${cmake_folder}" COMPONENT development)

# ---- the program ----

if(PERIGEE_PROGRAMS AND PERIGEE_SDL AND NOT CMAKE_CROSSCOMPILING)
    install(TARGETS perigee RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT program)
    # ../libexec/perigee from there is where it looks (engine/assets/decoder.h), and ../share/perigee
    # (game/program/game_folder.h).
    install(TARGETS perigee_decoder RUNTIME DESTINATION "${CMAKE_INSTALL_LIBEXECDIR}/perigee" COMPONENT program)
    install(DIRECTORY scripts/games scripts/examples scripts/stubs
        DESTINATION "${CMAKE_INSTALL_DATADIR}/perigee/scripts" COMPONENT program)
    # Below one folder as in the source, so that links between the pages lead somewhere.
    install(FILES README.md CHANGELOG.md LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT program)
    # Without docs/build, which makes HTML of the source tree.
    install(DIRECTORY docs DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT program
        PATTERN build EXCLUDE PATTERN html EXCLUDE)
    install(FILES game/minimal_host.cpp DESTINATION "${CMAKE_INSTALL_DOCDIR}/game" COMPONENT program)
    install(DIRECTORY game/plugins DESTINATION "${CMAKE_INSTALL_DOCDIR}/game" COMPONENT program)

    set(manual "${generated}/perigee.1")
    add_custom_command(OUTPUT "${manual}.gz"
        COMMAND "${CMAKE_COMMAND}" "-DPROGRAM=$<TARGET_FILE:perigee>" "-DTEMPLATE=${PROJECT_SOURCE_DIR}/cmake/perigee.1.in"
            "-DVERSION=${PROJECT_VERSION}" "-DOUTPUT=${manual}" -P "${PROJECT_SOURCE_DIR}/cmake/man_page.cmake"
        DEPENDS perigee cmake/man_page.cmake cmake/perigee.1.in
        COMMENT "Writing the manual page" VERBATIM)
    add_custom_target(perigee_manual ALL DEPENDS "${manual}.gz")
    install(FILES "${manual}.gz" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" COMPONENT program)

    install(FILES cmake/completion/perigee.bash RENAME perigee
        DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions" COMPONENT program)
    install(FILES cmake/completion/_perigee
        DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions" COMPONENT program)
    install(FILES cmake/completion/perigee.fish
        DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d" COMPONENT program)
endif()

include(cmake/package.cmake)
