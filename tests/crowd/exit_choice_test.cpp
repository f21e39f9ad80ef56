#include "tests/crowd/run_file.h"

// Which exit persons take: by the route, not by what is near from above.
namespace wend {
namespace {

// A hall of two halves with a wall between them, joined far away in the north. Both halves have an exit beside the
// wall: near each other in a straight line, far apart on foot.
std::string halves(int beyond) {
  return fmt::format(R"toml(format = 1
environment = "POLYGON ((0 0, 20 0, 20 60, 0 60, 0 0), (9.9 0.1, 9.9 56, 10.1 56, 10.1 0.1, 9.9 0.1))"
end_time = 8
[[stage]]
id = "west"
kind = "exit"
area = [[7.5, 1], [9.5, 1], [9.5, 2.2], [7.5, 2.2]]
[[stage]]
id = "east"
kind = "exit"
area = [[17, 1], [19, 1], [19, 2.2], [17, 2.2]]
[[stage]]
id = "far"
kind = "exit"
area = [[0.5, 48], [2, 48], [2, 50], [0.5, 50]]
[[journey]]
id = "choose"
stages = ["west", "far"]
next = [{{ from = "start", to = ["west", "far"], rule = "fastest" }}]
[[journey]]
id = "given"
stages = ["west"]
[[source]]
id = "one"
points = [[5, 14]]
journey = "choose"
start = 2
[[source]]
id = "others"
area = [[10.4, 1], [16, 1], [16, 20], [10.4, 20]]
count = {}
journey = "given"
)toml",
                     beyond);
}

// The persons behind the wall head for the same exit and are nearer in a straight line, but far behind on foot.
TEST(ExitChoice, PersonsBehindAWallAreNoQueue) {
  for (const int beyond : {0, 150}) {
    const ScratchRecording file;
    simulated(halves(beyond), file);
    const Result<Recording> recording = Recording::open(file.path());
    ASSERT_TRUE(recording.ok());
    int32_t stage = -1;
    ASSERT_TRUE(recording
                    ->forEach([&](int64_t, std::span<const RecordedPosition> persons) {
                      for (const RecordedPosition& p : persons) {
                        if (recording->persons()[p.person].source == "one") stage = p.stage;
                      }
                      return true;
                    })
                    .ok());
    EXPECT_EQ(stage, 0) << beyond << " persons behind the wall";
  }
}

// Two exits at the same distance; before one of them lies a stair.
TEST(ExitChoice, SlowStairsCount) {
  const ScratchRecording file;
  simulated(R"toml(format = 1
environment = "POLYGON ((0 0, 40 0, 40 4, 0 4, 0 0))"
end_time = 120
[[stage]]
id = "stairs"
kind = "exit"
area = [[0, 0], [2, 0], [2, 4], [0, 4]]
[[stage]]
id = "level"
kind = "exit"
area = [[38, 0], [40, 0], [40, 4], [38, 4]]
[[stair]]
id = "flight"
area = [[4, 0], [14, 0], [14, 4], [4, 4]]
up = [1, 0]
[[journey]]
id = "out"
stages = ["stairs", "level"]
next = [{ from = "start", to = ["stairs", "level"], rule = "fastest" }]
[[source]]
id = "in"
points = [[18, 2]]
journey = "out"
)toml",
            file);
  EXPECT_EQ(Recording::open(file.path())->persons()[0].exit, "level");
}

}  // namespace
}  // namespace wend
