#pragma once

// Before a function that must become part of its caller, so that it is compiled for the instruction set of that caller.
#define WEND_INLINE [[gnu::always_inline]] inline
