/* Scores plain trajectories of plain cases, as `scoring/plain.py` does and with the same results.
 *
 * A case is known here by its slots, all of whose rules are texts, numbers, booleans or null. What is out of the
 * ordinary is left to Python: failed calls, arguments that were not recorded, values of other types, many calls of one
 * tool, pairings that are as good as another.
 */

#include "compiled.h"

#include <math.h>

/* Cases with more slots, slots with more rules and trajectories with more calls are left to Python. */
#define MOST 16
/* So many slots and calls of one tool are paired by trying all pairings. */
#define FEW 3
/* Argument scores as whole numbers, as in `alignment.py`. */
#define UNIT 1441440.0
/* A crossed pairing is better only by more than rounding. */
#define ROUNDING 1e-12

typedef struct {
    PyObject *name;
    PyObject *literal;
} Rule;

typedef struct {
    PyObject *tool;
    PyObject *expected; /* the index of the expected call in its plan */
    PyObject *missing;  /* the issue where no call fills the slot */
    int known;          /* whether arguments that equal the literals keep to the schema of the tool */
    int first;          /* the first slot of the same tool */
    int last;           /* the last one */
    int rule_count;
    Rule *rules;
} Slot;

typedef struct {
    PyObject_HEAD
    double weights[4]; /* of content, precision, recall and arguments */
    double least;      /* the score from which on a case is passed */
    PyObject *accepts; /* says whether a call keeps to the definitions of the tools; NULL: there are none */
    PyObject *judge;   /* adds the issues of calls that do not */
    int tool_count;
    int slot_count;
    Slot slots[MOST];
} PlainCase;

/* One trajectory as it is looked at. Nothing is owned: the trajectory holds it all. */
typedef struct {
    PyObject *calls;
    int made;
    int called; /* how many different tools */
    PyObject *tool[MOST];
    PyObject *args[MOST];
    int first[MOST];      /* the first call of the same tool */
    int repeated[MOST];   /* the earlier call that a call repeats, or -1 */
    int repeats;          /* how many calls repeat another */
    int answers[MOST];    /* by call: whether it fills a slot */
} Look;

/* How well the arguments of a call fit a slot. */
typedef struct {
    double params;
    unsigned wrong;   /* rules whose argument has another value, as bits */
    unsigned missing; /* rules whose argument is missing */
    int exact;        /* whether the arguments equal the literals */
} Fit;

/* Which call fills which slot. */
typedef struct {
    int call[MOST]; /* by slot: the call, or -1 */
    Fit fit[MOST];
    int tied;       /* whether another pairing would be as good, of which this one has the earliest calls */
} Pairing;

static PyObject *Pair, *same;
static PyObject *one, *zero, *nothing;

static int is_number(PyObject *value) { return PyLong_CheckExact(value) || PyFloat_CheckExact(value); }

static int is_scalar(PyObject *value) {
    return PyUnicode_CheckExact(value) || is_number(value) || PyBool_Check(value) || value == Py_None;
}

/* What `core.same` says, by asking it. */
static Outcome ask_same(PyObject *left, PyObject *right) {
    PyObject *answer = PyObject_CallFunctionObjArgs(same, left, right, NULL);
    if (answer == NULL) {
        return FAILED;
    }
    int truth = PyObject_IsTrue(answer);
    Py_DECREF(answer);
    return truth < 0 ? FAILED : (truth ? YES : NO);
}

/* Whether two values are the `same`, of which the first is a text, number, boolean or null. */
static Outcome same_values(PyObject *left, PyObject *right, int *exact) {
    if (PyUnicode_CheckExact(left)) {
        if (!PyUnicode_CheckExact(right)) {
            return NO;
        }
        if (equal_texts(left, right)) {
            return YES;
        }
        if (PyUnicode_IS_ASCII(left) && PyUnicode_IS_ASCII(right)) {
            return NO;
        }
        *exact = 0; /* accents may be written in two ways */
        return ask_same(left, right);
    }
    if (PyFloat_CheckExact(left) && PyFloat_CheckExact(right)) {
        return PyFloat_AS_DOUBLE(left) == PyFloat_AS_DOUBLE(right) ? YES : NO;
    }
    if (is_number(left) && is_number(right)) {
        int truth = PyObject_RichCompareBool(left, right, Py_EQ);
        return truth < 0 ? FAILED : (truth ? YES : NO);
    }
    return left == right ? YES : NO;
}

