"""What keeps the audit log as it was written: the database itself refuses to change a line, whoever asks."""

from typing import Final

TABLE: Final = "moderation_auditline"
_REFUSAL: Final = "The audit log is only added to: its lines are neither changed nor deleted."

_FUNCTION: Final = f"{TABLE}_is_kept"

#: By the kind of database: what makes it refuse, and what takes that away again.
GUARDS: Final[dict[str, tuple[list[str], list[str]]]] = {
    "sqlite": (
        [
            f"CREATE TRIGGER {TABLE}_no_{act} BEFORE {act} ON {TABLE} BEGIN SELECT RAISE(ABORT, '{_REFUSAL}'); END"
            for act in ("UPDATE", "DELETE")
        ],
        [f"DROP TRIGGER {TABLE}_no_{act}" for act in ("UPDATE", "DELETE")],
    ),
    "postgresql": (
        [
            f"""CREATE FUNCTION {_FUNCTION}() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN RAISE EXCEPTION '{_REFUSAL}' USING ERRCODE = 'integrity_constraint_violation'; END $$""",
            f"""CREATE TRIGGER {TABLE}_no_change BEFORE UPDATE OR DELETE ON {TABLE}
            FOR EACH ROW EXECUTE FUNCTION {_FUNCTION}()""",
            f"""CREATE TRIGGER {TABLE}_no_emptying BEFORE TRUNCATE ON {TABLE}
            FOR EACH STATEMENT EXECUTE FUNCTION {_FUNCTION}()""",
        ],
        [
            f"DROP TRIGGER {TABLE}_no_emptying ON {TABLE}",
            f"DROP TRIGGER {TABLE}_no_change ON {TABLE}",
            f"DROP FUNCTION {_FUNCTION}()",
        ],
    ),
}
