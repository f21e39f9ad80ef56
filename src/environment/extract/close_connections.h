#pragma once

#include <functional>
#include <string>

#include <wend/environment.h>

namespace wend {

// Takes away connections until validate() has nothing to say about them: of each fault the nearest one. `say` hears of
// each before it goes, with the sentence of the fault. Connections and polygons are in canonical order.
void closeWrongConnections(Environment& environment,
                           const std::function<void(const Connection& connection, const std::string& fault)>& say);

}  // namespace wend
