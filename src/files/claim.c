#include "claim.h"
#include "src/base/base.h"
#include "src/base/list.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- where a file is, whatever it is called ---- */

/* The nearest file or folder that is there, and the names below it that are not, as "/new/x"; "" where all is there. */
struct place {
    dev_t device;
    ino_t inode;
    char rest[PATH_MAX];
};

enum { LINKS_MOST = 40 }; /* as Linux follows */

static bool find_place(const char *path, int links, struct place *place);

/* A link to what is not there yet: the file will stand where it points. */
static bool follow(const char *link, int links, struct place *place)
{
    char target[PATH_MAX], path[2 * PATH_MAX];
    const ssize_t length = readlink(link, target, sizeof target - 1);
    if (length <= 0 || links == LINKS_MOST)
        return false;
    target[length] = '\0';
    const char *slash = *target == '/' ? NULL : strrchr(link, '/');
    const int folder = slash ? (int)(slash - link) + 1 : 0;
    return snprintf(path, sizeof path, "%.*s%s", folder, link, target) < PATH_MAX && find_place(path, links + 1, place);
}

/* Adds a name.  "." adds nothing, ".." takes the last name off. */
static bool descend(const char *name, struct place *place)
{
    const size_t length = strlen(place->rest);
    if (*name == '\0' || strcmp(name, ".") == 0)
        return true;
    if (strcmp(name, "..") == 0) {
        char *slash = strrchr(place->rest, '/');
        if (slash)
            *slash = '\0';
        return slash;
    }
    return snprintf(place->rest + length, sizeof place->rest - length, "/%s", name) <
           (int)(sizeof place->rest - length);
}

/* Of a path that is there, or a link.  False with ENOENT: it is not; else it is a device or a pipe. */
static bool find_there(const char *path, int links, struct place *place)
{
    struct stat facts;
    bool fine = stat(path, &facts) == 0;
    if (fine) {
        *place = (struct place){.device = facts.st_dev, .inode = facts.st_ino};
        fine = S_ISREG(facts.st_mode) || S_ISDIR(facts.st_mode);
    } else if (errno != ENOENT || lstat(path, &facts) != 0 || !S_ISLNK(facts.st_mode)) {
        return false;
    } else {
        fine = follow(path, links, place);
    }
    errno = 0;
    return fine;
}

/* Cuts the last name off, which then begins at *length of the whole; false when there is none. */
static bool cut(char *path, size_t *length)
{
    char *slash = strrchr(path, '/');
    if (strcmp(path, ".") == 0 || strcmp(path, "/.") == 0)
        return false;
    *length = slash ? (size_t)(slash - path) + 1 : 0;
    strcpy(slash && slash != path ? slash : path, !slash ? "." : slash == path ? "/." : "");
    return true;
}

/* False for a device, a pipe, and a name that no file can have.  A path may be 2,000 folders deep. */
static bool find_place(const char *path, int links, struct place *place)
{
    char name[PATH_MAX + sizeof "/."];
    size_t length = strlen(path), part;
    if (length >= PATH_MAX)
        return false;
    strcpy(name, path);
    while (!find_there(name, links, place))
        if (errno != ENOENT || !cut(name, &length))
            return false;
    for (const char *rest = path + length; *rest; rest += part + (rest[part] == '/')) {
        part = strcspn(rest, "/");
        snprintf(name, sizeof name, "%.*s", (int)part, rest);
        if (!descend(name, place))
            return false;
    }
    return true;
}

/* ---- who has what ---- */

enum use { READS, WRITES, FILLS /* a folder */ };

struct claim {
    enum use use;
    char *who, *path;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* data are opened by many threads */
static struct claim *claims;
static size_t count, capacity;
static bool kept;

/* Whether a file of the first would stand where the second has its folder. */
static bool lies_over(enum use use, const struct place *file, const struct place *other)
{
    const size_t length = strlen(file->rest);
    return use != FILLS && length > 0 && strncmp(file->rest, other->rest, length) == 0 && other->rest[length] == '/';
}

/* Places are looked up each time, since they change when a folder on the way is made. */
static bool meet(const struct claim *a, const struct claim *b)
{
    struct place here, there;
    if ((a->use == READS && b->use == READS) || !find_place(a->path, 0, &here) || !find_place(b->path, 0, &there) ||
        here.device != there.device || here.inode != there.inode)
        return false;
    return strcmp(here.rest, there.rest) == 0 || lies_over(a->use, &here, &there) || lies_over(b->use, &there, &here);
}

static bool is_said_again(const struct claim *a, const struct claim *b)
{
    return a->use == b->use && strcmp(a->who, b->who) == 0 && strcmp(a->path, b->path) == 0;
}

static enum status refuse(const struct claim *first, const struct claim *second)
{
    const struct claim *read = first->use == READS ? first : second->use == READS ? second : NULL;
    const struct claim *written = first->use == READS ? second : first;
    if (read)
        complain(
            "%s: \"%s\" is a file that this command reads, its %s \"%s\"; expected a file of its own; name another",
            written->who, written->path, read->who, read->path);
    else if (strcmp(first->path, second->path) == 0)
        complain("%s and %s: both name \"%s\"; expected a file each; name another one", first->who, second->who,
                 first->path);
    else
        complain("%s and %s: \"%s\" and \"%s\" are one place, or one lies in the other; expected a file each; name "
                 "another one",
                 first->who, second->who, first->path, second->path);
    return BAD_INPUT;
}

static void forget(const struct claim *claim)
{
    free_all(claim->who, claim->path);
}

static void keep(const struct claim *claim)
{
    claims = list_short(claims, count, &capacity, sizeof *claims);
    claims[count] = *claim;
    claims[count].who = memory_copy(claim->who);
    claims[count++].path = memory_copy(claim->path);
}

/* Under the lock. */
static enum status grant(const struct claim *claim)
{
    for (size_t i = 0; i < count; i++)
        if (is_said_again(&claims[i], claim))
            return OK;
    for (size_t i = 0; i < count; i++)
        if (meet(&claims[i], claim))
            return refuse(&claims[i], claim);
    keep(claim);
    return OK;
}

static enum status claim_as(enum use use, const char *who, const char *path)
{
    const struct claim claim = {use, (char *)who, (char *)path};
    if (!kept)
        return OK;
    pthread_mutex_lock(&lock);
    const enum status status = grant(&claim);
    pthread_mutex_unlock(&lock);
    return status;
}

enum status claim_to_read(const char *what, const char *path)
{
    return claim_as(READS, what, path);
}

enum status claim_to_write(const char *flag, const char *path)
{
    return claim_as(WRITES, flag, path);
}

enum status claim_folder(const char *flag, const char *path)
{
    return claim_as(FILLS, flag, path);
}

void claim_end_reading(const char *what, const char *path)
{
    const struct claim ended = {.use = READS, .who = (char *)what, .path = (char *)path};
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < count; i++)
        if (is_said_again(&claims[i], &ended)) {
            forget(&claims[i]);
            claims[i--] = claims[--count];
        }
    pthread_mutex_unlock(&lock);
}

enum status claim_check_unread(const char *path)
{
    static char who[] = "an output";
    const struct claim claim = {WRITES, who, (char *)path};
    enum status status = OK;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < count && status == OK; i++)
        if (claims[i].use == READS && meet(&claims[i], &claim))
            status = refuse(&claims[i], &claim);
    pthread_mutex_unlock(&lock);
    return status;
}

/* What the shell has opened: `exact x.f32 >> x.f32`. */
enum status claims_begin(void)
{
    kept = true;
    TRY(claim_to_write("standard output", "/dev/stdout"));
    return OK;
}
