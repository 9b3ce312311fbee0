/* Declared by macOS without asking, by this system's headers only on demand. */
#include <stdarg.h>
#include <stddef.h>

int asprintf(char **, const char *, ...);
int vasprintf(char **, const char *, va_list);
void *memmem(const void *, size_t, const void *, size_t);
char *strcasestr(const char *, const char *);
int issetugid(void);
