# Language, warnings and code generation, the same for every target.
# -Wconversion is left out on purpose: index arithmetic between u32 rows and size_t spans would drown in casts.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
# Plugins and their tests are in C, too.
set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
# Executables stand at the top of the build directory: build/release/perigee.
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
# System headers named by imported targets are not ours to warn about.
set(CMAKE_NO_SYSTEM_FROM_IMPORTED OFF)

if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
# Debug stays playable: -O1 keeps the thousand-entity tests in seconds. Checks of the standard library are on.
set(CMAKE_CXX_FLAGS_DEBUG "-O1 -g -D_GLIBCXX_ASSERTIONS")
# g++ 12 does not vectorise our column loops at -O2. Aligned loops: one of 27 bytes that lies across a cache line of
# code takes 1.3 times as long, and where it lies would change with every edit.
set(CMAKE_C_FLAGS_DEBUG "-O1 -g")
set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG -falign-loops=32")

add_compile_options(
    -Wall -Wextra -Wpedantic -Werror
    -Wshadow $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor> $<$<COMPILE_LANGUAGE:CXX>:-Woverloaded-virtual>
    -Wcast-align -Wformat=2 -Wundef $<$<COMPILE_LANGUAGE:CXX>:-Wextra-semi>
    # g++ 12 sees an overlap in every "literal" + std::string (GCC bug 105651).
    -Wno-restrict
    # Messages name files as the project does: ecs/chunk.cpp.
    "-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/="
    # The world hash must not depend on whether the compiler fused a multiply and an add.
    -ffp-contract=off
    # Lua errors unwind through C++ frames, also out of leaf functions.
    -fexceptions -fasynchronous-unwind-tables)

# Optional: rebuilds after switching branches become cheap.
if(NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
    find_program(PERIGEE_CCACHE ccache)
    mark_as_advanced(PERIGEE_CCACHE)
    if(PERIGEE_CCACHE)
        set(CMAKE_CXX_COMPILER_LAUNCHER "${PERIGEE_CCACHE}")
    endif()
endif()
