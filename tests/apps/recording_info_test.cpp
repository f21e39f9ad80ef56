#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sqlite3.h>

#include "tests/apps/outcome_json.h"
#include "tests/apps/program.h"

namespace {

using Json = nlohmann::json;

constexpr const char* kHall = R"toml(format = 1
environment = "POLYGON ((0 0, 12 0, 12 8, 0 8, 0 0))"
end_time = 60
[[source]]
id = "in"
area = [[1, 1], [8, 1], [8, 7], [1, 7]]
count = 20
journey = "out"
[[stage]]
id = "door"
kind = "exit"
area = [[10, 3], [12, 3], [12, 5], [10, 5]]
[[journey]]
id = "out"
stages = ["door"]
)toml";

void change(const std::string& path, const std::string& sql) {
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
  char* message = nullptr;
  EXPECT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, &message), SQLITE_OK) << sql << message;
  sqlite3_free(message);
  sqlite3_close(database);
}

// `wend info` of a recording: complete, cut, by another program, and of a database that is none.
TEST(RecordingInfo, TellsWhatARecordingHolds) {
  const Workshop w;
  w.write("hall.toml", kHall);
  ASSERT_EQ(w.wend("simulate hall.toml -o run.sqlite").exit, 0);
  const Json whole = jsonOf(w.wend("info run.sqlite --json"));
  ASSERT_EQ(whole["kind"], "recording");
  EXPECT_EQ(whole["persons"], 20);
  EXPECT_EQ(whole["left"], 20);
  EXPECT_EQ(whole["seed"], "1");
  EXPECT_EQ(whole["status"], "empty");
  EXPECT_EQ(whole["complete"], true);
  EXPECT_EQ(whole["scenario_hash"].get<std::string>().size(), 16U);
  EXPECT_EQ(whole["result_hash"].get<std::string>().size(), 16U);
  EXPECT_GT(whole["frames"].get<int>(), 50);
  EXPECT_NEAR(whole["time"].get<double>(), (whole["frames"].get<double>() - 1) / 10, 1e-9);
  const Outcome words = w.wend("info run.sqlite");
  EXPECT_EQ(words.exit, 0);
  for (const char* part : {"recording by wend", "hall.toml", "20 persons, 20 left", "complete, status empty"}) {
    EXPECT_NE(words.out.find(part), std::string::npos) << part << "\n" << words.out;
  }

  const auto edited = [&](const char* name, const std::string& sql) {
    w.write(name, w.text("run.sqlite"));
    change(w.path(name), sql);
    return jsonOf(w.wend(std::string("info ") + name + " --json"));
  };
  const Json cut = edited("cut.sqlite",
                          "DELETE FROM metadata WHERE key IN ('wend_result_hash', 'wend_status');"
                          "UPDATE wend_person SET exit_frame = NULL WHERE id < 5");
  EXPECT_EQ(cut["complete"], false);
  EXPECT_EQ(cut["left"], 15);
  const Json foreign = edited("foreign.sqlite",
                              "DELETE FROM metadata WHERE key LIKE 'wend%'; DROP TABLE wend_person;"
                              "DROP TABLE wend_state; DROP TABLE wend_environment");
  EXPECT_EQ(foreign["complete"], nullptr);
  EXPECT_EQ(foreign["persons"], 20);
  EXPECT_EQ(edited("other.sqlite", "DROP TABLE trajectory_data")["ok"], false);
  EXPECT_NE(w.wend("info other.sqlite").err.find("not a recording"), std::string::npos);
}

}  // namespace