/* How well arguments fit a slot. */
static Outcome measure(const Slot *slot, PyObject *args, Fit *fit) {
    double points = 0.0;
    fit->wrong = fit->missing = 0;
    fit->exact = PyDict_GET_SIZE(args) == slot->rule_count;
    for (int at = 0; at < slot->rule_count; at++) {
        PyObject *value = PyDict_GetItemWithError(args, slot->rules[at].name);
        if (value == NULL) {
            if (PyErr_Occurred()) {
                return FAILED;
            }
            fit->missing |= 1u << at;
            continue;
        }
        if (!is_scalar(value) && !PyList_CheckExact(value) && !PyDict_CheckExact(value)) {
            return LEFT;
        }
        Outcome found = same_values(slot->rules[at].literal, value, &fit->exact);
        if (found == FAILED) {
            return FAILED;
        }
        if (found == NO) {
            fit->wrong |= 1u << at;
        }
        points += found == YES ? 1.0 : 0.5;
    }
    if (fit->wrong || fit->missing) {
        fit->exact = 0;
    }
    fit->params = slot->rule_count ? points / slot->rule_count : 1.0;
    return YES;
}

/* Whether the arguments of two calls are the same. */
static Outcome same_args(PyObject *left, PyObject *right) {
    if (PyDict_GET_SIZE(left) != PyDict_GET_SIZE(right)) {
        return NO;
    }
    Py_ssize_t position = 0;
    PyObject *name, *value;
    while (PyDict_Next(left, &position, &name, &value)) {
        if (!PyUnicode_CheckExact(name) || !PyUnicode_IS_ASCII(name)) {
            return ask_same(left, right);
        }
        PyObject *other = PyDict_GetItemWithError(right, name);
        if (other == NULL) {
            /* Another name may be the same in normal form, unless all are plain ASCII. */
            return PyErr_Occurred() ? FAILED : ask_same(left, right);
        }
        int exact = 1;
        Outcome found = is_scalar(value) && is_scalar(other) ? same_values(value, other, &exact) : ask_same(value, other);
        if (found != YES) {
            return found;
        }
    }
    return YES;
}

/* Look over the calls of a trajectory: which tools, and what is repeated. */
static Outcome look_over(PyObject *trajectory, Look *look) {
    PyObject *calls = get(trajectory, &trajectory_shape, CALLS);
    if (calls == NULL || !PyTuple_CheckExact(calls) || PyTuple_GET_SIZE(calls) > MOST) {
        return LEFT;
    }
    look->calls = calls;
    look->made = (int)PyTuple_GET_SIZE(calls);
    look->called = look->repeats = 0;
    for (int at = 0; at < look->made; at++) {
        PyObject *call = PyTuple_GET_ITEM(calls, at);
        if (!has_shape(call, &call_shape) || get(call, &call_shape, ERROR) != Py_None) {
            return LEFT;
        }
        PyObject *tool = get(call, &call_shape, TOOL), *args = get(call, &call_shape, ARGS);
        if (tool == NULL || args == NULL || !PyUnicode_CheckExact(tool) || !PyDict_CheckExact(args)) {
            return LEFT;
        }
        look->tool[at] = tool;
        look->args[at] = args;
        look->answers[at] = 0;
        look->repeated[at] = -1;
        int first = 0;
        while (first < at && !(look->first[first] == first && equal_texts(look->tool[first], tool))) {
            first++;
        }
        look->first[at] = first;
        look->called += first == at;
        for (int before = first; before < at && look->repeated[at] < 0; before++) {
            if (look->first[before] != first || look->repeated[before] >= 0) {
                continue;
            }
            Outcome found = same_args(look->args[before], args);
            if (found == FAILED) {
                return FAILED;
            }
            if (found == YES) {
                look->repeated[at] = before;
                look->repeats++;
            }
        }
    }
    return YES;
}

static void put(Pairing *pairing, int slot, int call, const Fit *fit) {
    pairing->call[slot] = call;
    pairing->fit[slot] = *fit;
}

/* Of fits the best, of equal ones the first; and whether there are equal ones. */
static int best_of(const Fit *fits, int count, int *tied) {
    int best = 0, equal = 0;
    for (int at = 1; at < count; at++) {
        if (fits[at].params > fits[best].params) {
            best = at;
            equal = 0;
        } else if (fits[at].params == fits[best].params) {
            equal = 1;
        }
    }
    *tied |= equal;
    return best;
}

