/* Which call fills which slot: the best pairing there is, as `scoring/alignment.py` finds it.
 *
 * What is out of the ordinary is left to Python: failed calls, arguments that were not recorded, values of other types,
 * many calls of one tool, pairings that are as good as another.
 */

#include "scoring.h"

#include <math.h>

/* So many slots and calls of one tool are paired by trying all pairings. */
#define MAX_TRIED 3
/* Argument scores as whole numbers, as in `alignment.py`. */
#define UNIT 1441440.0
/* A crossed pairing is better only by more than rounding. */
#define ROUNDING 1e-12

static PyObject *same, *identity;

static int is_number(PyObject *value) { return PyLong_CheckExact(value) || PyFloat_CheckExact(value); }

int is_scalar(PyObject *value) {
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
        PyObject *value = Py_XNewRef(PyDict_GetItemWithError(args, slot->rules[at].name));
        if (value == NULL) {
            if (PyErr_Occurred()) {
                return FAILED;
            }
            fit->missing |= 1u << at;
            continue;
        }
        int plain = is_scalar(value) || PyList_CheckExact(value) || PyDict_CheckExact(value);
        Outcome found = plain ? same_values(slot->rules[at].literal, value, &fit->exact) : LEFT;
        Py_DECREF(value);
        if (found == FAILED || found == LEFT) {
            return found;
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

/* Whether arguments have ASCII names, and values that are scalars and equal themselves. */
static int are_simple(PyObject *args) {
    Py_ssize_t position = 0;
    PyObject *name, *value;
    while (PyDict_Next(args, &position, &name, &value)) {
        if (!PyUnicode_CheckExact(name) || !PyUnicode_IS_ASCII(name) || !is_scalar(value)) {
            return 0;
        }
        if (PyFloat_CheckExact(value) && isnan(PyFloat_AS_DOUBLE(value))) {
            return 0;
        }
    }
    return 1;
}

/* Whether the stand-ins of two values are equal, as `core.identity` makes them. */
static Outcome compare_identities(PyObject *left, PyObject *right) {
    PyObject *first = PyObject_CallOneArg(identity, left);
    PyObject *second = first == NULL ? NULL : PyObject_CallOneArg(identity, right);
    int truth = second == NULL ? -1 : PyObject_RichCompareBool(first, second, Py_EQ);
    Py_XDECREF(first);
    Py_XDECREF(second);
    return truth < 0 ? FAILED : (truth ? YES : NO);
}

/* Whether the arguments of two calls are the same. */
static Outcome same_args(PyObject *left, PyObject *right) {
    if (!are_simple(left) || !are_simple(right)) {
        return compare_identities(left, right);
    }
    if (PyDict_GET_SIZE(left) != PyDict_GET_SIZE(right)) {
        return NO;
    }
    Py_ssize_t position = 0;
    PyObject *name, *value;
    while (PyDict_Next(left, &position, &name, &value)) {
        PyObject *other = Py_XNewRef(PyDict_GetItemWithError(right, name));
        if (other == NULL) {
            return PyErr_Occurred() ? FAILED : NO;
        }
        int exact = 1;
        Py_INCREF(value);
        Outcome found = same_values(value, other, &exact);
        Py_DECREF(value);
        Py_DECREF(other);
        if (found != YES) {
            return found;
        }
    }
    return YES;
}

Outcome look_over(PyObject *calls, Look *look) {
    look->made = look->called = look->repeats = 0;
    if (!PyTuple_CheckExact(calls) || PyTuple_GET_SIZE(calls) > MAX_PLAIN) {
        return LEFT;
    }
    look->calls = calls;
    for (int at = 0; at < (int)PyTuple_GET_SIZE(calls); at++) {
        PyObject *call = PyTuple_GET_ITEM(calls, at);
        if (!has_shape(call, &call_shape) || get(call, &call_shape, ERROR) != Py_None) {
            return LEFT;
        }
        PyObject *tool = get(call, &call_shape, TOOL), *args = get(call, &call_shape, ARGS);
        if (tool == NULL || args == NULL || !PyUnicode_CheckExact(tool) || !PyDict_CheckExact(args)) {
            return LEFT;
        }
        look->tool[at] = Py_NewRef(tool);
        look->args[at] = Py_NewRef(args);
        look->made++;
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

void let_go(Look *look) {
    for (int at = 0; at < look->made; at++) {
        Py_DECREF(look->tool[at]);
        Py_DECREF(look->args[at]);
    }
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
static Outcome try_all(long long worth[MAX_TRIED][MAX_TRIED], int rows, int columns, int *chosen) {
    long long best = -1;
    int ties = 0, trial[MAX_TRIED];
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
    if (slot_count > MAX_TRIED || call_count > MAX_TRIED) {
        return LEFT;
    }
    Fit fits[MAX_TRIED][MAX_TRIED];
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
    long long worth[MAX_TRIED][MAX_TRIED];
    int chosen[MAX_TRIED], turned = slot_count > call_count;
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
    int slots[MAX_PLAIN], calls[MAX_PLAIN], slot_count = 0, call_count = 0;
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
    Fit fits[MAX_PLAIN];
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

Outcome pair_all(const PlainCase *self, Look *look, Pairing *pairing, int *right) {
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

int prepare_pairing(PyObject *core) {
    same = PyObject_GetAttrString(core, "same");
    identity = PyObject_GetAttrString(core, "identity");
    return same == NULL || identity == NULL ? -1 : 0;
}
