#include "files.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/strings.h"
#include "fs/path.h"
#include "policy/protected_names.h"
#include "profile.h"
#include "regions.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* To read a program is to run it, and the other way round. */
#define READ_OPERATIONS "file-read* file-test-existence file-map-executable process-exec*"

/* Names are to be found in any case: file systems here ignore it.  "\\.[gG][iI][tT]" */
static void write_in_any_case(const char *name, FILE *out)
{
	for (; *name; name++) {
		if (isalpha((unsigned char)*name))
			fprintf(out, "[%c%c]", tolower((unsigned char)*name),
			        toupper((unsigned char)*name));
		else
			fprintf(out, "%s%c", *name == '.' ? "\\" : "", *name);
	}
}

/* The protected name that a path ends with, in any case; or NULL. */
static const char *protected_name(const char *last, bool repositories)
{
	for (const char *const *name = protected_names; *name; name++)
		/* With the rule for repositories that name is covered. */
		if (strcasecmp(last, *name) == 0 && !(repositories && strcmp(*name, ".git") == 0))
			return *name;
	return NULL;
}

static bool everywhere(const struct permissions *permissions, region_test *in)
{
	if (permissions->count == 0 || permissions->entries[0].path[1] != '\0')
		return false;
	for (size_t i = 0; i < permissions->count; i++)
		if (!in(permissions->entries[i].access))
			return false;
	return true;
}

bool files_full_read(const struct permissions *permissions)
{
	return everywhere(permissions, region_reads);
}

static bool files_full_write(const struct permissions *permissions)
{
	return everywhere(permissions, region_writes);
}

/* "(require-any" tree ")" and a "(require-not" for each half of each hole. */
static void write_region(const struct region *region, const char *name, struct profile *p)
{
	fputs("\n  (require-all\n    (require-any", p->out);
	profile_param(p, name, region->start->path);
	profile_tree(p, "      ", "", name);
	fputc(')', p->out);
	for (size_t i = 0; i < region->hole_count; i++) {
		cleanup_free char *hole = xasprintf("%s_EXCLUDED_%zu", name, i);

		profile_param(p, hole, region->holes[i]->path);
		profile_tree(p, "    ", "(require-not ", hole);
	}
}

/* ---- reading --------------------------------------------------------------- */

/* Sorted like a directory listing, each once. */
static void paths_add(struct strings *paths, const char *path)
{
	size_t at = 0;

	while (at < paths->count && path_compare(paths->items[at], path) < 0)
		at++;
	if (at < paths->count && strcmp(paths->items[at], path) == 0)
		return;
	strings_add(paths, NULL);
	memmove(paths->items + at + 1, paths->items + at,
	        (paths->count - at) * sizeof(*paths->items));
	paths->items[at] = xstrdup(path);
}

/* The directories above path, without "/". */
static void paths_add_above(struct strings *paths, const char *path)
{
	cleanup_free char *at = path_parent(path);

	while (at[1] != '\0') {
		char *next = path_parent(at);

		paths_add(paths, at);
		free(at);
		at = next;
	}
}

static void write_rule(const char *rule, const char *name, const struct strings *paths,
                       struct profile *p)
{
	if (paths->count == 0)
		return;
	fprintf(p->out, "(%s", rule);
	for (size_t i = 0; i < paths->count; i++) {
		cleanup_free char *param = xasprintf("%s_%zu", name, i);

		profile_param(p, param, paths->items[i]);
		fprintf(p->out, "\n  (literal (param \"%s\"))", param);
	}
	fputs(")\n", p->out);
}

void files_write_read(const struct permissions *permissions, struct profile *p)
{
	struct regions regions;

	if (files_full_read(permissions)) {
		fputs(sbpl_read_full, p->out);
		return;
	}
	fputs(sbpl_read_restricted, p->out);
	regions_make(&regions, permissions, region_reads, false);
	for (size_t i = 0; i < regions.count; i++) {
		cleanup_free char *name = xasprintf("READABLE_ROOT_%zu", i);

		fputs("(allow " READ_OPERATIONS, p->out);
		write_region(&regions.list[i], name, p);
		fputs("))\n", p->out);
	}
	regions_free(&regions);
}

/* ---- writing --------------------------------------------------------------- */

/* "^" and one step for each directory above a path of this depth. */
static void write_depth(size_t depth, struct profile *p)
{
	fputc('^', p->out);
	while (depth-- > 1)
		fputs("/[^/]+", p->out);
}

/*
 * A protected name that does not exist yet can be made in another case, and
 * is then the protected one.  The expression says only how deep it is; where,
 * a parameter says.
 */
