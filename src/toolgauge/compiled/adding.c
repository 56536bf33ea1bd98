/* Adds up plain scores, as `stats/tally.py` does and with the same results.
 *
 * A score is plain that completed, with calls that all worked, of a case that says something about tools and states no
 * answer. Where a trajectory brings more to be added up, such as tokens or events, it is left to Python.
 */

#include "compiled.h"

/* Trajectories with more issues, or more calls, are left to Python. */
#define MOST_ISSUES 64
#define MOST_CALLS 1000

/* Larger amounts are left to Python as well. */
#define MOST_AMOUNT 1099511627776.0

/* A sum this large is put back before more is added. */
#define FULL (1ULL << 44)

enum { SCORE, PRECISION, RECALL, PARAMS, CONTENT, TOOK, AMOUNTS };
enum {
    PLAIN, PASSED, NOT_PASSED, ACCURATE, RIGHT, SUPERFLUOUS, MISSED, MADE, REPEATED, CHECKED, UNKNOWN, SCHEMA_CALLS,
    BROKEN, TIMED, COUNTS
};
enum { AGENT_PLAIN, AGENT_MISSED, AGENT_SUPERFLUOUS, CONFUSED };
enum { VALUES, COARSE, FRESH };

/* The fields of sums: first the amounts, then the counts. */
static const char *const sums_fields[] = {
    "score_units", "call_precision_units", "call_recall_units", "param_accuracy_units", "content_units",
    "latency_units",
    "plain", "passed", "failed", "accurate", "true_positive", "false_positive", "false_negative", "calls",
    "redundant_calls", "checked_calls", "unknown_tools", "schema_calls", "schema_errors", "timed", NULL
};
static const char *const agent_fields[] = {"plain", "missed", "superfluous", "confused", NULL};
static const char *const spread_fields[] = {"_counts", "_coarse", "_fresh", NULL};

typedef struct {
    PyObject_HEAD
    Shape sums;
    Shape agent;
    Shape spread;
    Py_ssize_t at_once; /* as many fractions of a spread are kept before they are counted */
    PyObject *unit;     /* into so many parts sums divide 1 */
    PyObject *part;     /* as many of these parts make one of ours */
} Adder;

/* An amount as it is: a whole number, and parts of 2 ** -64. */
typedef struct {
    unsigned long long whole, parts;
} Exact;

/* What is to be added to the sums of a case, as plain numbers, which lie together in memory. */
typedef struct {
    PyObject_HEAD
    Exact amounts[AMOUNTS];
    long long counts[COUNTS];
    int holds_something;
    Adder *adder;
    PyObject *sums;
    PyObject *calls;   /* how the numbers of calls are spread */
    PyObject *latency; /* and the latencies */
} PlainSums;

static PyTypeObject AdderType, PlainSumsType;

/* What is to be added of one score. */
typedef struct {
    PyObject *agent;
    PlainSums *place;
    PyObject *took, *issues;
    int passed;
    Exact amounts[AMOUNTS];
    long right, superfluous, missed, made, repeated;
    long unknown, broken; /* -1: there are no definitions of tools */
} Addition;

static PyObject *text_add, *text_append;

static int read_amount(PyObject *value, Exact *found) {
    if (value == NULL || !PyFloat_CheckExact(value)) {
        return 0;
    }
    double amount = PyFloat_AS_DOUBLE(value);
    if (!(amount >= 0.0 && amount < MOST_AMOUNT)) {
        return 0;
    }
    found->whole = (unsigned long long)amount;
    double parts = (amount - (double)found->whole) * 18446744073709551616.0;
    found->parts = (unsigned long long)parts;
    return (double)found->parts == parts;
}

static int read_count(PyObject *value, long *number) {
    if (value == NULL || !PyLong_CheckExact(value)) {
        return 0;
    }
    int overflow;
    *number = PyLong_AsLongAndOverflow(value, &overflow);
    return !overflow && *number >= 0 && *number <= MOST_CALLS;
}

