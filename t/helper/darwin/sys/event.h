/* The part of kqueue that is used. */
#include <stdint.h>
#include <time.h>

struct kevent {
	uintptr_t ident;
	int16_t filter;
	uint16_t flags;
	uint32_t fflags;
	intptr_t data;
	void *udata;
};

#define EVFILT_PROC   (-5)
#define EVFILT_SIGNAL (-6)
#define EV_ADD        0x0001
#define EV_CLEAR      0x0020
#define NOTE_EXIT     0x80000000
#define NOTE_FORK     0x40000000
#define EV_SET(kev, a, b, c, d, e, f)                                                              \
	(*(kev) = (struct kevent){(uintptr_t)(a), (b), (c), (d), (e), (f)})

int kqueue(void);
int kevent(int, const struct kevent *, int, struct kevent *, int, const struct timespec *);
