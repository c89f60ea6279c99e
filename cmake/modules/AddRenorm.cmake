# Functions that the rest of the build is written with. Everything links the shared libraries `MLIR` and `LLVM`,
# so that there is one copy of MLIR in a process and a plugin loads into a stock `mlir-opt`.

# renorm_add_library(RenormFoo SOURCES... [DEPENDS targets...] [LINK libraries...])
# A static library; DEPENDS names TableGen targets that must have run before its files are compiled.
function(renorm_add_library name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PUBLIC ${ARG_LINK} MLIR LLVM)
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
endfunction()

# renorm_add_tool(name SOURCES... [LINK libraries...])
function(renorm_add_tool name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} MLIR LLVM)
endfunction()

# renorm_add_docs(file.td doc-name generator-flags...): Markdown below docs/ of the build tree, made by `renorm-docs`.
function(renorm_add_docs td_file doc_name)
  set(LLVM_TARGET_DEFINITIONS ${td_file})
  tablegen(MLIR ${doc_name}.md ${ARGN} "-I${MLIR_MAIN_INCLUDE_DIR}" "-I${MLIR_INCLUDE_DIR}"
    "-I${PROJECT_SOURCE_DIR}/include")
  set(output "${CMAKE_BINARY_DIR}/docs/${doc_name}.md")
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -E copy "${CMAKE_CURRENT_BINARY_DIR}/${doc_name}.md" ${output}
    DEPENDS "${CMAKE_CURRENT_BINARY_DIR}/${doc_name}.md")
  add_custom_target(Renorm${doc_name}DocGen DEPENDS ${output})
  add_dependencies(renorm-docs Renorm${doc_name}DocGen)
endfunction()
