/*
 * How much time has passed?  By a clock that nobody sets.
 */
#ifndef SBX_BASE_CLOCK_H
#define SBX_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline int64_t now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static inline int64_t now_ms(void)
{
	return now_us() / 1000;
}

/* Nothing happens for so long, or until a signal. */
static inline void pause_ms(int ms)
{
	const struct timespec pause = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L};

	nanosleep(&pause, NULL);
}

#endif
