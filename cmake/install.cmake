# After `cmake --install`, another project uses find_package(wend) and links wend::wend.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS wend EXPORT wendTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(WEND_BUILD_APPS)
  install(TARGETS wend_app RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/wend DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT wendTargets NAMESPACE wend:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/wend)

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/wendConfig.cmake.in ${PROJECT_BINARY_DIR}/wendConfig.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/wend)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/wendConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/wendConfig.cmake ${PROJECT_BINARY_DIR}/wendConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/wend)
