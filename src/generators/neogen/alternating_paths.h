#pragma once

#include <wend/context.h>

#include "generators/neogen/subdivision.h"

// Fewer portals by long exchanges.
namespace wend::neogen {

// A portal that only one notch needs is taken out. The notch is then joined to another one in sight that a portal has
// resolved so far; that portal goes, and if its other end needs it, the search goes on from there. It ends well at a
// portal that nothing else needs: one portal less. These are the alternating paths of a matching of notches. A search
// enters each notch once and stops after a few exchanges, so that it takes a bounded time per portal. With `relaxed`,
// results that would leave a cell that is no simple polygon are refused.
void exchangePortals(Subdivision& subdivision, bool relaxed, const Context& context);

}  // namespace wend::neogen
