#include "limits/cgroup.h"

#include "base/clock.h"
#include "limits/cgroup_files.h"
#include "limits/stale_cgroups.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/syscall.h>
#endif

#define OPEN_DIRECTORY (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

/* Whether the directory is still the one of that name: a run that tidies up may have taken it. */
static bool is_there(const struct cgroup_node *node, const char *name)
{
	struct stat st, now;

	return fstat(node->dir, &st) == 0 &&
	       fstatat(node->parent, name, &now, AT_SYMLINK_NOFOLLOW) == 0 &&
	       st.st_ino == now.st_ino && st.st_dev == now.st_dev;
}

static void node_close(struct cgroup_node *node)
{
	if (node->dir >= 0)
		close(node->dir);
	if (node->parent >= 0)
		close(node->parent);
	*node = (struct cgroup_node){.parent = -1, .dir = -1};
}

/* Before it is locked, a run that tidies up takes it for one that was left. */
static bool node_try(struct cgroup_node *node, const char *name)
{
	if (mkdirat(node->parent, name, 0755) < 0)
		return false;
	node->dir = openat(node->parent, name, OPEN_DIRECTORY);
	if (node->dir >= 0 && flock(node->dir, LOCK_EX | LOCK_NB) == 0 && is_there(node, name))
		return true;
	if (node->dir >= 0)
		close(node->dir);
	node->dir = -1;
	unlinkat(node->parent, name, AT_REMOVEDIR);
	return false;
}

static bool node_make(struct cgroup_node *node, const struct cgroup_place *place, const char *name)
{
	*node = (struct cgroup_node){.parent = open(place->path, OPEN_DIRECTORY),
	                             .dir = -1,
	                             .unified = place->unified,
	                             .holds = place->holds};
	if (node->parent < 0)
		return false;
	stale_cgroups_remove(node->parent);
	for (int i = 0; i < 20; i++) {
		if (node_try(node, name))
			return true;
		pause_ms(1);
	}
	return false;
}

static bool hold_memory(const struct cgroup_node *node, int64_t most)
{
	if (!node->unified) {
		if (!cgroup_put(node->dir, "memory.limit_in_bytes", most))
			return false;
		/* Where swap is counted, it is no way around. */
		cgroup_put(node->dir, "memory.memsw.limit_in_bytes", most);
		return true;
	}
	if (!cgroup_put(node->dir, "memory.max", most))
		return false;
	/* Neither is there without swap, or before 4.19. */
	cgroup_put(node->dir, "memory.swap.max", 0);
	cgroup_put(node->dir, "memory.oom.group", 1);
	return true;
}

/* So much of each tenth of a second. */
#define PERIOD_US 100000

static bool hold_cpu(const struct cgroup_node *node, int64_t thousandths)
{
	int64_t quota = thousandths * PERIOD_US / 1000;
	char text[64];

	if (node->unified) {
		snprintf(text, sizeof(text), "%lld %d", (long long)quota, PERIOD_US);
		return cgroup_put_text(node->dir, "cpu.max", text);
	}
	return cgroup_put(node->dir, "cpu.cfs_period_us", PERIOD_US) &&
	       cgroup_put(node->dir, "cpu.cfs_quota_us", quota);
}

static void hold(struct cgroup_node *node, const struct limits *limits, unsigned beside)
{
	const int64_t *most = limits->most;

	if ((node->holds & 1U << LIMIT_PROCESSES) &&
	    !cgroup_put(node->dir, "pids.max", most[LIMIT_PROCESSES] + beside))
		node->holds &= ~(1U << LIMIT_PROCESSES);
	if ((node->holds & 1U << LIMIT_MEMORY) && !hold_memory(node, most[LIMIT_MEMORY]))
		node->holds &= ~(1U << LIMIT_MEMORY);
	if ((node->holds & 1U << LIMIT_CPU) && !hold_cpu(node, most[LIMIT_CPU]))
		node->holds &= ~(1U << LIMIT_CPU);
}

void cgroup_make(struct cgroup *cgroup, const struct limits *limits, unsigned beside)
{
	struct cgroup_places places;

	*cgroup = (struct cgroup){0};
	cgroup_places_find(limits, PLACES_TO_USE, &places);
	if (places.count > 0 && stale_cgroup_name(cgroup->name, sizeof(cgroup->name)) < 0)
		places.count = 0;
	for (size_t i = 0; i < places.count; i++) {
		struct cgroup_node node;
		bool made = node_make(&node, &places.items[i], cgroup->name);

		if (made)
			hold(&node, limits, beside);
		if (made && node.holds) {
			cgroup->nodes[cgroup->count++] = node;
			continue;
		}
		if (node.dir >= 0)
			unlinkat(node.parent, cgroup->name, AT_REMOVEDIR);
		node_close(&node);
	}
	cgroup_places_free(&places);
}

