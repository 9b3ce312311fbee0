#include "limits/tree_use.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/read_full.h"
#include "limits/segments.h"
#include "limits/thread_parts.h"
#include "limits/unmapped_memory.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct row {
	pid_t pid, parent;
	pid_t alive; /* one of its threads that /proc says everything of */
	enum { UNKNOWN, OURS, FOREIGN } whose;
	int64_t threads, resident, unmapped;
	char comm[COMM_SIZE];
};

struct table {
	struct row *rows;
	size_t count;
};

/* "PID (COMM) STATE PPID ...": the name is the process's own text, and the last ")" ends it. */
static bool parse_row(char *line, struct row *row)
{
	char *name = strchr(line, '('), *after = strrchr(line, ')');
	long long threads, pages;
	int parent;
	char state;

	if (!name || !after ||
	    sscanf(after + 1,
	           " %c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d "
	           "%lld %*d %*u %*u %lld",
	           &state, &parent, &threads, &pages) != 4)
		return false;
	*after = '\0';
	*row = (struct row){.pid = atoi(line),
	                    .parent = parent,
	                    .threads = threads,
	                    .resident = pages * sysconf(_SC_PAGESIZE)};
	row->alive = state == 'Z' && threads > 1 ? 0 : row->pid;
	snprintf(row->comm, sizeof(row->comm), "%.15s", name + 1);
	return true;
}

static bool read_row(int proc, const char *pid, struct row *row)
{
	char path[32], line[1024];

	snprintf(path, sizeof(path), "%.16s/stat", pid);
	return read_small(proc, path, line, sizeof(line)) > 0 && parse_row(line, row);
}

static int by_pid(const void *a, const void *b)
{
	const struct row *one = a, *other = b;

	return (one->pid > other->pid) - (one->pid < other->pid);
}

static int by_comm(const void *a, const void *b)
{
	return strcmp(((const struct row *)a)->comm, ((const struct row *)b)->comm);
}

int64_t machine_processes(void)
{
	char text[128];
	long long all;

	read_small(AT_FDCWD, "/proc/loadavg", text, sizeof(text));
	return sscanf(text, "%*s %*s %*s %*d/%lld", &all) == 1 ? all : -1;
}

/* While a bomb makes more than are read, there would be no end; so many are enough to see it. */
static size_t enough_rows(void)
{
	int64_t all = machine_processes();

	return (size_t)(all > 0 ? all : 0) * 2 + 1000;
}

static void read_table(struct table *table)
{
	DIR *dir = opendir("/proc");
	const struct dirent *entry;
	size_t most = enough_rows();
	struct row row;

	*table = (struct table){0};
	while (dir && table->count < most && (entry = readdir(dir)) != NULL)
		if (entry->d_name[0] > '0' && entry->d_name[0] <= '9' &&
		    read_row(dirfd(dir), entry->d_name, &row)) {
			/* Thousands at a time, in a bomb: room for twice as many. */
			if ((table->count & (table->count - 1)) == 0)
				table->rows = xrealloc_array(table->rows, table->count * 2 + 1,
				                             sizeof(row));
			table->rows[table->count++] = row;
		}
	if (dir)
		closedir(dir);
	if (table->count > 0)
		qsort(table->rows, table->count, sizeof(row), by_pid);
}

static struct row *find(const struct table *table, pid_t pid)
{
	const struct row key = {.pid = pid};

	return bsearch(&key, table->rows, table->count, sizeof(key), by_pid);
}

/* Up to one that is known, and the same way again to write it down. */
static bool is_ours(const struct table *table, struct row *row, pid_t root)
{
	struct row *at = row;
	bool ours = false;

	for (size_t i = 0; at && i < table->count && at->whose == UNKNOWN; i++) {
		if (at->parent == root) {
			ours = true;
			break;
		}
		at = find(table, at->parent);
	}
	ours |= at && at->whose == OURS;
	for (at = row; at && at->whose == UNKNOWN; at = find(table, at->parent)) {
		bool last = at->parent == root;

		at->whose = ours ? OURS : FOREIGN;
		if (last)
			break;
	}
	return ours;
}

/* Only those that are ours stay. */
static void keep_ours(struct table *table, pid_t root)
{
	size_t kept = 0;

	for (size_t i = 0; i < table->count; i++)
		is_ours(table, &table->rows[i], root);
	for (size_t i = 0; i < table->count; i++)
		if (table->rows[i].whose == OURS)
			table->rows[kept++] = table->rows[i];
	table->count = kept;
}

/* Its first thread has ended, and the memory is shown with the others. */
static void look_at_the_living(struct row *row)
{
	cleanup_close int proc = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct row thread;
	char name[16];

	row->alive = living_thread(row->pid);
	snprintf(name, sizeof(name), "%d", (int)row->alive);
	if (proc >= 0 && read_row(proc, name, &thread))
		row->resident = thread.resident;
}

