# What makes a build from nothing quick: the sources of a folder are compiled together, and tests find the headers that
# most of them include precompiled. A file that forgets an include then compiles all the same; ./test tidy, which reads
# each file alone, finds it.
option(PERIGEE_QUICK_BUILD "Compile the sources of a folder together, and precompile headers" ${PROJECT_IS_TOP_LEVEL})

# Folders whose files use one name for different things: the function `remove` of the world and that of buffers.
set(perigee_separate_folders scripting/host/internal engine/mods engine/modules engine/replay engine/tools)

# One unit a folder, and not a number of files, so that a new file changes no other unit.
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
        if(NOT folder IN_LIST perigee_separate_folders)
            string(REPLACE "/" "_" group "${folder}")
            set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "${group}")
        endif()
    endforeach()
endfunction()

# HEADERS besides the common ones.
function(perigee_precompile target)
    if(NOT PERIGEE_QUICK_BUILD)
        return()
    endif()
    set(headers algorithm array chrono cstdint cstring functional map memory optional set span string string_view
        unordered_map utility vector ${ARGN})
    list(TRANSFORM headers PREPEND "<")
    list(TRANSFORM headers APPEND ">")
    list(TRANSFORM headers REPLACE "(.+)" "$<$<COMPILE_LANGUAGE:CXX>:\\1>")
    target_precompile_headers(${target} PRIVATE ${headers})
    # g++ 12 forgets that a precompiled header is the system's, and warns about std::string in it (GCC bug 105651).
    target_compile_options(${target} PRIVATE
        "$<$<COMPILE_LANGUAGE:CXX>:-Wno-array-bounds;-Wno-stringop-overflow;-Wno-stringop-overread>")
endfunction()
