#include <cstdio>

#include <unistd.h>

#include "assimp_scene.h"

// wend-import: reads one scene with Assimp for wend, which starts it and talks to it through pipes.
int main(int argc, char** argv) {
  if (argc < 2 || ::isatty(STDOUT_FILENO) != 0) {
    std::fputs("wend-import reads FBX, COLLADA and IFC files for wend, which starts it by itself.\n", stderr);
    return 2;
  }
  wend::runImportChild({argv + 1, static_cast<size_t>(argc - 1)}, wend::importWithAssimp);
}
