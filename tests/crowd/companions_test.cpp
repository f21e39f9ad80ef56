#include <cmath>

#include "tests/crowd/run_file.h"

// Groups on journeys with several stages: where members have different goals they must not hold each other.
namespace wend {
namespace {

// A hall of 40 x 20 m, turned by an odd angle, so that nothing lies along an axis.
class Hall {
 public:
  explicit Hall(double degrees) : cosine_(std::cos(degrees * kDegree)), sine_(std::sin(degrees * kDegree)) {}

  std::string place(double x, double y) const {
    return fmt::format("[{:.3f}, {:.3f}]", cosine_ * x - sine_ * y, sine_ * x + cosine_ * y);
  }
  std::string area(double x0, double y0, double x1, double y1) const {
    return fmt::format("[{}, {}, {}, {}]", place(x0, y0), place(x1, y0), place(x1, y1), place(x0, y1));
  }
  // 30 persons in groups of two and three head for `stages` and out.
  std::string with(const std::string& stages, const std::string& names, const std::string& more = "") const {
    const auto point = [&](double x, double y) {
      return fmt::format("{:.3f} {:.3f}", cosine_ * x - sine_ * y, sine_ * x + cosine_ * y);
    };
    return fmt::format(R"toml(format = 1
environment = "POLYGON (({0}, {1}, {2}, {3}, {0}))"
end_time = 400
[[source]]
id = "in"
area = {4}
count = 30
journey = "out"
group_size = [0, 0.5, 0.5]
{8}
[[stage]]
id = "exit"
kind = "exit"
area = {5}
{6}
[[journey]]
id = "out"
stages = [{7}"exit"]
)toml",
                       point(0, 0), point(40, 0), point(40, 20), point(0, 20), area(1, 1, 6, 19), area(38, 0, 40, 20),
                       stages, names, more);
  }

 private:
  static constexpr double kDegree = 3.14159265358979 / 180;
  double cosine_;
  double sine_;
};

void expectAllLeave(const std::string& text, const std::string& what) {
  const ScratchRecording file;
  const SimulationSummary s = simulated(text, file);
  EXPECT_EQ(s.status, RunStatus::kEmpty) << what;
  EXPECT_EQ(s.left, 30U) << what;
  EXPECT_EQ(s.mostGridlocked, 0U) << what;
}

TEST(Companions, PassQueuesWaitingPlacesAndRandomWayPoints) {
  for (const double degrees : {0.0, 33.7}) {
    const Hall hall(degrees);
    const std::string head = "[[stage]]\nid = 'a'\n";
    const std::string middle = hall.area(15, 1, 30, 19);
    expectAllLeave(hall.with(head + "kind = 'waypoint'\narea = " + middle, "\"a\", "), "way point");
    expectAllLeave(hall.with(head + "kind = 'waiting'\nduration = 5\narea = " + middle, "\"a\", "), "waiting");
    expectAllLeave(hall.with(head + "kind = 'queue'\nservice = { dist = 'exponential', mean = 3 }\nslots = [" +
                                 hall.place(25, 10) + ", " + hall.place(24.2, 10) + "]",
                             "\"a\", "),
                   "queue");
    expectAllLeave(hall.with("[[door]]\nid = 'gate'\npass = 'both'\nmax_flow = 1\nline = [" + hall.place(25, 19.9) +
                                 ", " + hall.place(25, 0.1) + "]\n",
                             ""),
                   "gate");
  }
}

// Members set out at different times, and one follows the other to a place drawn for both.
TEST(Companions, MayStartApart) {
  const Hall hall(12.3);
  const std::string middle = hall.area(15, 1, 30, 19);
  expectAllLeave(hall.with("[[stage]]\nid = 'a'\nkind = 'waypoint'\narea = " + middle, "\"a\", ",
                           "premovement = { dist = 'uniform', min = 0, max = 30 }"),
                 "way point");
}

// They wait within 2 m of their first member's place, each in a place of its own.
TEST(Companions, WaitNearEachOther) {
  const Hall hall(33.7);
  const ScratchRecording file;
  const std::string middle = hall.area(15, 1, 30, 19);
  std::string text = hall.with("[[stage]]\nid = 'a'\nkind = 'waiting'\narea = " + middle, "\"a\", ");
  text.replace(text.find("end_time = 400"), 14, "end_time = 60 ");
  text.replace(text.find("group_size"), 26, "members = ['p', 'p', 'p']\n");
  text += "[profile.p]\n";
  simulated(text, file);
  const Result<Recording> recording = Recording::open(file.path());
  ASSERT_TRUE(recording.ok());
  std::vector<Vec2> places(30);
  ASSERT_TRUE(recording
                  ->forEach([&](int64_t, std::span<const RecordedPosition> persons) {
                    for (const RecordedPosition& p : persons) places[p.person] = {p.place.x, p.place.y};
                    return true;
                  })
                  .ok());
  for (size_t i = 0; i < places.size(); ++i) {
    const Vec2 first = places[i / 3 * 3];
    EXPECT_LT(std::hypot(places[i].x - first.x, places[i].y - first.y), 3.5) << i;
  }
}

}  // namespace
}  // namespace wend