/* A handful of rows and columns, no more rows than columns: the column of each row in the best pairing. */
static Outcome try_all(long long worth[FEW][FEW], int rows, int columns, int *chosen) {
    long long best = -1;
    int ties = 0, trial[FEW];
    int trials = 1;
    for (int row = 0; row < rows; row++) {
        trials *= columns;
    }
    for (int number = 0; number < trials; number++) {
        int rest = number, used = 0, valid = 1;
        long long total = 0;
        for (int row = rows - 1; row >= 0; row--) {
            trial[row] = rest % columns;
            rest /= columns;
            valid &= !(used & 1 << trial[row]);
            used |= 1 << trial[row];
            total += worth[row][trial[row]];
        }
        if (!valid || total < best) {
            continue;
        }
        if (total == best) {
            ties++;
            continue;
        }
        best = total;
        ties = 0;
        memcpy(chosen, trial, sizeof trial);
    }
    return ties ? LEFT : YES;
}

/* Pair several slots with several calls of one tool. */
static Outcome pair_several(
    const PlainCase *self, const Look *look, const int *slots, int slot_count, const int *calls, int call_count,
    Pairing *pairing
) {
    if (slot_count > FEW || call_count > FEW) {
        return LEFT;
    }
    Fit fits[FEW][FEW];
    for (int row = 0; row < slot_count; row++) {
        for (int column = 0; column < call_count; column++) {
            Outcome found = measure(&self->slots[slots[row]], look->args[calls[column]], &fits[row][column]);
            if (found != YES) {
                return found;
            }
        }
    }
    if (slot_count == 2 && call_count == 2) {
        double straight = fits[0][0].params + fits[1][1].params, crossed = fits[0][1].params + fits[1][0].params;
        int turn = crossed > straight + ROUNDING;
        put(pairing, slots[0], calls[turn], &fits[0][turn]);
        put(pairing, slots[1], calls[!turn], &fits[1][!turn]);
        return YES;
    }
    long long worth[FEW][FEW];
    int chosen[FEW], turned = slot_count > call_count;
    for (int row = 0; row < slot_count; row++) {
        for (int column = 0; column < call_count; column++) {
            long long value = (long long)nearbyint(fits[row][column].params * UNIT);
            worth[turned ? column : row][turned ? row : column] = value;
        }
    }
    Outcome found = try_all(worth, turned ? call_count : slot_count, turned ? slot_count : call_count, chosen);
    for (int at = 0; found == YES && at < (turned ? call_count : slot_count); at++) {
        int row = turned ? chosen[at] : at, column = turned ? at : chosen[at];
        put(pairing, slots[row], calls[column], &fits[row][column]);
    }
    return found;
}

/* Pair the slots of one tool with its calls. */
static Outcome pair_tool(const PlainCase *self, const Look *look, int first_slot, Pairing *pairing) {
    int slots[MOST], calls[MOST], slot_count = 0, call_count = 0;
    const Slot *slot = &self->slots[first_slot];
    for (int at = 0; at < look->made; at++) {
        if (equal_texts(look->tool[look->first[at]], slot->tool)) {
            calls[call_count++] = at;
        }
    }
    for (int at = first_slot; at <= slot->last; at++) {
        if (self->slots[at].first == first_slot) {
            slots[slot_count++] = at;
        }
    }
    if (call_count == 0) {
        return NO;
    }
    if (slot_count > 1 && call_count > 1) {
        return pair_several(self, look, slots, slot_count, calls, call_count, pairing);
    }
    Fit fits[MOST];
    int several = slot_count > 1, count = several ? slot_count : call_count;
    for (int at = 0; at < count; at++) {
        Outcome found = measure(&self->slots[slots[several ? at : 0]], look->args[calls[several ? 0 : at]], &fits[at]);
        if (found != YES) {
            return found;
        }
    }
    int best = best_of(fits, count, &pairing->tied);
    put(pairing, slots[several ? best : 0], calls[several ? 0 : best], &fits[best]);
    return YES;
}

static int in_order(const PlainCase *self, const Pairing *pairing) {
    int latest = -1;
    for (int slot = 0; slot < self->slot_count; slot++) {
        if (pairing->call[slot] < 0) {
            continue;
        }
        if (pairing->call[slot] < latest) {
            return 0;
        }
        latest = pairing->call[slot];
    }
    return 1;
}

