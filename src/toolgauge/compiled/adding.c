/* Adds up plain scores, as `metrics/contributions.py` says and with the same results.
 *
 * A score is plain that completed, with calls that all worked, of a case that says something about tools and states no
 * answer. Where a trajectory brings more to be added up, such as tokens or events, it is left to Python. What is added up
 * is kept here, until Python takes it over.
 *
 * Finding the place of a case may run code of others: names of cases are whatever somebody made them of. Everything that
 * is read after that is of a type that runs none, and is held nevertheless: where memory is collected, anything runs.
 */

#include "compiled.h"

/* Trajectories with more issues, or more calls, are left to Python. */
#define MOST_ISSUES 64
#define MOST_CALLS 1000

/* Larger amounts are left to Python as well, and so is what would be added to sums as large as this. */
#define MOST_AMOUNT 1099511627776.0
#define FULL (1ULL << 62)

enum { SCORE, PRECISION, RECALL, PARAMS, CONTENT, TOOK, AMOUNTS };
enum {
    PLAIN, PASSED, WITH_ISSUES, NOT_PASSED, ACCURATE, RIGHT, SUPERFLUOUS, MISSED, MADE, REPEATED, CHECKED, UNKNOWN, SCHEMA_CALLS,
    BROKEN, TIMED, COUNTS
};

/* An amount as it is: a whole number, and parts of 2 ** -64. */
typedef struct {
    unsigned long long whole, parts;
} Exact;

/* The sums of one case. */
typedef struct {
    Exact amounts[AMOUNTS];
    long long counts[COUNTS];
} Sums;

/* Latencies of the cases of one group. */
typedef struct {
    double *values;
    Py_ssize_t number, room;
} Latencies;

/* The sums that are handed over, by the names that Python has for them. */
static const struct {
    const char *name;
    int amount;
} amount_names[] = {
    {"score", SCORE}, {"call_precision", PRECISION}, {"call_recall", RECALL}, {"param_accuracy", PARAMS},
    {"content", CONTENT}, {"latency", TOOK},
};
static const struct {
    const char *name;
    int count;
} count_names[] = {
    {"planned", PLAIN}, {"completed", PLAIN}, {"measured", PLAIN}, {"says_tools", PLAIN}, {"with_calls", PLAIN},
    {"with_success", PLAIN}, {"passed", PASSED}, {"passed_with_issues", WITH_ISSUES}, {"failed", NOT_PASSED},
    {"accurate", ACCURATE},
    {"true_positive", RIGHT}, {"false_positive", SUPERFLUOUS}, {"false_negative", MISSED}, {"calls", MADE},
    {"redundant_calls", REPEATED}, {"checked_calls", CHECKED}, {"unknown_tools", UNKNOWN},
    {"schema_calls", SCHEMA_CALLS}, {"schema_errors", BROKEN}, {"timed", TIMED},
};

typedef struct {
    PyObject_HEAD
    PyObject *places;  /* by the id of a case its place */
    Py_ssize_t number; /* how many places there are */
    Py_ssize_t groups; /* and how many groups of cases */
    Py_ssize_t *group; /* the group of the case at each place */
    Sums *sums;
    PyObject **calls; /* by group how often so many calls were made; NULL: none so far */
    Latencies *latencies;
    PyObject *missed, *superfluous, *confused; /* calls by tool, and by two of them */
    PyObject *wrong_args;                      /* calls by tool whose arguments do not fit */
    Py_ssize_t held;                           /* how many latencies are kept */
    int unit_bits;                             /* Python counts amounts in parts of 2 ** -unit_bits */
    int busy;                                  /* whether something is being added or handed over */
} PlainTotals;

