#pragma once

#include "planning/disk/sleeve_string.h"
#include "planning/disk/string_pulling.h"
#include "planning/disk/walk.h"

// The shortest string in a corridor that keeps clear of all walls. Tries the methods from the fastest to the surest,
// until one gives a string that passes the measurement.
namespace wend {

struct TrialScratch {
  DiskStringScratch string;
  SleeveStringScratch sleeve;
  WalkScratch walk;
};

class StringTrials {
 public:
  // `tolerance`: how much nearer than the table's radius a path may come by rounding. All must outlive this.
  StringTrials(ShrunkPortals& table, PortalTangents& tangents, CrossingSleeves& sleeves, const DiskPieces& pieces,
               const DiskEnds& ends, const DiskPath& path, double tolerance, TrialScratch& scratch, DiskString& string)
      : table_(table),
        tangents_(tangents),
        sleeves_(sleeves),
        pieces_(pieces),
        ends_(ends),
        path_(path),
        tolerance_(tolerance),
        pulling_(0.2 * tolerance),
        s_(scratch),
        out_(string) {}

  // Each returns whether the string keeps clear; then the layers of its points are in the scratch. The second one
  // knows the borders of what is free.
  bool pullQuickly();
  bool pullSurely();
  // For corridors as narrow as the disk. The cells of both ends must be cut.
  bool pullFinely();
  // Not only in the corridor, but near it.
  bool searchTangents();

 private:
  bool walk() { return walkCorridor(table_, pieces_, path_, ends_, out_, tolerance_, s_.walk, reached_); }
  bool measure() { return walk() || walkString(table_, ends_, out_, tolerance_, s_.walk); }
  bool mend();
  bool pullSleeves(SleeveSource source);

  ShrunkPortals& table_;
  PortalTangents& tangents_;
  CrossingSleeves& sleeves_;
  const DiskPieces& pieces_;
  const DiskEnds& ends_;
  const DiskPath& path_;
  double tolerance_;
  double pulling_;
  TrialScratch& s_;
  DiskString& out_;
  size_t reached_ = 0;  // bends of the string
};

}  // namespace wend