/* Pair all slots; how many of the expected tools were called is put into `right`. */
static Outcome pair_all(const PlainCase *self, Look *look, Pairing *pairing, int *right) {
    pairing->tied = 0;
    *right = 0;
    for (int slot = 0; slot < self->slot_count; slot++) {
        pairing->call[slot] = -1;
    }
    for (int slot = 0; slot < self->slot_count; slot++) {
        if (self->slots[slot].first != slot) {
            continue;
        }
        Outcome found = pair_tool(self, look, slot, pairing);
        if (found == LEFT || found == FAILED) {
            return found;
        }
        *right += found == YES;
    }
    if (pairing->tied && !in_order(self, pairing)) {
        return LEFT;
    }
    for (int slot = 0; slot < self->slot_count; slot++) {
        if (pairing->call[slot] >= 0) {
            look->answers[pairing->call[slot]] = 1;
        }
    }
    return YES;
}

/* A struct of these fields, some of which are new and given up. */
static PyObject *make(PyObject *type, PyObject **fields, size_t count, PyObject **fresh, size_t fresh_count) {
    PyObject *made = NULL;
    int whole = 1;
    for (size_t at = 0; at < fresh_count; at++) {
        whole &= fresh[at] != NULL;
    }
    if (whole) {
        made = PyObject_Vectorcall(type, fields, count, NULL);
    }
    for (size_t at = 0; at < fresh_count; at++) {
        Py_XDECREF(fresh[at]);
    }
    return made;
}

static int add_argument_issues(const Slot *slot, const Look *look, int at, const Fit *fit, PyObject *issues) {
    for (int number = 0; number < slot->rule_count; number++) {
        unsigned bit = 1u << number;
        if (!((fit->wrong | fit->missing) & bit)) {
            continue;
        }
        const Rule *rule = &slot->rules[number];
        PyObject *index = PyLong_FromLong(at);
        PyObject *fields[] = {text_missing_arg, slot->tool, rule->name, index, slot->expected, rule->literal, NULL};
        size_t count = 6;
        if (fit->wrong & bit) {
            fields[0] = text_wrong_arg;
            fields[6] = PyDict_GetItemWithError(look->args[at], rule->name);
            count = 7;
        }
        if (append(issues, make((PyObject *)issue_shape.type, fields, count, &index, 1)) < 0) {
            return -1;
        }
    }
    return 0;
}

static int add_extra_issues(const Look *look, PyObject *issues) {
    for (int at = 0; at < look->made; at++) {
        if (look->answers[at]) {
            continue;
        }
        PyObject *fresh[] = {PyLong_FromLong(at), NULL};
        PyObject *fields[] = {text_unexpected_call, look->tool[at], Py_None, fresh[0], Py_None, Py_None, NULL};
        size_t count = 4, fresh_count = 1;
        if (look->repeated[at] >= 0) {
            fields[0] = text_duplicate_call;
            fields[6] = fresh[1] = PyLong_FromLong(look->repeated[at]);
            count = 7;
            fresh_count = 2;
        }
        if (append(issues, make((PyObject *)issue_shape.type, fields, count, fresh, fresh_count)) < 0) {
            return -1;
        }
    }
    return 0;
}

/* The issues of the calls, in the order of `plain.py`: arguments, missing calls, calls that nobody asked for. */
static int add_issues(const PlainCase *self, const Look *look, const Pairing *pairing, PyObject *issues) {
    for (int slot = 0; slot < self->slot_count; slot++) {
        int call = pairing->call[slot];
        if (call >= 0 && add_argument_issues(&self->slots[slot], look, call, &pairing->fit[slot], issues) < 0) {
            return -1;
        }
    }
    for (int slot = 0; slot < self->slot_count; slot++) {
        if (pairing->call[slot] < 0 && PyList_Append(issues, self->slots[slot].missing) < 0) {
            return -1;
        }
    }
    return add_extra_issues(look, issues);
}

static PyObject *make_pairs(const PlainCase *self, const Pairing *pairing, int count) {
    PyObject *pairs = PyTuple_New(count);
    int at = 0;
    for (int slot = 0; pairs != NULL && slot < self->slot_count; slot++) {
        if (pairing->call[slot] < 0) {
            continue;
        }
        double params = pairing->fit[slot].params;
        PyObject *fresh[] = {
            PyLong_FromLong(pairing->call[slot]), params == 1.0 ? Py_NewRef(one) : PyFloat_FromDouble(params)
        };
        PyObject *fields[] = {self->slots[slot].expected, fresh[0], fresh[1]};
        PyObject *pair = make(Pair, fields, 3, fresh, 2);
        if (pair == NULL) {
            Py_CLEAR(pairs);
        } else {
            PyTuple_SET_ITEM(pairs, at++, pair);
        }
    }
    return pairs;
}

