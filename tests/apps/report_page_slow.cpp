#include <vector>

#include <gtest/gtest.h>

#include "tests/apps/browser.h"

// The page of a report in a real browser. Skipped where there is none: apt-get install chromium.
namespace {

// Seeks, changes colours, counts coloured pixels and says what it saw.
constexpr const char* kPlayerProbe = R"html(<script>
const errors = [];
window.addEventListener("error", e => errors.push(e.message));
window.addEventListener("load", () => {
  const canvas = document.getElementById("player");
  const colours = () => {
    const seen = new Set();
    const copy = document.createElement("canvas");
    copy.width = canvas.width;
    copy.height = canvas.height;
    const pen = copy.getContext("2d", {willReadFrequently: true});
    pen.drawImage(canvas, 0, 0);
    const pixels = pen.getImageData(0, 0, copy.width, copy.height).data;
    for (let i = 0; i < pixels.length; i += 4) seen.add(pixels[i] * 65536 + pixels[i + 1] * 256 + pixels[i + 2]);
    return seen.size;
  };
  player.seek(0);
  const first = player.state().inside;
  player.seek(4);
  const later = player.state().inside, speed = colours();
  document.getElementById("player-colour").value = "density";
  document.getElementById("player-colour").dispatchEvent(new Event("change"));
  const density = colours();
  player.seek(1e9);
  const last = player.state().inside;
  player.toggle();
  const playing = player.state().playing;
  player.toggle();
  const drawn = [...document.querySelectorAll("figure svg")].filter(s => {
    const box = s.getBoundingClientRect();
    return box.width > 50 && box.height > 50 && s.querySelectorAll("path,rect").length > 3;
  }).length;
  const out = document.createElement("pre");
  out.id = "probe";
  out.textContent = ["first=" + first, "later=" + later, "last=" + last, "speed=" + (speed > 8), "density=" + (density > 8),
                     "playing=" + playing, "drawn=" + drawn, "errors=" + errors.join(",")].join("\n");
  document.body.append(out);
});
</script></body>)html";

TEST(ReportPage, PlaysAndDrawsWithoutErrors) {
  const Workshop w;
  const std::string program = findBrowser(w);
  if (program.empty()) GTEST_SKIP() << "skipped: no chromium; apt-get install chromium";
  ASSERT_EQ(w.wend("simulate '" WEND_SOURCE_DIR "/examples/crowd/bottleneck.toml' -o run.sqlite --end 60").exit, 0);
  ASSERT_EQ(w.wend("report run.sqlite -o out").exit, 0);
  const std::string probe = probePage(w, program, "out/index.html", kPlayerProbe);
  for (const char* part : {"first=150", "later=150", "speed=true", "density=true", "playing=true"}) {
    EXPECT_NE(probe.find(part), std::string::npos) << part << " in\n" << probe;
  }
  EXPECT_EQ(probe.find("last=150"), std::string::npos) << probe;
  EXPECT_NE(probe.find("errors="), std::string::npos);
  EXPECT_EQ(probe.substr(probe.find("errors=") + 7).find_first_not_of(" \n"), std::string::npos) << probe;
  EXPECT_NE(probe.find("drawn=11"), std::string::npos) << probe;
}

// An obstacle that comes, a door that shuts, a body on its way and the place where it stops, each at its time.
constexpr const char* kEditsRun = R"toml(format = 1
environment = "POLYGON ((0 0, 20 0, 20 10, 0 10, 0 0), (9 0.5, 9 4, 9.4 4, 9.4 0.5, 9 0.5), (9 6, 9 9.5, 9.4 9.5, 9.4 6, 9 6))"
end_time = 20
end_when = "time"
[[stage]]
id = "out"
kind = "exit"
area = [[19, 1], [20, 1], [20, 9], [19, 9]]
[[journey]]
id = "out"
stages = ["out"]
[[source]]
id = "in"
journey = "out"
area = [[1, 1], [4, 1], [4, 9], [1, 9]]
count = 10
[[door]]
id = "gate"
line = [[9.2, 4], [9.2, 6]]
[[event]]
time = 4
action = "insert"
target = "crate"
area = [[13, 4], [15, 4], [15, 6], [13, 6]]
[[event]]
time = 8
action = "close"
target = "gate"
[[event]]
time = 10
action = "move"
target = "crate"
as = "body"
speed = 1
path = [[14, 5], [14, 8]]
)toml";

constexpr const char* kEditsProbe = R"html(<script>
window.addEventListener("load", () => {
  const canvas = document.getElementById("player");
  const has = (r, g, b) => {
    const copy = document.createElement("canvas");
    copy.width = canvas.width;
    copy.height = canvas.height;
    const pen = copy.getContext("2d", {willReadFrequently: true});
    pen.drawImage(canvas, 0, 0);
    const pixels = pen.getImageData(0, 0, copy.width, copy.height).data;
    let count = 0;
    for (let i = 0; i < pixels.length; i += 4) count += pixels[i] === r && pixels[i + 1] === g && pixels[i + 2] === b;
    return count > 50;
  };
  const lines = [];
  for (const t of [1, 5, 9, 11.5, 16]) {
    player.seek(t);
    const state = player.state();
    lines.push([t, "world" + state.world, "bodies" + state.bodies, "blocked" + has(200, 116, 60), "body" + has(217, 139, 74),
                state.news.join("+")].join(" "));
  }
  const out = document.createElement("pre");
  out.id = "probe";
  out.textContent = lines.join("\n");
  document.body.append(out);
});
</script></body>)html";

TEST(ReportPage, ShowsEditsAtTheirTimes) {
  const Workshop w;
  const std::string program = findBrowser(w);
  if (program.empty()) GTEST_SKIP() << "skipped: no chromium; apt-get install chromium";
  w.write("edits.toml", kEditsRun);
  ASSERT_EQ(w.wend("simulate edits.toml -o run.sqlite").exit, 0);
  ASSERT_EQ(w.wend("report run.sqlite -o out").exit, 0);
  const std::string probe = probePage(w, program, "out/index.html", kEditsProbe);
  for (const char* line :
       {"1 world0 bodies0 blockedfalse bodyfalse \n", "5 world1 bodies0 blockedtrue bodyfalse insert crate\n",
        "9 world2 bodies0 blockedtrue bodyfalse close gate\n", "11.5 world3 bodies1 blockedfalse bodytrue move crate\n",
        "16 world4 bodies0 blockedtrue bodyfalse "}) {
    EXPECT_NE(probe.find(line), std::string::npos) << line << " in\n" << probe;
  }
}

}  // namespace
