# LLVM 19 inside libheddle: no libLLVM at run time, none of its options, a fast start.
#
# Support and Demangle are embedded whole, since plugins use them through libheddle; of the rest
# comes what we refer to. Archives are named by path: CMake's targets cannot be embedded whole.

find_package(LLVM 19.1 REQUIRED CONFIG) # "19" finds none: the package answers to major.minor
if(NOT LLVM_ENABLE_RTTI)
  message(FATAL_ERROR "this LLVM was built without RTTI, with which Heddle is built")
endif()

find_program(HEDDLE_LLVM_CONFIG llvm-config PATHS "${LLVM_TOOLS_BINARY_DIR}" NO_DEFAULT_PATH REQUIRED)

separate_arguments(llvm_definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")
target_compile_definitions(heddle-options INTERFACE ${llvm_definitions})
target_include_directories(heddle-options SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})

# The settings that modules share with libheddle, as the preprocessor sees them under our flags:
# LLVM's version and layout, and the anchor of Plugin/Abi.h.
function(heddle_abi_facts variable)
  set(probe "${CMAKE_BINARY_DIR}/abi-facts.cpp")
  file(CONFIGURE OUTPUT "${probe}" CONTENT "#include \"heddle/Plugin/Abi.h\"
FACT llvm LLVM_VERSION_STRING LLVM_ENABLE_REVERSE_ITERATION
FACT anchor HEDDLE_ABI_ANCHOR
")
  string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
  separate_arguments(flags NATIVE_COMMAND "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${type}}")
  execute_process(
    COMMAND "${CMAKE_CXX_COMPILER}" ${flags} -std=c++20 -E -P -I "${CMAKE_SOURCE_DIR}/include"
            -isystem "${LLVM_INCLUDE_DIR}" "${probe}"
    OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "FACT [^\n]*" facts "${text}")
  list(LENGTH facts count)
  if(NOT count EQUAL 2)
    message(FATAL_ERROR "'${CMAKE_CXX_COMPILER} -E' does not show the settings of the ABI")
  endif()
  string(REGEX REPLACE ".*FACT anchor " "" anchor "${facts}")
  set_property(GLOBAL PROPERTY HEDDLE_ABI_ANCHOR "${anchor}") # for tests
  list(JOIN facts ", " facts)
  set(${variable} "${facts}" PARENT_SCOPE)
endfunction()

# Link LLVM into the shared library `target` and give all symbols the version of our ABI.
function(heddle_embed_llvm target)
  execute_process(
    COMMAND "${HEDDLE_LLVM_CONFIG}" --link-static --libfiles symbolize debuginfodwarf object
    OUTPUT_VARIABLE archives OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(archives NATIVE_COMMAND "${archives}")
  list(FILTER archives EXCLUDE REGEX "libLLVM(Support|Demangle)\\.a$")

  # Support without its binding to Z3, which would need that library.
  set(support "${CMAKE_BINARY_DIR}/lib/libLLVMSupport-embedded.a")
  set(original "${LLVM_LIBRARY_DIR}/libLLVMSupport.a")
  if("${original}" IS_NEWER_THAN "${support}")
    file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
    file(COPY_FILE "${original}" "${support}.tmp")
    execute_process(COMMAND "${CMAKE_AR}" d "${support}.tmp" Z3Solver.cpp.o COMMAND_ERROR_IS_FATAL ANY)
    file(RENAME "${support}.tmp" "${support}")
    file(TOUCH "${support}")
  endif()

  set(script "${CMAKE_BINARY_DIR}/heddle.map")
  set(source "${CMAKE_BINARY_DIR}/AbiId.cpp")
  set(template "${CMAKE_SOURCE_DIR}/tools/cmake/heddle.map.in")
  set(writer "${CMAKE_SOURCE_DIR}/tools/cmake/AbiId.cmake")
  heddle_abi_facts(facts)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/include/heddle/*.h")
  add_custom_command(
    OUTPUT "${script}" "${source}"
    COMMAND "${CMAKE_COMMAND}" -D "headers=${CMAKE_SOURCE_DIR}/include/heddle" -D "facts=${facts}"
            -D "map=${script}" -D "template=${template}" -D "source=${source}" -P "${writer}"
    DEPENDS "${writer}" "${template}" ${headers}
    COMMENT "ABI id" VERBATIM)
  target_sources(${target} PRIVATE "${source}" "${script}")
  set_target_properties(${target} PROPERTIES LINK_DEPENDS "${script};${support}")
  target_link_options(${target} PRIVATE -Wl,-z,defs -Wl,-Bsymbolic-functions
                      -Wl,--version-script=${script})
  # One item each, so that CMake neither reorders nor merges.
  list(JOIN archives "," archives)
  target_link_libraries(
    ${target}
    PRIVATE "-Wl,--whole-archive,${support},${LLVM_LIBRARY_DIR}/libLLVMDemangle.a,--no-whole-archive"
            "-Wl,--start-group,${archives},--end-group")
endfunction()
