#include "limits/lost_limits.h"

#include "base/memory.h"
#include "limits/cgroup_place.h"

#include <stddef.h>

static const char own_cgroup[] =
        "run it where a cgroup can be made: as root, in a subtree that is delegated to you, or by "
        "systemd-run --user --scope sbx-run ...";

static const struct {
	const char *guarantee, *why, *cure;
} words[LIMIT_COUNT] = {
        [LIMIT_PROCESSES] = {"limit-processes",
                             "approximate: no cgroup can be made here; processes are counted every "
                             "moment",
                             own_cgroup},
        [LIMIT_MEMORY] =
                {"limit-memory",
                 "approximate: no cgroup can be made here; memory is added up every moment",
                 own_cgroup},
        [LIMIT_CPU] = {"limit-cpu", "not held: no cgroup can be made here", own_cgroup},
        [LIMIT_TMP] = {"limit-tmp", "not held: /tmp is the host's here",
                       "use a private /tmp, which needs bubblewrap and workspace-write"},
};

unsigned lost_limits(const struct limits *limits, bool mounted, bool root)
{
	struct cgroup_places places;
	unsigned lost = 0;

	cgroup_places_find(limits, root ? PLACES_TO_TELL_ROOT : PLACES_TO_TELL, &places);
	for (int i = LIMIT_PROCESSES; i <= LIMIT_CPU; i++)
		if (limits->most[i])
			lost |= 1U << i;
	lost &= ~cgroup_places_hold(&places);
	cgroup_places_free(&places);
	if (limits->most[LIMIT_TMP] && !mounted)
		lost |= 1U << LIMIT_TMP;
	return lost;
}

void lost_limits_add(json_t *list, unsigned lost)
{
	for (int i = 0; i < LIMIT_COUNT; i++)
		if (lost & 1U << i)
			json_array_append_new(
			        list,
			        xjson(json_pack("{s:s,s:s,s:s}", "guarantee", words[i].guarantee,
			                        "why", words[i].why, "cure", words[i].cure)));
}
