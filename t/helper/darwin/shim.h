/* Declared by macOS without asking, by this system's headers only on demand. */
#include <stdarg.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/types.h>

/* Its names for the members of struct stat. */
#define st_atimespec st_atim
#define st_ctimespec st_ctim
#define st_mtimespec st_mtim

struct tm;

int asprintf(char **, const char *, ...);
int vasprintf(char **, const char *, va_list);
void *memmem(const void *, size_t, const void *, size_t);
char *strcasestr(const char *, const char *);
char *strptime(const char *, const char *, struct tm *);
int getpeereid(int, uid_t *, gid_t *);
int issetugid(void);

/* Flags that are there and must not be used. */
#undef SOCK_CLOEXEC
#undef SOCK_NONBLOCK
#pragma GCC poison SOCK_CLOEXEC SOCK_NONBLOCK
/* Of <stdlib.h> there; here only with _XOPEN_SOURCE. */
int posix_openpt(int flags);
int grantpt(int fd);
int unlockpt(int fd);
char *ptsname(int fd);
