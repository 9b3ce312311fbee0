#include "limits/limiter.h"

#include "base/clock.h"
#include "base/memory.h"
#include "document/osstring.h"
#include "limits/own_limits.h"
#include "linux/kernel_release.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

/* Between two looks at what nobody else holds, and at what a cgroup says. */
#define LOOK_MS     50
#define GLANCE_MS   10
#define CGROUP_MS   100
#define SELDOM_MS   250
#define MEMBERS_MAX 512
#define BIT(limit)  (1U << (limit))

static bool is_given(const struct limiter *limiter, enum limit limit)
{
	return limiter->limits.most[limit] != 0;
}

/* Nobody is counted in a namespace of its own before 5.14, and root is not counted at all. */
static bool kernel_counts(const struct limiter *limiter)
{
	return geteuid() != 0 && limiter->around.own_user && kernel_at_least(5, 14);
}

int limiter_begin(struct limiter *limiter, const struct limits *limits,
                  const struct surroundings_of_command *around, struct error *err)
{
	*limiter = (struct limiter){.limits = *limits,
	                            .around = *around,
	                            .tmp = -1,
	                            .segments = -1,
	                            .reached = -1,
	                            .usage = USAGE_NONE};
	if (getrusage(RUSAGE_CHILDREN, &limiter->before) < 0)
		limiter->before = (struct rusage){0};
	cgroup_make(&limiter->cgroup, limits, around->in_cgroup);
	limiter->held = cgroup_holds(&limiter->cgroup);
	for (int i = LIMIT_PROCESSES; i <= LIMIT_MEMORY; i++)
		if (is_given(limiter, (enum limit)i) && !(limiter->held & BIT(i)))
			limiter->watched |= BIT(i);
	if (limiter->watched && !tree_use_can_look())
		return error_set(
		        err, EXIT_UNAVAILABLE, "limits",
		        "limits cannot be held: no cgroup can be made here, and /proc does "
		        "not show this process");
	/* What always holds is the kernel's to count; root, we count. */
	if (!is_given(limiter, LIMIT_PROCESSES)) {
		limiter->limits.most[LIMIT_PROCESSES] = PROCESSES_ALWAYS;
		limiter->watched |= geteuid() == 0 ? BIT(LIMIT_PROCESSES) : 0;
	}
	return 0;
}

pid_t limiter_fork(const struct limiter *limiter, bool *entered)
{
	return cgroup_fork(&limiter->cgroup, entered);
}

int limiter_child(const struct limiter *limiter, bool entered)
{
	go_first_without_memory();
	return cgroup_enter(&limiter->cgroup, entered);
}

void limiter_forget(struct limiter *limiter)
{
	cgroup_forget(&limiter->cgroup);
	if (limiter->tmp >= 0)
		close(limiter->tmp);
	if (limiter->segments >= 0)
		close(limiter->segments);
	limiter->tmp = limiter->segments = -1;
}

/* What else the user may begin while the command runs. */
#define OTHERS_MORE 1024

int64_t limiter_processes(const struct limiter *limiter)
{
	int64_t most = limiter->limits.most[LIMIT_PROCESSES], bound = PROCESSES_ALWAYS;

	/*
	 * A few more than are allowed: we look whether there are, and the kernel holds a bomb,
	 * which is quicker than any look.  Where it counts all that the user has, more.
	 */
	if (most < PROCESSES_ALWAYS && (limiter->watched & BIT(LIMIT_PROCESSES))) {
		bound = most + most / 4 + 8;
		if (!kernel_counts(limiter))
			bound += processes_of_user() + OTHERS_MORE;
	}
	if (most > PROCESSES_ALWAYS)
		return 0;
	return bound < PROCESSES_ALWAYS ? bound : PROCESSES_ALWAYS;
}

