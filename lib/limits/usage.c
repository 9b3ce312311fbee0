#include "limits/usage.h"

#include "base/memory.h"

#ifdef __APPLE__
#define RSS_UNIT 1
#else
#define RSS_UNIT 1024
#endif

static int64_t microseconds(const struct timeval *time)
{
	return (int64_t)time->tv_sec * 1000000 + time->tv_usec;
}

static void at_least(int64_t *value, int64_t other)
{
	if (*value < other)
		*value = other;
}

static int64_t processor_time(const struct rusage *of)
{
	return microseconds(&of->ru_utime) + microseconds(&of->ru_stime);
}

void usage_of_children(struct usage *usage, const struct rusage *before)
{
	struct rusage now;

	if (getrusage(RUSAGE_CHILDREN, &now) < 0)
		return;
	at_least(&usage->memory_peak, (int64_t)now.ru_maxrss * RSS_UNIT);
	at_least(&usage->cpu_us, processor_time(&now) - processor_time(before));
	/* In blocks of 512 bytes, whatever the disk has. */
	at_least(&usage->written, (int64_t)(now.ru_oublock - before->ru_oublock) * 512);
	if (!usage->measured)
		usage->measured = "children";
}

static json_t *number(int64_t value)
{
	return value < 0 ? json_null() : xjson(json_integer(value));
}

json_t *usage_json(const struct usage *usage)
{
	return xjson(json_pack("{s:o,s:o,s:o,s:o,s:s}", "memory_peak", number(usage->memory_peak),
	                       "processes_peak", number(usage->processes_peak), "cpu_ms",
	                       number(usage->cpu_us / 1000), "bytes_written",
	                       number(usage->written), "measured",
	                       usage->measured ? usage->measured : "nothing"));
}
