/* The module: it finds out where the classes of `toolgauge.core` keep their fields. */

#include "compiled.h"

#include <structmember.h>

Shape trajectory_shape, call_shape, score_shape, counts_shape, issue_shape;

PyObject *text_completed, *text_wrong_arg, *text_missing_arg, *text_missing_call, *text_unexpected_call,
    *text_duplicate_call, *text_forbidden_arg, *text_invalid_arg;

static Py_ssize_t find_offset(PyObject *type, const char *name) {
    PyObject *descriptor = PyObject_GetAttrString(type, name);
    if (descriptor == NULL) {
        return -1;
    }
    Py_ssize_t offset = -1;
    if (Py_IS_TYPE(descriptor, &PyMemberDescr_Type)) {
        const PyMemberDef *member = ((PyMemberDescrObject *)descriptor)->d_member;
        int own = PyType_IsSubtype((PyTypeObject *)type, PyDescr_TYPE(descriptor));
        if (own && (member->type == T_OBJECT_EX || member->type == T_OBJECT)) {
            offset = member->offset;
        }
    }
    Py_DECREF(descriptor);
    if (offset < 0) {
        PyErr_Format(PyExc_ImportError, "%R keeps its field %s in another way", type, name);
    }
    return offset;
}

int find_shape(Shape *shape, PyObject *type, const char *const *names) {
    if (!PyType_Check(type)) {
        PyErr_Format(PyExc_TypeError, "%R is no class", type);
        return -1;
    }
    for (int at = 0; names[at] != NULL; at++) {
        shape->offsets[at] = find_offset(type, names[at]);
        if (shape->offsets[at] < 0) {
            return -1;
        }
    }
    shape->type = (PyTypeObject *)Py_NewRef(type);
    return 0;
}

int check_fields(PyObject *type, const char *const *names) {
    PyObject *fields = PyObject_GetAttrString(type, "__struct_fields__");
    if (fields == NULL) {
        return -1;
    }
    Py_ssize_t count = PyTuple_Check(fields) ? PyTuple_GET_SIZE(fields) : -1;
    int equal = count >= 0;
    for (Py_ssize_t at = 0; at < count && equal; at++) {
        PyObject *field = PyTuple_GET_ITEM(fields, at);
        equal = names[at] != NULL && PyUnicode_Check(field) && PyUnicode_CompareWithASCIIString(field, names[at]) == 0;
    }
    equal = equal && names[count] == NULL;
    Py_DECREF(fields);
    if (!equal) {
        PyErr_Format(PyExc_ImportError, "%R has other fields", type);
    }
    return equal ? 0 : -1;
}

static int find_shapes(PyObject *core) {
    static const char *const trajectory[] = {
        "case", "agent", "trial", "state", "calls", "latency_ms", "usage", "events", NULL
    };
    static const char *const call[] = {"tool", "args", "error", NULL};
    static const char *const score[] = {
        "case", "agent", "state", "passed", "score", "call_precision", "call_recall", "param_accuracy", "content",
        "answer", "says_tools", "counts", "issues", NULL
    };
    static const char *const counts[] = {
        "true_positive", "false_positive", "false_negative", "calls", "failed_calls", "redundant_calls",
        "unknown_tools", "schema_errors", "ungrounded", NULL
    };
    static const char *const issue[] = {"kind", "tool", "call", "failing", NULL};
    const struct {
        Shape *shape;
        const char *name;
        const char *const *fields;
    } shapes[] = {
        {&trajectory_shape, "Trajectory", trajectory}, {&call_shape, "Call", call}, {&score_shape, "Score", score},
        {&counts_shape, "ToolCounts", counts}, {&issue_shape, "Issue", issue},
    };
    for (size_t at = 0; at < sizeof shapes / sizeof *shapes; at++) {
        PyObject *type = PyObject_GetAttrString(core, shapes[at].name);
        int failed = type == NULL || find_shape(shapes[at].shape, type, shapes[at].fields) < 0;
        Py_XDECREF(type);
        if (failed) {
            return -1;
        }
    }
    return 0;
}

static int make_texts(void) {
    const struct {
        PyObject **place;
        const char *text;
    } texts[] = {
        {&text_completed, "completed"}, {&text_wrong_arg, "wrong_arg"}, {&text_missing_arg, "missing_arg"},
        {&text_missing_call, "missing_call"}, {&text_unexpected_call, "unexpected_call"},
        {&text_duplicate_call, "duplicate_call"}, {&text_forbidden_arg, "forbidden_arg"},
        {&text_invalid_arg, "invalid_arg"},
    };
    for (size_t at = 0; at < sizeof texts / sizeof *texts; at++) {
        *texts[at].place = PyUnicode_InternFromString(texts[at].text);
        if (*texts[at].place == NULL) {
            return -1;
        }
    }
    return 0;
}

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "toolgauge.compiled._compiled",
    .m_doc = "Scores and adds up what is plain.",
    .m_size = -1,
};

PyMODINIT_FUNC PyInit__compiled(void) {
    PyObject *core = PyImport_ImportModule("toolgauge.core");
    PyObject *module = core == NULL ? NULL : PyModule_Create(&definition);
    if (module != NULL) {
        if (make_texts() < 0 || find_shapes(core) < 0 || add_scoring(module, core) < 0 || add_adding(module) < 0 ||
            PyModule_AddIntConstant(module, "FINGERPRINT", FINGERPRINT) < 0) {
            Py_CLEAR(module);
        }
    }
    Py_XDECREF(core);
    if (module == NULL && !PyErr_ExceptionMatches(PyExc_ImportError)) {
        /* Whatever it is that is not as it was when this was built: Python does without. */
        PyErr_Clear();
        PyErr_SetString(PyExc_ImportError, "the compiled part was built from other sources");
    }
    return module;
}
