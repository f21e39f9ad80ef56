#include "environment/extract/close_connections.h"

#include <cmath>
#include <vector>

#include "environment/boundary.h"
#include "environment/check_connections.h"

namespace wend {

void closeWrongConnections(Environment& environment,
                           const std::function<void(const Connection&, const std::string&)>& say) {
  std::vector<Connection>& connections = environment.connections;
  for (size_t rounds = connections.size(); rounds > 0; --rounds) {
    std::vector<Violation> found;
    checkConnections(environment, Boundary(environment.layers, connections), 1, found);
    if (found.empty() || connections.empty()) return;
    const Vec2 at = environment.lattice.toUnits(found[0].place);
    size_t nearest = 0;
    double least = INFINITY;
    for (size_t i = 0; i < connections.size(); ++i) {
      for (const Point p : connections[i].line) {
        const double distance = std::hypot(p.x - at.x, p.y - at.y);
        if (distance >= least) continue;
        least = distance;
        nearest = i;
      }
    }
    say(connections[nearest], found[0].message);
    connections.erase(connections.begin() + static_cast<std::ptrdiff_t>(nearest));
  }
}

}  // namespace wend
