#pragma once

#include <string>

#include <fmt/format.h>

// A scenario whose crowd walks to and fro until the time is up.
inline std::string roamingCrowd(int persons, double seconds) {
  return fmt::format(R"toml(format = 1
environment = "POLYGON ((0 0, 60 0, 60 40, 0 40, 0 0), (20 10, 40 10, 40 30, 20 30, 20 10))"
end_time = {}
end_when = "time"
[[source]]
id = "all"
area = "all"
count = {}
journey = "roam"
[[stage]]
id = "anywhere"
kind = "waypoint"
area = "all"
[[journey]]
id = "roam"
stages = ["anywhere"]
next = [{{ from = "start", to = "anywhere" }}, {{ from = "anywhere", to = "anywhere" }}]
)toml",
                     seconds, persons);
}
