/*
 * Fuzzing the small files of a repository: a `.git` that points elsewhere, a
 * "commondir", and its config.
 *
 * What must hold: nothing crashes or leaks; a path has no line end at its end,
 * and trimmed no blanks around it; and following it from a directory keeps to
 * absolute paths.
 */
#include "git/pointer_file.h"

#include "base/cleanup.h"
#include "fs/followed_path.h"
#include "git/git_config.h"
#include "must.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static char place[64];

static void leave(void)
{
	static const char *const names[] = {".git", "commondir", "config"};

	for (size_t i = 0; i < 3; i++) {
		char path[96];

		snprintf(path, sizeof(path), "%s/%s", place, names[i]);
		unlink(path);
	}
	rmdir(place);
}

static void begin(void)
{
	snprintf(place, sizeof(place), "/tmp/sbx-fuzz-gitfile.XXXXXX");
	must(mkdtemp(place) != NULL);
	atexit(leave);
}

static void put(const char *name, const uint8_t *data, size_t size)
{
	char path[96];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", place, name);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	must(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	close(fd);
}

static void check(const struct gitfile *file)
{
	size_t exact = strlen(file->exact), trimmed = strlen(file->trimmed);
	struct error err = {0};
	struct trail trail;

	must(!exact || !strchr("\r\n", file->exact[exact - 1]));
	must(!trimmed || (!isspace((unsigned char)file->trimmed[0]) &&
	                  !isspace((unsigned char)file->trimmed[trimmed - 1])));
	if (trail_follow(&trail, place, file->exact, &err) == 0)
		must(trail.target[0] == '/');
	else
		must(err.exit && err.message[0]);
	trail_free(&trail);
}

static bool wanted(void *context, const char *section, const char *key)
{
	(void)context;
	must(key[0]);
	for (const char *p = section; *p; p++)
		must(!isupper((unsigned char)*p));
	for (const char *p = key; *p; p++)
		must(!isupper((unsigned char)*p));
	/* Half of the values are passed over by other code. */
	return key[0] % 2;
}

static void value(void *context, const char *section, const char *key, const char *text)
{
	(void)context;
	must(section && key[0] % 2 && text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct gitfile file;
	char path[96];

	if (!place[0])
		begin();
	snprintf(path, sizeof(path), "%s/.git", place);
	put(".git", data, size);
	if (gitfile_pointer(&file, path) == 0) {
		check(&file);
		gitfile_free(&file);
	}
	put("commondir", data, size);
	if (gitfile_common(&file, place) == 0) {
		check(&file);
		gitfile_free(&file);
	}
	put("config", data, size);
	gitconfig_read(place, &(struct gitconfig_reader){wanted, value, NULL});
	return 0;
}
