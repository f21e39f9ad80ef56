# One place for compile options: every target of the project links wend_options.
add_library(wend_options INTERFACE)
target_compile_options(wend_options INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor $<$<BOOL:${WEND_WERROR}>:-Werror>
  # Designated initialisers name what differs from the defaults.
  -Wno-missing-field-initializers
  # The same bytes on every machine: no fused multiply-add behind our back.
  -ffp-contract=off)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # Lets a compiler cache see through precompiled headers.
  target_compile_options(wend_options INTERFACE -fpch-preprocess)
  # One compilation fits into memory without collecting its garbage, which takes up to a tenth of its time.
  target_compile_options(wend_options INTERFACE "SHELL:--param ggc-min-expand=1000"
                                                "SHELL:--param ggc-min-heapsize=1000000")
  # GCC 12 reports false positives in libstdc++'s own inlined code at -O2, and takes a scoped enumerator for a shadow.
  target_compile_options(wend_options INTERFACE -Wshadow=local -Wno-restrict -Wno-stringop-overflow -Wno-array-bounds
                                                -Wno-maybe-uninitialized -Wno-dangling-pointer
                                                -Wno-stringop-overread)
else()
  target_compile_options(wend_options INTERFACE -Wshadow)
endif()
target_compile_definitions(wend_options INTERFACE
  $<$<OR:$<BOOL:${WEND_ASSERTIONS}>,$<CONFIG:Debug>>:WEND_ASSERTIONS>)
if(WEND_SANITIZE)
  target_compile_options(wend_options INTERFACE -fsanitize=${WEND_SANITIZE} -fno-omit-frame-pointer
                                                -fno-sanitize-recover=all)
  target_link_options(wend_options INTERFACE -fsanitize=${WEND_SANITIZE})
  if(WEND_SANITIZE STREQUAL "thread" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Asio has fences, which the sanitizer does not follow. Nothing of wend's own relies on one.
    target_compile_options(wend_options INTERFACE -Wno-tsan)
  endif()
endif()

# A slip of memory ends the program instead of running on. This costs less than 0.5 % (docs/notes/trust.md).
option(WEND_HARDENING "stack protector, checked library calls and read-only relocations" ON)
function(wend_is_hardened result)
  set(${result} OFF PARENT_SCOPE)
  if(WEND_HARDENING AND NOT WEND_SANITIZE AND CMAKE_SYSTEM_NAME STREQUAL "Linux")
    set(${result} ON PARENT_SCOPE)
  endif()
endfunction()
function(wend_harden target)
  wend_is_hardened(hardened)
  if(NOT hardened)
    return()
  endif()
  target_compile_options(${target} PRIVATE -fstack-protector-strong
    $<$<CONFIG:Release,RelWithDebInfo>:-U_FORTIFY_SOURCE> $<$<CONFIG:Release,RelWithDebInfo>:-D_FORTIFY_SOURCE=2>)
  get_target_property(kind ${target} TYPE)
  if(kind STREQUAL "EXECUTABLE")
    target_link_options(${target} PRIVATE -pie LINKER:-z,relro LINKER:-z,now LINKER:-z,noexecstack)
  endif()
endfunction()
