#include "limits/cgroup_place.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/read_full.h"
#include "fs/path.h"
#include "linux/mount_table.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* By the limit that each holds. */
static const char *const controllers[] = {
        [LIMIT_PROCESSES] = "pids", [LIMIT_MEMORY] = "memory", [LIMIT_CPU] = "cpu"};
#define CONTROLLERS 3

/* A cgroup file is at most a few lines; "" where it cannot be read. */
static void read_word(const char *directory, const char *name, char *text, size_t size)
{
	cleanup_free char *path = path_join(directory, name);

	read_small(AT_FDCWD, path, text, size);
}

/* Whether a word of a list, with these characters between, is this one. */
static bool lists(const char *list, const char *between, const char *word)
{
	size_t len = strlen(word);

	for (const char *at = list; *at;) {
		size_t next = strcspn(at, between);

		if (next == len && strncmp(at, word, len) == 0)
			return true;
		at += next + (at[next] != '\0');
	}
	return false;
}

static unsigned given_by(const char *directory, const char *file)
{
	unsigned found = 0;
	char list[256];

	read_word(directory, file, list, sizeof(list));
	for (unsigned i = 0; i < CONTROLLERS; i++)
		if (lists(list, " \n", controllers[i]))
			found |= 1U << i;
	return found;
}

static bool may_write(const char *path, enum cgroup_looker who)
{
	struct statvfs vfs;

	if (who != PLACES_TO_TELL_ROOT)
		return access(path, W_OK) == 0;
	return statvfs(path, &vfs) == 0 && !(vfs.f_flag & ST_RDONLY);
}

static bool is_writable(const char *directory, const char *name, enum cgroup_looker who)
{
	cleanup_free char *path = path_join(directory, name);

	return may_write(path, who);
}

/* Only the root of all has no type, and gives controllers although it has processes. */
static bool can_enable(const char *directory, unsigned missing, enum cgroup_looker who)
{
	cleanup_free char *type = path_join(directory, "cgroup.type");
	char members[16];

	if ((given_by(directory, "cgroup.controllers") & missing) != missing ||
	    !is_writable(directory, "cgroup.subtree_control", who))
		return false;
	read_word(directory, "cgroup.procs", members, sizeof(members));
	return !members[0] || access(type, F_OK) < 0;
}

static bool enable(const char *directory, unsigned missing)
{
	cleanup_free char *path = path_join(directory, "cgroup.subtree_control");
	cleanup_close int fd = open(path, O_WRONLY | O_CLOEXEC);

	for (unsigned i = 0; i < CONTROLLERS && fd >= 0; i++) {
		char word[16];
		int len = snprintf(word, sizeof(word), "+%s", controllers[i]);

		if ((missing & 1U << i) && write(fd, word, (size_t)len) != len)
			return false;
	}
	return fd >= 0;
}

static bool is_place(const char *directory, unsigned wanted, enum cgroup_looker who)
{
	unsigned missing = wanted & ~given_by(directory, "cgroup.subtree_control");

	/* To get there, a process needs the right to leave. */
	if (!may_write(directory, who) || !is_writable(directory, "cgroup.procs", who))
		return false;
	return !missing || (can_enable(directory, missing, who) &&
	                    (who != PLACES_TO_USE || enable(directory, missing)));
}

static void add(struct cgroup_places *places, const char *path, bool unified, unsigned holds)
{
	places->items[places->count++] =
	        (struct cgroup_place){.path = xstrdup(path), .unified = unified, .holds = holds};
}

/* From our own cgroup upwards. */
static bool climb(struct cgroup_places *places, const char *top, const char *own, unsigned wanted,
                  enum cgroup_looker who)
{
	cleanup_free char *at = xstrdup(own);

	while (!is_place(at, wanted, who)) {
		char *parent = strcmp(at, top) == 0 ? NULL : path_parent(at);

		if (!parent)
			return false;
		free(at);
		at = parent;
	}
	add(places, at, true, wanted);
	return true;
}

/* All of them, or as many as there are. */
static void find_unified(struct cgroup_places *places, const char *top, const char *own,
                         unsigned wanted, enum cgroup_looker who)
{
	static const unsigned fewer[] = {
	        ~0U,
	        ~(1U << LIMIT_CPU),
	        1U << LIMIT_MEMORY,
	        1U << LIMIT_PROCESSES,
	};

	for (size_t i = 0; i < sizeof(fewer) / sizeof(fewer[0]); i++)
		if ((wanted & fewer[i]) && climb(places, top, own, wanted & fewer[i], who))
			return;
}