static int read_optional_count(PyObject *value, long *number) {
    *number = -1;
    return value == Py_None || read_count(value, number);
}

static int read_counts(PyObject *counts, Addition *found) {
    long failed;
    return counts != NULL && has_shape(counts, &counts_shape) &&
           read_count(get(counts, &counts_shape, COUNTS_RIGHT), &found->right) &&
           read_count(get(counts, &counts_shape, COUNTS_SUPERFLUOUS), &found->superfluous) &&
           read_count(get(counts, &counts_shape, COUNTS_MISSED), &found->missed) &&
           read_count(get(counts, &counts_shape, COUNTS_CALLS), &found->made) && found->made > 0 &&
           read_count(get(counts, &counts_shape, COUNTS_FAILED), &failed) && failed == 0 &&
           read_count(get(counts, &counts_shape, COUNTS_REPEATED), &found->repeated) &&
           read_optional_count(get(counts, &counts_shape, COUNTS_UNKNOWN), &found->unknown) &&
           read_optional_count(get(counts, &counts_shape, COUNTS_BROKEN), &found->broken) &&
           get(counts, &counts_shape, COUNTS_UNGROUNDED) == Py_None;
}

static int read_issues(PyObject *issues) {
    if (issues == NULL || !PyTuple_CheckExact(issues) || PyTuple_GET_SIZE(issues) > MOST_ISSUES) {
        return 0;
    }
    for (Py_ssize_t at = 0; at < PyTuple_GET_SIZE(issues); at++) {
        PyObject *issue = PyTuple_GET_ITEM(issues, at);
        if (!has_shape(issue, &issue_shape)) {
            return 0;
        }
        PyObject *kind = get(issue, &issue_shape, ISSUE_KIND), *tool = get(issue, &issue_shape, ISSUE_TOOL);
        if (kind == NULL || tool == NULL || !PyUnicode_CheckExact(kind)) {
            return 0;
        }
    }
    return 1;
}

static int read_score(PyObject *score, Addition *found) {
    PyObject *passed = get(score, &score_shape, SCORE_PASSED);
    found->passed = passed == Py_True;
    found->issues = get(score, &score_shape, SCORE_ISSUES);
    return (passed == Py_True || passed == Py_False) && get(score, &score_shape, SCORE_SAYS_TOOLS) == Py_True &&
           get(score, &score_shape, SCORE_ANSWER) == Py_None &&
           is_text(get(score, &score_shape, SCORE_STATE), text_completed) &&
           read_amount(get(score, &score_shape, SCORE_SCORE), &found->amounts[SCORE]) &&
           read_amount(get(score, &score_shape, SCORE_PRECISION), &found->amounts[PRECISION]) &&
           read_amount(get(score, &score_shape, SCORE_RECALL), &found->amounts[RECALL]) &&
           read_amount(get(score, &score_shape, SCORE_PARAMS), &found->amounts[PARAMS]) &&
           read_amount(get(score, &score_shape, SCORE_CONTENT), &found->amounts[CONTENT]) &&
           read_counts(get(score, &score_shape, SCORE_COUNTS), found) && read_issues(found->issues);
}

static int read_trajectory(PyObject *trajectory, Addition *found) {
    PyObject *events = get(trajectory, &trajectory_shape, EVENTS);
    found->took = get(trajectory, &trajectory_shape, LATENCY);
    found->amounts[TOOK] = (Exact){0, 0};
    return get(trajectory, &trajectory_shape, USAGE) == Py_None && events != NULL && PyTuple_CheckExact(events) &&
           PyTuple_GET_SIZE(events) == 0 &&
           (found->took == Py_None || read_amount(found->took, &found->amounts[TOOK]));
}

static int is_counter(PyObject *object) { return object != NULL && PyDict_Check(object); }

