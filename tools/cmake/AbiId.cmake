# The ABI id: cmake -D headers=<include/heddle> -D facts=<text> -D map=<file> -D template=<file>
#                   -D source=<file> -P AbiId.cmake
#
# Hashes what a plugin is compiled against: every public header, without line comments and with
# white space made one, in order of their names; and the facts, a line of the settings that matter.
# Where the tree lies and when it was written play no part. Writes the linker's version script and
# the source that tells the id, both only if they change; without `map`, prints the id.

cmake_minimum_required(VERSION 3.25)
file(REAL_PATH "${headers}" headers)
file(GLOB_RECURSE files RELATIVE "${headers}" "${headers}/*.h")
list(SORT files)
set(all "${facts}\n")
foreach(file IN LISTS files)
  file(READ "${headers}/${file}" text)
  # Line comments, where no quote or slash before them leaves a doubt that they are one.
  string(REGEX REPLACE "(\n[^\"/\n]*)//[^\n]*" "\\1" text "\n${text}")
  string(REGEX REPLACE "[ \t\r\n]+" " " text "${text}")
  string(APPEND all "${file}\n${text}\n")
endforeach()
string(SHA256 hash "${all}")
string(SUBSTRING "${hash}" 0 16 hash)
set(HEDDLE_ABI_NODE "HEDDLE_${hash}")

if(NOT map)
  message("${HEDDLE_ABI_NODE}")
  return()
endif()
configure_file("${template}" "${map}" @ONLY)
file(CONFIGURE OUTPUT "${source}" @ONLY CONTENT
"// Written by AbiId.cmake.
#include \"heddle/Plugin/Abi.h\"

#define HEDDLE_ABI_QUOTE2(text) #text
#define HEDDLE_ABI_QUOTE(text) HEDDLE_ABI_QUOTE2(text)

extern \"C\" const char HEDDLE_ABI_ANCHOR[] = \"@HEDDLE_ABI_NODE@\";
llvm::StringRef heddle::abiId() { return HEDDLE_ABI_ANCHOR; }
llvm::StringRef heddle::abiAnchorName() { return HEDDLE_ABI_QUOTE(HEDDLE_ABI_ANCHOR); }
")
