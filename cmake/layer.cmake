# perigee_layer: one static library from the .cpp files under its folders, for hosts perigee::NAME.
# perigee_program: one executable.
# perigee_plugin: one shared object that the program loads at run time.
# perigee_runs: a program that another one needs when it runs, not when it is linked.
# PUBLIC contains the layer below, so the linker gets the layers in order.

set(perigee_library_type STATIC)
if(PERIGEE_SHARED)
    set(perigee_library_type SHARED)
    # What is linked to a library need not be linked again when the library is.
    set(CMAKE_LINK_DEPENDS_NO_SHARED ON)
endif()

# All .cpp files under FOLDERS, without those whose path starts with an entry of EXCLUDE.
function(perigee_sources out)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "FOLDERS;EXCLUDE;PATTERNS")
    set(found)
    foreach(folder IN LISTS arg_FOLDERS)
        foreach(pattern IN LISTS arg_PATTERNS)
            file(GLOB_RECURSE files CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}"
                "${PROJECT_SOURCE_DIR}/${folder}/${pattern}")
            list(APPEND found ${files})
        endforeach()
    endforeach()
    foreach(prefix IN LISTS arg_EXCLUDE)
        list(FILTER found EXCLUDE REGEX "^${prefix}")
    endforeach()
    list(TRANSFORM found PREPEND "${PROJECT_SOURCE_DIR}/")
    set(${out} "${found}" PARENT_SCOPE)
endfunction()

# Our own files find headers in the source tree first, whatever include folders a host adds globally; users of
# a layer get the public headers (cmake/public_headers.cmake).
function(perigee_layer name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "FOLDERS;EXCLUDE;SOURCES;DEFINES;PUBLIC;PRIVATE")
    perigee_sources(sources FOLDERS ${arg_FOLDERS} EXCLUDE ${arg_EXCLUDE} PATTERNS *.cpp)
    add_library(${name} ${perigee_library_type} ${sources} ${arg_SOURCES})
    string(REGEX REPLACE "^perigee_" "" short "${name}")
    add_library(perigee::${short} ALIAS ${name})
    set_target_properties(${name} PROPERTIES EXPORT_NAME ${short})
    add_dependencies(${name} perigee_headers)
    target_include_directories(${name} BEFORE PRIVATE "${PROJECT_SOURCE_DIR}"
        INTERFACE "$<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>")
    target_compile_features(${name} PUBLIC cxx_std_20)
    target_link_libraries(${name} PUBLIC ${arg_PUBLIC} PRIVATE ${arg_PRIVATE})
    target_compile_definitions(${name} PRIVATE ${arg_DEFINES})
    perigee_join_sources(${name} ${sources})
    if(PERIGEE_HEADER_CHECK)
        perigee_header_check(${name} FOLDERS ${arg_FOLDERS} EXCLUDE ${arg_EXCLUDE}
            LINK ${name} ${arg_PRIVATE})
    endif()
endfunction()

# Each header without a .cpp of its name gets a one-line .cpp, so a header that does not compile alone fails
# the build by name. The other headers are checked by their own .cpp, which includes them first
# (tests/layers_test.cpp).
function(perigee_header_check layer)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "FOLDERS;EXCLUDE;LINK")
    perigee_sources(headers FOLDERS ${arg_FOLDERS} EXCLUDE ${arg_EXCLUDE} PATTERNS *.h)
    set(sources)
    foreach(header IN LISTS headers)
        string(REGEX REPLACE "\\.h$" ".cpp" own_source "${header}")
        if(EXISTS "${own_source}")
            continue()
        endif()
        file(RELATIVE_PATH relative "${PROJECT_SOURCE_DIR}" "${header}")
        set(source "${PROJECT_BINARY_DIR}/header_check/${relative}.cpp")
        file(CONFIGURE OUTPUT "${source}" CONTENT "#include \"${relative}\"\n")
        list(APPEND sources "${source}")
    endforeach()
    if(sources)
        add_library(${layer}_headers OBJECT ${sources})
        target_include_directories(${layer}_headers BEFORE PRIVATE "${PROJECT_SOURCE_DIR}")
        target_link_libraries(${layer}_headers PRIVATE ${arg_LINK})
        target_compile_options(${layer}_headers PRIVATE -O0 -g0)
    endif()
endfunction()

# NAME starts PROGRAM, or loads it. With Ninja its sources are compiled without waiting for PROGRAM.
function(perigee_runs name program)
    if(CMAKE_GENERATOR STREQUAL "Ninja")
        set_property(TARGET ${name} APPEND PROPERTY LINK_DEPENDS "$<TARGET_FILE:${program}>")
    else()
        add_dependencies(${name} ${program})
    endif()
endfunction()

# A native plugin: build/<preset>/plugins/NAME.so from one C or C++ file. It links none of our libraries.
function(perigee_plugin name source)
    add_library(${name} MODULE "${PROJECT_SOURCE_DIR}/${source}")
    target_link_libraries(${name} PRIVATE perigee::plugin)
    set_target_properties(${name} PROPERTIES PREFIX "" C_VISIBILITY_PRESET hidden CXX_VISIBILITY_PRESET hidden
        LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/plugins")
endfunction()

# HOST: it finds the headers as a host does, and not in the source.
function(perigee_program name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "HOST" "" "SOURCES;LINK")
    list(TRANSFORM arg_SOURCES PREPEND "${PROJECT_SOURCE_DIR}/")
    add_executable(${name} ${arg_SOURCES})
    target_link_libraries(${name} PRIVATE ${arg_LINK})
    if(NOT arg_HOST)
        target_include_directories(${name} BEFORE PRIVATE "${PROJECT_SOURCE_DIR}")
    endif()
endfunction()
