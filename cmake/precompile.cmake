# Headers of the standard library that nearly every file includes, compiled once for each target where ccache is
# missing: a build from nothing then takes a quarter less. With ccache they are not: rebuilds are cheap there, and a
# file that forgets an include fails.
set(perigee_precompile_default ON)
if(CMAKE_CXX_COMPILER_LAUNCHER OR NOT PROJECT_IS_TOP_LEVEL)
    set(perigee_precompile_default OFF)
endif()
option(PERIGEE_PRECOMPILE "Precompile the standard library's headers" ${perigee_precompile_default})

# precompiled TARGET [HEADERS…]: HEADERS besides the common ones.
function(perigee_precompile target)
    if(NOT PERIGEE_PRECOMPILE)
        return()
    endif()
    set(headers algorithm array chrono cstdint cstring functional map memory optional set span string string_view
        unordered_map utility vector ${ARGN})
    list(TRANSFORM headers PREPEND "<")
    list(TRANSFORM headers APPEND ">")
    list(TRANSFORM headers REPLACE "(.+)" "$<$<COMPILE_LANGUAGE:CXX>:\\1>")
    target_precompile_headers(${target} PRIVATE ${headers})
    # g++ 12 forgets that a precompiled header is the system's and warns about its insides (GCC bug 105651). Warnings
    # are errors in all builds with ccache.
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wno-error>)
endfunction()