static void exclude_names(const struct region *region, const char *name, bool repositories,
                          struct profile *p)
{
	for (size_t i = 0; i < region->hole_count; i++) {
		const char *path = region->holes[i]->path, *last = strrchr(path, '/') + 1;
		cleanup_free char *above = path_parent(path);
		cleanup_free char *param = xasprintf("%s_NAMES_%zu", name, i);
		const char *found = protected_name(last, repositories);

		if (!found)
			continue;
		profile_param(p, param, above);
		fprintf(p->out,
		        "\n    (require-not (require-all (subpath (param \"%s\"))\n"
		        "      (regex #\"",
		        param);
		write_depth(path_depth(path), p);
		fputs("/", p->out);
		write_in_any_case(found, p->out);
		fputs("(/|$)\")))", p->out);
	}
}

/* One ".git" more than the root itself has in its path. */
static void exclude_repositories(const struct region *region, struct profile *p)
{
	fputs("\n    (require-not (regex #\"/", p->out);
	write_in_any_case(".git", p->out);
	for (size_t n = region_git_depth(region->start->path); n > 0; n--) {
		fputs("/([^/]+/)*", p->out);
		write_in_any_case(".git", p->out);
	}
	fputs("(/|$)\"))", p->out);
}

void files_write_roots(const struct permissions *permissions, bool repositories, struct profile *p)
{
	struct regions regions;

	if (files_full_write(permissions)) {
		fputs(sbpl_write_full, p->out);
		return;
	}
	regions_make(&regions, permissions, region_writes, repositories);
	fputs(regions.count ? sbpl_write_roots : sbpl_write_none, p->out);
	for (size_t i = 0; i < regions.count; i++) {
		cleanup_free char *name = xasprintf("WRITABLE_ROOT_%zu", i);

		fputs("(allow file-write*", p->out);
		write_region(&regions.list[i], name, p);
		exclude_names(&regions.list[i], name, repositories, p);
		if (repositories)
			exclude_repositories(&regions.list[i], p);
		fputs("))\n", p->out);
	}
	regions_free(&regions);
}

/* ---- hiding ---------------------------------------------------------------- */

/* The way to what is readable inside something hidden. */
static void write_ways(const struct permissions *permissions, struct profile *p)
{
	struct regions regions;
	struct strings above = {0};

	regions_make(&regions, permissions, region_reads, false);
	for (size_t i = 0; i < regions.count; i++)
		paths_add_above(&above, regions.list[i].start->path);
	write_rule("allow file-read-metadata file-test-existence", "READABLE_ANCESTOR", &above, p);
	strings_free(&above);
	regions_free(&regions);
}

void files_write_hidden(const struct permissions *permissions, struct profile *p)
{
	struct regions regions;
	size_t hidden = 0;

	if (files_full_read(permissions))
		return;
	fputs("\n; ---- hidden: denied whatever a rule above allows; the way to a readable place\n"
	      "; inside or below may be looked up\n",
	      p->out);
	regions_make(&regions, permissions, region_hides, false);
	for (size_t i = 0; i < regions.count; i++) {
		cleanup_free char *name = NULL;

		/* Nothing is readable by default: "/" adds nothing to that. */
		if (regions.list[i].start->path[1] == '\0')
			continue;
		name = xasprintf("HIDDEN_%zu", hidden++);
		fputs("(deny " READ_OPERATIONS " file-write*", p->out);
		write_region(&regions.list[i], name, p);
		fputs("))\n", p->out);
	}
	regions_free(&regions);
	write_ways(permissions, p);
}

/* ---- pinning --------------------------------------------------------------- */

void files_write_pins(const struct permissions *permissions, struct profile *p)
{
	struct strings roots = {0}, above = {0};

	if (files_full_write(permissions))
		return;
	for (size_t i = 0; i < permissions->count; i++) {
		const struct entry *entry = &permissions->entries[i];

		if (entry->access == ACCESS_WRITE) {
			paths_add(&roots, entry->path);
		} else {
			paths_add(&above, "/");
			paths_add_above(&above, entry->path);
		}
	}
	/* What cannot be written cannot be renamed either. */
	for (size_t i = above.count; i-- > 0;) {
		if (permissions_resolve(permissions, above.items[i], NULL) == ACCESS_WRITE)
			continue;
		free(above.items[i]);
		memmove(above.items + i, above.items + i + 1,
		        (above.count - i - 1) * sizeof(*above.items));
		above.count--;
	}
	if (roots.count + above.count)
		fputs("\n; ---- pins: a root cannot be removed or renamed, and a directory above a\n"
		      "; protected path can neither be moved away with it nor be put in place with a\n"
		      "; forged one inside\n",
		      p->out);
	write_rule("deny file-write-unlink", "PINNED_ROOT", &roots, p);
	write_rule("deny file-write-unlink file-write-create", "PROTECTED_ANCESTOR", &above, p);
	strings_free(&roots);
	strings_free(&above);
}
