#include "engine/output.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "document/json_pool.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static int write_text(int at, const char *name, const char *text, struct error *err)
{
	int fd = openat(at, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	FILE *out = fd < 0 ? NULL : fdopen(fd, "w");
	int failed;

	if (!out)
		return error_system(err, "--output: making %s", name);
	failed = fputs(text, out) < 0;
	failed |= fclose(out) != 0;
	return failed ? error_system(err, "--output: writing %s", name) : 0;
}

static int write_json(int at, const char *name, const json_t *json, struct error *err)
{
	cleanup_free char *text = xjson(json_text_dump(json, JSON_INDENT(2)));

	return write_text(at, name, text, err);
}

static int make_directory(int at, const char *name, struct error *err)
{
	int fd;

	if (mkdirat(at, name, 0700) < 0)
		return error_system(err, "--output: making \"%s\"", name);
	fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	return fd < 0 ? error_system(err, "--output: opening \"%s\"", name) : fd;
}

/* config.json, and rootfs with the links of a merged /usr. */
static int write_bundle(int at, const json_t *bundle, struct error *err)
{
	cleanup_close int root = make_directory(at, "rootfs", err);
	const char *name;
	json_t *target;

	/* What runs in it need not be the one who wrote it; there are only links in it. */
	if (root < 0 || fchmod(root, 0755) < 0)
		return root < 0 ? -1 : error_system(err, "--output: rootfs");
	json_object_foreach ((json_t *)json_object_get(bundle, "links"), name, target)
		if (symlinkat(json_string_value(target), root, name) < 0)
			return error_system(err, "--output: making rootfs/%s", name);
	return write_json(at, "config.json", json_object_get(bundle, "config"), err);
}

static int write_manifests(int at, const json_t *exec, struct error *err)
{
	const json_t *seccomp = json_object_get(exec, "seccomp");
	cleanup_json json_t *list =
	        xjson(json_pack("{s:s,s:s,s:O}", "apiVersion", "v1", "kind", "List", "items",
	                        json_object_get(exec, "manifests")));
	cleanup_free char *file =
	        xasprintf("%s.json", json_string_value(json_object_get(seccomp, "name")));

	if (write_json(at, "manifests.json", list, err) < 0)
		return -1;
	return write_json(at, file, json_object_get(seccomp, "profile"), err);
}

int output_write(const char *directory, const json_t *exec, struct error *err)
{
	cleanup_close int at = make_directory(AT_FDCWD, directory, err);
	const json_t *unit = json_object_get(exec, "unit");

	if (at < 0)
		return -1;
	if (json_object_get(exec, "bundle"))
		return write_bundle(at, json_object_get(exec, "bundle"), err);
	if (json_object_get(exec, "manifests"))
		return write_manifests(at, exec, err);
	return write_text(at, json_string_value(json_object_get(unit, "name")),
	                  json_string_value(json_object_get(unit, "text")), err);
}