static Outcome accepted(const PlainCase *self, const Look *look, int at) {
    PyObject *answer = PyObject_CallOneArg(self->accepts, PyTuple_GET_ITEM(look->calls, at));
    if (answer == NULL) {
        return FAILED;
    }
    int truth = PyObject_IsTrue(answer);
    Py_DECREF(answer);
    return truth < 0 ? FAILED : (truth ? YES : NO);
}

/* Whether all calls keep to the definitions of the tools; those that are known to are not looked at. */
static Outcome keeps(const PlainCase *self, const Look *look, const Pairing *pairing) {
    int known[MOST] = {0};
    for (int slot = 0; slot < self->slot_count; slot++) {
        if (pairing->call[slot] >= 0) {
            known[pairing->call[slot]] = pairing->fit[slot].exact && self->slots[slot].known;
        }
    }
    for (int at = 0; at < look->made; at++) {
        Outcome found = known[at] ? YES : accepted(self, look, at);
        if (found != YES) {
            return found;
        }
    }
    return YES;
}

/* How many calls name no tool and how many break a schema, with the issues of that; both None without definitions. */
static int judge_by_definitions(
    const PlainCase *self, const Look *look, const Pairing *pairing, PyObject *issues, PyObject **unknown, PyObject **broken
) {
    *unknown = Py_NewRef(self->accepts == NULL ? Py_None : zero);
    *broken = Py_NewRef(*unknown);
    Outcome found = self->accepts == NULL ? YES : keeps(self, look, pairing);
    if (found != NO) {
        return found == FAILED ? -1 : 0;
    }
    PyObject *counts = PyObject_CallFunctionObjArgs(self->judge, look->calls, issues, NULL);
    if (counts == NULL) {
        return -1;
    }
    PyObject *first, *second;
    int failed = !PyArg_ParseTuple(counts, "OO", &first, &second);
    if (!failed) {
        Py_SETREF(*unknown, Py_NewRef(first));
        Py_SETREF(*broken, Py_NewRef(second));
    }
    Py_DECREF(counts);
    return failed ? -1 : 0;
}

/* The sum of weighted parts; each product is rounded by itself, as it is in Python. */
static double weigh(const double *weights, double precision, double recall, double params) {
    volatile double for_precision = weights[1] * precision;
    volatile double for_recall = weights[2] * recall;
    volatile double for_params = weights[3] * params;
    volatile double total = weights[0] + for_precision;
    total = total + for_recall;
    return total + for_params;
}

static PyObject *make_score(
    const PlainCase *self, PyObject *trajectory, const Look *look, const Pairing *pairing, int right, PyObject *issues
) {
    int answered = 0;
    double fits = 0.0;
    for (int slot = 0; slot < self->slot_count; slot++) {
        if (pairing->call[slot] >= 0) {
            answered++;
            fits += pairing->fit[slot].params;
        }
    }
    double precision = look->made ? (double)answered / look->made : 1.0;
    double recall = (double)answered / self->slot_count, params = fits / self->slot_count;
    double total = weigh(self->weights, precision, recall, params);
    int passed = answered == self->slot_count && total >= self->least;

    PyObject *unknown = NULL, *broken = NULL;
    if (judge_by_definitions(self, look, pairing, issues, &unknown, &broken) < 0) {
        Py_XDECREF(unknown);
        Py_XDECREF(broken);
        return NULL;
    }
    PyObject *counted[] = {
        PyLong_FromLong(right), PyLong_FromLong(look->called - right), PyLong_FromLong(self->tool_count - right),
        PyLong_FromLong(look->made), Py_NewRef(zero), PyLong_FromLong(look->repeats), unknown, broken,
    };
    PyObject *fresh[] = {
        PyFloat_FromDouble(total), PyFloat_FromDouble(precision), PyFloat_FromDouble(recall),
        PyFloat_FromDouble(params), make((PyObject *)counts_shape.type, counted, 8, counted, 8), make_pairs(self, pairing, answered),
        PyList_GET_SIZE(issues) ? PyList_AsTuple(issues) : Py_NewRef(nothing),
    };
    PyObject *fields[] = {
        get(trajectory, &trajectory_shape, CASE), get(trajectory, &trajectory_shape, AGENT),
        get(trajectory, &trajectory_shape, TRIAL), text_completed,
        passed ? Py_True : Py_False, fresh[0], fresh[1], fresh[2], fresh[3], one, Py_None, zero, Py_True,
        fresh[4], fresh[5], fresh[6],
    };
    return make((PyObject *)score_shape.type, fields, 16, fresh, 7);
}

