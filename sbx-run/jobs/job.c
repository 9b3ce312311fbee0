#include "jobs/job.h"

#include "base/memory.h"
#include "jobs/characters.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define READ_AT_ONCE 65536
/* The final document, and one line of the approver's connection. */
#define SAID_MAX ((size_t)64 << 20)
/* Input that the command does not take. */
#define INPUT_MAX ((size_t)1 << 20)
/* After this it was asked often enough. */
#define GRACE_MS 1000

struct job *job_new(void)
{
	struct job *job = xcalloc(1, sizeof(*job));

	job->out = job->err = job->result = job->approver = -1;
	job->document.fd = job->input.fd = -1;
	job->questions = xjson(json_array());
	return job;
}

static void end_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static void end_all(struct job *job)
{
	end_fd(&job->out);
	end_fd(&job->err);
	end_fd(&job->result);
	end_fd(&job->approver);
	end_fd(&job->document.fd);
	end_fd(&job->input.fd);
}

void job_free(struct job *job)
{
	end_all(job);
	free(job->document.bytes);
	free(job->input.bytes);
	kept_free(&job->streams[STREAM_OUT]);
	kept_free(&job->streams[STREAM_ERR]);
	if (job->backlog)
		backlog_free(job->backlog);
	free(job->backlog);
	free(job->news);
	free(job->said);
	free(job->lines);
	json_decref(job->questions);
	free(job);
}

static size_t poll_for(struct pollfd *fds, size_t count, int fd, short events)
{
	if (fd < 0)
		return count;
	fds[count] = (struct pollfd){.fd = fd, .events = events};
	return count + 1;
}

size_t job_polls(const struct job *job, struct pollfd *fds)
{
	bool feeds = job->input.used > job->input.at || (job->input.last && job->input.fd >= 0);
	size_t n = 0;

	n = poll_for(fds, n, job->out, POLLIN);
	n = poll_for(fds, n, job->err, POLLIN);
	n = poll_for(fds, n, job->result, POLLIN);
	n = poll_for(fds, n, job->approver, POLLIN);
	n = poll_for(fds, n, job->document.fd, POLLOUT);
	if (feeds)
		n = poll_for(fds, n, job->input.fd, POLLOUT);
	return n;
}

static bool would_wait(ssize_t n)
{
	return n < 0 && (errno == EAGAIN || errno == EINTR);
}

/* Not all of a piece is a whole character: the rest waits for the next one. */
static void take_news(struct job *job, const char *bytes, size_t len)
{
	job->news = xrealloc_array(job->news, job->news_used + len, 1);
	memcpy(job->news + job->news_used, bytes, len);
	job->news_used += len;
}

static void take_output(struct job *job, int *fd, enum stream stream, bool tell)
{
	char bytes[READ_AT_ONCE];
	ssize_t n = *fd < 0 ? 0 : read(*fd, bytes, sizeof(bytes));

	if (*fd < 0 || would_wait(n))
		return;
	if (n <= 0) {
		end_fd(fd);
		return;
	}
	job->printed += (uint64_t)n;
	if (job->backlog)
		backlog_add(job->backlog, bytes, (size_t)n);
	else
		kept_add(&job->streams[stream], bytes, (size_t)n);
	if (tell)
		take_news(job, bytes, (size_t)n);
}

/* False: nothing came. */
static bool take_text(int *fd, char **text, size_t *used)
{
	char bytes[READ_AT_ONCE];
	ssize_t n = *fd < 0 ? -1 : read(*fd, bytes, sizeof(bytes));

	if (*fd < 0 || would_wait(n))
		return false;
	if (n <= 0 || *used + (size_t)n > SAID_MAX) {
		end_fd(fd);
		return false;
	}
	*text = xrealloc_array(*text, *used + (size_t)n, 1);
	memcpy(*text + *used, bytes, (size_t)n);
	*used += (size_t)n;
	return true;
}

static void push(struct feed *feed)
{
	ssize_t n;

	if (feed->fd < 0)
		return;
	n = feed->used > feed->at ? write(feed->fd, feed->bytes + feed->at, feed->used - feed->at)
	                          : 0;
	if (would_wait(n))
		return;
	feed->at += n > 0 ? (size_t)n : 0;
	if (n < 0 || (feed->last && feed->at == feed->used))
		end_fd(&feed->fd);
	if (n < 0 || feed->at == feed->used)
		feed->at = feed->used = 0;
}

void job_moves(struct job *job, bool tell)
{
	take_output(job, &job->out, STREAM_OUT, tell);
	take_output(job, &job->err, STREAM_ERR, tell);
	take_text(&job->result, &job->said, &job->said_used);
	take_text(&job->approver, &job->lines, &job->lines_used);
	push(&job->document);
	push(&job->input);
}

bool job_feed(struct feed *feed, const char *bytes, size_t len)
{
	if (feed->fd < 0 || feed->last || feed->used - feed->at + len > INPUT_MAX)
		return false;
	feed->bytes = xrealloc_array(feed->bytes, feed->used + len, 1);
	memcpy(feed->bytes + feed->used, bytes, len);
	feed->used += len;
	return true;
}

void job_end(struct job *job, int64_t now)
{
	if (job->pid <= 0 || job->kill_at)
		return;
	/* A question that waits would be in its way. */
	end_fd(&job->approver);
	json_array_clear(job->questions);
	kill(job->pid, SIGTERM);
	job->kill_at = now + GRACE_MS;
}

void job_kill(struct job *job)
{
	/* Each is the leader of its session, and so of a group. */
	if (job->pid > 0)
		kill(-job->pid, SIGKILL);
}

static void drain(struct job *job)
{
	for (uint64_t before = ~(uint64_t)0; job->out >= 0 && before != job->printed;) {
		before = job->printed;
		take_output(job, &job->out, STREAM_OUT, false);
	}
	for (uint64_t before = ~(uint64_t)0; job->err >= 0 && before != job->printed;) {
		before = job->printed;
		take_output(job, &job->err, STREAM_ERR, false);
	}
	while (take_text(&job->result, &job->said, &job->said_used))
		;
}

void job_ended(struct job *job, int status)
{
	drain(job);
	end_all(job);
	json_array_clear(job->questions);
	job->pid = 0;
	job->status = status;
	job->over = true;
}
