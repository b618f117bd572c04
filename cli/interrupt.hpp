// Ctrl-C and SIGTERM: noted, to be looked at when it suits. A second one ends the program at once.
#pragma once

namespace tamis {

void watch_for_interrupt();
bool interrupt_requested();
// Throws Interrupted saying that nothing was written.
void stop_if_interrupted();

}  // namespace tamis
