#pragma once

// What a program may do that runs code on a file from anybody.
namespace wend {

// From here on this process computes, reads and writes what it has open, and nothing else: it opens no file, starts no
// program, connects to nobody, and ends with the process that started it. As far as the kernel can do it: on one
// without landlock or seccomp the other limits still hold.
void enterSandbox();

}  // namespace wend
