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

}  // namespace
