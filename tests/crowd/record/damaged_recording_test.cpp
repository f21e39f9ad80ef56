#include <filesystem>

#include <wend/analysis.h>
#include <wend/file.h>
#include <wend/recording.h>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <unistd.h>

#include "crowd/record/recorder.h"

// Recordings that somebody has changed: refused with a sentence, soon.
namespace wend {
namespace {

class ChangedRecording : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / fmt::format("wend_damaged_{}", ::getpid());
    std::filesystem::create_directories(folder_);
    path_ = (folder_ / "run.sqlite").string();
    EnvironmentDraft draft;
    draft.layers.resize(1);
    draft.layers[0].walkable = {{{{0, 0}, {10, 0}, {10, 5}, {0, 5}}}};
    Recorder recorder = Recorder::create(path_, {2, 10, {}}).value();
    ASSERT_TRUE(recorder.world(0, buildEnvironment(draft).value()).ok());
    ASSERT_TRUE(recorder.person({0, "adult", 0.2, 1.3, 0, "in", "out"}).ok());
    for (int64_t frame = 0; frame < 4; ++frame) {
      const RecordedPosition at{0, {1.0 + 0.1 * static_cast<double>(frame), 1, 0}, {1, 0}, {1, 0}, 0, 0};
      ASSERT_TRUE(recorder.frame(frame, {&at, 1}).ok());
    }
    ASSERT_TRUE(recorder.checkpoint(3, asBytes("state")).ok());
    ASSERT_TRUE(recorder.close().ok());
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void change(const char* sql) {
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open(path_.c_str(), &database), SQLITE_OK);
    char* message = nullptr;
    EXPECT_EQ(sqlite3_exec(database, sql, nullptr, nullptr, &message), SQLITE_OK) << sql << message;
    sqlite3_free(message);
    sqlite3_close(database);
  }
  // The sentence of opening, reading or analysing it; empty if all of it works.
  std::string complaint() {
    const Result<Recording> recording = Recording::open(path_);
    if (!recording.ok()) return recording.error().message;
    const Result<Analysis> analysis = analyse(*recording, nullptr, {}, {});
    return analysis.ok() ? std::string() : analysis.error().message;
  }
  std::string resumeComplaint() {
    const auto resumed = Recorder::resume(path_);
    return resumed.ok() ? std::string() : resumed.error().message;
  }

  std::filesystem::path folder_;
  std::string path_;
};

bool contains(const std::string& text, const char* words) {
  return text.find(words) != std::string::npos;
}

TEST_F(ChangedRecording, WholeOneIsRead) {
  EXPECT_EQ(complaint(), "");
  EXPECT_EQ(resumeComplaint(), "");
}

TEST_F(ChangedRecording, Views) {
  change(
      "DROP TABLE wend_event; CREATE VIEW wend_event AS WITH RECURSIVE c(frame, action, target) AS (SELECT 1, 'a', 'b' "
      "UNION ALL SELECT frame + 1, action, target FROM c) SELECT * FROM c");
  EXPECT_TRUE(contains(complaint(), "is a view"));
  EXPECT_TRUE(contains(resumeComplaint(), "is a view"));
}

TEST_F(ChangedRecording, Triggers) {
  change(
      "CREATE TRIGGER t AFTER DELETE ON trajectory_data BEGIN INSERT INTO trajectory_data VALUES(9, 9, 0, 0, 0, 0); "
      "END");
  EXPECT_TRUE(contains(complaint(), "is a trigger"));
  EXPECT_TRUE(contains(resumeComplaint(), "is a trigger"));
}

TEST_F(ChangedRecording, ComputedColumns) {
  change("ALTER TABLE metadata ADD COLUMN more TEXT AS (hex(zeroblob(100000000)))");
  EXPECT_TRUE(contains(complaint(), "is computed"));
  EXPECT_TRUE(contains(resumeComplaint(), "not those of this version"));
}

TEST_F(ChangedRecording, IndexesOverExpressions) {
  change("CREATE INDEX slow ON trajectory_data(frame + 1)");
  EXPECT_EQ(complaint(), "") << "an index is not evaluated when rows are read";
  EXPECT_TRUE(contains(resumeComplaint(), "not those of this version"));
}

TEST_F(ChangedRecording, FrameNumbersOutOfRange) {
  for (const char* number : {"2000000000", "9223372036854775807"}) {
    change(fmt::format("INSERT INTO frame_data VALUES({}, 1)", number).c_str());
    EXPECT_TRUE(contains(complaint(), number)) << complaint();
  }
  change(
      "DELETE FROM frame_data WHERE frame > 3; UPDATE wend_person SET spawn_frame = -9223372036854775807, exit_frame = "
      "9223372036854775807; INSERT INTO wend_event VALUES(-9223372036854775807, 'a', 'b')");
  EXPECT_EQ(complaint(), "");
}

TEST_F(ChangedRecording, PlacesThatAreNone) {
  change("UPDATE trajectory_data SET pos_x = 9e999 WHERE frame = 2");
  EXPECT_TRUE(contains(complaint(), "frame 2"));
}

TEST_F(ChangedRecording, FramesPerSecond) {
  for (const char* value : {"1e-300", "nan", "inf", "-1", "x"}) {
    change(fmt::format("UPDATE metadata SET value = '{}' WHERE key = 'fps'", value).c_str());
    EXPECT_TRUE(contains(complaint(), "fps")) << value;
  }
}

TEST_F(ChangedRecording, OneWriterAtATime) {
  const auto first = Recorder::resume(path_);
  ASSERT_TRUE(first.ok()) << first.error().message;
  EXPECT_TRUE(contains(resumeComplaint(), "another run"));
  EXPECT_FALSE(Recorder::create(path_, {2, 10, {}}).ok());
}

}  // namespace
}  // namespace wend
