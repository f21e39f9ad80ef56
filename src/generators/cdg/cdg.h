#pragma once

#include <wend/generator.h>

// The clearance disk graph of J. Pettre, J.-P. Laumond and D. Thalmann (2005), read as the comparative study describes
// it: disks around samples of locally largest clearance, none with its centre in another, and edges where they overlap.
// A sample is taken if its clearance is largest in one direction across: the ridge that approximates the medial axis.
// (Taking only those larger than all their neighbours leaves a twentieth of the published disks in open worlds.)
//
// A cell is an inscribed polygon of 16 corners, and more where portals end, cut along its portals: two overlapping
// disks share the chord that their circles have in common, as a portal. What is cut off lies in the other disk, so the
// cells cover what the disks cover and do not overlap; where three disks meet, the chords end in their common power
// centre. A disk that reaches over a connection is a cell in each layer that one comes to straight from its centre:
// other turns of a spiral, whose connections lie at the same place in top view, have no part of it.
//
// Approximate: never covers the corners, and reaches over walls by less than a sample.
namespace wend::cdg {

struct Settings {
  double sample = 0.2;  // metres between samples; at least a 512th of the world's larger side
  double least = 0.1;   // metres; smallest radius
  uint64_t hash() const;
};

Result<NavMesh> generate(const Environment& environment, const Settings& settings, const Context& context = {});

Generator entry();

}  // namespace wend::cdg
