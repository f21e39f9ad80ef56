#pragma once

#include <wend/context.h>

// Ctrl-C, SIGTERM and SIGHUP stop the work in an orderly way; a second one ends the program at once, unless
// it comes within 0.2 s: then it is the same request, sent twice.
namespace wend::app {

// The context that the next signal cancels. Work that does not end within a second of it is ended hard; see
// letWorkFinish(). Files are written under no name or a temporary one, so nothing half-written stays.
void cancelOnSignal(Context& context);
// From here on the cancelled work may take the time that it needs: it has a checkpoint to write.
void letWorkFinish();
// The opposite: the checkpoint is written. A signal that came meanwhile ends what is left within a second too.
void letWorkEnd();

}  // namespace wend::app
