"""What the server is asked by those who write a run. Values are always sent beside a query, never in it."""

from __future__ import annotations

__all__ = ["CLAIM", "JOURNAL", "LEAVE", "MINE", "PLAN", "SAVE", "SAVE_ALONE", "SAVE_LEASED"]

UNHURRIED = "unhurried AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', TRUE))"
"""The server answers before the disk does. What is kept so outlives the process that asked for it, and where the server
crashes in the next moment, that process is still there, and goes on."""

SAVED = """
    counted AS (UPDATE numbers SET last = last + 1 {only} RETURNING last),
    kept AS (
        INSERT INTO trajectories (run, agent, case_id, trial, number, state, passed, line)
        SELECT %(run)s, %(agent)s, %(case)s, %(trial)s, last, %(state)s, %(passed)s, %(line)s FROM counted
        ON CONFLICT (run, agent, case_id, trial) DO UPDATE SET
            number = EXCLUDED.number, state = EXCLUDED.state, passed = EXCLUDED.passed, line = EXCLUDED.line,
            passed_before = trajectories.passed
        RETURNING xmax = 0 AS added, passed, passed_before
    ),
    summed AS (
        UPDATE counts SET
            finished = counts.finished + kept.added::int,
            passed = counts.passed + kept.passed::int
                - CASE WHEN kept.added THEN 0 ELSE kept.passed_before::int END,
            replaced = counts.replaced + (NOT kept.added)::int
        FROM kept WHERE run = %(run)s
    ),
    forgotten AS (
        DELETE FROM journal WHERE run = %(run)s AND agent = %(agent)s AND case_id = %(case)s AND trial = %(trial)s
    )
    SELECT last FROM counted
"""
"""One statement, which is a transaction of its own. The row of `numbers` is locked until it is kept: so numbers grow in
the order in which trajectories can be seen, and whoever has read up to one has missed none. Nobody may wait for the
disk with that lock, or all would wait one after the other; they wait together, for what they write next."""

SAVE = "WITH" + SAVED.format(only="WHERE run = %(run)s")
"""As a part of a transaction."""

SAVE_ALONE = f"WITH {UNHURRIED}," + SAVED.format(only="FROM unhurried WHERE run = %(run)s")

SAVE_LEASED = (
    f"WITH {UNHURRIED},"  # noqa: S608 - names of ours
    """taken AS (
        UPDATE trials SET done = TRUE, worker = NULL
        WHERE run = %(run)s AND agent = %(agent)s AND case_id = %(case)s AND trial = %(trial)s
        AND NOT done AND (worker = %(worker)s OR worker IS NULL) RETURNING run
    ),""" + SAVED.format(only="FROM taken, unhurried WHERE numbers.run = taken.run")
)
"""The same for a trial of a plan, which is kept by whoever finishes it first, unless another has it by now."""

CLAIM = """
    WITH free AS (
        SELECT run, agent, case_id, trial FROM trials WHERE run = %(run)s AND NOT done AND worker IS NULL
        ORDER BY place LIMIT %(most)s FOR UPDATE SKIP LOCKED
    )
    UPDATE trials SET worker = %(worker)s, tries = tries + 1 FROM free
    WHERE (trials.run, trials.agent, trials.case_id, trials.trial) = (free.run, free.agent, free.case_id, free.trial)
    RETURNING place, trials.agent, trials.case_id, trials.trial, tries
"""

JOURNAL = f"""
    WITH {UNHURRIED}
    INSERT INTO journal (run, agent, case_id, trial, token, event) SELECT %s, %s, %s, %s, %s, %s FROM unhurried
    ON CONFLICT DO NOTHING
"""  # noqa: S608 - names of ours

MINE = "SELECT place, agent, case_id, trial, tries FROM trials WHERE run = %s AND worker = %s AND NOT done"

PLAN = """
    INSERT INTO trials (run, place, agent, case_id, trial, done)
    SELECT %(run)s, planned.*, EXISTS (
        SELECT 1 FROM trajectories AS kept
        WHERE kept.run = %(run)s AND kept.agent = planned.agent AND kept.case_id = planned.case_id
        AND kept.trial = planned.trial
    )
    FROM unnest(%(places)s::bigint[], %(agents)s::text[], %(cases)s::text[], %(trials)s::bigint[])
        AS planned (place, agent, case_id, trial)
"""

LEAVE = """
    UPDATE runs SET state = CASE
        WHEN EXISTS (SELECT 1 FROM trials WHERE run = %(run)s AND NOT done) THEN %(left)s
        WHEN EXISTS (SELECT 1 FROM trials WHERE run = %(run)s) THEN 'finished'
        ELSE %(state)s END
    WHERE key = %(run)s
"""
"""How a run stands when somebody leaves it: of a plan the store knows itself whether something is left."""
