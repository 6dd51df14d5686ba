// The operating system's sockets, reduced to what the server needs: listening on loopback, and
// reading and writing that never wait. POSIX and Winsock differ in spelling more than in meaning.
#if !defined(_WIN32) && !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif
#if defined(__APPLE__) && !defined(_DARWIN_C_SOURCE)
#define _DARWIN_C_SOURCE 1 // SO_NOSIGPIPE
#endif

#include "inspect/http_internal.h"

#include <string.h>

#if defined(_WIN32)
#include <winsock2.h>
#include <ws2tcpip.h>
typedef SOCKET http_socket_native;
typedef WSAPOLLFD http_socket_pollfd;
#define HTTP_SOCKET_BAD INVALID_SOCKET
#else
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>
typedef int http_socket_native;
typedef struct pollfd http_socket_pollfd;
#define HTTP_SOCKET_BAD (-1)
#endif

#if defined(MSG_NOSIGNAL)
#define HTTP_SOCKET_SEND_FLAGS MSG_NOSIGNAL // a client that left is a result, not a signal
#else
#define HTTP_SOCKET_SEND_FLAGS 0 // Windows has no such signal; Apple has SO_NOSIGPIPE
#endif

// How much the system may hold back for a slow reader. Pictures that wait there are old, so this
// bounds how far behind a page can fall.
#define HTTP_SOCKET_SEND_BUFFER 262144

static http_socket_native http_socket_get(ployi_socket socket) {
    return (http_socket_native)socket.handle;
}

static bool http_socket_would_wait(void) {
#if defined(_WIN32)
    return WSAGetLastError() == WSAEWOULDBLOCK;
#else
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
#endif
}

static void http_socket_set(http_socket_native socket, int level, int option, int value) {
    // A refused option costs speed or comfort, never correctness, so the result does not matter.
    (void)setsockopt(socket, level, option, (const char *)&value, sizeof value);
}

// No waiting, and no inheriting by programs that the game starts.
static bool http_socket_prepare(http_socket_native socket) {
#if defined(_WIN32)
    u_long on = 1;
    (void)SetHandleInformation((HANDLE)socket, HANDLE_FLAG_INHERIT, 0);
    return ioctlsocket(socket, (long)FIONBIO, &on) == 0;
#else
    int flags = fcntl(socket, F_GETFL, 0);
    if (flags < 0 || fcntl(socket, F_SETFL, flags | O_NONBLOCK) < 0) return false;
    return fcntl(socket, F_SETFD, FD_CLOEXEC) >= 0;
#endif
}

ploy_result ployi_socket_start(void) {
#if defined(_WIN32)
    WSADATA data;
    return WSAStartup(MAKEWORD(2, 2), &data) == 0 ? PLOY_OK : PLOY_ERR_SYSTEM;
#else
    return PLOY_OK;
#endif
}

void ployi_socket_stop(void) {
#if defined(_WIN32)
    WSACleanup();
#endif
}

ployi_socket ployi_socket_none(void) {
    ployi_socket socket = {-1};
    return socket;
}

bool ployi_socket_is_none(ployi_socket socket) {
    return socket.handle == -1;
}

ploy_result ployi_socket_listen(int32_t *port, bool any_address, int32_t backlog,
                                ployi_socket *out) {
    *out = ployi_socket_none();
    http_socket_native made = socket(AF_INET, SOCK_STREAM, 0);
    if (made == HTTP_SOCKET_BAD) return PLOY_ERR_SYSTEM;
    ployi_socket listening = {(intptr_t)made};
#if defined(_WIN32)
    // There SO_REUSEADDR would let two servers share one port.
    http_socket_set(made, SOL_SOCKET, SO_EXCLUSIVEADDRUSE, 1);
#else
    http_socket_set(made, SOL_SOCKET, SO_REUSEADDR, 1);
#endif
    struct sockaddr_in address;
    memset(&address, 0, sizeof address);
    address.sin_family = AF_INET;
    address.sin_port = htons((uint16_t)*port);
    address.sin_addr.s_addr = htonl(any_address ? INADDR_ANY : INADDR_LOOPBACK);
    struct sockaddr_in taken;
    memset(&taken, 0, sizeof taken);
    socklen_t size = (socklen_t)sizeof taken;
    if (!http_socket_prepare(made) ||
        bind(made, (const struct sockaddr *)&address, (socklen_t)sizeof address) != 0 ||
        listen(made, backlog) != 0 || getsockname(made, (struct sockaddr *)&taken, &size) != 0) {
        ployi_socket_close(&listening);
        return PLOY_ERR_SYSTEM;
    }
    *port = ntohs(taken.sin_port);
    *out = listening;
    return PLOY_OK;
}

