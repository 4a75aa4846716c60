# perigee_tests: one Catch2 executable from tests/<layer>/**_test.cpp, and one ctest entry per test case.
# Other .cpp files in the folder are its helpers. Catch2's main is compiled once, in tests/main.cpp.
include(CTest)
include(Catch)

add_library(perigee_test_main STATIC "${PROJECT_SOURCE_DIR}/tests/main.cpp")
target_include_directories(perigee_test_main PUBLIC "${PROJECT_SOURCE_DIR}")
target_link_libraries(perigee_test_main PUBLIC Catch2::Catch2 fmt::fmt)
target_compile_definitions(perigee_test_main PUBLIC
    PERIGEE_SOURCE_DIR="${PROJECT_SOURCE_DIR}" PERIGEE_BINARY_DIR="${PROJECT_BINARY_DIR}")

# Tests need no display and no sound card, also on a machine that has them.
set(perigee_test_environment SDL_VIDEODRIVER=dummy SDL_AUDIODRIVER=dummy)

function(perigee_tests name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "FOLDER;TIMEOUT" "FILES;EXCLUDE;LINK;RUNS")
    set(sources ${arg_FILES})
    if(arg_FOLDER)
        perigee_sources(found FOLDERS ${arg_FOLDER} EXCLUDE ${arg_EXCLUDE} PATTERNS *.cpp)
        perigee_join_tests(found ${name} ${found})
        list(APPEND sources ${found})
    endif()
    if(NOT sources)
        return()
    endif()
    add_executable(${name} ${sources})
    target_link_libraries(${name} PRIVATE perigee_test_main ${arg_LINK})
    # Lines and functions for stack traces; the variables of a test would cost a quarter of the time to compile it.
    target_compile_options(${name} PRIVATE -g1)
    # Small numbers become values of each type there, and std::mt19937 gives its 32 bits in 64. A value cut off in a
    # test fails the test.
    target_compile_options(${name} PRIVATE -Wno-conversion -Wno-sign-conversion -Wno-subobject-linkage)
    foreach(program IN LISTS arg_RUNS)
        if(TARGET ${program})
            perigee_runs(${name} ${program})
        endif()
    endforeach()
    set(timeout 300)
    if(arg_TIMEOUT)
        set(timeout ${arg_TIMEOUT})
    endif()
    # The working directory is the build directory, so no test can depend on where it was started.
    catch_discover_tests(${name} TEST_PREFIX "${name}:" WORKING_DIRECTORY "${PROJECT_BINARY_DIR}"
        PROPERTIES TIMEOUT ${timeout} ENVIRONMENT "${perigee_test_environment}")
endfunction()
