# After `cmake --install` another project uses find_package(wend) and links wend::wend, or wend::core alone, or asks
# pkg-config for wend or wend-core.
include(CMakePackageConfigHelpers)
set(WEND_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/wend)

install(TARGETS wend-core EXPORT wendCoreTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT wendCoreTargets NAMESPACE wend:: DESTINATION ${WEND_CMAKE_DIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/wend DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(TARGET wend-tools)
  install(TARGETS wend wend-tools EXPORT wendToolsTargets
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT wendToolsTargets NAMESPACE wend:: DESTINATION ${WEND_CMAKE_DIR})
endif()
if(TARGET wend_app)
  install(TARGETS wend_app RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
# The page of `wend view`, if `make view` has built it.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/build/viewer DESTINATION ${CMAKE_INSTALL_DATADIR}/wend OPTIONAL)
if(TARGET wend_import)
  install(TARGETS wend_import RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/wend)
endif()

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/wendConfig.cmake.in ${PROJECT_BINARY_DIR}/wendConfig.cmake
                              INSTALL_DESTINATION ${WEND_CMAKE_DIR})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/wendConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/wendConfig.cmake ${PROJECT_BINARY_DIR}/wendConfigVersion.cmake
        DESTINATION ${WEND_CMAKE_DIR})

# pkg-config. A static library does not carry what it links, so its users link that too.
set(WEND_PC_PRIVATE "")
if(BUILD_SHARED_LIBS)
  set(WEND_PC_PRIVATE ".private")
endif()
set(WEND_PC_CORE_REQUIRES fmt)
set(WEND_PC_CORE_LIBS -pthread)
if(WEND_HAS_TBB)
  list(APPEND WEND_PC_CORE_REQUIRES tbb)
endif()
if(WEND_HAS_RECAST)
  list(APPEND WEND_PC_CORE_LIBS -lRecast)
endif()
set(WEND_PC_TOOLS_REQUIRES pugixml libpng sqlite3)
if(WEND_HAS_TIFF)
  list(APPEND WEND_PC_TOOLS_REQUIRES libtiff-4)
endif()
list(JOIN WEND_PC_TOOLS_REQUIRES ", " WEND_PC_TOOLS_REQUIRES)
list(JOIN WEND_PC_CORE_REQUIRES ", " WEND_PC_CORE_REQUIRES)
list(JOIN WEND_PC_CORE_LIBS " " WEND_PC_CORE_LIBS)
# The files work wherever the installation is moved to.
file(RELATIVE_PATH WEND_PC_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
foreach(name wend-core wend)
  if(name STREQUAL wend-core OR TARGET wend-tools)
    configure_file(${CMAKE_CURRENT_LIST_DIR}/${name}.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
  endif()
endforeach()
