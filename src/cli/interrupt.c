/* SPDX-License-Identifier: MIT */

#include "cli/interrupt.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

/* A signal handler has nowhere else to write to: the mutable globals of the program. The bell is a pipe
 * that holds a byte once `stop` is set: any thread can wait for it together with its input. */
static holos_stop stop;
static int bell[2] = {-1, -1};

static void ring(void)
{
    ssize_t written = write(bell[1], "", 1); /* a full pipe rings as well */
    (void)written;
}

static void on_signal(int signal)
{
    int before = errno;
    if (holos_stop_asked(&stop))
        _exit(128 + signal);
    holos_stop_set(&stop);
    ring();
    errno = before;
}

static void bell_init(void)
{
    if (pipe(bell) != 0) { /* the handler's write fails, and waits end only where the signal arrives */
        bell[0] = bell[1] = -1;
        return;
    }
    for (int i = 0; i < 2; i++) {
        fcntl(bell[i], F_SETFL, O_NONBLOCK);
        fcntl(bell[i], F_SETFD, FD_CLOEXEC);
    }
}

void interrupt_init(void)
{
    struct sigaction action = {.sa_handler = on_signal}; /* no SA_RESTART: a wait must end */
    bell_init();
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    struct sigaction before; /* nohup has it ignored, and means it */
    if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        sigaction(SIGHUP, &action, NULL);
    signal(SIGPIPE, SIG_IGN);
}

bool interrupted(void)
{
    return holos_stop_asked(&stop);
}

const holos_stop *interrupt_flag(void)
{
    return &stop;
}

void interrupt_clear(void)
{
    char byte[16];
    holos_stop_clear(&stop);
    while (read(bell[0], byte, sizeof byte) > 0)
        continue;
}

void interrupt_request(void)
{
    holos_stop_set(&stop);
    ring();
}

bool interrupt_or_input(int fd)
{
    struct pollfd waits[] = {{.fd = fd, .events = POLLIN}, {.fd = bell[0], .events = POLLIN}};
    while (!interrupted() && poll(waits, 2, -1) < 0 && errno == EINTR)
        continue;
    return interrupted();
}