unsigned cgroup_holds(const struct cgroup *cgroup)
{
	unsigned holds = 0;

	for (size_t i = 0; i < cgroup->count; i++)
		holds |= cgroup->nodes[i].holds;
	return holds;
}

/* The unified one is the first, if there is one. */
static const struct cgroup_node *unified(const struct cgroup *cgroup)
{
	return cgroup->count > 0 && cgroup->nodes[0].unified ? &cgroup->nodes[0] : NULL;
}

/*
 * A process that is born in it need not be moved, for which the kernel would wait until
 * every processor has taken note (5.7).
 */
pid_t cgroup_fork(const struct cgroup *cgroup, bool *entered)
{
	const struct cgroup_node *node = unified(cgroup);

	*entered = false;
#if defined(__linux__) && defined(SYS_clone3)
	if (node) {
		const struct {
			uint64_t flags, pidfd, child_tid, parent_tid, exit_signal, stack,
			        stack_size, tls, set_tid, set_tid_size, cgroup;
		} args = {.flags = 1ULL << 33 /* CLONE_INTO_CGROUP */,
		          .exit_signal = SIGCHLD,
		          .cgroup = (uint64_t)node->dir};
		pid_t child = (pid_t)syscall(SYS_clone3, &args, sizeof(args));

		*entered = child >= 0;
		if (child >= 0)
			return child;
	}
#else
	(void)node;
#endif
	return fork();
}

/*
 * In an older hierarchy a process with one thread is moved by that thread alone: since
 * 5.13 the kernel need not wait for all processors then, for a hundredth of a second.
 */
static bool node_enter(const struct cgroup_node *node)
{
	return (!node->unified && cgroup_put_text(node->dir, "tasks", "0")) ||
	       cgroup_put_text(node->dir, "cgroup.procs", "0");
}

int cgroup_enter(const struct cgroup *cgroup, bool entered)
{
	for (size_t i = 0; i < cgroup->count; i++) {
		const struct cgroup_node *node = &cgroup->nodes[i];

		if (!(node->unified && entered) && !node_enter(node))
			return -1;
	}
	return 0;
}

void cgroup_forget(struct cgroup *cgroup)
{
	for (size_t i = 0; i < cgroup->count; i++)
		node_close(&cgroup->nodes[i]);
	cgroup->count = 0;
}

static void look_at_memory(const struct cgroup_node *node, struct cgroup_state *state)
{
	bool now = node->unified;

	state->memory =
	        cgroup_number(node->dir, now ? "memory.current" : "memory.usage_in_bytes", NULL);
	state->memory_peak =
	        cgroup_number(node->dir, now ? "memory.peak" : "memory.max_usage_in_bytes", NULL);
	state->out_of_memory =
	        cgroup_number(node->dir, now ? "memory.events" : "memory.oom_control", "oom_kill");
}

void cgroup_look(const struct cgroup *cgroup, struct cgroup_state *state)
{
	*state = (struct cgroup_state){-1, -1, -1, -1, -1, -1, -1};
	for (size_t i = 0; i < cgroup->count; i++) {
		const struct cgroup_node *node = &cgroup->nodes[i];

		if (node->holds & 1U << LIMIT_MEMORY)
			look_at_memory(node, state);
		if (node->holds & 1U << LIMIT_PROCESSES) {
			state->processes = cgroup_number(node->dir, "pids.current", NULL);
			state->processes_peak = cgroup_number(node->dir, "pids.peak", NULL);
			state->refused = cgroup_number(node->dir, "pids.events", "max");
		}
		if (node->unified)
			state->cpu_us = cgroup_number(node->dir, "cpu.stat", "usage_usec");
	}
}

size_t cgroup_members(const struct cgroup *cgroup, pid_t *pids, size_t most)
{
	return cgroup->count > 0 ? cgroup_processes(cgroup->nodes[0].dir, pids, most) : 0;
}

/* How often, a millisecond apart: a process that is dead counts until it is buried. */
#define TRIES 500

void cgroup_remove(struct cgroup *cgroup)
{
	for (size_t i = 0; i < cgroup->count; i++) {
		const struct cgroup_node *node = &cgroup->nodes[i];

		for (int k = 0; k < TRIES; k++) {
			if (cgroup_take_away(node->parent, cgroup->name) || errno != EBUSY)
				break;
			pause_ms(1);
		}
	}
	/* One that stays has no lock now, and the next run removes it. */
	cgroup_forget(cgroup);
}
