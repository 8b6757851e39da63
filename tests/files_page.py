"""The page that documents the files: its tables come from the data. ``python tests/files_page.py`` writes them anew."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from noddysim.game.features import AWAY_MEANINGS, FEATURE_MEANINGS
from noddysim.game.laying_file import FIELD_WORDS
from noddysim.game.readings import READINGS, Reading
from noddysim.game.rulemodels import ALLOWED
from noddysim.game.rules import load_variant

PAGE = Path(__file__).parents[1] / "docs" / "files.md"


def rows(head: tuple[str, ...], lines: Iterable[tuple[str, ...]]) -> str:
    """A Markdown table."""
    table = [head, ("---",) * len(head), *lines]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in table)


def value_of(key: str) -> str:
    """What noddy has there."""
    found: object = load_variant("noddy").rules.model_dump()
    for part in key.split("."):
        if not isinstance(found, dict) or part not in found:
            return ""
        found = found[part]
    return "" if isinstance(found, dict) else f"`{found}`"


def answers_of(reading: Reading) -> str:
    """The answers of a reading; those of one that is not built are not on offer."""
    if not reading.built:
        return "not built yet: only as it is now"
    return "; ".join(f"`{toml_words(choice.value)}` {choice.words}" for choice in reading.choices)


def toml_words(value: object) -> str:
    """A value as it is written in TOML."""
    return str(value).lower() if isinstance(value, bool) else f'"{value}"' if isinstance(value, str) else str(value)


def tables() -> dict[str, str]:
    """Every table of the page by its name."""
    return {
        "fields": rows(
            ("field", "allowed", "in noddy"), ((f"`{key}`", words, value_of(key)) for key, words in ALLOWED.items())
        ),
        "readings": rows(
            ("id", "reading", "question", "answers"),
            ((one.id, f"`{one.option}`", one.question, answers_of(one)) for one in READINGS),
        ),
        **{
            family: rows(
                ("field", "allowed", "if left out", "what it does"),
                ((f"`{key}`", *said) for key, said in fields.items()),
            )
            for family, fields in FIELD_WORDS.items()
        },
        "features": rows(("feature", "what it is"), ((f"`{key}`", words) for key, words in FEATURE_MEANINGS.items())),
        "away": rows(("feature", "what it is"), ((f"`{key}`", words) for key, words in AWAY_MEANINGS.items())),
    }


def renewed(text: str) -> str:
    """The page with every table as the data have it now."""
    for name, table in tables().items():
        mark = re.compile(rf"<!-- {name} -->.*?<!-- end -->", re.DOTALL)
        text = mark.sub(lambda _, name=name, table=table: f"<!-- {name} -->\n\n{table}\n\n<!-- end -->", text)
    return text


if __name__ == "__main__":
    PAGE.write_text(renewed(PAGE.read_text(encoding="utf-8")), encoding="utf-8", newline="\n")
