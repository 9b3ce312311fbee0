#include "entries/carve_outs.h"

#include "base/cleanup.h"
#include "fs/path.h"
#include "policy/protected_names.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void make_read_only(struct workbench *bench, const char *path, const char *source)
{
	if (bench_writable(bench, path) && !bench_is_private(bench, path))
		policy_add(bench->policy, path, ACCESS_READ, source, false);
}

int protect_trail(struct workbench *bench, struct trail *trail, const char *base, const char *path,
                  const char *source, struct error *err)
{
	struct error why = {0};
	int status = trail_follow(trail, base, path, &why);

	for (size_t i = 0; i < trail->count; i++)
		make_read_only(bench, trail->links[i], source);
	if (status == 0) {
		make_read_only(bench, trail->target, source);
		return 0;
	}
	/* Links that lead in a circle lead nowhere as long as they stay as they are. */
	if (strcmp(why.code, "link-loop") == 0)
		return 0;
	return error_set(err, why.exit, why.code, "%s under \"%s\": %s", source, base, why.message);
}

int protect_path(struct workbench *bench, const char *path, const char *source, struct error *err)
{
	cleanup_free char *base = NULL;
	struct trail trail;
	struct stat st;
	int status;

	make_read_only(bench, path, source);
	/* Usual: it is no link, or nothing, and leads nowhere else. */
	if (lstat(path, &st) == 0 ? !S_ISLNK(st.st_mode) : errno == ENOENT)
		return 0;
	base = path_parent(path);
	status = protect_trail(bench, &trail, base, path + strlen(base) + (base[1] != '\0'), source,
	                       err);
	trail_free(&trail);
	return status;
}

void protected_less(struct workbench *bench, const struct error *why)
{
	if (why->exit == EXIT_SYSTEM)
		bench_missed(bench, errno);
	notes_add(bench->notes, "%s: only the file itself is protected", why->message);
	bench->policy->cut = true;
}

bool is_own(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 && st.st_uid == geteuid();
}

void protect_project(struct workbench *bench, const char *directory, const char *source)
{
	bool own = is_own(directory);

	/* From the second on: `.git` has its own ways. */
	for (const char *const *name = protected_names + 1; *name; name++) {
		cleanup_free char *path = path_join(directory, *name);
		struct error why = {0};

		/* A stranger's link may lead to files of ours, to have them read-only. */
		if (!own)
			make_read_only(bench, path, source);
		else if (protect_path(bench, path, source, &why) < 0)
			protected_less(bench, &why);
	}
}
