# A host's own module, of a name that Perigee has, too.
if(NOT PROJECT_NAME STREQUAL "host")
    message(FATAL_ERROR "cmake/flags.cmake of the host, in ${PROJECT_NAME}")
endif()
