#pragma once

#include "planning/table/hop_graph.h"

// Fills a NextHopTable row by row. Rows may be written by different threads.
namespace wend {

class NextHopBuilder {
 public:
  // `goals` ascending; empty: all cells. kLimit above maxBytes.
  static Result<NextHopBuilder> make(const NavMesh& mesh, std::vector<CellId> goals, HopMetric metric, double radius,
                                     size_t maxBytes);

  uint32_t rows() const { return table_.goals_; }
  CellId goalOf(uint32_t row) const { return table_.goalOf(row); }
  // Writes the hop of a cell: a side, or kNone.
  void set(const NavMesh& mesh, uint32_t row, CellId cell, SideId side);
  // Writes a row from the costs left.
  void setRow(const HopGraph& graph, uint32_t row, std::span<const HopCost> cost);
  NextHopTable finish() &&;

  // For readers of files.
  static NextHopTable assemble(uint32_t cells, std::vector<CellId> goals, uint32_t width, HopMetric metric,
                               double radius, std::vector<uint32_t> entries);
  static std::span<const CellId> goalCells(const NextHopTable& table);
  static std::span<const uint32_t> entries(const NextHopTable& table);

 private:
  NextHopTable table_;
  std::vector<uint32_t> entries_;
};

// How many bytes an entry takes.
uint32_t entryBytesFor(const NavMesh& mesh);

}  // namespace wend
