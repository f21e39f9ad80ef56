#include <filesystem>
#include <fstream>

#include <wend/environment.h>
#include <wend/file.h>
#include <wend/recording.h>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "crowd/record/database.h"
#include "crowd/record/recorder.h"

namespace wend {
namespace {

class RecordingFolder {
 public:
  RecordingFolder() {
    static int count = 0;
    path_ = std::filesystem::temp_directory_path() / fmt::format("wend_record_{}_{}", ::getpid(), count++);
    std::filesystem::create_directories(path_);
  }
  ~RecordingFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

Environment recordedRoom() {
  EnvironmentDraft draft;
  draft.layers.resize(1);
  draft.layers[0].walkable = {{{{0, 0}, {10, 0}, {10, 5}, {0, 5}}, {{4, 2}, {4, 3}, {5, 3}, {5, 2}}}};
  return buildEnvironment(draft).value();
}

std::vector<RecordedPosition> positions(int64_t frame, uint32_t count) {
  std::vector<RecordedPosition> all;
  for (uint32_t i = 0; i < count; ++i) {
    all.push_back({i, {1.0 + 0.1 * static_cast<double>(frame), 1.0 + 0.5 * i, 0}, {1, 0}, {1, 0}, 0, 0});
  }
  return all;
}

Recorder begin(const std::string& path) {
  Recorder recorder = Recorder::create(path, {2, 10, {{"wend_seed", "1"}}}).value();
  EXPECT_TRUE(recorder.world(0, recordedRoom()).ok());
  for (uint32_t i = 0; i < 3; ++i) EXPECT_TRUE(recorder.person({i, "adult", 0.2, 1.3, 0, "in", "out"}).ok());
  return recorder;
}

TEST(Recording, AbsentAndForeignFiles) {
  const RecordingFolder folder;
  EXPECT_FALSE(Recording::open(folder / "none.sqlite").ok());
  std::ofstream(folder / "text.sqlite") << "this is not a database, but long enough to be looked at as if it were one";
  EXPECT_FALSE(Recording::open(folder / "text.sqlite").ok());
  EXPECT_FALSE(Recorder::create(folder / "text.sqlite", {}).ok()) << "a text must not be replaced";
  std::ofstream(folder / "empty.sqlite") << "";
  EXPECT_FALSE(Recording::open(folder / "empty.sqlite").ok());
  EXPECT_FALSE(Recorder::create(folder / "no/such/folder.sqlite", {}).ok());
}

TEST(Recording, ReadsBackWhatWasWritten) {
  const RecordingFolder folder;
  const std::string path = folder / "run.sqlite";
  {
    Recorder recorder = begin(path);
    for (int64_t frame = 0; frame < 5; ++frame) {
      ASSERT_TRUE(recorder.frame(frame, positions(frame, frame == 2 ? 0 : 3)).ok());
    }
    ASSERT_TRUE(recorder.person({1, "adult", 0.2, 1.3, 0, "in", "out", 0, 0.5, 8.25, 3, "door"}).ok());
    ASSERT_TRUE(recorder.event({3, "close", "gate"}).ok());
    ASSERT_TRUE(recorder.checkpoint(4, asBytes("state")).ok());
    ASSERT_TRUE(recorder.finish().ok());
  }
  const Result<Recording> r = Recording::open(path);
  ASSERT_TRUE(r.ok()) << r.error().message;
  EXPECT_EQ(r->frames(), 5);
  EXPECT_EQ(r->framesPerSecond(), 10);
  EXPECT_EQ(r->note("version"), "2");
  EXPECT_EQ(r->note("xmax"), "10");
  ASSERT_EQ(r->persons().size(), 3U);
  EXPECT_EQ(r->persons()[1].exit, "door");
  EXPECT_EQ(r->persons()[1].shortest, 8.25);
  EXPECT_EQ(r->persons()[2].exitFrame, -1);
  EXPECT_EQ(r->events()[0].target, "gate");
  EXPECT_EQ(hash(r->worlds()[0].environment), hash(recordedRoom()));
  std::vector<size_t> counts;
  ASSERT_TRUE(r->forEach([&](int64_t frame, std::span<const RecordedPosition> persons) {
                 counts.push_back(persons.size());
                 if (!persons.empty()) {
                   EXPECT_EQ(persons[1].place, positions(frame, 3)[1].place);
                   EXPECT_EQ(persons[1].velocity, (Vec2{1, 0}));
                 }
                 return true;
               }).ok());
  EXPECT_EQ(counts, (std::vector<size_t>{3, 3, 0, 3, 3}));
  EXPECT_FALSE(std::filesystem::exists(path + "-journal"));
  ASSERT_TRUE(writeText(*r, folder / "run.txt").ok());
  std::ifstream text(folder / "run.txt");
  std::string line;
  std::getline(text, line);
  EXPECT_EQ(line, "# framerate: 10");
}

TEST(Recording, WhatWasNotCommittedIsLostAndNothingElse) {
  const RecordingFolder folder;
  const std::string path = folder / "run.sqlite";
  {
    Recorder recorder = begin(path);
    ASSERT_TRUE(recorder.frame(0, positions(0, 3)).ok());
    ASSERT_TRUE(recorder.commit().ok());
    ASSERT_TRUE(recorder.frame(1, positions(1, 3)).ok());
    // The recorder goes without a word, as in a run that is stopped hard.
  }
  const Result<Recording> r = Recording::open(path);
  ASSERT_TRUE(r.ok()) << r.error().message;
  EXPECT_EQ(r->frames(), 1);
}

TEST(Recording, ResumesAtTheCheckpoint) {
  const RecordingFolder folder;
  const std::string path = folder / "run.sqlite";
  {
    Recorder recorder = begin(path);
    for (int64_t frame = 0; frame < 8; ++frame) {
      ASSERT_TRUE(recorder.frame(frame, positions(frame, 3)).ok());
      if (frame == 4) {
        ASSERT_TRUE(recorder.checkpoint(4, asBytes("state")).ok());
      }
    }
    ASSERT_TRUE(recorder.person({1, "adult", 0.2, 1.3, 0, "in", "out", 0, 0, -1, 6, "door"}).ok());
    ASSERT_TRUE(recorder.person({7, "adult", 0.2, 1.3, 0, "in", "out", 6}).ok());
    ASSERT_TRUE(recorder.commit().ok());
  }
  {
    auto resumed = Recorder::resume(path);
    ASSERT_TRUE(resumed.ok()) << resumed.error().message;
    ASSERT_TRUE(resumed->has_value());
    EXPECT_EQ((*resumed)->frame, 4);
    EXPECT_EQ((*resumed)->state.size(), 5U);
    Recorder& recorder = (*resumed)->recorder;
    ASSERT_TRUE(recorder.frame(5, positions(5, 2)).ok());
    ASSERT_TRUE(recorder.finish().ok());
  }
  const Result<Recording> r = Recording::open(path);
  ASSERT_TRUE(r.ok());
  EXPECT_EQ(r->frames(), 6);
  EXPECT_EQ(r->persons().size(), 3U);
  EXPECT_EQ(r->persons()[1].exitFrame, -1);
  const auto again = Recorder::resume(path);
  ASSERT_TRUE(again.ok());
  EXPECT_FALSE(again->has_value()) << "a finished recording has no checkpoint";
}

// The tables as JuPedSim's own reader asks for them.
TEST(Recording, TablesAreJuPedSims) {
  const RecordingFolder folder;
  {
    Recorder recorder = begin(folder / "run.sqlite");
    ASSERT_TRUE(recorder.frame(0, positions(0, 3)).ok());
    ASSERT_TRUE(recorder.finish().ok());
  }
  Database database = Database::open(folder / "run.sqlite", Database::Mode::kRead).value();
  for (const char* sql : {"SELECT frame, id, pos_x, pos_y, ori_x, ori_y FROM trajectory_data ORDER BY frame",
                          "SELECT key, value FROM metadata WHERE key = 'fps'",
                          "SELECT wkt FROM geometry WHERE hash = ?", "SELECT frame, geometry_hash FROM frame_data",
                          "SELECT frame FROM trajectory_data INDEXED BY frame_id_idx WHERE frame = 0 AND id = 0"}) {
    EXPECT_TRUE(database.prepare(sql).ok()) << sql;
  }
  Statement wkt = database.prepare("SELECT wkt FROM geometry").value();
  ASSERT_TRUE(wkt.next().value());
  EXPECT_EQ(wkt.text(0), "POLYGON ((0 0, 10 0, 10 5, 0 5, 0 0), (4 2, 4 3, 5 3, 5 2, 4 2))");
}

}  // namespace
}  // namespace wend