unsigned limiter_lost(const struct limiter *limiter)
{
	unsigned lost = limiter->watched;

	if (limiter->limits.most[LIMIT_PROCESSES] == PROCESSES_ALWAYS)
		lost &= ~BIT(LIMIT_PROCESSES);
	if (is_given(limiter, LIMIT_CPU) && !(limiter->held & BIT(LIMIT_CPU)))
		lost |= BIT(LIMIT_CPU);
	if (is_given(limiter, LIMIT_TMP) && !limiter->around.bounded_tmp)
		lost |= BIT(LIMIT_TMP);
	return lost;
}

bool limiter_ends_all(const struct limiter *limiter)
{
	return limiter_lost(limiter) & (BIT(LIMIT_PROCESSES) | BIT(LIMIT_MEMORY));
}

static bool counts_processes(const struct limiter *limiter)
{
	return (limiter->watched & BIT(LIMIT_PROCESSES)) &&
	       limiter->limits.most[LIMIT_PROCESSES] < PROCESSES_ALWAYS;
}

static int interval(const struct limiter *limiter)
{
	if ((limiter->watched & BIT(LIMIT_MEMORY)) || counts_processes(limiter))
		return LOOK_MS;
	return limiter->cgroup.count > 0 ? CGROUP_MS : limiter->watched ? SELDOM_MS : 0;
}

void limiter_started(struct limiter *limiter, pid_t root, const char *command)
{
	const char *slash = strrchr(command, '/');

	snprintf(limiter->program, sizeof(limiter->program), "%s", slash ? slash + 1 : command);
	limiter->root = root;
	limiter->due = interval(limiter) ? 1 : 0;
}

int limiter_left(const struct limiter *limiter, int64_t now)
{
	if (!limiter->due || limiter->reached >= 0)
		return -1;
	return limiter->due > now ? (int)(limiter->due - now) : 0;
}

static void more(int64_t *peak, int64_t now)
{
	if (now > *peak)
		*peak = now;
}

static void reach(struct limiter *limiter, enum limit limit, const char *program)
{
	if (limiter->reached >= 0)
		return;
	limiter->reached = (int)limit;
	if (limit > LIMIT_MEMORY)
		limiter->program[0] = '\0';
	else if (program && program[0])
		snprintf(limiter->program, sizeof(limiter->program), "%s", program);
}

/* Whose it is, while it is there: what the kernel kills it does not name. */
static void remember_biggest(struct limiter *limiter, struct tree_use *use)
{
	pid_t pids[MEMBERS_MAX];
	size_t count = cgroup_members(&limiter->cgroup, pids, MEMBERS_MAX);

	*use = (struct tree_use){0};
	processes_name(pids, count, use);
	if (use->biggest[0])
		memcpy(limiter->program, use->biggest, COMM_SIZE);
}

static void look_at_cgroup(struct limiter *limiter)
{
	int64_t most = limiter->limits.most[LIMIT_MEMORY];
	struct cgroup_state state;
	struct tree_use use;

	if (limiter->cgroup.count == 0)
		return;
	cgroup_look(&limiter->cgroup, &state);
	limiter->usage.measured = "cgroup";
	more(&limiter->usage.memory_peak, state.memory);
	more(&limiter->usage.memory_peak, state.memory_peak);
	if (state.processes_peak > 0 || state.processes > 0)
		more(&limiter->usage.processes_peak,
		     (state.processes_peak > state.processes ? state.processes_peak
		                                             : state.processes) -
		             (int64_t)limiter->around.in_cgroup);
	more(&limiter->usage.cpu_us, state.cpu_us);
	if (state.out_of_memory > 0) {
		reach(limiter, LIMIT_MEMORY, NULL);
	} else if (state.refused > 0) {
		remember_biggest(limiter, &use);
		reach(limiter, LIMIT_PROCESSES, use.commonest);
	} else if (most && state.memory > most / 2) {
		remember_biggest(limiter, &use);
	}
}

/* As long as the machine has no more than the command may have, nothing needs to be counted. */
static bool may_be_many(const struct limiter *limiter)
{
	return (limiter->watched & BIT(LIMIT_MEMORY)) ||
	       machine_processes() > limiter->limits.most[LIMIT_PROCESSES];
}

