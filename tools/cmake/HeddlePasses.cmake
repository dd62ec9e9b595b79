# heddle_add_pass(<pass-name> <PassName>.cpp...): a pass in a folder of plugins/.
#
# It is built in: the source's HEDDLE_PLUGIN(pass_name) makes the entry pass_name_pluginInfo(), and
# heddle_add_builtin_passes() writes the list of all entries.

function(heddle_add_pass name)
  set(target heddle-pass-${name})
  add_library(${target} OBJECT ${ARGN})
  target_link_libraries(${target} PRIVATE heddle::heddle)
  set_property(GLOBAL APPEND PROPERTY HEDDLE_PASSES ${name})
endfunction()

# The library `target`: every pass added so far and heddle::builtinPlugins(), sorted by name.
function(heddle_add_builtin_passes target)
  get_property(passes GLOBAL PROPERTY HEDDLE_PASSES)
  list(SORT passes)
  set(declarations "")
  set(entries "")
  set(objects "")
  foreach(pass IN LISTS passes)
    string(MAKE_C_IDENTIFIER "${pass}" entry)
    string(APPEND declarations "extern \"C\" const heddle::PluginInfo *${entry}_pluginInfo();\n")
    string(APPEND entries "      ${entry}_pluginInfo,\n")
    list(APPEND objects $<TARGET_OBJECTS:heddle-pass-${pass}>)
  endforeach()
  if(passes)
    set(body "  static constexpr PluginEntryFn entries[] = {\n${entries}  };\n  return entries;\n")
  else()
    set(body "  return {};\n")
  endif()
  file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/BuiltinPlugins.cpp" @ONLY CONTENT
"// Written by CMake: the passes that are linked in.
#include \"heddle/Plugin/Builtin.h\"

@declarations@
llvm::ArrayRef<heddle::PluginEntryFn> heddle::builtinPlugins() {
@body@}
")
  add_library(${target} STATIC "${CMAKE_BINARY_DIR}/BuiltinPlugins.cpp" ${objects})
  target_link_libraries(${target} PUBLIC heddle::heddle)
endfunction()
