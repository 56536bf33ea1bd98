/* What pairing and scoring share: a case as it is known here, and a trajectory as it is looked at. */

#ifndef TOOLGAUGE_SCORING_H
#define TOOLGAUGE_SCORING_H

#include "compiled.h"

/* Cases with more slots, slots with more rules and trajectories with more calls are left to Python. */
#define MAX_PLAIN 16

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
    PyObject_VAR_HEAD
    double weights[4]; /* of content, precision, recall and arguments */
    double passing_score;
    PyObject *fails_missing_arg; /* whether issues of these kinds fail the case: True or False */
    PyObject *fails_wrong_arg;
    PyObject *fails_unexpected;
    PyObject *fails_duplicate;
    PyObject *changing;         /* the tools that change things */
    int changing_unexpected;    /* whether issues of these kinds fail the case if they are about such a tool */
    int changing_duplicate;
    PyObject *accepts; /* says whether a call keeps to the definitions of the tools; NULL: there are none */
    PyObject *judge;   /* adds the issues of calls that do not */
    int tool_count;
    int slot_count;
    Slot slots[];
} PlainCase;

/* One trajectory as it is looked at. Tools and arguments are held: code of others that is run on the way, by comparing
 * names or checking a schema, may take them out of the calls. */
typedef struct {
    PyObject *calls; /* a tuple that whoever looks holds */
    int made;
    int called; /* how many different tools */
    PyObject *tool[MAX_PLAIN];
    PyObject *args[MAX_PLAIN];
    int first[MAX_PLAIN];      /* the first call of the same tool */
    int repeated[MAX_PLAIN];   /* the earlier call that a call repeats, or -1 */
    int repeats;          /* how many calls repeat another */
    int answers[MAX_PLAIN];    /* by call: whether it fills a slot */
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
    int call[MAX_PLAIN]; /* by slot: the call, or -1 */
    Fit fit[MAX_PLAIN];
    int tied;       /* whether another pairing would be as good, of which this one has the earliest calls */
} Pairing;

/* Whether a value is a text, a number, a boolean or null. */
int is_scalar(PyObject *value);

/* Look over the calls of a trajectory: which tools, and what is repeated. Whatever comes of it, it is to be let go. */
Outcome look_over(PyObject *calls, Look *look);

/* Let go of what was looked at. */
void let_go(Look *look);

/* Pair all slots of a case with calls; how many of the expected tools were called is put into `right`. */
Outcome pair_all(const PlainCase *self, Look *look, Pairing *pairing, int *right);

/* What pairing needs of `toolgauge.core`. */
int prepare_pairing(PyObject *core);

#endif
