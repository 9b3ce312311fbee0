/*
 * What does a path mean when /tmp is private, and whose is a name in the host's?
 */
#include "policy/slash_tmp.c"
#include "tap.h"

/* With /tmp=write, /tmp/ws=write, /tmp/ws/.git=read, /tmp/cwd=read, /tmp/none=none. */
static const struct {
	const char *path;
	bool private;
} meanings[] = {
        {"/tmp", true},          /* itself */
        {"/tmp/x/y", true},      /* nothing else decides */
        {"/tmp/wsx", true},      /* by component */
        {"/tmp/ws", false},      /* a root of its own */
        {"/tmp/ws/a", false},    /* in it */
        {"/tmp/ws/.git", false}, /* a carve-out of it */
        {"/tmp/cwd/a", false},   /* shown */
        {"/tmp/none", false},    /* hidden */
        {"/tmpx", false},        /* elsewhere */
        {"/", false},            /* above */
};

/* %: this user's number. */
static const struct {
	const char *name;
	bool place;
} names[] = {
        {".sbx-%", true},   {".sbx-%-0123456789abcdef", true},
        {".sbx-%-", true},  {".sbx-%0", false},
        {".sbx-%x", false}, {".sbx-", false},
        {"x.sbx-%", false}, {".SBX-%", false},
        {"", false},        {".sbx-%/x", false},
};

static void test_names(void)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *mark = strchr(names[i].name, '%');
		cleanup_free char *name =
		        mark ? xasprintf("%.*s%lu%s", (int)(mark - names[i].name), names[i].name,
		                         (unsigned long)geteuid(), mark + 1)
		             : xstrdup(names[i].name);

		check(is_tmp_place(name) == names[i].place, names[i].name, name);
	}
}

int main(void)
{
	struct permissions permissions = {0};

	permissions_add(&permissions, "/", ACCESS_READ);
	permissions_add(&permissions, "/tmp", ACCESS_WRITE);
	permissions_add(&permissions, "/tmp/ws", ACCESS_WRITE);
	permissions_add(&permissions, "/tmp/ws/.git", ACCESS_READ);
	permissions_add(&permissions, "/tmp/cwd", ACCESS_READ);
	permissions_add(&permissions, "/tmp/none", ACCESS_NONE);
	for (size_t i = 0; i < sizeof(meanings) / sizeof(meanings[0]); i++)
		check(tmp_decides(&permissions, "/tmp", meanings[i].path) == meanings[i].private,
		      meanings[i].path, meanings[i].private ? "private" : "the host's");
	permissions_free(&permissions);
	test_names();
	return finish();
}