static void look_at_tree(struct limiter *limiter)
{
	const int64_t *most = limiter->limits.most;
	bool memory = limiter->watched & BIT(LIMIT_MEMORY);
	struct tree_use use;

	if (!limiter->watched || !may_be_many(limiter))
		return;
	limiter->machine = machine_processes();
	tree_use_look(limiter->root, memory ? most[LIMIT_MEMORY] : 0, &limiter->segments, &use);
	use.processes -= limiter->around.below;
	if (!limiter->usage.measured)
		limiter->usage.measured = "watched";
	more(&limiter->usage.processes_peak, use.processes);
	if (memory)
		more(&limiter->usage.memory_peak, use.memory);
	if (memory && use.memory > most[LIMIT_MEMORY])
		reach(limiter, LIMIT_MEMORY, use.biggest);
	else if ((limiter->watched & BIT(LIMIT_PROCESSES)) && use.processes > most[LIMIT_PROCESSES])
		reach(limiter, LIMIT_PROCESSES, use.commonest);
}

/* A look that takes long, at thousands of processes or descriptors, is not all that we do. */
#define REST 3

/* Sooner than a look is due, one number says whether the machine has so many more. */
static bool is_a_storm(const struct limiter *limiter)
{
	return counts_processes(limiter) &&
	       machine_processes() > limiter->machine + limiter->limits.most[LIMIT_PROCESSES];
}

bool limiter_look(struct limiter *limiter, int64_t now)
{
	int every = interval(limiter);
	int64_t begin = now_ms();

	if (now && now < limiter->whole && !is_a_storm(limiter)) {
		limiter->due = now + GLANCE_MS;
		return limiter->reached >= 0;
	}
	if (limiter->reached < 0)
		look_at_cgroup(limiter);
	if (limiter->reached < 0 && limiter->root)
		look_at_tree(limiter);
	limiter->whole = every ? now + every + (REST + 1) * (now_ms() - begin) : 0;
	limiter->due = every && counts_processes(limiter) ? now + GLANCE_MS : limiter->whole;
	return limiter->reached >= 0;
}

void limiter_keep_tmp(struct limiter *limiter, pid_t inside, const char *path)
{
	char name[64];

	if (!is_given(limiter, LIMIT_TMP) || !path)
		return;
	snprintf(name, sizeof(name), "/proc/%d/root%.40s", (int)inside, path);
	limiter->tmp = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static bool is_full(int directory)
{
	struct statvfs vfs;

	return directory >= 0 && fstatvfs(directory, &vfs) == 0 &&
	       (vfs.f_bavail == 0 || vfs.f_favail == 0);
}

/* By itself, or by the shell that had started it. */
static bool ended_by(int status, int number)
{
	return (WIFSIGNALED(status) && WTERMSIG(status) == number) ||
	       (WIFEXITED(status) && WEXITSTATUS(status) == 128 + number);
}

bool limiter_judge(struct limiter *limiter, int status)
{
	if (limiter->reached >= 0 || limiter_look(limiter, 0))
		return true;
	/* These end what reaches them with an error of its own. */
	if (is_given(limiter, LIMIT_FILES) && ended_by(status, SIGXFSZ))
		reach(limiter, LIMIT_FILES, NULL);
	else if (is_full(limiter->tmp))
		reach(limiter, LIMIT_TMP, NULL);
	return false;
}

void limiter_end(struct limiter *limiter)
{
	look_at_cgroup(limiter);
	cgroup_remove(&limiter->cgroup);
	limiter_forget(limiter);
	usage_of_children(&limiter->usage, &limiter->before);
	limiter->due = 0;
}

json_t *limiter_denial(const struct limiter *limiter)
{
	json_t *denial;

	if (limiter->reached < 0)
		return NULL;
	denial = xjson(json_pack("{s:s,s:s,s:I}", "op", "limit", "limit",
	                         limit_names[limiter->reached], "value",
	                         (json_int_t)limiter->limits.most[limiter->reached]));
	if (limiter->program[0])
		json_object_set_new(denial, "program", os_string(limiter->program));
	return denial;
}
