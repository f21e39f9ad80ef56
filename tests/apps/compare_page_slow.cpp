#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "tests/apps/browser.h"

// The page of a comparison in a real browser. Skipped where there is none: apt-get install chromium.
namespace {

// Sorts the first table by its first column of numbers, twice, and says what the page looks like.
constexpr const char* kProbe = R"html(<script>
const errors = [];
window.addEventListener("error", e => errors.push(e.message));
window.addEventListener("load", () => {
  const table = document.querySelector("table.sortable");
  const heads = [...table.tHead.rows[0].cells];
  const column = heads.findIndex(h => h.textContent.startsWith("graph vertices"));
  const read = () => [...table.tBodies[0].rows].map(r => r.cells[column].dataset.v).join(" ");
  heads[column].click();
  const up = read() + "|" + heads[column].getAttribute("aria-sort");
  heads[column].click();
  const down = read() + "|" + heads[column].getAttribute("aria-sort");
  heads[0].click();
  const names = [...table.tBodies[0].rows].map(r => r.cells[0].textContent).join(" ");
  const drawn = [...document.querySelectorAll("figure svg")].filter(s => {
    const box = s.getBoundingClientRect();
    return box.width > 50 && box.height > 50 && s.querySelectorAll("path").length > 3;
  }).length;
  const out = document.createElement("pre");
  out.id = "probe";
  out.textContent = ["up=" + up, "down=" + down, "names=" + names, "drawn=" + drawn,
                     "tables=" + document.querySelectorAll("table.sortable").length, "errors=" + errors.join(",")].join("\n");
  document.body.append(out);
});
</script></body>)html";

std::vector<double> numbers(const std::string& text, const std::string& key) {
  const size_t begin =
      text.find("\n" + key + "=") == std::string::npos ? text.find(key + "=") : text.find("\n" + key + "=") + 1;
  if (begin == std::string::npos) return {};
  std::stringstream stream(text.substr(begin + key.size() + 1, text.find('|', begin) - begin - key.size() - 1));
  std::vector<double> values;
  for (double v = 0; stream >> v;) values.push_back(v);
  return values;
}

TEST(ComparePage, SortsAndDrawsWithoutErrors) {
  const Workshop w;
  const std::string program = findBrowser(w);
  if (program.empty()) GTEST_SKIP() << "skipped: no chromium; apt-get install chromium";
  ASSERT_EQ(w.wend("make zelda -o zelda.env").exit, 0);
  ASSERT_EQ(w.wend("make parking-lot -o parking.env").exit, 0);
  const Outcome compare =
      w.wend("compare zelda.env parking.env -g delaunay,ecm,hertel-mehlhorn --repeat 1 --queries 20 -o out");
  ASSERT_EQ(compare.exit, 0) << compare.err;
  const std::string probe = probePage(w, program, "out/index.html", kProbe);
  const std::vector<double> up = numbers(probe, "up");
  const std::vector<double> down = numbers(probe, "down");
  ASSERT_EQ(up.size(), 6U) << probe;
  EXPECT_TRUE(std::is_sorted(up.begin(), up.end())) << probe;
  EXPECT_TRUE(std::is_sorted(down.rbegin(), down.rend())) << probe;
  EXPECT_NE(probe.find("|ascending"), std::string::npos) << probe;
  EXPECT_NE(probe.find("|descending"), std::string::npos) << probe;
  EXPECT_NE(probe.find("names=parking parking parking zelda zelda zelda"), std::string::npos) << probe;
  EXPECT_NE(probe.find("drawn=10"), std::string::npos) << "six meshes and four plots: " << probe;
  EXPECT_NE(probe.find("errors="), std::string::npos);
  EXPECT_EQ(probe.substr(probe.find("errors=")), "errors=") << probe;
}

}  // namespace
