#include <stdint.h>

int _NSGetExecutablePath(char *, uint32_t *);
