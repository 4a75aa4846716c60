# Language, warnings and code generation, the same for every target of this project. Inside another project
# (add_subdirectory, FetchContent) only the options that the libraries need are set; the host decides on
# optimisation, warnings and output folders.
if(NOT CMAKE_CXX_STANDARD OR CMAKE_CXX_STANDARD LESS 20)
    set(CMAKE_CXX_STANDARD 20)
endif()
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
# Plugins and their tests are in C, too.
set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
# System headers named by imported targets are not ours to warn about.
set(CMAKE_NO_SYSTEM_FROM_IMPORTED OFF)
# Files of one layer may use one name for different things.
set(CMAKE_UNITY_BUILD OFF)

if(PROJECT_IS_TOP_LEVEL)
    set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
    # A library need not wait until those below it are archived.
    set(CMAKE_OPTIMIZE_DEPENDENCIES ON)
    if(NOT CMAKE_BUILD_TYPE)
        set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
    endif()
    # Debug stays playable: -Og keeps the thousand-entity tests in seconds, and compiles in three quarters of the time
    # of -O1, which follows variables longer. Checks of the standard library are on.
    set(CMAKE_CXX_FLAGS_DEBUG "-Og -g -D_GLIBCXX_ASSERTIONS")
    # g++ 12 does not vectorise our column loops at -O2. Aligned loops: a 27-byte loop across a code cache
    # line takes 1.3 times as long, and its position would change with every edit.
    set(CMAKE_C_FLAGS_DEBUG "-O1 -g")
    set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG -falign-loops=32")
endif()
# Executables are at the top of the build directory: build/release/perigee. If a host sets an output folder,
# ours go there too, so perigee_decoder is next to its program.
if(PROJECT_IS_TOP_LEVEL OR NOT CMAKE_RUNTIME_OUTPUT_DIRECTORY)
    set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
endif()

if(PERIGEE_WARNINGS)
    add_compile_options(
        -Wall -Wextra -Wpedantic -Werror
        -Wshadow $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor> $<$<COMPILE_LANGUAGE:CXX>:-Woverloaded-virtual>
        # A conversion that can lose bits or a sign is written as a cast. -Warith-conversion stays off: it wants one for
        # each u16 + u16. Tests are without: see perigee_tests.
        -Wconversion -Wsign-conversion
        -Wcast-align -Wformat=2 -Wundef $<$<COMPILE_LANGUAGE:CXX>:-Wextra-semi>
        # g++ 12 sees an overlap in every "literal" + std::string (GCC bug 105651).
        -Wno-restrict)
else()
    # Also against warnings, and -Werror, that a host asks for in its own folders; and against its linters.
    add_compile_options(-w)
    foreach(language IN ITEMS C CXX)
        foreach(linter IN ITEMS CLANG_TIDY CPPCHECK CPPLINT INCLUDE_WHAT_YOU_USE)
            set(CMAKE_${language}_${linter} "")
        endforeach()
    endforeach()
endif()
if(NOT PROJECT_IS_TOP_LEVEL)
    # A host that computes faster than exactly does so in its own files.
    add_compile_options(-fno-fast-math)
endif()

# Checks of single rows and of declared access, and the header code that they need. A property of the library,
# not of a host's build type: perigee_ecs passes it on to everything that links it.
set(PERIGEE_DEBUG_CHECKS "" CACHE STRING "Check each row and each access: ON, OFF; empty: in debug builds")
set(perigee_debug_checks 0)
if(PERIGEE_DEBUG_CHECKS OR (PERIGEE_DEBUG_CHECKS STREQUAL "" AND CMAKE_BUILD_TYPE STREQUAL "Debug"))
    set(perigee_debug_checks 1)
endif()

add_compile_options(
    # Messages name files as the project does: ecs/archetype/archetype.cpp.
    "-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/="
    # The world hash must not depend on whether the compiler fused a multiply and an add.
    -ffp-contract=off
    # Lua errors unwind through C++ frames, also out of leaf functions.
    -fexceptions -fasynchronous-unwind-tables)

# g++ collects garbage each time its heap has doubled, from 128 MB on, which is a tenth of its time. From 1.2 GB on it takes
# up to 2.4 GB for a file, so not on a machine with less than 3.5 GB for each core.
if(PROJECT_IS_TOP_LEVEL AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    cmake_host_system_information(RESULT megabytes QUERY TOTAL_PHYSICAL_MEMORY)
    cmake_host_system_information(RESULT cores QUERY NUMBER_OF_LOGICAL_CORES)
    math(EXPR megabytes_per_core "${megabytes} / ${cores}")
    if(megabytes_per_core GREATER_EQUAL 3500)
        add_compile_options(--param=ggc-min-heapsize=1200000)
    endif()
endif()

# Rebuilds after switching branches become cheap; the depend mode saves the first build a second run of the preprocessor.
if(PROJECT_IS_TOP_LEVEL AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
    find_program(PERIGEE_CCACHE ccache)
    mark_as_advanced(PERIGEE_CCACHE)
    if(PERIGEE_CCACHE)
        set(CMAKE_CXX_COMPILER_LAUNCHER
            "${CMAKE_COMMAND};-E;env;CCACHE_DEPEND=1;CCACHE_SLOPPINESS=time_macros;${PERIGEE_CCACHE}")
    endif()
endif()

# Each debug build links eight programs of 70 to 180 MB, and mold does that in a quarter of the time.
if(PROJECT_IS_TOP_LEVEL AND CMAKE_BUILD_TYPE STREQUAL "Debug")
    include(CheckLinkerFlag)
    check_linker_flag(CXX -fuse-ld=mold PERIGEE_LINKS_WITH_MOLD)
    if(PERIGEE_LINKS_WITH_MOLD)
        add_link_options(-fuse-ld=mold)
    endif()
endif()