/* Find where a score is to be added; NO where Python has to add it. */
static Outcome find_place(const Adder *self, PyObject *agents, PyObject *score, Addition *found) {
    PyObject *name = get(score, &score_shape, SCORE_AGENT), *case_name = get(score, &score_shape, SCORE_CASE);
    if (name == NULL || case_name == NULL) {
        return NO;
    }
    found->agent = PyDict_GetItemWithError(agents, name);
    if (found->agent == NULL || !has_shape(found->agent, &self->agent)) {
        return PyErr_Occurred() ? FAILED : NO;
    }
    PyObject *places = get(found->agent, &self->agent, AGENT_PLAIN);
    if (places == NULL || !PyDict_Check(places)) {
        return NO;
    }
    PyObject *place = PyDict_GetItemWithError(places, case_name);
    if (place == NULL || !Py_IS_TYPE(place, &PlainSumsType)) {
        return PyErr_Occurred() ? FAILED : NO;
    }
    found->place = (PlainSums *)place;
    if (found->place->adder != self || get(found->place->calls, &self->spread, COARSE) != Py_False) {
        return NO;
    }
    int whole = is_counter(get(found->place->calls, &self->spread, VALUES)) &&
                is_counter(get(found->agent, &self->agent, AGENT_MISSED)) &&
                is_counter(get(found->agent, &self->agent, AGENT_SUPERFLUOUS)) &&
                is_counter(get(found->agent, &self->agent, CONFUSED)) &&
                get(found->place->latency, &self->spread, FRESH) != NULL;
    return whole ? YES : NO;
}

/* An amount in the parts that sums are kept in; NULL with an exception. */
static PyObject *in_units(const Adder *self, const Exact *amount) {
    PyObject *whole = PyLong_FromUnsignedLongLong(amount->whole), *parts = PyLong_FromUnsignedLongLong(amount->parts);
    PyObject *large = whole == NULL ? NULL : PyNumber_Multiply(whole, self->unit);
    PyObject *small = parts == NULL ? NULL : PyNumber_Multiply(parts, self->part);
    PyObject *units = large == NULL || small == NULL ? NULL : PyNumber_Add(large, small);
    Py_XDECREF(whole);
    Py_XDECREF(parts);
    Py_XDECREF(large);
    Py_XDECREF(small);
    return units;
}

/* Add what is given up to a field of the sums. */
static int add_to_sums(PlainSums *self, int field, PyObject *more) {
    PyObject **place = place_of(self->sums, &self->adder->sums, field);
    PyObject *before = Py_XNewRef(*place);
    PyObject *whole = more == NULL || before == NULL ? NULL : PyNumber_Add(before, more);
    Py_XDECREF(more);
    if (before == NULL && !PyErr_Occurred()) {
        PyErr_SetString(PyExc_AttributeError, "a sum is missing");
    }
    Py_XDECREF(before);
    if (whole == NULL) {
        return -1;
    }
    Py_XSETREF(*place, whole);
    return 0;
}

PyDoc_STRVAR(put_back_doc, "put_back()\n--\n\nBring the sums up to date.");

static PyObject *put_back(PyObject *object, PyObject *nothing) {
    PlainSums *self = (PlainSums *)object;
    (void)nothing;
    for (int at = 0; self->holds_something && at < AMOUNTS; at++) {
        Exact amount = self->amounts[at];
        self->amounts[at] = (Exact){0, 0};
        if ((amount.whole || amount.parts) && add_to_sums(self, at, in_units(self->adder, &amount)) < 0) {
            return NULL;
        }
    }
    for (int at = 0; self->holds_something && at < COUNTS; at++) {
        long long number = self->counts[at];
        self->counts[at] = 0;
        if (number && add_to_sums(self, AMOUNTS + at, PyLong_FromLongLong(number)) < 0) {
            return NULL;
        }
    }
    self->holds_something = 0;
    Py_RETURN_NONE;
}

