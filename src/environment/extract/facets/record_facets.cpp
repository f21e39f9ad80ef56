#include "environment/extract/facets/record_facets.h"

namespace wend::extraction {

void recordFacets(const Soup& soup, const Facets& facets, size_t sceneTriangles, Record& record) {
  record.facetOf.assign(sceneTriangles, kNone);
  for (uint32_t i = 0; i < facets.list.size(); ++i) {
    for (const uint32_t triangle : facets.trianglesOf(facets.list[i])) {
      const uint32_t source = soup.triangles[triangle].source;
      if (source < sceneTriangles) record.facetOf[source] = i;
    }
  }
}

}  // namespace wend::extraction