/* "4:memory:/path": our cgroup in the hierarchy of this controller; "": the unified one. */
static char *own_cgroup(const char *controller)
{
	FILE *file = fopen("/proc/self/cgroup", "re");
	cleanup_free char *line = NULL;
	char *found = NULL;
	size_t size = 0;

	while (file && !found && getline(&line, &size, file) > 0) {
		char *list = strchr(line, ':'), *path = list ? strchr(list + 1, ':') : NULL;

		if (!path)
			continue;
		*path++ = '\0';
		path[strcspn(path, "\n")] = '\0';
		if (*controller ? lists(list + 1, ",", controller) : !list[1])
			found = xstrdup(path);
	}
	if (file)
		fclose(file);
	return found;
}

/* A hierarchy that is mounted: where, and which of its directories that shows. */
struct hierarchy {
	char *point, *root;
};

static void hierarchy_free(struct hierarchy *h)
{
	free(h->point);
	free(h->root);
}

static bool hierarchy_of_line(char *line, const char *controller, struct hierarchy *h)
{
	cleanup_free char *copy = xstrdup(line);
	char *options = strrchr(copy, ' '), *type, *point, *root = line;

	if (!options)
		return false;
	options[1 + strcspn(options + 1, "\n")] = '\0';
	point = mountinfo_point(line, &type);
	if (!point || strcmp(type, *controller ? "cgroup" : "cgroup2") != 0 ||
	    (*controller && !lists(options + 1, ",", controller)))
		return false;
	for (int i = 0; i < 3; i++)
		root = strchr(root, ' ') + 1;
	*h = (struct hierarchy){xstrdup(point), xstrndup(root, strcspn(root, " "))};
	return true;
}

static bool find_hierarchy(const char *controller, struct hierarchy *h)
{
	FILE *file = fopen("/proc/self/mountinfo", "re");
	cleanup_free char *line = NULL;
	bool found = false;
	size_t size = 0;

	*h = (struct hierarchy){0};
	while (file && !found && getline(&line, &size, file) > 0)
		found = hierarchy_of_line(line, controller, h);
	if (file)
		fclose(file);
	return found;
}

/* The directory of our own cgroup; NULL: it is not shown here. */
static char *own_directory(const char *controller, struct hierarchy *h)
{
	cleanup_free char *own = own_cgroup(controller);
	const char *rest;

	if (!own || !find_hierarchy(controller, h) || strstr(own, "/.."))
		return NULL;
	rest = own;
	if (strcmp(h->root, "/") != 0) {
		if (!path_contains(h->root, own))
			return NULL;
		rest = own + strlen(h->root);
	}
	return strcmp(rest, "/") == 0 || !*rest ? xstrdup(h->point)
	                                        : xasprintf("%s%s", h->point, rest);
}

static void find_older(struct cgroup_places *places, unsigned limit, enum cgroup_looker who)
{
	struct hierarchy h = {0};
	cleanup_free char *own = own_directory(controllers[limit], &h);

	if (own && may_write(own, who))
		add(places, own, false, 1U << limit);
	hierarchy_free(&h);
}

void cgroup_places_find(const struct limits *limits, enum cgroup_looker who,
                        struct cgroup_places *places)
{
	struct hierarchy h = {0};
	cleanup_free char *own = NULL;
	unsigned wanted = 0;

	*places = (struct cgroup_places){0};
	for (unsigned i = 0; i < CONTROLLERS; i++)
		wanted |= limits->most[i] ? 1U << i : 0;
	if (!wanted)
		return;
	own = own_directory("", &h);
	if (own)
		find_unified(places, h.point, own, wanted, who);
	hierarchy_free(&h);
	for (unsigned i = 0; i < CONTROLLERS; i++)
		if ((wanted & ~cgroup_places_hold(places)) & 1U << i)
			find_older(places, i, who);
}

void cgroup_places_free(struct cgroup_places *places)
{
	for (size_t i = 0; i < places->count; i++)
		free(places->items[i].path);
	*places = (struct cgroup_places){0};
}

unsigned cgroup_places_hold(const struct cgroup_places *places)
{
	unsigned holds = 0;

	for (size_t i = 0; i < places->count; i++)
		holds |= places->items[i].holds;
	return holds;
}
