#pragma once

#include <string>

#include <gtest/gtest.h>

#include "tests/apps/program.h"

// Pages of the program in a real browser.

// The name of a browser on this machine, or nothing.
inline std::string findBrowser(const Workshop& w) {
  for (const char* name : {"chromium", "chromium-browser", "google-chrome"}) {
    if (w.shell(std::string("command -v ") + name).exit == 0) return name;
  }
  return {};
}

// What `probe`, a script and the end of the body, has written into <pre id="probe"> of the page; nothing, and a
// failure, if the page says anything on the console or its script does not run to its end.
inline std::string probePage(const Workshop& w, const std::string& browser, const std::string& file,
                             const std::string& probe) {
  std::string page = w.text(file);
  const size_t end = page.rfind("</body>");
  EXPECT_NE(end, std::string::npos);
  if (end == std::string::npos) return {};
  page.replace(end, 7, probe);
  w.write("probe.html", page);
  const Outcome dom =
      w.shell("timeout 120 " + browser +
              " --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --enable-logging=stderr "
              "--user-data-dir=profile --virtual-time-budget=5000 --dump-dom \"file://$PWD/probe.html\"");
  EXPECT_EQ(dom.exit, 0) << dom.err;
  EXPECT_EQ(dom.err.find("CONSOLE"), std::string::npos) << dom.err;
  const size_t at = dom.out.find("<pre id=\"probe\">");
  EXPECT_NE(at, std::string::npos) << "the script of the page did not run to its end";
  return at == std::string::npos ? std::string() : dom.out.substr(at + 16, dom.out.find("</pre>", at) - at - 16);
}
