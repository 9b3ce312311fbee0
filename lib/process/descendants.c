#include "process/descendants.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/read_full.h"
#include "process/own_proc.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct process {
	pid_t pid, parent;
	bool alive, ours;
};

struct table {
	struct process *rows;
	size_t count;
};

static bool read_process(int proc, const char *name, struct process *p)
{
	char path[64], line[512];
	const char *after;
	int pid, parent;
	char state;

	snprintf(path, sizeof(path), "%.32s/stat", name);
	if (read_small(proc, path, line, sizeof(line)) <= 0)
		return false;
	/* The name in parentheses is the process's own text: the last ")" ends it. */
	after = strrchr(line, ')');
	if (!after || sscanf(line, "%d", &pid) != 1 ||
	    sscanf(after + 1, " %c %d", &state, &parent) != 2)
		return false;
	*p = (struct process){.pid = pid, .parent = parent, .alive = state != 'Z' && state != 'X'};
	return true;
}

static void read_table(struct table *table)
{
	/* Numbers of another process namespace are not ours to kill. */
	DIR *dir = proc_is_own() ? opendir("/proc") : NULL;
	const struct dirent *entry;

	*table = (struct table){0};
	if (!dir)
		return;
	while ((entry = readdir(dir)) != NULL) {
		struct process p;

		if (entry->d_name[0] < '0' || entry->d_name[0] > '9' ||
		    !read_process(dirfd(dir), entry->d_name, &p))
			continue;
		list_add(table->rows, table->count, p);
	}
	closedir(dir);
}

static bool is_foreign(const struct tree *tree, pid_t pid)
{
	for (size_t i = 0; i < tree->foreign_count; i++)
		if (tree->foreign[i] == pid)
			return true;
	return false;
}

/* How far below us a process may be. */
#define GENERATIONS 200

bool is_descendant(const struct tree *tree, pid_t pid)
{
	cleanup_close int proc = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	for (int i = 0; i < GENERATIONS && pid > 1; i++) {
		struct process p;
		char name[16];

		snprintf(name, sizeof(name), "%d", (int)pid);
		if (proc < 0 || !read_process(proc, name, &p))
			return false;
		if (p.parent == getpid())
			return !tree || !is_foreign(tree, pid);
		pid = p.parent;
	}
	return false;
}

/* Marks children of ours, then their children, until a pass finds none. */
static void mark_descendants(const struct tree *tree, struct table *table)
{
	pid_t self = getpid();
	bool more = true;

	while (more) {
		more = false;
		for (size_t i = 0; i < table->count; i++) {
			struct process *p = &table->rows[i];
			bool below = p->parent == self;

			for (size_t k = 0; k < table->count && !below; k++)
				below = table->rows[k].ours && table->rows[k].pid == p->parent;
			if (p->ours || !below || is_foreign(tree, p->pid))
				continue;
			p->ours = more = true;
		}
	}
}

void tree_begin(struct tree *tree)
{
	struct table table;
	siginfo_t info;

	*tree = (struct tree){0};
	/* The usual case, and the cheap one. */
	if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) < 0 && errno == ECHILD)
		return;
	read_table(&table);
	for (size_t i = 0; i < table.count; i++) {
		if (table.rows[i].parent != getpid())
			continue;
		list_add(tree->foreign, tree->foreign_count, table.rows[i].pid);
	}
	free(table.rows);
}

void tree_free(struct tree *tree)
{
	free(tree->foreign);
}

size_t tree_kill(const struct tree *tree, pid_t group)
{
	struct table table;
	size_t alive = 0;

	if (group > 0)
		kill(-group, SIGKILL);
	read_table(&table);
	mark_descendants(tree, &table);
	for (size_t i = 0; i < table.count; i++) {
		if (!table.rows[i].ours || !table.rows[i].alive)
			continue;
		/* Ours until we wait for it, so the number cannot be another's. */
		kill(table.rows[i].pid, SIGKILL);
		alive++;
	}
	free(table.rows);
	return alive;
}
