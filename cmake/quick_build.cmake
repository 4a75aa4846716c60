# What makes a build from nothing quick: groups of folders are compiled as one source, and so are several files of tests.
# An edit then compiles a whole group, so the preset dev goes without (docs/decisions/0050). A file that forgets an include
# compiles in a group all the same; dev and ./test tidy find it. Precompiled headers do not make it quicker: their 83 to
# 190 MB cost as much as they save.
option(PERIGEE_QUICK_BUILD
    "Compile groups of folders together: a third of the time from nothing, ten times that of an edit"
    ${PROJECT_IS_TOP_LEVEL})

# Each line is a unit; a folder that no line names is a unit. The folders of a line use no name for different things.
set(perigee_joined_folders
    "ecs/archetype ecs/archetype/internal ecs/base ecs/base/internal ecs/commands ecs/events ecs/query ecs/query/internal ecs/world ecs/world/internal ecs/storage/internal"
    "ecs/schedule ecs/schedule/internal ecs/parallel ecs/relations ecs/storage ecs/transform"
    "ecs/save ecs/save/internal"
    "ecs/schema ecs/schema/internal ecs/inspect ecs/files ecs/migrate ecs/migrate/internal ecs/prefab ecs/prefab/internal"
    "scripting/mods scripting/mods/internal scripting/base scripting/base/internal scripting/check scripting/check/internal scripting/lua/internal scripting/tools scripting/tools/internal scripting/views"
    "scripting/host scripting/host/internal scripting/lua scripting/sandbox scripting/sandbox/internal"
    "engine engine/assets engine/assets/internal engine/audio engine/base engine/base/internal engine/data engine/data/internal engine/input engine/mods engine/modules engine/plugin engine/plugin/internal engine/profile engine/replay engine/save engine/session engine/session/internal engine/shaders engine/tools"
    "engine/draw engine/draw/internal engine/draw/layers engine/draw/overlay engine/draw/shapes engine/draw/shapes/internal engine/draw/text engine/draw/text/internal engine/extract engine/extract/internal engine/fonts engine/modules/internal engine/particles engine/particles/internal engine/replay/internal engine/surfaces"
    "engine/sdl/draw engine/sdl/draw/internal engine/sdl/gl engine/sdl/mesh"
    "engine/sdl engine/sdl/audio engine/sdl/gl/internal engine/sdl/glyphs engine/sdl/surfaces engine/sdl/window engine/sdl/window/internal"
    "game/commands game/commands/internal game/loop game/program game/testing")

# The first folders of the lines that do without -O3, and what they get. -O1, for code that runs a few times a step, takes
# two thirds of the time to compile. -Og, for a start, a load or a tool, takes half, and less than -O0.
set(perigee_joined_without_loops ecs/schema:-O1 scripting/mods:-O1 engine/sdl:-O1 engine:-Og game/commands:-Og)

# One unit a folder or line, and not a number of files, so that a new file changes no other unit.
function(perigee_join_sources target)
    if(NOT PERIGEE_QUICK_BUILD)
        return()
    endif()
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
    # To g++ a joined source is a header, whose types should not use the anonymous namespace.
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wno-subobject-linkage>)
    foreach(source IN LISTS ARGN)
        cmake_path(GET source PARENT_PATH folder)
        file(RELATIVE_PATH folder "${PROJECT_SOURCE_DIR}" "${folder}")
        set(group "${folder}")
        foreach(line IN LISTS perigee_joined_folders)
            if(" ${line} " MATCHES " ${folder} ")
                string(REGEX MATCH "^[^ ]+" group "${line}")
                string(APPEND group "_and_more")
            endif()
        endforeach()
        string(REPLACE "/" "_" group "${group}")
        set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "${group}")
    endforeach()
    # Lines for stack traces, but no variables for a debugger: a quarter of the time of a debug build.
    target_compile_options(${target} PRIVATE $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CONFIG:Debug>>:-g1>)
    foreach(entry IN LISTS perigee_joined_without_loops)
        string(REGEX MATCH "^(.*):(.*)$" entry "${entry}")
        string(REPLACE "/" "_" unit "unity_${CMAKE_MATCH_1}_and_more_cxx.cxx")
        set_source_files_properties("${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.dir/Unity/${unit}"
            PROPERTIES COMPILE_OPTIONS "$<$<CONFIG:Release>:${CMAKE_MATCH_2}>")
    endforeach()
endfunction()

# Sets OUT to the sources of TARGET in which each group of test files is one source (join_tests.cmake): eight of any
# folders, or four of one folder in a build for edits. Two thirds of the time of a test file are its headers.
function(perigee_join_tests out target)
    set(largest 4)
    if(PERIGEE_QUICK_BUILD)
        set(largest 8)
    endif()
    set(tests ${ARGN})
    list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
    set(sources ${ARGN})
    list(REMOVE_ITEM sources ${tests})
    while(tests)
        list(SUBLIST tests 0 ${largest} group)
        list(GET group 0 first)
        if(NOT PERIGEE_QUICK_BUILD)
            cmake_path(GET first PARENT_PATH folder)
            list(FILTER group INCLUDE REGEX "^${folder}/[^/]+$")
        endif()
        list(REMOVE_ITEM tests ${group})
        file(RELATIVE_PATH joined "${PROJECT_SOURCE_DIR}" "${first}")
        string(REGEX REPLACE "\\.cpp$" "_and_more.cpp" joined "${PROJECT_BINARY_DIR}/joined_tests/${joined}")
        add_custom_command(OUTPUT "${joined}" VERBATIM
            COMMAND "${CMAKE_COMMAND}" "-DOUT=${joined}" "-DFILES=${group}"
                -P "${PROJECT_SOURCE_DIR}/cmake/join_tests.cmake"
            DEPENDS ${group} "${PROJECT_SOURCE_DIR}/cmake/join_tests.cmake"
            COMMENT "Joining tests of ${target}")
        list(APPEND sources "${joined}")
    endwhile()
    set(${out} "${sources}" PARENT_SCOPE)
endfunction()
