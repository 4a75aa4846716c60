# perigee_tests: one Catch2 executable from tests/<layer>/**_test.cpp, and one ctest entry per test case.
# Other .cpp files in the folder are its helpers. Their main function is in tests/main.cpp.
include(CTest)
include(Catch)

add_library(perigee_test_main STATIC "${PROJECT_SOURCE_DIR}/tests/main.cpp")
target_include_directories(perigee_test_main PUBLIC "${PROJECT_SOURCE_DIR}")
target_link_libraries(perigee_test_main PUBLIC Catch2::Catch2 fmt::fmt)
target_compile_definitions(perigee_test_main PUBLIC
    PERIGEE_SOURCE_DIR="${PROJECT_SOURCE_DIR}" PERIGEE_BINARY_DIR="${PROJECT_BINARY_DIR}")

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
    perigee_find_test_cases(${name} TIMEOUT ${timeout})
endfunction()

# Each test case becomes a test of ctest when ctest starts, if the program is newer than the list of them: to make the
# lists of all programs in every build takes as long as to link them. The arguments are properties of each test. The
# working directory is the build directory, so no test can depend on where it was started.
function(perigee_find_test_cases name)
    set(list "${PROJECT_BINARY_DIR}/${name}_cases.cmake")
    set(step "${PROJECT_BINARY_DIR}/${name}_find_cases.cmake")
    file(GENERATE OUTPUT "${step}" CONTENT "\
if(NOT EXISTS \"$<TARGET_FILE:${name}>\")
    add_test(\"${name} is not built\" \"$<TARGET_FILE:${name}>\")
    return()
endif()
if(\"$<TARGET_FILE:${name}>\" IS_NEWER_THAN \"${list}\")
    execute_process(COMMAND_ERROR_IS_FATAL ANY
        COMMAND \"${CMAKE_COMMAND}\" -D TEST_TARGET=${name} \"-DTEST_EXECUTABLE=$<TARGET_FILE:${name}>\"
            \"-DTEST_WORKING_DIR=${PROJECT_BINARY_DIR}\" \"-DTEST_PROPERTIES=${ARGN}\" -D TEST_PREFIX=${name}:
            -D TEST_LIST=${name}_TESTS \"-DCTEST_FILE=${list}\" -P \"${_CATCH_DISCOVER_TESTS_SCRIPT}\")
endif()
include(\"${list}\")
")
    set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${step}")
endfunction()
