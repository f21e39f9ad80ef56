#include <array>

#include <fmt/format.h>

#include "base/xml.h"
#include "compare/compare_page.h"

namespace wend::app {
namespace {

// The theoretical properties that the comparative study tabulates (van Toll 2017, table 7.1). For the methods of this
// program they are those of its own implementations.
struct Theory {
  std::string_view generator;
  std::string_view regions;
  std::string_view graph;
  std::string_view pipeline;
  std::string_view parameters;
  std::string_view time;
  std::string_view storage;
  std::string_view radii;
  std::string_view updates;
};

constexpr std::array kTheory{
    Theory{"cdg", "disks, cut where they overlap", "overlapping disks", "layers → samples → mesh",
           "sample size, disk sizes", "?", "O(samples)", "+", "−"},
    Theory{"delaunay", "triangles", "dual of the regions", "layers → mesh, exact", "none", "O(n log n) expected",
           "O(n)", "+", "−"},
    Theory{"ecm", "polygons along the medial axis", "medial axis", "layers → mesh, exact", "none", "O(n log n)", "O(n)",
           "+", "−"},
    Theory{"grid", "squares", "dual of the regions", "layers → samples → mesh", "size of the squares",
           "O(area + length of walls)", "O(area)", "+/−", "−"},
    Theory{"hertel-mehlhorn", "convex polygons", "dual of the regions", "layers → mesh, exact", "order of merging",
           "O(n log n) expected", "O(n)", "+", "−"},
    Theory{"lct", "triangles", "dual of the regions", "layers → mesh, exact", "none", "O(n²), expected less", "O(n)",
           "+", "−"},
    Theory{"neogen", "(convex) polygons", "dual of the regions", "layers → mesh, exact", "convexity relaxation",
           "O(n²)", "O(n)", "+", "−"},
    Theory{"quadtree", "squares", "dual of the regions", "layers → mesh", "smallest square", "O(length of walls)",
           "O(length of walls)", "+/−", "−"},
    Theory{"recast", "convex polygons", "dual of the regions", "layers → voxels → mesh", "voxel size, filters, radius",
           "?", "?", "−", "−"},
    Theory{"trapezoid", "trapezoids", "dual of the regions", "layers → mesh, exact", "direction", "O(n log n)", "O(n)",
           "+", "−"},
};

const Theory* findTheory(std::string_view name) {
  for (const Theory& theory : kTheory) {
    if (theory.generator == name) return &theory;
  }
  return nullptr;
}

}  // namespace

std::string theoryTable(std::span<const std::string> generators) {
  std::string html =
      "<table class=\"sortable theory\"><thead><tr><th>generator</th><th>regions</th><th>graph</th><th>overlap</th>"
      "<th>exact</th><th>convex</th><th>pipeline</th><th>parameters</th><th>time</th><th>storage</th>"
      "<th>any radius</th><th>updates in place</th><th>source</th></tr></thead><tbody>";
  const auto yes = [](bool value) { return value ? "yes" : "no"; };
  for (const std::string& name : generators) {
    const GeneratorInfo* info = findGenerator(name);
    if (info == nullptr) continue;
    std::string parameters;
    for (const GeneratorOption& option : info->options) parameters += (parameters.empty() ? "" : ", ") + option.name;
    const Theory* known = findTheory(name);
    const Theory plain{name, "?", "dual of the regions", "?", "", "?", "?", "?", "?"};
    const Theory& t = known != nullptr ? *known : plain;
    html += fmt::format(
        "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td>"
        "<td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
        escapeXml(name), t.regions, t.graph, yes(!info->traits.disjoint), yes(info->traits.exact),
        yes(info->traits.convex), t.pipeline, t.parameters.empty() ? escapeXml(parameters) : std::string(t.parameters),
        t.time, t.storage, t.radii, t.updates, escapeXml(info->source));
  }
  return html + "</tbody></table>";
}

}  // namespace wend::app
