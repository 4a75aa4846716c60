# The headers that hosts and plugins include, as "perigee/ecs/world/world.h": copies in which each include has this
# spelling too. In the source an include is "ecs/world/world.h", and only our targets search there; a host searches
# a folder that contains only perigee/, so no file of the host can shadow one of ours, or the reverse.
#
#   BINARY/include/           for hosts in one build with us: errors and debuggers point at the source
#   BINARY/install_include/   what is installed
#
# Which: the headers of the public layers, and those in internal/ that one of them includes. A header that shows Lua is
# for the inside alone. This file is also the script that the build runs (see the end); it writes only what changed.
if(CMAKE_SCRIPT_MODE_FILE)
    cmake_minimum_required(VERSION 3.25)
endif()

# The roots, and what they include from the layers, and so on.
function(perigee_reached_headers out source_root)
    set(reached)
    set(next ${ARGN})
    while(next)
        list(POP_FRONT next header)
        if(header IN_LIST reached OR NOT EXISTS "${source_root}/${header}")
            continue()
        endif()
        file(STRINGS "${source_root}/${header}" includes REGEX "^[ \t]*#[ \t]*include[ \t]*[\"<]")
        if(includes MATCHES "<lua\\.hpp>")
            continue()
        endif()
        list(APPEND reached "${header}")
        list(FILTER includes INCLUDE REGEX "\"(ecs|scripting|engine)/")
        list(TRANSFORM includes REPLACE "^[^\"]*\"([^\"]*)\".*$" "\\1")
        list(APPEND next ${includes})
    endwhile()
    list(SORT reached)
    set(${out} "${reached}" PARENT_SCOPE)
endfunction()

# perigee_public_headers(FOLDERS folder... EXCLUDE prefix...): the target perigee_headers.
function(perigee_public_headers)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "FOLDERS;EXCLUDE")
    perigee_sources(roots FOLDERS ${arg_FOLDERS} EXCLUDE ${arg_EXCLUDE} PATTERNS *.h)
    list(FILTER roots EXCLUDE REGEX "/internal/")
    list(TRANSFORM roots REPLACE "^${PROJECT_SOURCE_DIR}/" "")
    perigee_reached_headers(headers "${PROJECT_SOURCE_DIR}" ${roots})

    set(list_file "${PROJECT_BINARY_DIR}/generated/public_headers.list")
    string(REPLACE ";" "\n" lines "${roots}")
    file(CONFIGURE OUTPUT "${list_file}" CONTENT "${lines}\n" @ONLY)
    set(stamp "${PROJECT_BINARY_DIR}/generated/public_headers.stamp")
    set(copies ${headers})
    list(TRANSFORM copies PREPEND "${PROJECT_BINARY_DIR}/include/perigee/")
    set(originals ${headers})
    list(TRANSFORM originals PREPEND "${PROJECT_SOURCE_DIR}/")
    add_custom_command(OUTPUT "${stamp}" BYPRODUCTS ${copies}
        COMMAND "${CMAKE_COMMAND}" "-DROOT=${PROJECT_SOURCE_DIR}" "-DLIST=${list_file}" "-DBINARY=${PROJECT_BINARY_DIR}"
            "-DSTAMP=${stamp}" -P "${PROJECT_SOURCE_DIR}/cmake/public_headers.cmake"
        DEPENDS ${originals} "${list_file}" "${PROJECT_SOURCE_DIR}/cmake/public_headers.cmake"
        COMMENT "Copying the public headers" VERBATIM)
    add_custom_target(perigee_headers DEPENDS "${stamp}")
endfunction()

if(NOT CMAKE_SCRIPT_MODE_FILE)
    return()
endif()

function(write_if_other path text)
    if(EXISTS "${path}")
        file(READ "${path}" old)
        if("${old}" STREQUAL "${text}")
            return()
        endif()
    endif()
    file(WRITE "${path}" "${text}")
endfunction()

file(STRINGS "${LIST}" roots)
perigee_reached_headers(headers "${ROOT}" ${roots})
foreach(header IN LISTS headers)
    file(READ "${ROOT}/${header}" text)
    string(REGEX REPLACE "(\n[ \t]*#[ \t]*include[ \t]*\")((ecs|scripting|engine)/)" "\\1perigee/\\2" text "\n${text}")
    string(SUBSTRING "${text}" 1 -1 text)
    # What a host's own warnings say about our templates helps neither.
    set(head "#pragma once\n#pragma GCC system_header\n")
    set(place "#line 1 \"${ROOT}/${header}\"\n")
    set(tail "")
    # A header that asks for __cplusplus is one for C, too.
    if(NOT text MATCHES "__cplusplus")
        string(APPEND head "#if __cplusplus < 202002L\n"
            "#error \"Perigee needs C++20: compile with -std=c++20, in CMake link perigee::ecs or its like\"\n#else\n")
        set(tail "\n#endif\n")
    endif()
    write_if_other("${BINARY}/include/perigee/${header}" "${head}${place}${text}${tail}")
    write_if_other("${BINARY}/install_include/perigee/${header}" "${head}${text}${tail}")
endforeach()
# Headers that were removed from the source.
foreach(folder IN ITEMS include install_include)
    file(GLOB_RECURSE copies RELATIVE "${BINARY}/${folder}/perigee" "${BINARY}/${folder}/perigee/*")
    foreach(copy IN LISTS copies)
        if(NOT copy IN_LIST headers)
            file(REMOVE "${BINARY}/${folder}/perigee/${copy}")
        endif()
    endforeach()
endforeach()
file(TOUCH "${STAMP}")
