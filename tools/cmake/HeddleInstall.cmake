# What `cmake --install` puts below the prefix: the command, libheddle, its headers, and what
# find_package(Heddle) and the tests of other people's passes need. All of it can be moved.

include(CMakePackageConfigHelpers)

set(package "${CMAKE_INSTALL_LIBDIR}/cmake/Heddle")
set_target_properties(heddle-tool PROPERTIES EXPORT_NAME tool)
install(TARGETS heddle heddle-tool EXPORT HeddleTargets)
if(TARGET heddle-gen)
  install(TARGETS heddle-gen)
endif()
install(EXPORT HeddleTargets NAMESPACE heddle:: DESTINATION "${package}")
configure_package_config_file(tools/cmake/HeddleConfig.cmake.in HeddleConfig.cmake
                              INSTALL_DESTINATION "${package}")
write_basic_package_version_file("${CMAKE_BINARY_DIR}/HeddleConfigVersion.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_BINARY_DIR}/HeddleConfig.cmake"
              "${CMAKE_BINARY_DIR}/HeddleConfigVersion.cmake" tools/cmake/HeddlePasses.cmake
              tools/cmake/HeddleLit.cfg.py
        DESTINATION "${package}")

install(DIRECTORY include/heddle DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" FILES_MATCHING PATTERN "*.h")
if(EXISTS "${CMAKE_SOURCE_DIR}/schemas")
  install(DIRECTORY schemas DESTINATION "${CMAKE_INSTALL_DATADIR}/heddle")
endif()
install(DIRECTORY plugins/Example DESTINATION "${CMAKE_INSTALL_DATADIR}/heddle")
install(PROGRAMS tools/utils/update-checks DESTINATION "${CMAKE_INSTALL_DATADIR}/heddle")
install(DIRECTORY docs/ DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}")