static int64_t memory_of(const struct row *row)
{
	return row->resident + row->unmapped;
}

/* What is around the command has this name, cut to what fits. */
static bool is_helper(const struct row *row)
{
	return strncmp("sbx-linux-sandbox", row->comm, COMM_SIZE - 1) == 0;
}

static void name_them(struct table *table, struct tree_use *use)
{
	const struct row *biggest = NULL, *common = NULL;
	size_t most = 0, same = 0;

	if (table->count == 0)
		return;
	qsort(table->rows, table->count, sizeof(*table->rows), by_comm);
	for (size_t i = 0; i < table->count; i++) {
		const struct row *row = &table->rows[i];

		if (is_helper(row))
			continue;
		if (!biggest || memory_of(row) > memory_of(biggest))
			biggest = row;
		same = i > 0 && by_comm(row, row - 1) == 0 ? same + (size_t)row->threads
		                                           : (size_t)row->threads;
		if (same > most) {
			most = same;
			common = row;
		}
	}
	if (biggest)
		memcpy(use->biggest, biggest->comm, COMM_SIZE);
	if (common)
		memcpy(use->commonest, common->comm, COMM_SIZE);
}

/* What is its own, and its part of what it shares; -1 where that cannot be seen. */
static int64_t part_of(pid_t pid, int64_t *shared)
{
	char path[48], text[2048];
	const char *anonymous, *shmem;

	snprintf(path, sizeof(path), "/proc/%d/smaps_rollup", (int)pid);
	read_small(AT_FDCWD, path, text, sizeof(text));
	anonymous = strstr(text, "Pss_Anon:");
	shmem = strstr(text, "Pss_Shmem:");
	if (!anonymous || !shmem)
		return -1;
	*shared += atoll(shmem + strlen("Pss_Shmem:")) * 1024;
	return atoll(anonymous + strlen("Pss_Anon:")) * 1024;
}

/* Of shared memory that is mapped and that is open, the larger: most of it is the same. */
static int64_t exact_memory(const struct table *table, int64_t unmapped)
{
	int64_t own = 0, shared = 0;

	for (size_t i = 0; i < table->count; i++) {
		int64_t part = part_of(table->rows[i].alive, &shared);

		own += part >= 0 ? part : table->rows[i].resident;
	}
	return own + (shared > unmapped ? shared : unmapped);
}

bool tree_use_can_look(void)
{
	cleanup_close int proc = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct row row;

	return proc >= 0 && read_row(proc, "self", &row) && row.pid == getpid();
}

/* Of all that see the same ones; what ends meanwhile shows none. */
static int64_t memory_of_segments(const struct table *table, int *segments)
{
	for (size_t i = 0; *segments < 0 && i < table->count; i++)
		*segments = segments_open(table->rows[i].pid);
	return segments_bytes(*segments);
}

void tree_use_look(pid_t root, int64_t enough, int *segments, struct tree_use *use)
{
	struct unmapped_memory unmapped = {0};
	struct table table;

	*use = (struct tree_use){0};
	read_table(&table);
	keep_ours(&table, root);
	if (enough)
		use->memory = unmapped.bytes = memory_of_segments(&table, segments);
	for (size_t i = 0; i < table.count; i++) {
		struct row *row = &table.rows[i];
		int64_t before = unmapped.bytes;

		use->processes += row->threads;
		if (!row->alive)
			look_at_the_living(row);
		if (enough)
			unmapped_memory_add(&unmapped, row->pid, row->alive, row->threads);
		row->unmapped = unmapped.bytes - before;
		use->memory += memory_of(row);
	}
	if (enough && use->memory > enough)
		use->memory = exact_memory(&table, unmapped.bytes);
	unmapped_memory_free(&unmapped);
	name_them(&table, use);
	free(table.rows);
}

void processes_name(const pid_t *pids, size_t count, struct tree_use *use)
{
	cleanup_close int proc = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct table table = {.rows = xrealloc_array(NULL, count + 1, sizeof(struct row))};

	for (size_t i = 0; i < count && proc >= 0; i++) {
		char name[16];

		snprintf(name, sizeof(name), "%d", (int)pids[i]);
		table.count += read_row(proc, name, &table.rows[table.count]);
	}
	name_them(&table, use);
	free(table.rows);
}

int64_t processes_of_user(void)
{
	cleanup_close int proc = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct table table;
	int64_t all = 0;

	read_table(&table);
	for (size_t i = 0; i < table.count && proc >= 0; i++) {
		char name[16];
		struct stat st;

		snprintf(name, sizeof(name), "%d", (int)table.rows[i].pid);
		if (fstatat(proc, name, &st, 0) == 0 && st.st_uid == geteuid())
			all += table.rows[i].threads;
	}
	free(table.rows);
	return all;
}
