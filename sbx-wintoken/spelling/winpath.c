#include "spelling/winpath.h"

#include "base/clean_text.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "spelling/upcase.h"

#include <stdint.h>
#include <string.h>

/* UTF-16 units: a name, and what the API takes in all. */
#define NAME_MAX_UNITS 255
#define PATH_MAX_UNITS 32000

/* Each is a device wherever it appears, with any extension: NUL.txt is NUL. */
static const char *const devices[] = {"con", "prn", "aux", "nul", "conin$", "conout$", "clock$"};
static const char *const numbered_devices[] = {"com", "lpt"};

/* A path while it is read. */
struct reader {
	const char *text;
	const char *separators;
	bool literal; /* after \\?\ the system changes nothing */
	char *out;
	size_t used, top; /* bytes; those of the drive or share */
	struct error *err;
};

static int refuse(const struct reader *r, const char *why)
{
	return error_set(r->err, EXIT_INPUT, "bad-path", "\"%s\": %s", r->text, why);
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool same_word(const char *name, size_t len, const char *word)
{
	if (strlen(word) != len)
		return false;
	for (size_t i = 0; i < len; i++)
		if ((char)(is_letter(name[i]) ? name[i] | 0x20 : name[i]) != word[i])
			return false;
	return true;
}

static bool is_device(const char *name, size_t len)
{
	size_t base = 0, rest;

	/* "NUL .txt" is NUL as well. */
	while (base < len && name[base] != '.' && name[base] != ':')
		base++;
	while (base > 0 && name[base - 1] == ' ')
		base--;
	for (size_t i = 0; i < sizeof(devices) / sizeof(devices[0]); i++)
		if (same_word(name, base, devices[i]))
			return true;
	rest = base > 3 ? base - 3 : 0;
	for (size_t i = 0; rest && i < sizeof(numbered_devices) / sizeof(numbered_devices[0]); i++)
		if (same_word(name, 3, numbered_devices[i]) &&
		    ((rest == 1 && is_digit(name[3])) ||
		     /* Superscript one, two and three count as digits. */
		     (rest == 2 && name[3] == '\xc2' && strchr("\xb9\xb2\xb3", name[4]))))
			return true;
	return false;
}

/* NAME~1.EXT: the second name that a file system may have given a file. */
static bool is_short_name(const char *name, size_t len)
{
	const char *dot = memchr(name, '.', len);
	size_t base = dot ? (size_t)(dot - name) : len, digits = 0;

	if (base > 8 || (dot && (len - base > 4 || memchr(dot + 1, '.', len - base - 1))))
		return false;
	while (digits < base && is_digit(name[base - 1 - digits]))
		digits++;
	return digits > 0 && digits < base && name[base - 1 - digits] == '~';
}

/* Length in UTF-16 units, or -1: not UTF-8, or characters that no name has. */
static int check_characters(const struct reader *r, const char *name, size_t len)
{
	int units = 0;

	for (size_t i = 0; i < len;) {
		uint32_t c;
		int n = text_character(name + i, len - i, &c);

		if (n == 0)
			return refuse(r, "not valid Unicode");
		if (c < 0x20 || c == 0x7f)
			return refuse(r, "has a control character");
		if (c == ':')
			return refuse(r, "names an alternate stream or a second drive");
		if (c < 0x80 && strchr("<>\"|?*", (int)c))
			return refuse(r, "has one of < > \" | ? *, which no file name has");
		/* A separator that is none here would be one for the API. */
		if (c == '/' || c == '\\')
			return refuse(r, "mixes separators: write \\ throughout");
		units += c > 0xffff ? 2 : 1;
		i += (size_t)n;
	}
	return units;
}

static int check_name(const struct reader *r, const char *name, size_t len)
{
	int units = check_characters(r, name, len);

	if (units < 0)
		return -1;
	if (units > NAME_MAX_UNITS)
		return refuse(r, "a name in it is too long");
	if (name[len - 1] == '.' || name[len - 1] == ' ')
		return refuse(r, "a name in it ends with a dot or a space, which Windows drops");
	if (is_device(name, len))
		return refuse(r, "names a device");
	if (is_short_name(name, len))
		return refuse(r, "has a short (8.3) name: write the long one");
	return 0;
}

static void append(struct reader *r, const char *bytes, size_t len)
{
	memcpy(r->out + r->used, bytes, len);
	r->used += len;
	r->out[r->used] = '\0';
}

/* "..": Windows takes the name before it away, link or not. */
static int step_back(struct reader *r)
{
	if (r->literal)
		return refuse(r, "has .. after \\\\?\\");
	if (r->used <= r->top)
		return refuse(r, "leads above its top");
	do
		r->used--;
	while (r->out[r->used] != '\\');
	r->out[r->used] = '\0';
	return 0;
}

static int read_names(struct reader *r, const char *at)
{
	while (*at) {
		size_t len;

		at += strspn(at, r->separators);
		len = strcspn(at, r->separators);
		if (len == 0)
			break;
		if (len == 2 && at[0] == '.' && at[1] == '.') {
			if (step_back(r) < 0)
				return -1;
		} else if (!(len == 1 && at[0] == '.' && !r->literal)) {
			if (check_name(r, at, len) < 0)
				return -1;
			append(r, "\\", 1);
			append(r, at, len);
		}
		at += len;
	}
	return 0;
}

static int read_drive(struct reader *r, const char *at)
{
	char drive[2] = {(char)(at[0] & ~0x20), ':'};

	if (at[2] == '\0' || !strchr(r->separators, at[2]))
		return refuse(r, "is relative to the drive's own directory: begin with C:\\");
	append(r, drive, 2);
	r->top = r->used;
	return read_names(r, at + 2);
}

/* server and share, which must both be there. */
static int read_network(struct reader *r, const char *at)
{
	append(r, "\\", 1);
	for (int part = 0; part < 2; part++) {
		size_t len = strcspn(at, r->separators);

		if (len == 0)
			return refuse(r, "is no \\\\server\\share");
		if (at[0] == '.' || check_name(r, at, len) < 0)
			return r->err->exit ? -1 : refuse(r, "is no \\\\server\\share");
		/* C$ is the drive C: under another name. */
		if (part == 1 && len == 2 && is_letter(at[0]) && at[1] == '$')
			return refuse(r, "is a drive under another name: write C:\\");
		append(r, "\\", 1);
		append(r, at, len);
		at += len;
		at += *at != '\0';
	}
	r->top = r->used;
	return read_names(r, at);
}

static int read_path(struct reader *r)
{
	const char *at = r->text;

	if (strncmp(at, "\\\\?\\", 4) == 0) {
		r->literal = true;
		r->separators = "\\";
		at += 4;
		if (is_letter(at[0]) && at[1] == ':')
			return read_drive(r, at);
		if (strlen(at) > 4 && same_word(at, 3, "unc") && at[3] == '\\')
			return read_network(r, at + 4);
		return refuse(r, "names a volume or a device: write C:\\");
	}
	if (strncmp(at, "\\\\.\\", 4) == 0 || strncmp(at, "\\??\\", 4) == 0 ||
	    strncmp(at, "//./", 4) == 0 || strncmp(at, "//?/", 4) == 0)
		return refuse(r, "names a device: write C:\\");
	if (at[0] == '/' && at[1] != '/') {
		/* Its backslashes would be part of a name, which Windows cannot have. */
		r->separators = "/";
		append(r, "Z:", 2);
		r->top = r->used;
		return read_names(r, at);
	}
	if (is_letter(at[0]) && at[1] == ':')
		return read_drive(r, at);
	if ((at[0] == '\\' || at[0] == '/') && at[1] == at[0])
		return read_network(r, at + 2);
	if (at[0] == '\\')
		return refuse(r, "has no drive: begin with C:\\");
	return refuse(r, "not an absolute path of Windows: begin with C:\\ or \\\\server\\share");
}

/* For lib/fs/path.h: "/c:/users", "/unc/server/share". */
static char *make_key(const char *path)
{
	bool network = path[0] == '\\';
	char *key = xasprintf("%s%s", network ? "/unc" : "/", network ? path + 1 : path);
	size_t len;

	for (char *p = key; *p; p++)
		*p = (char)(*p == '\\' ? '/' : is_letter(*p) ? *p | 0x20 : *p);
	len = strlen(key);
	if (key[len - 1] == '/')
		key[len - 1] = '\0';
	return key;
}

int winpath_get(const char *text, struct winpath *out, struct error *err)
{
	struct reader r = {.text = text, .separators = "\\/", .err = err};
	cleanup_free char *buffer = r.out = xmalloc(strlen(text) + 8);

	*out = (struct winpath){0};
	r.out[0] = '\0';
	if (strlen(text) > PATH_MAX_UNITS)
		return error_set(err, EXIT_INPUT, "bad-path", "\"%.60s...\": too long", text);
	if (read_path(&r) < 0)
		return -1;
	/* C:\ keeps its separator: C: alone is something else. */
	if (r.used == 2)
		append(&r, "\\", 1);
	out->path = xstrdup(buffer);
	out->key = make_key(buffer);
	return 0;
}

void winpath_free(struct winpath *path)
{
	free(path->path);
	free(path->key);
	*path = (struct winpath){0};
}

bool winpath_is_top(const struct winpath *path)
{
	size_t names = 0;

	for (const char *p = path->key; *p; p++)
		names += *p == '/';
	return names <= (strncmp(path->key, "/unc/", 5) == 0 ? 3 : 1);
}

bool winpath_unclear(const char *a, const char *b)
{
	while (*a && *b) {
		uint32_t x, y;
		int n = text_character(a, strlen(a), &x), m = text_character(b, strlen(b), &y);

		if (n == 0 || m == 0)
			return false;
		if (x != y)
			break;
		a += n;
		b += m;
	}
	if (*a == '\0' || *b == '\0')
		return false;
	/* The names from where they differ to their ends. */
	while (*a && *b && *a != '/' && *b != '/') {
		uint32_t x, y;
		int n = text_character(a, strlen(a), &x), m = text_character(b, strlen(b), &y);

		if (n == 0 || m == 0 || upcase(x) != upcase(y))
			return false;
		a += n;
		b += m;
	}
	return (*a == '\0' || *a == '/') && (*b == '\0' || *b == '/');
}