/* Score a trajectory that completed. NULL without an exception where it is left to Python. */
static PyObject *score_plain(const PlainCase *self, PyObject *trajectory) {
    Look look;
    Pairing pairing;
    int right;
    Outcome found = look_over(trajectory, &look);
    if (found == YES) {
        found = pair_all(self, &look, &pairing, &right);
    }
    if (found != YES) {
        return NULL;
    }
    PyObject *issues = PyList_New(0);
    if (issues == NULL || add_issues(self, &look, &pairing, issues) < 0) {
        Py_XDECREF(issues);
        return NULL;
    }
    PyObject *score = make_score(self, trajectory, &look, &pairing, right, issues);
    Py_DECREF(issues);
    return score;
}

static PyTypeObject PlainCaseType;

/* Score a trajectory of one of the cases. NULL without an exception where it is left to Python. */
static PyObject *score_one(PyObject *cases, PyObject *trajectory) {
    if (!has_shape(trajectory, &trajectory_shape)) {
        return NULL;
    }
    PyObject *name = get(trajectory, &trajectory_shape, CASE);
    if (name == NULL || !is_text(get(trajectory, &trajectory_shape, STATE), text_completed)) {
        return NULL;
    }
    PyObject *ready = PyDict_GetItemWithError(cases, name);
    if (ready == NULL || !Py_IS_TYPE(ready, &PlainCaseType)) {
        return NULL;
    }
    return score_plain((PlainCase *)ready, trajectory);
}

PyDoc_STRVAR(score_plain_all_doc, "score_plain(cases, trajectories)\n--\n\nThe scores of trajectories, by the cases made ready; "
             "and the positions of those that are left to others, which have None for a score.");

static PyObject *score_plain_all(PyObject *module, PyObject *args) {
    PyObject *cases, *trajectories;
    if (!PyArg_ParseTuple(args, "O!O!", &PyDict_Type, &cases, &PyList_Type, &trajectories)) {
        return NULL;
    }
    (void)module;
    PyObject *scores = PyList_New(0), *left = PyList_New(0), *answer = NULL;
    if (scores == NULL || left == NULL) {
        goto done;
    }
    for (Py_ssize_t at = 0; at < PyList_GET_SIZE(trajectories); at++) {
        PyObject *trajectory = Py_NewRef(PyList_GET_ITEM(trajectories, at));
        PyObject *score = score_one(cases, trajectory);
        Py_DECREF(trajectory);
        if (score == NULL) {
            if (PyErr_Occurred() || append(left, PyLong_FromSsize_t(at)) < 0) {
                goto done;
            }
            score = Py_NewRef(Py_None);
        }
        if (append(scores, score) < 0) {
            goto done;
        }
    }
    answer = PyTuple_Pack(2, scores, left);
done:
    Py_XDECREF(scores);
    Py_XDECREF(left);
    return answer;
}

static void clear_slot(Slot *slot) {
    for (int at = 0; at < slot->rule_count; at++) {
        Py_XDECREF(slot->rules[at].name);
        Py_XDECREF(slot->rules[at].literal);
    }
    PyMem_Free(slot->rules);
    Py_XDECREF(slot->tool);
    Py_XDECREF(slot->expected);
    Py_XDECREF(slot->missing);
}

static void plain_case_dealloc(PyObject *object) {
    PlainCase *self = (PlainCase *)object;
    for (int at = 0; at < self->slot_count; at++) {
        clear_slot(&self->slots[at]);
    }
    Py_XDECREF(self->accepts);
    Py_XDECREF(self->judge);
    Py_TYPE(object)->tp_free(object);
}

