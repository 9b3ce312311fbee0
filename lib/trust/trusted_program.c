#include "trust/trusted_program.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "fs/followed_path.h"
#include "fs/only_ours.h"
#include "fs/path.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

/* As much of the first line as the kernel reads. */
#define LINE_MAX_READ 255

#ifndef O_PATH
#define O_PATH O_RDONLY
#endif

static int refuse(struct error *err, const char *what, const char *path, const char *why)
{
	return error_set(err, EXIT_INPUT, "not-trusted", "%s: \"%s\": %s; not executed", what, path,
	                 why);
}

/* Where the path leads; every link on the way is one that nobody else can turn. */
static char *follow(const char *what, const char *path, const struct could_write *w,
                    struct error *err)
{
	struct error why = {0};
	struct trail trail;
	char *target = NULL;
	int status = trail_follow(&trail, "/", path, &why);

	for (size_t i = 0; status == 0 && i < trail.count; i++) {
		cleanup_free char *directory = path_parent(trail.links[i]);
		cleanup_close int fd = -1;
		const char *reach = could_write(w, directory);

		if (reach)
			status =
			        error_set(&why, EXIT_INPUT, "link", "a link on the way: %s", reach);
		else if ((fd = only_ours_open(directory, O_PATH | O_DIRECTORY, &why)) < 0)
			status = -1;
	}
	if (status == 0 && trail.stopped)
		status = error_set(&why, EXIT_INPUT, "missing", "%s", strerror(trail.stopped));
	if (status == 0)
		target = xstrdup(trail.target);
	else
		refuse(err, what, path, why.message);
	trail_free(&trail);
	return target;
}

/* Where only the administrator puts programs, several names of one are usual. */
static bool of_the_system(const char *path)
{
	return path_contains("/usr", path) || path_contains("/bin", path) ||
	       path_contains("/sbin", path);
}

static const char *fault(const struct trusted_program *program, const struct could_write *w)
{
	const struct stat *st = &program->st;

	if (!S_ISREG(st->st_mode))
		return "not a regular file";
	if (!(st->st_mode & (S_IXUSR | S_IXGRP | S_IXOTH)))
		return "not executable";
	if (w->held && st->st_nlink > 1 && st->st_uid == geteuid() && !of_the_system(program->path))
		return "it has another name (a hard link), where the command could write it";
	return could_write(w, program->path);
}

/* The fd is never one of the streams that are about to be replaced. */
static int open_judged(struct trusted_program *program, struct error *err)
{
	int fd = only_ours_open(program->path, O_RDONLY | O_NONBLOCK | O_NOCTTY, err);

	/* What cannot be read can be a program still, though not a script. */
	if (fd < 0 && strcmp(err->code, "unreadable") == 0)
		fd = only_ours_open(program->path, O_PATH, err);
	if (fd >= 0 && fd < 3) {
		int higher = fcntl(fd, F_DUPFD_CLOEXEC, 3);

		close(fd);
		fd = higher;
	}
	return fd;
}

static int open_one(struct trusted_program *program, const char *what, const char *path,
                    const struct could_write *w, struct error *err)
{
	struct error why = {0};
	const char *fails;

	*program = (struct trusted_program){.fd = -1};
	if (path[0] != '/')
		return refuse(err, what, path, "not an absolute path");
	program->path = follow(what, path, w, err);
	if (!program->path)
		return -1;
	program->fd = open_judged(program, &why);
	if (program->fd < 0)
		return refuse(err, what, path, why.message);
	if (fstat(program->fd, &program->st) < 0)
		return refuse(err, what, path, strerror(errno));
	fails = fault(program, w);
	return fails ? refuse(err, what, path, fails) : 0;
}

/* "#! INTERPRETER [OPTION]", as the kernel takes it apart; false: not a script. */
static bool read_line(struct trusted_program *program)
{
	char line[LINE_MAX_READ + 1];
	ssize_t n = pread(program->fd, line, LINE_MAX_READ, 0);
	char *word = line + 2, *end;

	if (n < 2 || line[0] != '#' || line[1] != '!')
		return false;
	line[n] = '\0';
	line[strcspn(line, "\n")] = '\0';
	word += strspn(word, " \t");
	end = word + strcspn(word, " \t");
	program->script = xstrndup(word, (size_t)(end - word));
	end += strspn(end, " \t");
	for (size_t len = strlen(end); len > 0 && (end[len - 1] == ' ' || end[len - 1] == '\t');)
		end[--len] = '\0';
	program->option = *end ? xstrdup(end) : NULL;
	return true;
}

static int take_interpreter(struct trusted_program *program, const char *what,
                            const struct could_write *w, struct error *err)
{
	struct trusted_program interpreter;
	int status = open_one(&interpreter, what, program->script, w, err);

	if (status == 0 && read_line(&interpreter))
		status = refuse(err, what, program->script, "the interpreter is itself a script");
	if (status == 0) {
		close(program->fd);
		program->fd = keep_fd(&interpreter.fd);
		program->place = xstrdup(interpreter.path);
	}
	trusted_program_close(&interpreter);
	return status;
}

/* Where there is no execution by fd, the canonical path is next best. */
static void name_place(struct trusted_program *program)
{
#ifdef __linux__
	free(program->place);
	program->place = xasprintf("/proc/self/fd/%d", program->fd);
#else
	if (!program->place)
		program->place = xstrdup(program->path);
#endif
}

int trusted_program_open(struct trusted_program *program, const char *what, const char *path,
                         const struct could_write *w, struct error *err)
{
	int status = open_one(program, what, path, w, err);

	if (status == 0 && read_line(program))
		status = take_interpreter(program, what, w, err);
	if (status == 0)
		name_place(program);
	else
		trusted_program_close(program);
	return status;
}

void trusted_program_close(struct trusted_program *program)
{
	if (program->fd >= 0)
		close(program->fd);
	free(program->place);
	free(program->path);
	free(program->script);
	free(program->option);
	*program = (struct trusted_program){.fd = -1};
}

char **trusted_program_argv(const struct trusted_program *program, char *const *argv)
{
	size_t count = 0, used = 0;
	char **out;

	while (argv[count])
		count++;
	out = xrealloc_array(NULL, count + 4, sizeof(*out));
	if (program->script) {
		out[used++] = program->script;
		if (program->option)
			out[used++] = program->option;
		out[used++] = program->path;
	} else {
		out[used++] = argv[0];
	}
	for (size_t i = 1; i < count; i++)
		out[used++] = argv[i];
	out[used] = NULL;
	return out;
}
