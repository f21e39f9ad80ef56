#pragma once

// The limits of a program that runs foreign code on an untrusted file.
namespace wend {

// From here on this process computes, reads and writes what it has open, and nothing else: it opens no file, starts no
// program, opens no connection, and ends with the process that started it. As far as the kernel can do it: on one
// without landlock or seccomp the other limits still hold.
void enterSandbox();

}  // namespace wend
