/*
 * What could an attacker have changed below a path?  Everything, as text.
 *
 *	state PATH...
 *
 * For each name a line name|kind|mode|owner|where a link points|links, and for a file
 * another: when it was written, its size and a sum of what is in it.  "absent" where there is
 *nothing.
 */
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char kind_of(mode_t mode)
{
	static const struct {
		mode_t mode;
		char letter;
	} kinds[] = {{S_IFREG, 'f'}, {S_IFDIR, 'd'},  {S_IFLNK, 'l'}, {S_IFIFO, 'p'},
	             {S_IFCHR, 'c'}, {S_IFSOCK, 's'}, {S_IFBLK, 'b'}};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if ((mode & S_IFMT) == kinds[i].mode)
			return kinds[i].letter;
	return '?';
}

/* Not against somebody who looks for two files with the same one: FNV-1a. */
static void print_content(int dir, const char *name, const char *shown, const struct stat *st)
{
	uint64_t sum = 0xcbf29ce484222325;
	unsigned char buffer[65536];
	ssize_t length;
	int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);

	while (fd >= 0 && (length = read(fd, buffer, sizeof(buffer))) > 0)
		for (ssize_t i = 0; i < length; i++)
			sum = (sum ^ buffer[i]) * 0x100000001b3;
	printf("%s|%lld.%09ld|%lld|%s%llx\n", shown, (long long)st->st_mtim.tv_sec,
	       st->st_mtim.tv_nsec, (long long)st->st_size, fd < 0 ? "closed " : "",
	       (unsigned long long)sum);
	if (fd >= 0)
		close(fd);
}

static void print(int dir, const char *name, const char *shown);

static void print_below(int dir, const char *name, const char *shown)
{
	int fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct dirent **entries;
	char *path;
	int count = fd < 0 ? -1 : scandirat(fd, ".", &entries, NULL, alphasort);

	for (int i = 0; i < count; i++) {
		const char *entry = entries[i]->d_name;
		if (strcmp(entry, ".") != 0 && strcmp(entry, "..") != 0) {
			if (asprintf(&path, "%s%s%s", shown, *shown ? "/" : "", entry) < 0)
				abort();
			print(fd, entry, path);
			free(path);
		}
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
	if (fd >= 0)
		close(fd);
}

static void print(int dir, const char *name, const char *shown)
{
	char target[PATH_MAX] = "";
	struct stat st;

	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0) {
		puts("absent");
		return;
	}
	if (S_ISLNK(st.st_mode) && readlinkat(dir, name, target, sizeof(target) - 1) < 0)
		target[0] = '?';
	printf("%s|%c|%o|%u|%s|%lu\n", shown, kind_of(st.st_mode), st.st_mode & 07777u, st.st_uid,
	       target, (unsigned long)st.st_nlink);
	if (S_ISREG(st.st_mode))
		print_content(dir, name, shown, &st);
	if (S_ISDIR(st.st_mode))
		print_below(dir, name, shown);
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		print(AT_FDCWD, argv[i], "");
	return fflush(stdout) == 0 ? 0 : 1;
}
