/* Scores plain trajectories of plain cases, as `scoring/score.py` does and with the same results.
 *
 * A case is known here by its slots, all of whose rules are texts, numbers, booleans or null. What is out of the
 * ordinary is left to Python: failed calls, arguments that were not recorded, values of other types, many calls of one
 * tool, pairings that are as good as another.
 */

#include "scoring.h"

#include <stddef.h>

static PyObject *Pair;
static PyObject *one, *zero, *nothing;

/* Whether an object is a tuple; sets an exception where it is none. */
static int is_tuple(PyObject *object) {
    if (!PyTuple_Check(object)) {
        PyErr_SetString(PyExc_TypeError, "a tuple is needed");
        return 0;
    }
    return 1;
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

static int add_argument_issues(
    const PlainCase *self, const Slot *slot, const Look *look, int at, const Fit *fit, PyObject *issues
) {
    for (int number = 0; number < slot->rule_count; number++) {
        unsigned bit = 1u << number;
        if (!((fit->wrong | fit->missing) & bit)) {
            continue;
        }
        const Rule *rule = &slot->rules[number];
        PyObject *fresh[] = {PyLong_FromLong(at), NULL};
        size_t fresh_count = 1;
        PyObject *fields[] = {
            text_missing_arg, slot->tool, rule->name, fresh[0], slot->expected, rule->literal, Py_None,
            self->fails_missing_arg,
        };
        if (fit->wrong & bit) {
            fields[0] = text_wrong_arg;
            fields[6] = fresh[1] = Py_XNewRef(PyDict_GetItemWithError(look->args[at], rule->name));
            fields[7] = self->fails_wrong_arg;
            fresh_count = 2;
            if (fields[6] == NULL && !PyErr_Occurred()) {
                PyErr_SetString(PyExc_RuntimeError, "arguments changed while they were looked at");
            }
        }
        if (append(issues, make((PyObject *)issue_shape.type, fields, 8, fresh, fresh_count)) < 0) {
            return -1;
        }
    }
    return 0;
}

/* Whether a call that nobody asked for fails the case: True, False, or NULL with an exception. */
static PyObject *extra_fails(const PlainCase *self, PyObject *tool, int repeated) {
    PyObject *fails = repeated ? self->fails_duplicate : self->fails_unexpected;
    if (fails == Py_True || !(repeated ? self->changing_duplicate : self->changing_unexpected)) {
        return fails;
    }
    int changes = PySequence_Contains(self->changing, tool);
    return changes < 0 ? NULL : changes ? Py_True : Py_False;
}

static int add_extra_issues(const PlainCase *self, const Look *look, PyObject *issues) {
    for (int at = 0; at < look->made; at++) {
        if (look->answers[at]) {
            continue;
        }
        PyObject *fails = extra_fails(self, look->tool[at], look->repeated[at] >= 0);
        if (fails == NULL) {
            return -1;
        }
        PyObject *fresh[] = {PyLong_FromLong(at), NULL};
        PyObject *fields[] = {
            text_unexpected_call, look->tool[at], Py_None, fresh[0], Py_None, Py_None, Py_None, fails,
        };
        size_t fresh_count = 1;
        if (look->repeated[at] >= 0) {
            fields[0] = text_duplicate_call;
            fields[6] = fresh[1] = PyLong_FromLong(look->repeated[at]);
            fresh_count = 2;
        }
        if (append(issues, make((PyObject *)issue_shape.type, fields, 8, fresh, fresh_count)) < 0) {
            return -1;
        }
    }
    return 0;
}

/* The issues of the calls, in the order of `score.py`: arguments, missing calls, calls that nobody asked for. */
static int add_issues(const PlainCase *self, const Look *look, const Pairing *pairing, PyObject *issues) {
    for (int slot = 0; slot < self->slot_count; slot++) {
        int call = pairing->call[slot];
        if (call >= 0 && add_argument_issues(self, &self->slots[slot], look, call, &pairing->fit[slot], issues) < 0) {
            return -1;
        }
    }
    for (int slot = 0; slot < self->slot_count; slot++) {
        if (pairing->call[slot] < 0 && PyList_Append(issues, self->slots[slot].missing) < 0) {
            return -1;
        }
    }
    return add_extra_issues(self, look, issues);
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
    int known[MAX_PLAIN] = {0};
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
    const PlainCase *self, const Look *look, const Pairing *pairing, PyObject *issues, PyObject **unknown,
    PyObject **broken
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
    int failed = !is_tuple(counts) || !PyArg_ParseTuple(counts, "OO", &first, &second);
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

/* The pass rule: the score is high enough, and no issue fails the case. */
static int passes(const PlainCase *self, double total, PyObject *issues) {
    for (Py_ssize_t at = 0; at < PyList_GET_SIZE(issues); at++) {
        PyObject *issue = PyList_GET_ITEM(issues, at);
        if (!has_shape(issue, &issue_shape) || get(issue, &issue_shape, ISSUE_FAILING) != Py_False) {
            return 0;
        }
    }
    return total >= self->passing_score;
}

static PyObject *make_score(
    const PlainCase *self, PyObject **which, const Look *look, const Pairing *pairing, int right, PyObject *issues
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

    PyObject *unknown = NULL, *broken = NULL;
    if (judge_by_definitions(self, look, pairing, issues, &unknown, &broken) < 0) {
        Py_XDECREF(unknown);
        Py_XDECREF(broken);
        return NULL;
    }
    int passed = passes(self, total, issues);
    PyObject *counted[] = {
        PyLong_FromLong(right), PyLong_FromLong(look->called - right), PyLong_FromLong(self->tool_count - right),
        PyLong_FromLong(look->made), Py_NewRef(zero), PyLong_FromLong(look->repeats), unknown, broken,
    };
    PyObject *counts = make((PyObject *)counts_shape.type, counted, 8, counted, 8);
    if (counts == NULL) {
        return NULL;
    }
    PyObject *fresh[] = {
        PyFloat_FromDouble(total), PyFloat_FromDouble(precision), PyFloat_FromDouble(recall),
        PyFloat_FromDouble(params), counts, make_pairs(self, pairing, answered),
        PyList_GET_SIZE(issues) ? PyList_AsTuple(issues) : Py_NewRef(nothing),
    };
    PyObject *fields[] = {
        which[0], which[1], which[2], text_completed, passed ? Py_True : Py_False, fresh[0], fresh[1], fresh[2],
        fresh[3], one, Py_None, zero, Py_True, fresh[4], fresh[5], fresh[6],
    };
    return make((PyObject *)score_shape.type, fields, 16, fresh, 7);
}

/* Score calls; `which` are the case, the agent and the trial. NULL without an exception where it is left to Python. */
static PyObject *score_case(const PlainCase *self, PyObject **which, PyObject *calls) {
    Look look;
    Pairing pairing;
    int right;
    Outcome found = look_over(calls, &look);
    if (found == YES) {
        found = pair_all(self, &look, &pairing, &right);
    }
    PyObject *issues = found == YES ? PyList_New(0) : NULL, *score = NULL;
    if (issues != NULL && add_issues(self, &look, &pairing, issues) == 0) {
        score = make_score(self, which, &look, &pairing, right, issues);
    }
    Py_XDECREF(issues);
    let_go(&look);
    return score;
}

static PyTypeObject PlainCaseType;

/* Score a trajectory of one of the cases. NULL without an exception where it is left to Python. */
static PyObject *score_one(PyObject *cases, PyObject *trajectory) {
    if (!has_shape(trajectory, &trajectory_shape)) {
        return NULL;
    }
    PyObject *which[] = {
        get(trajectory, &trajectory_shape, CASE), get(trajectory, &trajectory_shape, AGENT),
        get(trajectory, &trajectory_shape, TRIAL), get(trajectory, &trajectory_shape, CALLS), NULL,
    };
    if (!which[0] || !which[1] || !which[2] || !which[3] ||
        !is_text(get(trajectory, &trajectory_shape, STATE), text_completed)) {
        return NULL;
    }
    /* Python code that is run on the way, by a name as soon as it is looked up, may do anything but take these away. */
    for (int at = 0; at < 4; at++) {
        Py_INCREF(which[at]);
    }
    which[4] = Py_XNewRef(PyDict_GetItemWithError(cases, which[0]));
    int ready = which[4] != NULL && Py_IS_TYPE(which[4], &PlainCaseType);
    PyObject *score = ready ? score_case((PlainCase *)which[4], which, which[3]) : NULL;
    for (int at = 0; at < 5; at++) {
        Py_XDECREF(which[at]);
    }
    return score;
}

PyDoc_STRVAR(
    score_plain_doc, "score_plain(cases, trajectories)\n--\n\nThe scores of trajectories, by the cases made ready; and "
                     "the positions of those that are left to others, which have None for a score."
);

static PyObject *score_plain(PyObject *module, PyObject *args) {
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
    Py_XDECREF(self->changing);
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
    if (!is_tuple(given) ||
        !PyArg_ParseTuple(given, "UOOpO!", &tool, &expected, &missing, &known, &PyTuple_Type, &rules)) {
        return -1;
    }
    int count = (int)PyTuple_GET_SIZE(rules);
    if (PyTuple_GET_SIZE(rules) > MAX_PLAIN) {
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
        PyObject *name, *literal, *rule = PyTuple_GET_ITEM(rules, number);
        if (!is_tuple(rule) || !PyArg_ParseTuple(rule, "UO", &name, &literal)) {
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

/* Take over which issues fail the case: kinds, kinds if they are about a tool that changes things, and those tools. */
static int take_failing(PlainCase *self, PyObject *failing, PyObject *if_changes, PyObject *changing) {
    const struct {
        PyObject **place;
        PyObject *kind;
    } kinds[] = {
        {&self->fails_missing_arg, text_missing_arg}, {&self->fails_wrong_arg, text_wrong_arg},
        {&self->fails_unexpected, text_unexpected_call}, {&self->fails_duplicate, text_duplicate_call},
    };
    for (size_t at = 0; at < sizeof kinds / sizeof *kinds; at++) {
        int fails = PySequence_Contains(failing, kinds[at].kind);
        if (fails < 0) {
            return -1;
        }
        *kinds[at].place = fails ? Py_True : Py_False; /* these live as long as Python does */
    }
    self->changing = Py_NewRef(changing);
    self->changing_unexpected = PySequence_Contains(if_changes, text_unexpected_call);
    self->changing_duplicate = PySequence_Contains(if_changes, text_duplicate_call);
    return self->changing_unexpected < 0 || self->changing_duplicate < 0 ? -1 : 0;
}

PyDoc_STRVAR(
    plain_case_doc, "PlainCase(slots, weights, passing_score, failing, accepts=None, judge=None)\n--\n\n"
                    "A plain case made ready."
);

static PyObject *plain_case_new(PyTypeObject *type, PyObject *args, PyObject *keywords) {
    PyObject *slots, *fails, *failing, *if_changes, *changing, *accepts = Py_None, *judge = Py_None;
    double weights[4], passing_score;
    if (keywords != NULL && PyDict_GET_SIZE(keywords)) {
        PyErr_SetString(PyExc_TypeError, "PlainCase takes no keywords");
        return NULL;
    }
    if (!PyArg_ParseTuple(
            args, "O!(dddd)dO!|OO", &PyTuple_Type, &slots, &weights[0], &weights[1], &weights[2], &weights[3],
            &passing_score, &PyTuple_Type, &fails, &accepts, &judge
        )) {
        return NULL;
    }
    /* A tuple holds what is in it; of another sequence nobody would. */
    if (!PyArg_ParseTuple(fails, "OOO", &failing, &if_changes, &changing)) {
        return NULL;
    }
    if (PyTuple_GET_SIZE(slots) < 1 || PyTuple_GET_SIZE(slots) > MAX_PLAIN) {
        PyErr_SetString(PyExc_ValueError, "too many slots, or none");
        return NULL;
    }
    if ((accepts == Py_None) != (judge == Py_None)) {
        PyErr_SetString(PyExc_TypeError, "who says what is accepted and who judges the rest go together");
        return NULL;
    }
    PlainCase *self = (PlainCase *)type->tp_alloc(type, PyTuple_GET_SIZE(slots));
    if (self == NULL) {
        return NULL;
    }
    memcpy(self->weights, weights, sizeof weights);
    self->passing_score = passing_score;
    self->accepts = accepts == Py_None ? NULL : Py_NewRef(accepts);
    self->judge = judge == Py_None ? NULL : Py_NewRef(judge);
    if (take_failing(self, failing, if_changes, changing) < 0) {
        Py_DECREF(self);
        return NULL;
    }
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
    .tp_basicsize = offsetof(PlainCase, slots),
    .tp_itemsize = sizeof(Slot),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = plain_case_new,
    .tp_dealloc = plain_case_dealloc,
};

static PyMethodDef methods[] = {
    {"score_plain", score_plain, METH_VARARGS, score_plain_doc},
    {NULL, NULL, 0, NULL},
};

/* What is made here is given its fields in this order. */
static int check_made(void) {
    static const char *const score[] = {
        "case", "agent", "trial", "state", "passed", "score", "call_precision", "call_recall", "param_accuracy",
        "content", "answer", "plan", "says_tools", "counts", "alignment", "issues", "by_scorer", NULL
    };
    static const char *const counts[] = {
        "true_positive", "false_positive", "false_negative", "calls", "failed_calls", "redundant_calls",
        "unknown_tools", "schema_errors", "ungrounded", NULL
    };
    static const char *const issue[] = {
        "kind", "tool", "argument", "call", "expected", "want", "got", "failing", NULL
    };
    static const char *const pair[] = {"expected", "call", "params", NULL};
    return check_fields((PyObject *)score_shape.type, score) < 0 ||
                   check_fields((PyObject *)counts_shape.type, counts) < 0 ||
                   check_fields((PyObject *)issue_shape.type, issue) < 0 || check_fields(Pair, pair) < 0
               ? -1
               : 0;
}

int add_scoring(PyObject *module, PyObject *core) {
    one = PyFloat_FromDouble(1.0);
    zero = PyLong_FromLong(0);
    nothing = PyTuple_New(0);
    Pair = PyObject_GetAttrString(core, "Pair");
    if (one == NULL || zero == NULL || nothing == NULL || Pair == NULL || check_made() < 0 ||
        prepare_pairing(core) < 0) {
        return -1;
    }
    if (PyType_Ready(&PlainCaseType) < 0 || PyModule_AddFunctions(module, methods) < 0) {
        return -1;
    }
    return PyModule_AddObjectRef(module, "PlainCase", (PyObject *)&PlainCaseType);
}
