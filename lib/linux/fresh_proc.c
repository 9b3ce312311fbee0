#include "linux/fresh_proc.h"

#include "base/cleanup.h"
#include "base/memory.h"

#include <string.h>

struct seen {
	int id, parent;
	bool proc;   /* all of a procfs, with the flags a new one would have */
	bool covers; /* hides something when mounted below one */
};

struct list {
	struct seen *items;
	size_t count;
};

static bool ends_with(const char *text, const char *end)
{
	size_t a = strlen(text), b = strlen(end);

	return a >= b && strcmp(text + a - b, end) == 0;
}

/* Directories that the kernel makes to be mounted on: nothing is hidden there. */
static bool is_mount_point_by_birth(const char *path)
{
	static const char *const made[] = {"/sys/fs/binfmt_misc", "/fs/nfsd", "/xen", "/openprom"};

	for (size_t i = 0; i < sizeof(made) / sizeof(made[0]); i++)
		if (ends_with(path, made[i]))
			return true;
	return false;
}

static bool has_option(const char *options, const char *name)
{
	size_t len = strlen(name);

	for (const char *at = options; (at = strstr(at, name)) != NULL; at += len)
		if ((at == options || at[-1] == ',') && (at[len] == ',' || at[len] == '\0'))
			return true;
	return false;
}

/* A namespace of less privilege may neither lift "read-only" nor change how times are kept. */
static bool has_usual_flags(const char *options, const char *of_the_system)
{
	return has_option(options, "relatime") && !has_option(options, "nodiratime") &&
	       !has_option(options, "ro") && !has_option(of_the_system, "ro");
}

/* 36 35 98:0 /root /mount/point options [optional...] - type source options */
static bool parse(char *line, struct seen *seen)
{
	char *fields[4], *rest = NULL, *tail = strstr(line, " - "), *system;
	bool procfs;

	if (!tail || sscanf(line, "%d %d", &seen->id, &seen->parent) != 2)
		return false;
	*tail = '\0';
	tail += strlen(" - ");
	tail[strcspn(tail, "\n")] = '\0';
	procfs = strncmp(tail, "proc ", strlen("proc ")) == 0;
	system = strrchr(tail, ' ');
	strtok_r(line, " ", &rest);
	strtok_r(NULL, " ", &rest);
	for (size_t i = 0; i < 4; i++)
		if (!(fields[i] = strtok_r(NULL, " ", &rest)))
			return false;
	seen->covers = !is_mount_point_by_birth(fields[2]);
	seen->proc = procfs && strcmp(fields[1], "/") == 0 && system &&
	             has_usual_flags(fields[3], system + 1);
	return true;
}

static bool is_masked(const struct list *list, int id)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->items[i].parent == id && list->items[i].covers)
			return true;
	return false;
}

bool fresh_proc_refused_by(FILE *mountinfo)
{
	cleanup_free char *line = NULL;
	struct list list = {0};
	bool refused = true;
	size_t size = 0;

	while (getline(&line, &size, mountinfo) > 0) {
		if (list.count % 64 == 0)
			list.items =
			        xrealloc_array(list.items, list.count + 64, sizeof(*list.items));
		if (parse(line, &list.items[list.count]))
			list.count++;
	}
	for (size_t i = 0; i < list.count && refused; i++)
		refused = !list.items[i].proc || is_masked(&list, list.items[i].id);
	refused = refused && list.count > 0 && !ferror(mountinfo);
	free(list.items);
	return refused;
}

bool fresh_proc_refused(void)
{
	FILE *file = fopen("/proc/self/mountinfo", "re");
	char buffer[16384];
	bool refused;

	if (!file)
		return false;
	/* At every launch: in as few reads as the kernel allows. */
	setvbuf(file, buffer, _IOFBF, sizeof(buffer));
	refused = fresh_proc_refused_by(file);
	fclose(file);
	return refused;
}
