// Ctrl-C and SIGTERM: noted, to be looked at when it suits. Another one ends the program at once,
// but not within a second of the first: it may be the same, sent to the program and to its group.
#pragma once

namespace tamis {

void watch_for_interrupt();
bool interrupt_requested();
// Throws Interrupted saying that nothing was written.
void stop_if_interrupted();

}  // namespace tamis
