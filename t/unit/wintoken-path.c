/*
 * Which file does a path of Windows mean, and which paths decide nothing?
 */
#include "../../sbx-wintoken/spelling/upcase.c"
#include "../../sbx-wintoken/spelling/winpath.c"
#include "fs/path.h"
#include "tap.h"

/* wanted NULL: refused, and the message says `why`. */
static const struct {
	const char *text, *wanted, *key, *why;
} paths[] = {
        {"C:\\ws", "C:\\ws", "/c:/ws", NULL},
        {"c:/ws", "C:\\ws", "/c:/ws", NULL},
        {"c:\\Users\\Ann Lee\\Work", "C:\\Users\\Ann Lee\\Work", "/c:/users/ann lee/work", NULL},
        {"C:\\", "C:\\", "/c:", NULL},
        {"C:\\\\a\\\\\\b\\", "C:\\a\\b", "/c:/a/b", NULL},
        {"C:\\a\\.\\b", "C:\\a\\b", "/c:/a/b", NULL},
        {"C:\\a\\..\\b", "C:\\b", "/c:/b", NULL},
        {"C:\\a\\..", "C:\\", "/c:", NULL},
        {"\\\\Server\\Share", "\\\\Server\\Share", "/unc/server/share", NULL},
        {"//server/share/a", "\\\\server\\share\\a", "/unc/server/share/a", NULL},
        {"\\\\server\\share\\a\\..\\b\\", "\\\\server\\share\\b", "/unc/server/share/b", NULL},
        {"\\\\?\\C:\\ws\\A", "C:\\ws\\A", "/c:/ws/a", NULL},
        {"\\\\?\\unc\\server\\share\\x", "\\\\server\\share\\x", "/unc/server/share/x", NULL},
        {"/home/u/ws", "Z:\\home\\u\\ws", "/z:/home/u/ws", NULL},
        {"C:\\\xc3\x89t\xc3\xa9", "C:\\\xc3\x89t\xc3\xa9", "/c:/\xc3\x89t\xc3\xa9", NULL},
        {"C:\\\xf0\x9f\x98\x80", "C:\\\xf0\x9f\x98\x80", "/c:/\xf0\x9f\x98\x80", NULL},
        {"C:\\.git", "C:\\.git", "/c:/.git", NULL},
        {"C:\\a~b", "C:\\a~b", "/c:/a~b", NULL},
        {"C:\\longname~1x", "C:\\longname~1x", "/c:/longname~1x", NULL},
        {"C:\\much-longer~1", "C:\\much-longer~1", "/c:/much-longer~1", NULL},
        {"C:\\console", "C:\\console", "/c:/console", NULL},
        {"C:\\com10", "C:\\com10", "/c:/com10", NULL},
        {"C:\\nul-file", "C:\\nul-file", "/c:/nul-file", NULL},

        {"", NULL, NULL, "not an absolute path"},
        {"ws", NULL, NULL, "not an absolute path"},
        {"ws\\C:\\x", NULL, NULL, "not an absolute path"},
        {"\\ws", NULL, NULL, "has no drive"},
        {"C:", NULL, NULL, "relative to the drive"},
        {"C:ws", NULL, NULL, "relative to the drive"},
        {"\\\\?\\C:", NULL, NULL, "relative to the drive"},
        {"1:\\x", NULL, NULL, "not an absolute path"},
        {"C:\\..\\x", NULL, NULL, "leads above its top"},
        {"\\\\server\\share\\..\\..\\x", NULL, NULL, "leads above its top"},
        {"/..", NULL, NULL, "leads above its top"},
        {"\\\\?\\C:\\a\\..\\b", NULL, NULL, "has .. after"},
        {"\\\\?\\C:\\a\\.", NULL, NULL, "ends with a dot"},
        {"\\\\?\\C:\\a/b", NULL, NULL, "mixes separators"},
        {"/a\\b", NULL, NULL, "mixes separators"},
        {"\\\\.\\C:\\x", NULL, NULL, "names a device"},
        {"//./C:/x", NULL, NULL, "names a device"},
        {"\\??\\C:\\x", NULL, NULL, "names a device"},
        {"\\\\?\\GLOBALROOT\\Device\\HarddiskVolume1\\x", NULL, NULL, "names a volume"},
        {"\\\\?\\Volume{0}\\x", NULL, NULL, "names a volume"},
        {"\\\\server", NULL, NULL, "is no \\\\server"},
        {"\\\\server\\", NULL, NULL, "is no \\\\server"},
        {"\\\\\\share\\x", NULL, NULL, "is no \\\\server"},
        {"\\\\localhost\\C$\\ws", NULL, NULL, "a drive under another name"},
        {"\\\\127.0.0.1\\c$", NULL, NULL, "a drive under another name"},
        {"C:\\ws.", NULL, NULL, "ends with a dot"},
        {"C:\\ws \\x", NULL, NULL, "ends with a dot or a space"},
        {"C:\\.git.", NULL, NULL, "ends with a dot"},
        {"C:\\.git ", NULL, NULL, "ends with a dot or a space"},
        {"C:\\...", NULL, NULL, "ends with a dot"},
        {"C:\\.git::$INDEX_ALLOCATION", NULL, NULL, "alternate stream"},
        {"C:\\ws\\file:stream", NULL, NULL, "alternate stream"},
        {"C:\\C:\\x", NULL, NULL, "alternate stream"},
        {"C:\\PROGRA~1", NULL, NULL, "8.3"},
        {"C:\\ws\\GIT~1", NULL, NULL, "8.3"},
        {"C:\\ws\\git~12.con", NULL, NULL, "8.3"},
        {"C:\\nul", NULL, NULL, "names a device"},
        {"C:\\ws\\NUL.txt", NULL, NULL, "names a device"},
        {"C:\\ws\\nul .txt", NULL, NULL, "names a device"},
        {"C:\\Com1", NULL, NULL, "names a device"},
        {"C:\\lpt9.a.b", NULL, NULL, "names a device"},
        {"C:\\com\xc2\xb9", NULL, NULL, "names a device"},
        {"C:\\CONIN$", NULL, NULL, "names a device"},
        {"C:\\a*", NULL, NULL, "which no file name has"},
        {"C:\\a?b", NULL, NULL, "which no file name has"},
        {"C:\\a\"b", NULL, NULL, "which no file name has"},
        {"C:\\a|b", NULL, NULL, "which no file name has"},
        {"C:\\a\nb", NULL, NULL, "control character"},
        {"C:\\a\x7f", NULL, NULL, "control character"},
        {"C:\\\xff", NULL, NULL, "not valid Unicode"},
        {"C:\\\xed\xa0\x80", NULL, NULL, "not valid Unicode"},
        {"C:\\\xc0\xae\xc0\xae", NULL, NULL, "not valid Unicode"},
};