/* Count something once more. */
static int count(PyObject *counter, PyObject *key) {
    PyObject *before = PyDict_GetItemWithError(counter, key);
    if (before == NULL && PyErr_Occurred()) {
        return -1;
    }
    long long number = before == NULL ? 0 : PyLong_AsLongLong(before);
    if (number == -1 && PyErr_Occurred()) {
        return -1;
    }
    PyObject *after = PyLong_FromLongLong(number + 1);
    int failed = after == NULL || PyDict_SetItem(counter, key, after) < 0;
    Py_XDECREF(after);
    return failed ? -1 : 0;
}

static void add_amount(Exact *sum, const Exact *more) {
    sum->parts += more->parts;
    sum->whole += more->whole + (sum->parts < more->parts);
}

static void add_numbers(const Addition *of) {
    long long *counts = of->place->counts;
    of->place->holds_something = 1;
    for (int at = 0; at < AMOUNTS; at++) {
        add_amount(&of->place->amounts[at], &of->amounts[at]);
    }
    counts[PLAIN]++;
    counts[of->passed ? PASSED : NOT_PASSED]++;
    counts[ACCURATE] += of->superfluous == 0 && of->missed == 0;
    counts[RIGHT] += of->right;
    counts[SUPERFLUOUS] += of->superfluous;
    counts[MISSED] += of->missed;
    counts[MADE] += of->made;
    counts[REPEATED] += of->repeated;
    if (of->unknown >= 0) {
        counts[CHECKED] += of->made;
        counts[UNKNOWN] += of->unknown;
    }
    if (of->broken >= 0) {
        counts[SCHEMA_CALLS] += of->made;
        counts[BROKEN] += of->broken;
    }
    counts[TIMED] += of->took != Py_None;
}

static int is_full(const PlainSums *place) {
    for (int at = 0; at < AMOUNTS; at++) {
        if (place->amounts[at].whole > FULL) {
            return 1;
        }
    }
    return 0;
}

/* Add a latency to its spread; where there are enough of them to be counted, that does it itself. */
static int spread_latency(const Adder *self, const Addition *of) {
    if (of->took == Py_None) {
        return 0;
    }
    PyObject *spread = of->place->latency, *fresh = get(spread, &self->spread, FRESH);
    Py_ssize_t size = PyObject_Size(fresh);
    if (size < 0) {
        return -1;
    }
    PyObject *answer = size + 1 < self->at_once ? PyObject_CallMethodOneArg(fresh, text_append, of->took)
                                                : PyObject_CallMethodOneArg(spread, text_add, of->took);
    Py_XDECREF(answer);
    return answer == NULL ? -1 : 0;
}

static int count_calls(const Adder *self, const Addition *of) {
    PyObject *number = PyLong_FromLong(of->made);
    int failed = number == NULL || count(get(of->place->calls, &self->spread, VALUES), number) < 0;
    Py_XDECREF(number);
    return failed ? -1 : 0;
}

/* Count what was missed together with what was called instead. */
static int count_confusion(PyObject *confused, PyObject *missed, PyObject *called) {
    PyObject *pair = PyTuple_Pack(2, missed, called);
    int failed = pair == NULL || count(confused, pair) < 0;
    Py_XDECREF(pair);
    return failed ? -1 : 0;
}

