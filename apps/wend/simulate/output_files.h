#pragma once

#include <string>
#include <vector>

#include <wend/result.h>
#include <wend/scenario.h>

// Where the files of a scenario's [output] go: beside the recording and nowhere else, and over no file of the user. A
// scenario may come from anybody.
namespace wend::app {

// Paths for a text and a report; empty where the scenario asks for none.
struct OutputFiles {
  std::string text;
  std::string folder;
};

// An Error if a name leads out of the folder of the recording, over the recording or one of `inputs`, or to something
// that is no older output: a file that is no text of trajectories, a folder with other files, a link within a report.
// `force` overwrites what lies inside of the folder, but no input and nothing outside.
Result<OutputFiles> outputFiles(const ScenarioOutput& output, const std::string& recording,
                                const std::vector<std::string>& inputs, bool force);

}  // namespace wend::app
