# cmake -D PROGRAM=... [-D ARGUMENTS=a;b] -D EXPECTED=file -P PloyExpect.cmake
# Runs a program and fails unless it exits with 0 and prints exactly what the file holds.
execute_process(COMMAND ${PROGRAM} ${ARGUMENTS} RESULT_VARIABLE status OUTPUT_VARIABLE got ERROR_VARIABLE errors)
if(NOT EXISTS ${EXPECTED})
  message(FATAL_ERROR "${EXPECTED} is missing; the program printed:\n${got}")
endif()
file(READ ${EXPECTED} want)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "exit status ${status}\n${errors}${got}")
endif()
if(NOT got STREQUAL want)
  message(FATAL_ERROR "${PROGRAM} printed\n${got}\n${EXPECTED} expects\n${want}")
endif()
