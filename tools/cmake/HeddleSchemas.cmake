# The schemas of .hb: flatc makes a header of each, <name>_generated.h in the build folder, which
# libheddle's sources see and nothing else does.

find_program(HEDDLE_FLATC flatc REQUIRED)
find_path(HEDDLE_FLATBUFFERS flatbuffers/flatbuffers.h REQUIRED)
find_path(HEDDLE_XXHASH xxhash.h REQUIRED)

function(heddle_use_schemas target)
  file(GLOB schemas CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/schemas/*.fbs")
  set(folder "${CMAKE_BINARY_DIR}/schemas")
  set(headers "")
  foreach(schema IN LISTS schemas)
    cmake_path(GET schema STEM name)
    set(header "${folder}/${name}_generated.h")
    # A schema may include any other, so that each header is made anew when one changes.
    add_custom_command(
      OUTPUT "${header}"
      COMMAND "${HEDDLE_FLATC}" --cpp --cpp-std c++17 --scoped-enums -o "${folder}"
              -I "${CMAKE_SOURCE_DIR}/schemas" "${schema}"
      DEPENDS ${schemas}
      COMMENT "Schema ${name}.fbs" VERBATIM)
    list(APPEND headers "${header}")
  endforeach()
  target_sources(${target} PRIVATE ${headers})
  target_include_directories(${target} SYSTEM PRIVATE "${folder}" "${HEDDLE_FLATBUFFERS}"
                                                      "${HEDDLE_XXHASH}")
endfunction()
