#pragma once

#include <cstddef>

// How often this executable has allocated so far, for promises that something allocates nothing.
size_t allocationCount();
