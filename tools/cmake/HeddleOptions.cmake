# Compile and link options of everything we build; the target heddle-options carries them.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_VISIBILITY_PRESET default) # the version script says what libheddle shows
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
set(CMAKE_CXX_FLAGS_DEV "-O1 -g1 -fno-omit-frame-pointer")

# The tree can be moved: a program finds libheddle beside itself, built or installed.
set(CMAKE_BUILD_WITH_INSTALL_RPATH ON)
set(CMAKE_INSTALL_RPATH "$ORIGIN/../lib")

find_program(HEDDLE_CCACHE ccache)
if(HEDDLE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${HEDDLE_CCACHE}")
endif()

add_library(heddle-options INTERFACE)
target_compile_options(
  heddle-options
  INTERFACE -Wall
            -Wextra
            -Wpedantic
            -Wnon-virtual-dtor
            -Woverloaded-virtual
            -Wimplicit-fallthrough
            # Debian's LLVM does not check at run time that an llvm::Error was looked at.
            -Werror=unused-result
            -Werror=return-type
            $<$<BOOL:${HEDDLE_WERROR}>:-Werror>
            # GCC 12 finds these in std::string where they are not.
            $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
            $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>
            $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow>)

if(HEDDLE_SANITIZE)
  target_compile_options(heddle-options INTERFACE -fsanitize=${HEDDLE_SANITIZE}
                                                  -fno-sanitize-recover=all)
  target_link_options(heddle-options INTERFACE -fsanitize=${HEDDLE_SANITIZE})
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    # The static runtime leaves its symbols open in a shared object, which -z defs refuses.
    execute_process(COMMAND "${CMAKE_CXX_COMPILER}" -print-file-name=libclang_rt.asan-x86_64.so
                    OUTPUT_VARIABLE runtime OUTPUT_STRIP_TRAILING_WHITESPACE)
    cmake_path(GET runtime PARENT_PATH runtime)
    target_link_options(heddle-options INTERFACE -shared-libsan -Wl,-rpath,${runtime})
  endif()
endif()
