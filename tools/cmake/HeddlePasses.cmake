# heddle_add_pass(<pass-name> <PassName>.cpp...): a pass, built in or as a loadable module from the
# same source. Included by our own build and, installed, by find_package(Heddle).
#
# In Heddle's tree it is built in: HEDDLE_PLUGIN(pass_name) in the source makes the entry
# pass_name_pluginInfo(), and heddle_add_builtin_passes() writes the list of all entries. The module
# is the target heddle-module-<pass-name>, which makes modules/<pass-name>.so in the build folder; it
# is part of `all` with HEDDLE_BUILD_MODULES, and of the target heddle-modules.
#
# Outside it is a module, and part of `all`.

# The target heddle-module-<name>: <name>.so for `heddle --load-plugin`.
function(heddle_add_module name)
  set(target heddle-module-${name})
  add_library(${target} MODULE ${ARGN})
  target_link_libraries(${target} PRIVATE heddle::heddle)
  target_compile_definitions(${target} PRIVATE HEDDLE_PLUGIN_MODULE)
  # What the module lacks is an error now rather than when it is loaded.
  target_link_options(${target} PRIVATE -Wl,-z,defs)
  set_target_properties(${target} PROPERTIES PREFIX "" OUTPUT_NAME ${name}
                                             CXX_VISIBILITY_PRESET hidden
                                             VISIBILITY_INLINES_HIDDEN ON)
  if(HEDDLE_MODULE_FOLDER)
    set_target_properties(${target} PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${HEDDLE_MODULE_FOLDER}")
  endif()
  set_property(GLOBAL APPEND PROPERTY HEDDLE_MODULES ${target})
endfunction()

function(heddle_add_pass name)
  heddle_add_module(${name} ${ARGN})
  if(NOT HEDDLE_BUILTIN_PASSES)
    return()
  endif()
  if(NOT HEDDLE_BUILD_MODULES)
    set_target_properties(heddle-module-${name} PROPERTIES EXCLUDE_FROM_ALL ON)
  endif()
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

  get_property(modules GLOBAL PROPERTY HEDDLE_MODULES)
  add_custom_target(heddle-modules DEPENDS ${modules})
endfunction()

# heddle_add_tests(<folder>): the target `check` runs the lit tests in the folder, whose lit.cfg.py
# loads what `lit --param heddle=` names: heddle-tests.cfg.py in the build folder. Call it after
# heddle_add_pass(). For projects outside Heddle's tree.
function(heddle_add_tests folder)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  find_program(HEDDLE_LIT NAMES lit.py llvm-lit lit REQUIRED
               HINTS "${HEDDLE_LLVM_TOOLS}/../build/utils/lit" "${HEDDLE_LLVM_TOOLS}")
  get_property(modules GLOBAL PROPERTY HEDDLE_MODULES)
  set(files "")
  foreach(module IN LISTS modules)
    string(APPEND files "    r\"$<TARGET_FILE:${module}>\",\n")
  endforeach()
  set(settings "${CMAKE_CURRENT_BINARY_DIR}/heddle-tests.cfg.py")
  file(GENERATE OUTPUT "${settings}" CONTENT "# Written by CMake.
config.heddle_tools = [r\"$<TARGET_FILE_DIR:heddle::tool>\", r\"${HEDDLE_LLVM_TOOLS}\"]
config.heddle_modules = [
${files}]
config.test_exec_root = r\"${CMAKE_CURRENT_BINARY_DIR}/tests\"
lit_config.load_config(config, r\"${HEDDLE_CMAKE_FOLDER}/HeddleLit.cfg.py\")
")
  add_custom_target(check
    COMMAND "${Python3_EXECUTABLE}" "${HEDDLE_LIT}" -sv --param "heddle=${settings}"
            "${CMAKE_CURRENT_SOURCE_DIR}/${folder}"
    DEPENDS ${modules} USES_TERMINAL VERBATIM)
endfunction()
