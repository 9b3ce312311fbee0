/*
 * Why is memcpy() our own with musl?  Its own is a string instruction whatever the
 * length, which takes a processor sixty to a hundred nanoseconds to begin: ten times
 * what the few bytes of a word of JSON take, and a twelfth of a whole start.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__x86_64__) && defined(__linux__) && !defined(__GLIBC__)

/* At any address, and whatever else is there. */
typedef long long sixteen __attribute__((vector_size(16), aligned(1), may_alias));
typedef uint64_t eight __attribute__((aligned(1), may_alias));
typedef uint32_t four __attribute__((aligned(1), may_alias));

/* The compiler would see what this does, and call memcpy(). */
#define AS_WRITTEN() __asm__ volatile("" ::: "memory")

/* All is read before anything is written: up to 16 bytes may lie in each other. */
static void copy_short(char *to, const char *from, size_t n)
{
	if (n >= 8) {
		uint64_t first = *(const eight *)from, last = *(const eight *)(from + n - 8);

		*(eight *)to = first;
		*(eight *)(to + n - 8) = last;
	} else if (n >= 4) {
		uint32_t first = *(const four *)from, last = *(const four *)(from + n - 4);

		*(four *)to = first;
		*(four *)(to + n - 4) = last;
	} else if (n > 0) {
		char first = from[0], middle = from[n / 2], last = from[n - 1];

		to[0] = first;
		to[n / 2] = middle;
		to[n - 1] = last;
	}
}

void *memcpy(void *restrict target, const void *restrict source, size_t n)
{
	const char *from = source;
	char *to = target;

	if (n <= 16) {
		copy_short(to, from, n);
		return target;
	}
	for (size_t i = 0; i < n - 16; i += 16) {
		*(sixteen *)(to + i) = *(const sixteen *)(from + i);
		AS_WRITTEN();
	}
	*(sixteen *)(to + n - 16) = *(const sixteen *)(from + n - 16);
	return target;
}

void *memmove(void *target, const void *source, size_t n)
{
	const char *from = source;
	char *to = target;
	size_t left = n;

	if (n <= 16) {
		copy_short(to, from, n);
	} else if ((uintptr_t)to - (uintptr_t)from >= n && (uintptr_t)from - (uintptr_t)to >= n) {
		memcpy(to, from, n);
	} else if (to < from) {
		for (; left > 16; left -= 16, to += 16, from += 16) {
			*(sixteen *)to = *(const sixteen *)from;
			AS_WRITTEN();
		}
		copy_short(to, from, left);
	} else {
		for (; left > 16; left -= 16) {
			*(sixteen *)(to + left - 16) = *(const sixteen *)(from + left - 16);
			AS_WRITTEN();
		}
		copy_short(to, from, left);
	}
	return target;
}

#else

typedef int memcpy_is_the_libraries_own;

#endif
