#include "linux/which_bwrap.h"

#include "base/cleanup.h"
#include "trust/trusted_program.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * Which options a bubblewrap has is read out of the program file itself:
 * running "bwrap --help" would cost a process on every launch.
 */
static bool mentions(const void *image, size_t size, const char *word)
{
	return memmem(image, size, word, strlen(word) + 1) != NULL;
}

static bool look_into(const void *image, size_t size, bool only_current, struct bwrap *bwrap)
{
	/* The option that came with the release that mends the set-up. */
	bwrap->current = mentions(image, size, "--not-a-security-boundary");
	if (only_current && !bwrap->current)
		return false;
	bwrap->argv0 = mentions(image, size, "--argv0");
	bwrap->bind_fd = mentions(image, size, "--ro-bind-fd");
	return mentions(image, size, "--as-pid-1") && mentions(image, size, "--perms") &&
	       mentions(image, size, "--args");
}

static bool inspect(const struct trusted_program *program, bool only_current, struct bwrap *bwrap)
{
	const struct stat *st = &program->st;
	void *image;
	bool usable;

	if (program->script || st->st_size <= 0 || st->st_uid != 0 ||
	    (st->st_mode & (S_ISUID | S_ISGID)) || !(st->st_mode & S_IXOTH))
		return false;
	image = mmap(NULL, (size_t)st->st_size, PROT_READ, MAP_PRIVATE, program->fd, 0);
	if (image == MAP_FAILED)
		return false;
	usable = look_into(image, (size_t)st->st_size, only_current, bwrap);
	munmap(image, (size_t)st->st_size);
	return usable;
}

/* Where only the administrator puts programs. */
static const char *const system_bwraps[] = {"/usr/bin/bwrap", "/bin/bwrap", "/usr/local/bin/bwrap"};

static bool take(const char *name, const struct could_write *w, bool only_current,
                 struct bwrap *bwrap)
{
	struct trusted_program program;
	struct error ignored = {0};

	if (trusted_program_open(&program, "bwrap", name, w, &ignored) < 0)
		return false;
	bwrap->system = inspect(&program, only_current, bwrap);
	if (bwrap->system)
		bwrap->fd = keep_fd(&program.fd);
	trusted_program_close(&program);
	return bwrap->system;
}

bool which_bwrap(const struct could_write *w, bool only_current, struct bwrap *bwrap)
{
	struct stat seen = {0}, st;

	*bwrap = (struct bwrap){0};
	for (size_t i = 0; i < sizeof(system_bwraps) / sizeof(system_bwraps[0]); i++) {
		if (stat(system_bwraps[i], &st) < 0)
			continue;
		/* /bin is /usr/bin on most machines: looked at once. */
		if (st.st_ino == seen.st_ino && st.st_dev == seen.st_dev)
			continue;
		if (take(system_bwraps[i], w, only_current, bwrap))
			return true;
		seen = st;
	}
	return false;
}

void bwrap_close(struct bwrap *bwrap)
{
	if (bwrap->system)
		close(bwrap->fd);
	bwrap->system = false;
}