/* What is to be added of one score. */
typedef struct {
    Py_ssize_t place;
    PyObject *took, *issues; /* held once they are read */
    int passed;
    Exact amounts[AMOUNTS];
    long right, superfluous, missed, made, repeated;
    long unknown, broken; /* -1: there are no definitions of tools */
} Addition;

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
        PyObject *call = get(issue, &issue_shape, ISSUE_CALL);
        if (kind == NULL || tool == NULL || call == NULL || !PyUnicode_CheckExact(kind) ||
            !(tool == Py_None || PyUnicode_CheckExact(tool)) || !(call == Py_None || PyLong_CheckExact(call))) {
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

/* Find where a score is to be added; NO where Python has to add it. */
static Outcome find_place(const PlainTotals *self, PyObject *score, Addition *found) {
    PyObject *name = Py_XNewRef(get(score, &score_shape, SCORE_CASE));
    PyObject *place = name == NULL ? NULL : Py_XNewRef(PyDict_GetItemWithError(self->places, name));
    found->place = place == NULL ? -1 : PyLong_AsSsize_t(place);
    Py_XDECREF(name);
    Py_XDECREF(place);
    if (found->place < 0 || found->place >= self->number) {
        return PyErr_Occurred() ? FAILED : NO;
    }
    for (int at = 0; at < AMOUNTS; at++) {
        if (self->sums[found->place].amounts[at].whole > FULL) {
            return NO;
        }
    }
    return YES;
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

static void add_numbers(Sums *sums, const Addition *of) {
    long long *counts = sums->counts;
    for (int at = 0; at < AMOUNTS; at++) {
        add_amount(&sums->amounts[at], &of->amounts[at]);
    }
    counts[PLAIN]++;
    counts[of->passed ? PASSED : NOT_PASSED]++;
    counts[WITH_ISSUES] += of->passed && PyTuple_GET_SIZE(of->issues) > 0;
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

static int keep_latency(PlainTotals *self, const Addition *of) {
    if (of->took == Py_None) {
        return 0;
    }
    Latencies *kept = &self->latencies[self->group[of->place]];
    if (kept->number == kept->room) {
        Py_ssize_t room = kept->room ? 2 * kept->room : 16;
        double *values = PyMem_Realloc(kept->values, (size_t)room * sizeof *values);
        if (values == NULL) {
            PyErr_NoMemory();
            return -1;
        }
        kept->values = values;
        kept->room = room;
    }
    kept->values[kept->number++] = PyFloat_AS_DOUBLE(of->took);
    self->held++;
    return 0;
}

static int count_calls(PlainTotals *self, const Addition *of) {
    PyObject **counter = &self->calls[self->group[of->place]];
    if (*counter == NULL && (*counter = PyDict_New()) == NULL) {
        return -1;
    }
    PyObject *number = PyLong_FromLong(of->made);
    int failed = number == NULL || count(*counter, number) < 0;
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

static int is_argument_fault(PyObject *kind) {
    return is_text(kind, text_wrong_arg) || is_text(kind, text_missing_arg) || is_text(kind, text_forbidden_arg) ||
           is_text(kind, text_invalid_arg);
}

/* Whether the issue at a place is the last of its call that is about arguments: a call counts once. */
static int is_last_of_call(PyObject *issues, Py_ssize_t place) {
    PyObject *call = get(PyTuple_GET_ITEM(issues, place), &issue_shape, ISSUE_CALL);
    for (Py_ssize_t at = place + 1; at < PyTuple_GET_SIZE(issues); at++) {
        PyObject *issue = PyTuple_GET_ITEM(issues, at);
        if (is_argument_fault(get(issue, &issue_shape, ISSUE_KIND))) {
            int same = PyObject_RichCompareBool(get(issue, &issue_shape, ISSUE_CALL), call, Py_EQ);
            if (same) {
                return same < 0 ? -1 : 0;
            }
        }
    }
    return 1;
}

/* Count what was missed, had other arguments or was not asked for, by tool; what was missed first is paired with what
 * was not asked for first. */
static int count_issues(PlainTotals *self, const Addition *of) {
    PyObject *missed[MOST_ISSUES], *called[MOST_ISSUES];
    int missed_count = 0, called_count = 0;
    for (Py_ssize_t at = 0; at < PyTuple_GET_SIZE(of->issues); at++) {
        PyObject *issue = PyTuple_GET_ITEM(of->issues, at);
        PyObject *kind = get(issue, &issue_shape, ISSUE_KIND), *tool = get(issue, &issue_shape, ISSUE_TOOL);
        if (tool == Py_None) {
            continue;
        }
        PyObject *counter = self->superfluous;
        if (is_text(kind, text_missing_call)) {
            counter = self->missed;
            missed[missed_count++] = tool;
        } else if (is_text(kind, text_unexpected_call)) {
            called[called_count++] = tool;
        } else if (is_argument_fault(kind)) {
            int last = is_last_of_call(of->issues, at);
            if (last <= 0) {
                if (last < 0) {
                    return -1;
                }
                continue;
            }
            counter = self->wrong_args;
        } else if (!is_text(kind, text_duplicate_call)) {
            continue;
        }
        if (count(counter, tool) < 0) {
            return -1;
        }
    }
    for (int at = 0; at < missed_count && at < called_count; at++) {
        if (count_confusion(self->confused, missed[at], called[at]) < 0) {
            return -1;
        }
    }
    return 0;
}

static Outcome add_one(PlainTotals *self, PyObject *trajectory, PyObject *score) {
    Addition found;
    if (!has_shape(trajectory, &trajectory_shape) || !has_shape(score, &score_shape)) {
        return LEFT;
    }
    Outcome place = find_place(self, score, &found);
    if (place != YES) {
        return place == FAILED ? FAILED : LEFT;
    }
    if (!read_trajectory(trajectory, &found) || !read_score(score, &found)) {
        return LEFT;
    }
    Py_INCREF(found.took);
    Py_INCREF(found.issues);
    add_numbers(&self->sums[found.place], &found);
    int failed = keep_latency(self, &found) < 0 || count_calls(self, &found) < 0 || count_issues(self, &found) < 0;
    Py_DECREF(found.took);
    Py_DECREF(found.issues);
    return failed ? FAILED : YES;
}

/* Begin to use the totals; -1 with an exception where code that they have set off wants to do so as well. */
static int occupy(PlainTotals *self) {
    if (self->busy) {
        PyErr_SetString(PyExc_RuntimeError, "these totals are being added to, or handed over");
        return -1;
    }
    self->busy = 1;
    return 0;
}

PyDoc_STRVAR(
    add_doc, "add(trajectories, scores)\n--\n\nAdd those that are plain, and return the places of those that are not."
);

static PyObject *totals_add(PyObject *object, PyObject *args) {
    PyObject *trajectories, *scores;
    if (!PyArg_ParseTuple(args, "O!O!", &PyList_Type, &trajectories, &PyList_Type, &scores)) {
        return NULL;
    }
    PlainTotals *self = (PlainTotals *)object;
    if (occupy(self) < 0) {
        return NULL;
    }
    PyObject *left = PyList_New(0);
    for (Py_ssize_t at = 0; left != NULL && at < PyList_GET_SIZE(scores); at++) {
        Outcome found = LEFT;
        if (at < PyList_GET_SIZE(trajectories)) {
            PyObject *trajectory = Py_NewRef(PyList_GET_ITEM(trajectories, at));
            PyObject *score = Py_NewRef(PyList_GET_ITEM(scores, at));
            found = add_one(self, trajectory, score);
            Py_DECREF(trajectory);
            Py_DECREF(score);
        }
        if (found == FAILED || (found != YES && append(left, PyLong_FromSsize_t(at)) < 0)) {
            Py_CLEAR(left);
        }
    }
    self->busy = 0;
    return left;
}

/* An amount in the parts that Python counts; NULL with an exception. */
static PyObject *in_units(const PlainTotals *self, const Exact *amount) {
    PyObject *bits = PyLong_FromLong(64), *more = PyLong_FromLong(self->unit_bits - 64);
    PyObject *whole = PyLong_FromUnsignedLongLong(amount->whole), *parts = PyLong_FromUnsignedLongLong(amount->parts);
    PyObject *large = whole == NULL || bits == NULL ? NULL : PyNumber_Lshift(whole, bits);
    PyObject *sum = large == NULL || parts == NULL ? NULL : PyNumber_Add(large, parts);
    PyObject *units = sum == NULL || more == NULL ? NULL : PyNumber_Lshift(sum, more);
    Py_XDECREF(bits);
    Py_XDECREF(more);
    Py_XDECREF(whole);
    Py_XDECREF(parts);
    Py_XDECREF(large);
    Py_XDECREF(sum);
    return units;
}

/* Half of what was called or missed by mistake: the sum that F1 is divided by. */
static PyObject *half_of_mistakes(const PlainTotals *self, const Sums *sums) {
    unsigned long long mistakes = (unsigned long long)(sums->counts[SUPERFLUOUS] + sums->counts[MISSED]);
    Exact half = {mistakes / 2, mistakes % 2 ? 1ULL << 63 : 0};
    return in_units(self, &half);
}

enum { OF_AMOUNT, OF_COUNT, OF_MISTAKES };

/* Hand over one sum of every case that has trajectories. */
static int hand_over(const PlainTotals *self, PyObject *columns, const char *name, int kind, int field) {
    PyObject *column = PyList_New(0);
    for (Py_ssize_t at = 0; column != NULL && at < self->number; at++) {
        const Sums *sums = &self->sums[at];
        if (!sums->counts[PLAIN]) {
            continue;
        }
        PyObject *number = kind == OF_AMOUNT  ? in_units(self, &sums->amounts[field])
                           : kind == OF_COUNT ? PyLong_FromLongLong(sums->counts[field])
                                              : half_of_mistakes(self, sums);
        if (append(column, number) < 0) {
            Py_CLEAR(column);
        }
    }
    int failed = column == NULL || PyDict_SetItemString(columns, name, column) < 0;
    Py_XDECREF(column);
    return failed ? -1 : 0;
}

static PyObject *columns_of(const PlainTotals *self) {
    PyObject *columns = PyDict_New();
    int failed = columns == NULL;
    for (size_t at = 0; !failed && at < sizeof amount_names / sizeof *amount_names; at++) {
        failed = hand_over(self, columns, amount_names[at].name, OF_AMOUNT, amount_names[at].amount) < 0;
    }
    for (size_t at = 0; !failed && at < sizeof count_names / sizeof *count_names; at++) {
        failed = hand_over(self, columns, count_names[at].name, OF_COUNT, count_names[at].count) < 0;
    }
    if (failed || hand_over(self, columns, "half_of_mistakes", OF_MISTAKES, 0) < 0) {
        Py_CLEAR(columns);
    }
    return columns;
}

static PyObject *places_of(const PlainTotals *self) {
    PyObject *places = PyList_New(0);
    for (Py_ssize_t at = 0; places != NULL && at < self->number; at++) {
        if (self->sums[at].counts[PLAIN] && append(places, PyLong_FromSsize_t(at)) < 0) {
            Py_CLEAR(places);
        }
    }
    return places;
}

/* By group the numbers of calls that were made, and the latencies as bytes. */
static PyObject *values_of(const PlainTotals *self) {
    PyObject *values = PyList_New(0);
    for (Py_ssize_t at = 0; values != NULL && at < self->groups; at++) {
        if (self->calls[at] == NULL) {
            continue;
        }
        const Latencies *kept = &self->latencies[at];
        PyObject *item = Py_BuildValue(
            "nOy#", at, self->calls[at], kept->number ? (const char *)kept->values : "",
            kept->number * (Py_ssize_t)sizeof(double)
        );
        if (append(values, item) < 0) {
            Py_CLEAR(values);
        }
    }
    return values;
}

static void forget(PlainTotals *self) {
    if (self->sums != NULL) {
        memset(self->sums, 0, (size_t)self->number * sizeof *self->sums);
    }
    for (Py_ssize_t at = 0; at < self->groups; at++) {
        if (self->calls != NULL) {
            Py_CLEAR(self->calls[at]);
        }
        if (self->latencies != NULL) {
            PyMem_Free(self->latencies[at].values);
            self->latencies[at] = (Latencies){NULL, 0, 0};
        }
    }
    self->held = 0;
}

/* Begin to count tools anew; what was counted is given up. */
static int begin_tools(PlainTotals *self) {
    PyObject *missed = PyDict_New(), *superfluous = PyDict_New(), *confused = PyDict_New(), *wrong_args = PyDict_New();
    if (missed == NULL || superfluous == NULL || confused == NULL || wrong_args == NULL) {
        Py_XDECREF(wrong_args);
        Py_XDECREF(missed);
        Py_XDECREF(superfluous);
        Py_XDECREF(confused);
        return -1;
    }
    Py_XSETREF(self->missed, missed);
    Py_XSETREF(self->superfluous, superfluous);
    Py_XSETREF(self->confused, confused);
    Py_XSETREF(self->wrong_args, wrong_args);
    return 0;
}

PyDoc_STRVAR(
    take_doc,
    "take()\n--\n\nHand over everything and begin anew: the places of cases, by the name of each sum those of these "
    "cases,\nby group the numbers of calls and the latencies, and by tool what was missed, superfluous, confused, and had\n"
    "other arguments."
);

static PyObject *totals_take(PyObject *object, PyObject *nothing) {
    PlainTotals *self = (PlainTotals *)object;
    (void)nothing;
    if (occupy(self) < 0) {
        return NULL;
    }
    PyObject *places = places_of(self), *columns = columns_of(self), *values = values_of(self), *taken = NULL;
    if (places != NULL && columns != NULL && values != NULL) {
        taken = PyTuple_Pack(
            7, places, columns, values, self->missed, self->superfluous, self->confused, self->wrong_args
        );
    }
    Py_XDECREF(places);
    Py_XDECREF(columns);
    Py_XDECREF(values);
    if (taken != NULL && begin_tools(self) < 0) {
        Py_CLEAR(taken);
    }
    if (taken != NULL) {
        forget(self);
    }
    self->busy = 0;
    return taken;
}

static PyObject *totals_held(PyObject *object, void *nothing) {
    (void)nothing;
    return PyLong_FromSsize_t(((PlainTotals *)object)->held);
}

/* Take over the group of each case, from a tuple that nobody else has. */
static int find_groups(PlainTotals *self, PyObject *groups) {
    for (Py_ssize_t at = 0; at < self->number; at++) {
        Py_ssize_t group = PyLong_AsSsize_t(PyTuple_GET_ITEM(groups, at));
        if (group < 0) {
            if (!PyErr_Occurred()) {
                PyErr_SetString(PyExc_ValueError, "a group is counted from 0");
            }
            return -1;
        }
        if (group >= self->number) {
            PyErr_SetString(PyExc_ValueError, "there are more groups than cases");
            return -1;
        }
        self->group[at] = group;
        self->groups = group >= self->groups ? group + 1 : self->groups;
    }
    return 0;
}

PyDoc_STRVAR(
    totals_doc, "PlainTotals(places, groups, unit_bits)\n--\n\nWhat plain scores of one agent add up to: by the id of "
                "a case its place, by place the number of its group,\nand into 2 ** unit_bits parts amounts divide 1."
);

static PyObject *totals_new(PyTypeObject *type, PyObject *args, PyObject *keywords) {
    PyObject *places, *groups;
    int unit_bits;
    if (keywords != NULL && PyDict_GET_SIZE(keywords)) {
        PyErr_SetString(PyExc_TypeError, "PlainTotals takes no keywords");
        return NULL;
    }
    if (!PyArg_ParseTuple(args, "O!O!i", &PyDict_Type, &places, &PyList_Type, &groups, &unit_bits)) {
        return NULL;
    }
    if (unit_bits < 64) {
        PyErr_SetString(PyExc_ValueError, "amounts are divided more finely than that");
        return NULL;
    }
    groups = PyList_AsTuple(groups); /* as many as there are now: reading one may run code that changes the list */
    PlainTotals *self = groups == NULL ? NULL : (PlainTotals *)type->tp_alloc(type, 0);
    if (self == NULL) {
        Py_XDECREF(groups);
        return NULL;
    }
    size_t room = (size_t)PyTuple_GET_SIZE(groups) + 1;
    self->places = Py_NewRef(places);
    self->number = PyTuple_GET_SIZE(groups);
    self->unit_bits = unit_bits;
    self->group = PyMem_Calloc(room, sizeof *self->group);
    self->sums = PyMem_Calloc(room, sizeof *self->sums);
    if (self->group == NULL || self->sums == NULL) {
        PyErr_NoMemory();
        Py_CLEAR(self);
    } else if (find_groups(self, groups) < 0 || begin_tools(self) < 0) {
        Py_CLEAR(self);
    } else {
        self->calls = PyMem_Calloc((size_t)self->groups + 1, sizeof *self->calls);
        self->latencies = PyMem_Calloc((size_t)self->groups + 1, sizeof *self->latencies);
        if (self->calls == NULL || self->latencies == NULL) {
            PyErr_NoMemory();
            Py_CLEAR(self);
        }
    }
    Py_DECREF(groups);
    return (PyObject *)self;
}

static void totals_dealloc(PyObject *object) {
    PlainTotals *self = (PlainTotals *)object;
    forget(self);
    PyMem_Free(self->group);
    PyMem_Free(self->sums);
    PyMem_Free(self->calls);
    PyMem_Free(self->latencies);
    Py_XDECREF(self->places);
    Py_XDECREF(self->missed);
    Py_XDECREF(self->superfluous);
    Py_XDECREF(self->confused);
    Py_XDECREF(self->wrong_args);
    Py_TYPE(object)->tp_free(object);
}

static PyMethodDef totals_methods[] = {
    {"add", totals_add, METH_VARARGS, add_doc},
    {"take", totals_take, METH_NOARGS, take_doc},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef totals_properties[] = {
    {"held", totals_held, NULL, "How many latencies are kept.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyTypeObject PlainTotalsType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "toolgauge.compiled._compiled.PlainTotals",
    .tp_doc = totals_doc,
    .tp_basicsize = sizeof(PlainTotals),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = totals_new,
    .tp_dealloc = totals_dealloc,
    .tp_methods = totals_methods,
    .tp_getset = totals_properties,
};

int add_adding(PyObject *module) {
    if (PyType_Ready(&PlainTotalsType) < 0) {
        return -1;
    }
    return PyModule_AddObjectRef(module, "PlainTotals", (PyObject *)&PlainTotalsType);
}
