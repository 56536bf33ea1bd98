/* What the files of the compiled part share: where the fields of our classes lie, and small helpers.
 *
 * All of it needs the global interpreter lock: a build of Python without it turns it on again when this is loaded.
 */

#ifndef TOOLGAUGE_COMPILED_H
#define TOOLGAUGE_COMPILED_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <string.h>

/* What tells the sources apart that this was built from: `setup.py` says it. */
#ifndef FINGERPRINT
#define FINGERPRINT 0
#endif

/* What a step comes to: an answer, something that is left to Python, or an exception. */
typedef enum { NO = 0, YES = 1, LEFT = 2, FAILED = -1 } Outcome;

#define MAX_FIELDS 24

/* A class and where its instances keep the fields that are looked at here. */
typedef struct {
    PyTypeObject *type;
    Py_ssize_t offsets[MAX_FIELDS];
} Shape;

enum { CASE, AGENT, TRIAL, STATE, CALLS, LATENCY, USAGE, EVENTS };
enum { TOOL, ARGS, ERROR };
enum {
    SCORE_CASE, SCORE_AGENT, SCORE_STATE, SCORE_PASSED, SCORE_SCORE, SCORE_PRECISION, SCORE_RECALL, SCORE_PARAMS,
    SCORE_CONTENT, SCORE_ANSWER, SCORE_SAYS_TOOLS, SCORE_COUNTS, SCORE_ISSUES
};
enum {
    COUNTS_RIGHT, COUNTS_SUPERFLUOUS, COUNTS_MISSED, COUNTS_CALLS, COUNTS_FAILED, COUNTS_REPEATED, COUNTS_UNKNOWN,
    COUNTS_BROKEN, COUNTS_UNGROUNDED
};
enum { ISSUE_KIND, ISSUE_TOOL, ISSUE_CALL, ISSUE_FAILING };

extern Shape trajectory_shape, call_shape, score_shape, counts_shape, issue_shape;

/* The texts that are compared with, and what every score holds. */
extern PyObject *text_completed, *text_wrong_arg, *text_missing_arg, *text_missing_call, *text_unexpected_call,
    *text_duplicate_call, *text_forbidden_arg, *text_invalid_arg;

/* Find out where the fields of a class lie; -1 with an exception where they are not kept as expected. */
int find_shape(Shape *shape, PyObject *type, const char *const *names);

/* Whether the fields of a class are these, in this order, as they are given when an instance is made; or -1. */
int check_fields(PyObject *type, const char *const *names);

/* Whether an object is one of the class itself, whose fields can be looked at; a subclass may answer otherwise. */
static inline int has_shape(PyObject *object, const Shape *shape) { return Py_IS_TYPE(object, shape->type); }

/* Where an object keeps a field. What is there is not owned by who looks, and NULL where it was never set. */
static inline PyObject **place_of(PyObject *object, const Shape *shape, int field) {
    return (PyObject **)((char *)object + shape->offsets[field]);
}

static inline PyObject *get(PyObject *object, const Shape *shape, int field) { return *place_of(object, shape, field); }

/* Whether two strings are equal. */
static inline int equal_texts(PyObject *left, PyObject *right) {
    if (left == right) {
        return 1;
    }
    Py_ssize_t length = PyUnicode_GET_LENGTH(left);
    if (length != PyUnicode_GET_LENGTH(right) || PyUnicode_KIND(left) != PyUnicode_KIND(right)) {
        return 0;
    }
    return memcmp(PyUnicode_DATA(left), PyUnicode_DATA(right), (size_t)length * PyUnicode_KIND(left)) == 0;
}

/* Whether an object is this string. */
static inline int is_text(PyObject *object, PyObject *text) {
    return object == text || (object != NULL && PyUnicode_CheckExact(object) && equal_texts(object, text));
}

/* Append what is new, which is given up; where it is NULL, that fails. */
static inline int append(PyObject *list, PyObject *item) {
    if (item == NULL) {
        return -1;
    }
    int failed = PyList_Append(list, item);
    Py_DECREF(item);
    return failed;
}

/* What each file adds to the module. */
int add_scoring(PyObject *module, PyObject *core);
int add_adding(PyObject *module);

#endif
