/* Two clocks, in seconds from some start. */
#pragma once

/* How long the calling thread has had a core: what others do on the machine meanwhile is not in it. */
double clock_of_thread(void);

/* What a watch on the wall says. */
double clock_of_wall(void);