/* Take over a slot: (tool, expected, missing, known, ((name, literal), ...)). */
static int take_slot(PlainCase *self, PyObject *given) {
    int at = self->slot_count;
    Slot *slot = &self->slots[at];
    PyObject *tool, *expected, *missing, *rules;
    int known;
    if (!PyArg_ParseTuple(given, "UOOpO!", &tool, &expected, &missing, &known, &PyTuple_Type, &rules)) {
        return -1;
    }
    int count = (int)PyTuple_GET_SIZE(rules);
    if (PyTuple_GET_SIZE(rules) > MOST) {
        PyErr_SetString(PyExc_ValueError, "too many rules");
        return -1;
    }
    slot->rules = PyMem_Calloc(count ? (size_t)count : 1, sizeof(Rule));
    if (slot->rules == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    slot->tool = Py_NewRef(tool);
    slot->expected = Py_NewRef(expected);
    slot->missing = Py_NewRef(missing);
    slot->known = known;
    slot->rule_count = 0;
    self->slot_count++;
    slot->first = at;
    for (int before = 0; before < at; before++) {
        if (equal_texts(self->slots[before].tool, tool)) {
            slot->first = self->slots[before].first;
            break;
        }
    }
    self->slots[slot->first].last = at;
    self->tool_count += slot->first == at;
    for (int number = 0; number < count; number++) {
        PyObject *name, *literal;
        if (!PyArg_ParseTuple(PyTuple_GET_ITEM(rules, number), "UO", &name, &literal)) {
            return -1;
        }
        if (!is_scalar(literal)) {
            PyErr_SetString(PyExc_ValueError, "a rule is no literal");
            return -1;
        }
        slot->rules[number].name = Py_NewRef(name);
        slot->rules[number].literal = Py_NewRef(literal);
        slot->rule_count++;
    }
    return 0;
}

PyDoc_STRVAR(plain_case_doc, "PlainCase(slots, weights, least, accepts=None, judge=None)\n--\n\nA plain case made ready.");

static PyObject *plain_case_new(PyTypeObject *type, PyObject *args, PyObject *keywords) {
    PyObject *slots, *accepts = Py_None, *judge = Py_None;
    double weights[4], least;
    if (keywords != NULL && PyDict_GET_SIZE(keywords)) {
        PyErr_SetString(PyExc_TypeError, "PlainCase takes no keywords");
        return NULL;
    }
    if (!PyArg_ParseTuple(
            args, "O!(dddd)d|OO", &PyTuple_Type, &slots, &weights[0], &weights[1], &weights[2], &weights[3], &least,
            &accepts, &judge
        )) {
        return NULL;
    }
    if (PyTuple_GET_SIZE(slots) < 1 || PyTuple_GET_SIZE(slots) > MOST) {
        PyErr_SetString(PyExc_ValueError, "too many slots, or none");
        return NULL;
    }
    PlainCase *self = (PlainCase *)type->tp_alloc(type, 0);
    if (self == NULL) {
        return NULL;
    }
    memcpy(self->weights, weights, sizeof weights);
    self->least = least;
    self->accepts = accepts == Py_None ? NULL : Py_NewRef(accepts);
    self->judge = judge == Py_None ? NULL : Py_NewRef(judge);
    for (Py_ssize_t at = 0; at < PyTuple_GET_SIZE(slots); at++) {
        if (take_slot(self, PyTuple_GET_ITEM(slots, at)) < 0) {
            Py_DECREF(self);
            return NULL;
        }
    }
    return (PyObject *)self;
}

static PyTypeObject PlainCaseType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "toolgauge.compiled._compiled.PlainCase",
    .tp_doc = plain_case_doc,
    .tp_basicsize = sizeof(PlainCase),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = plain_case_new,
    .tp_dealloc = plain_case_dealloc,
};

static PyMethodDef methods[] = {
    {"score_plain", score_plain_all, METH_VARARGS, score_plain_all_doc},
    {NULL, NULL, 0, NULL},
};

int add_scoring(PyObject *module, PyObject *core) {
    one = PyFloat_FromDouble(1.0);
    zero = PyLong_FromLong(0);
    nothing = PyTuple_New(0);
    Pair = PyObject_GetAttrString(core, "Pair");
    same = PyObject_GetAttrString(core, "same");
    if (one == NULL || zero == NULL || nothing == NULL || Pair == NULL || same == NULL) {
        return -1;
    }
    if (PyType_Ready(&PlainCaseType) < 0 || PyModule_AddFunctions(module, methods) < 0) {
        return -1;
    }
    return PyModule_AddObjectRef(module, "PlainCase", (PyObject *)&PlainCaseType);
}
