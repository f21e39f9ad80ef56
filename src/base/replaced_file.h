#pragma once

#include <string>

struct stat;

// A new file that is renamed to the name of an older one: links stay links, and who may read it stays the same.
namespace wend {

// The file that a path names in the end, there or not. The path itself if it is no link, or one of a ring of links.
std::string withoutLinks(const std::string& path);

// Gives an open file the permissions of an older one, and its owner and group as far as the system allows it. The bits
// set-user-ID and set-group-ID are dropped: other contents are another program. False: errno says why.
bool takeOver(int descriptor, const struct stat& older);

}  // namespace wend