ploy_result ployi_socket_accept(ployi_socket listening, ployi_socket *out) {
    *out = ployi_socket_none();
    http_socket_native made = accept(http_socket_get(listening), NULL, NULL);
    if (made == HTTP_SOCKET_BAD) {
#if !defined(_WIN32)
        // No handle left: the client keeps waiting in line, and asking again at once is no use.
        if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
            return PLOY_ERR_CAPACITY;
        }
        if (errno == EBADF || errno == EINVAL || errno == ENOTSOCK) return PLOY_ERR_SYSTEM;
#endif
        return PLOY_ERR_NOT_FOUND; // also one that left before we came
    }
    ployi_socket accepted = {(intptr_t)made};
    if (!http_socket_prepare(made)) {
        ployi_socket_close(&accepted);
        return PLOY_ERR_NOT_FOUND;
    }
    http_socket_set(made, IPPROTO_TCP, TCP_NODELAY, 1); // small messages should not wait
    http_socket_set(made, SOL_SOCKET, SO_SNDBUF, HTTP_SOCKET_SEND_BUFFER);
#if defined(SO_NOSIGPIPE)
    http_socket_set(made, SOL_SOCKET, SO_NOSIGPIPE, 1);
#endif
    *out = accepted;
    return PLOY_OK;
}

void ployi_socket_close(ployi_socket *socket) {
    if (ployi_socket_is_none(*socket)) return;
#if defined(_WIN32)
    closesocket(http_socket_get(*socket));
#else
    close(http_socket_get(*socket));
#endif
    *socket = ployi_socket_none();
}

void ployi_socket_shutdown(ployi_socket socket) {
#if defined(_WIN32)
    (void)shutdown(http_socket_get(socket), SD_SEND);
#else
    (void)shutdown(http_socket_get(socket), SHUT_WR);
#endif
}

ploy_result ployi_socket_read(ployi_socket socket, void *bytes, size_t size, size_t *done) {
    *done = 0;
#if defined(_WIN32)
    int got = recv(http_socket_get(socket), bytes, size > INT32_MAX ? INT32_MAX : (int)size, 0);
#else
    ssize_t got = recv(http_socket_get(socket), bytes, size, 0);
#endif
    if (got < 0) return http_socket_would_wait() ? PLOY_IN_PROGRESS : PLOY_ERR_SYSTEM;
    *done = (size_t)got;
    return PLOY_OK;
}

ploy_result ployi_socket_write(ployi_socket socket, const void *bytes, size_t size, size_t *done) {
    *done = 0;
#if defined(_WIN32)
    int put = send(http_socket_get(socket), bytes, size > INT32_MAX ? INT32_MAX : (int)size,
                   HTTP_SOCKET_SEND_FLAGS);
#else
    ssize_t put = send(http_socket_get(socket), bytes, size, HTTP_SOCKET_SEND_FLAGS);
#endif
    if (put < 0) return http_socket_would_wait() ? PLOY_IN_PROGRESS : PLOY_ERR_SYSTEM;
    *done = (size_t)put;
    return PLOY_OK;
}

size_t ployi_socket_poll_size(int32_t count) {
    return (size_t)count * sizeof(http_socket_pollfd);
}

ploy_result ployi_socket_poll(ployi_poll *items, int32_t count, int32_t wait_ms, void *scratch) {
    http_socket_pollfd *polls = scratch;
    for (int32_t i = 0; i < count; i++) {
        polls[i].fd = http_socket_get(items[i].socket);
        // The two sides of the casts agree in value; their types differ between systems.
        polls[i].events = 0;
        if (items[i].want_read) polls[i].events = (short)(polls[i].events | POLLIN);
        if (items[i].want_write) polls[i].events = (short)(polls[i].events | POLLOUT);
        polls[i].revents = 0;
    }
#if defined(_WIN32)
    int ready = WSAPoll(polls, (ULONG)count, wait_ms);
#else
    int ready = poll(polls, (nfds_t)count, wait_ms);
    if (ready < 0 && errno == EINTR) ready = 0;
#endif
    for (int32_t i = 0; i < count; i++) {
        int got = ready > 0 ? polls[i].revents : 0;
        items[i].hurt = (got & (POLLERR | POLLNVAL)) != 0;
        // A hang-up is read as the end of the stream.
        items[i].can_read = (got & (POLLIN | POLLHUP)) != 0;
        items[i].can_write = (got & POLLOUT) != 0;
    }
    return ready < 0 ? PLOY_ERR_SYSTEM : PLOY_OK;
}

#undef HTTP_SOCKET_BAD
#undef HTTP_SOCKET_SEND_FLAGS
#undef HTTP_SOCKET_SEND_BUFFER
