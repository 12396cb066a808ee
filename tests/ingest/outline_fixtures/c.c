/* tasks.c: a list of tasks */
#include <stdio.h>
#include "tasks.h"

#define MAX_TASKS 64
#define TASKS_DEBUG
#define LEN(a) (sizeof(a) / sizeof((a)[0]))
#define FOREACH(t, list)                \
    for (t = (list)->head; t != NULL;   \
         t = t->next)

#ifdef __cplusplus
extern "C" {
#endif

struct task;
typedef unsigned int task_id;
typedef int (*task_fn)(struct task *t, void *arg);

/* One task. */
typedef struct task {
    task_id id;          /* unique */
    char name[32];
    struct task *next, **prev;
    int (*run)(struct task *);
    unsigned flags : 3;
    union {
        int number;
        float real;
    } value;
} task_t;

enum state { IDLE, BUSY = 2, DONE };

typedef enum {
    LOW,
    HIGH
} priority_t;

union any {
    int i;
    float f;
};

extern int task_count;
static const char *names[] = {
    "idle",
    "busy",
};
static struct { int a; } anonymous_values[] = { { 1 }, { 2 } };
int first, second = 2;

/* Declared for others. */
int task_add(struct task *t, const char *name);
static void task_free(struct task *);
struct task *task_find(task_id id);

#ifdef _WIN32
static int lock(void) { return 0; }
#else
/** Locks. */
static int
lock(void)
{
    return 1;
}
#endif

TAILQ_HEAD(task_list, task);
DEFINE_LIST(tasks)

/*
 * Adds a task.
 */
int
task_add(struct task *t, const char *name)
{
    int local = 0;
    struct scratch { int x; } s;
    return local;
}

struct task *
task_find(task_id id) {
    return NULL;
}

static inline int old_style(a, b)
    int a;
    int b;
{
    return a + b;
}

#ifdef __cplusplus
}
#endif