/* Count what was missed and what nobody asked for, by tool; the first of one is paired with the first of the other. */
static int count_issues(const Adder *self, const Addition *of) {
    PyObject *missed[MOST_ISSUES], *called[MOST_ISSUES];
    int missed_count = 0, called_count = 0;
    for (Py_ssize_t at = 0; at < PyTuple_GET_SIZE(of->issues); at++) {
        PyObject *issue = PyTuple_GET_ITEM(of->issues, at);
        PyObject *kind = get(issue, &issue_shape, ISSUE_KIND), *tool = get(issue, &issue_shape, ISSUE_TOOL);
        if (tool == Py_None) {
            continue;
        }
        int counter = AGENT_SUPERFLUOUS;
        if (is_text(kind, text_missing_call)) {
            counter = AGENT_MISSED;
            missed[missed_count++] = tool;
        } else if (is_text(kind, text_unexpected_call)) {
            called[called_count++] = tool;
        } else if (!is_text(kind, text_duplicate_call)) {
            continue;
        }
        if (count(get(of->agent, &self->agent, counter), tool) < 0) {
            return -1;
        }
    }
    PyObject *confused = get(of->agent, &self->agent, CONFUSED);
    for (int at = 0; at < missed_count && at < called_count; at++) {
        if (count_confusion(confused, missed[at], called[at]) < 0) {
            return -1;
        }
    }
    return 0;
}

static Outcome add_one(const Adder *self, PyObject *agents, PyObject *trajectory, PyObject *score) {
    Addition found;
    if (!has_shape(trajectory, &trajectory_shape) || !has_shape(score, &score_shape)) {
        return LEFT;
    }
    if (!read_trajectory(trajectory, &found) || !read_score(score, &found)) {
        return LEFT;
    }
    Outcome place = find_place(self, agents, score, &found);
    if (place != YES) {
        return place == NO ? LEFT : FAILED;
    }
    /* Python code that is asked on the way may do anything, but not take these away. */
    PyObject *held[] = {found.agent, (PyObject *)found.place, found.issues};
    for (int at = 0; at < 3; at++) {
        Py_INCREF(held[at]);
    }
    add_numbers(&found);
    if (is_full(found.place)) {
        Py_XDECREF(put_back((PyObject *)found.place, NULL));
    }
    int failed = PyErr_Occurred() || count_calls(self, &found) < 0 || count_issues(self, &found) < 0 ||
                 spread_latency(self, &found) < 0;
    for (int at = 0; at < 3; at++) {
        Py_DECREF(held[at]);
    }
    return failed ? FAILED : YES;
}

PyDoc_STRVAR(add_doc, "add(agents, trajectories, scores, start)\n--\n\nAdd scores from a position on, up to the first "
             "that is left to others; returns the position of that.");

static PyObject *adder_add(PyObject *object, PyObject *args) {
    PyObject *agents, *trajectories, *scores;
    Py_ssize_t at;
    if (!PyArg_ParseTuple(
            args, "O!O!O!n", &PyDict_Type, &agents, &PyList_Type, &trajectories, &PyList_Type, &scores, &at
        )) {
        return NULL;
    }
    if (at < 0) {
        PyErr_SetString(PyExc_IndexError, "there is nothing before the first");
        return NULL;
    }
    for (; at < PyList_GET_SIZE(trajectories) && at < PyList_GET_SIZE(scores); at++) {
        PyObject *trajectory = Py_NewRef(PyList_GET_ITEM(trajectories, at));
        PyObject *score = Py_NewRef(PyList_GET_ITEM(scores, at));
        Outcome found = add_one((Adder *)object, agents, trajectory, score);
        Py_DECREF(trajectory);
        Py_DECREF(score);
        if (found == FAILED) {
            return NULL;
        }
        if (found != YES) {
            break;
        }
    }
    return PyLong_FromSsize_t(at);
}

PyDoc_STRVAR(place_doc, "place(sums, calls, latency)\n--\n\nWhere plain scores are added to sums and spreads.");

static PyObject *adder_place(PyObject *object, PyObject *args) {
    Adder *self = (Adder *)object;
    PyObject *sums, *calls, *latency;
    if (!PyArg_ParseTuple(
            args, "O!O!O!", self->sums.type, &sums, self->spread.type, &calls, self->spread.type, &latency
        )) {
        return NULL;
    }
    PlainSums *place = (PlainSums *)PlainSumsType.tp_alloc(&PlainSumsType, 0);
    if (place != NULL) {
        place->adder = (Adder *)Py_NewRef(object);
        place->sums = Py_NewRef(sums);
        place->calls = Py_NewRef(calls);
        place->latency = Py_NewRef(latency);
    }
    return (PyObject *)place;
}