static void check_paths(void)
{
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		struct winpath path = {0};
		struct error err = {0};
		int status = winpath_get(paths[i].text, &path, &err);

		if (paths[i].wanted)
			check(status == 0 && strcmp(path.path, paths[i].wanted) == 0 &&
			              strcmp(path.key, paths[i].key) == 0 &&
			              path_is_normal(path.key),
			      paths[i].wanted, status == 0 ? path.path : err.message);
		else
			check(status < 0 && err.exit == EXIT_INPUT &&
			              strstr(err.message, paths[i].why),
			      paths[i].why, status == 0 ? path.path : err.message);
		winpath_free(&path);
	}
}

/* The one form of a path is its own one form: nothing is read twice. */
static void check_again(void)
{
	bool good = true;

	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		struct winpath first = {0}, second = {0};
		struct error err = {0};

		if (winpath_get(paths[i].text, &first, &err) == 0)
			good &= winpath_get(first.path, &second, &err) == 0 &&
			        strcmp(first.path, second.path) == 0 &&
			        strcmp(first.key, second.key) == 0;
		winpath_free(&first);
		winpath_free(&second);
	}
	check(good, "the one form is its own one form", NULL);
}

static const struct {
	const char *root, *path;
	bool contains;
} containments[] = {
        {"C:\\ws", "c:\\WS\\.git", true},
        {"C:\\WS", "\\\\?\\c:\\ws\\a\\b", true},
        {"C:\\ws", "C:\\ws", true},
        {"C:\\ws", "C:\\ws2", false},
        {"C:\\ws", "D:\\ws\\a", false},
        {"C:\\ws", "C:\\a\\..\\ws\\b", true},
        {"C:\\", "C:\\a", true},
        {"C:\\", "D:\\a", false},
        {"\\\\Server\\share\\x", "//server/SHARE/x/y", true},
        {"\\\\server\\share", "\\\\server\\share2\\y", false},
        {"\\\\c\\ws", "C:\\ws", false},
};

static void check_containment(void)
{
	for (size_t i = 0; i < sizeof(containments) / sizeof(containments[0]); i++) {
		struct winpath root = {0}, path = {0};
		struct error err = {0};

		check(winpath_get(containments[i].root, &root, &err) == 0 &&
		              winpath_get(containments[i].path, &path, &err) == 0 &&
		              path_contains(root.key, path.key) == containments[i].contains,
		      containments[i].contains ? "contains, in any case" : "does not contain",
		      containments[i].path);
		winpath_free(&root);
		winpath_free(&path);
	}
}

static void check_letters(void)
{
	check(upcase('a') == 'A' && upcase('z') == 'Z' && upcase('0') == '0', "ASCII", NULL);
	check(upcase(0xe9) == 0xc9 && upcase(0xff) == 0x178, "Latin", NULL);
	check(upcase(0x3c9) == 0x3a9 && upcase(0x44f) == 0x42f, "Greek, Cyrillic", NULL);
	check(upcase(0xc9) == 0xc9 && upcase(0x4e2d) == 0x4e2d && upcase(0x1f600) == 0x1f600,
	      "what has no other case", NULL);
	check(winpath_unclear("/c:/\xc3\x89", "/c:/\xc3\xa9/x"), "accents in two cases", NULL);
	check(winpath_unclear("/c:/a/\xd0\x96", "/c:/a/\xd0\xb6"), "Cyrillic in two cases", NULL);
	check(!winpath_unclear("/c:/\xc3\xa9", "/c:/\xc3\xa8"), "two letters", NULL);
	check(!winpath_unclear("/c:/\xc3\xa9", "/c:/\xc3\xa9/x"), "one in the other", NULL);
	check(!winpath_unclear("/c:/\xe4\xb8\xad", "/c:/\xe5\x9b\xbd"), "no case at all", NULL);
	check(!winpath_unclear("/c:/x\xc3\xa9", "/c:/x\xc3\x89y"), "one longer", NULL);
}

int main(void)
{
	check_paths();
	check_again();
	check_containment();
	check_letters();
	return finish();
}