static void plain_sums_dealloc(PyObject *object) {
    PlainSums *self = (PlainSums *)object;
    Py_XDECREF(self->adder);
    Py_XDECREF(self->sums);
    Py_XDECREF(self->calls);
    Py_XDECREF(self->latency);
    Py_TYPE(object)->tp_free(object);
}

static PyMethodDef plain_sums_methods[] = {
    {"put_back", put_back, METH_NOARGS, put_back_doc},
    {NULL, NULL, 0, NULL},
};

static PyTypeObject PlainSumsType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "toolgauge.compiled._compiled.PlainSums",
    .tp_doc = "Sums of a case as plain numbers.",
    .tp_basicsize = sizeof(PlainSums),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_dealloc = plain_sums_dealloc,
    .tp_methods = plain_sums_methods,
};

PyDoc_STRVAR(
    adder_doc, "Adder(sums, spread, agent, at_once, unit)\n--\n\nAdds to instances of these classes; so many fractions "
               "are kept in a spread before it has to count them, and into so many parts sums divide 1."
);

static PyObject *adder_new(PyTypeObject *type, PyObject *args, PyObject *keywords) {
    PyObject *sums, *spread, *agent, *unit;
    Py_ssize_t at_once;
    if (keywords != NULL && PyDict_GET_SIZE(keywords)) {
        PyErr_SetString(PyExc_TypeError, "Adder takes no keywords");
        return NULL;
    }
    if (!PyArg_ParseTuple(args, "OOOnO!", &sums, &spread, &agent, &at_once, &PyLong_Type, &unit)) {
        return NULL;
    }
    Adder *self = (Adder *)type->tp_alloc(type, 0);
    if (self == NULL) {
        return NULL;
    }
    self->at_once = at_once;
    self->unit = Py_NewRef(unit);
    PyObject *bits = PyLong_FromLong(64);
    self->part = bits == NULL ? NULL : PyNumber_Rshift(unit, bits);
    Py_XDECREF(bits);
    if (self->part == NULL || find_shape(&self->sums, sums, sums_fields) < 0 ||
        find_shape(&self->spread, spread, spread_fields) < 0 || find_shape(&self->agent, agent, agent_fields) < 0) {
        Py_DECREF(self);
        return NULL;
    }
    return (PyObject *)self;
}

static void adder_dealloc(PyObject *object) {
    Adder *self = (Adder *)object;
    Py_XDECREF(self->sums.type);
    Py_XDECREF(self->spread.type);
    Py_XDECREF(self->agent.type);
    Py_XDECREF(self->unit);
    Py_XDECREF(self->part);
    Py_TYPE(object)->tp_free(object);
}

static PyMethodDef adder_methods[] = {
    {"add", adder_add, METH_VARARGS, add_doc},
    {"place", adder_place, METH_VARARGS, place_doc},
    {NULL, NULL, 0, NULL},
};

static PyTypeObject AdderType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "toolgauge.compiled._compiled.Adder",
    .tp_doc = adder_doc,
    .tp_basicsize = sizeof(Adder),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = adder_new,
    .tp_dealloc = adder_dealloc,
    .tp_methods = adder_methods,
};

int add_adding(PyObject *module) {
    text_add = PyUnicode_InternFromString("add");
    text_append = PyUnicode_InternFromString("append");
    if (text_add == NULL || text_append == NULL || PyType_Ready(&AdderType) < 0 || PyType_Ready(&PlainSumsType) < 0 ||
        PyModule_AddObjectRef(module, "PlainSums", (PyObject *)&PlainSumsType) < 0) {
        return -1;
    }
    return PyModule_AddObjectRef(module, "Adder", (PyObject *)&AdderType);
}
