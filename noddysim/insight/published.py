"""What others have published about the games of this family: figures with their sources, read from ``published.toml``.

Values are kept as the text that was printed, since its digits tell how far it was rounded.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping
from importlib.resources import files
from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

from noddysim.engine.cribs import laid_away

PERCENT: Final = "percent"
CRIB: Final = "crib"
LAID: Final = tuple(name for name, _ in laid_away(2))
"""The 91 pairs that can be laid away, ``A-A``, ``A-2`` …"""

Status = Literal["counted", "simulated", "people", "unstated"]
Section = Literal["counted", "deal", "game"]
Printed = Annotated[str, StringConstraints(pattern=r"^-?\d+(\.\d+)?$")]
Line = Annotated[str, StringConstraints(pattern=r"^\S.*$")]
Whose = Literal["own", "theirs"]


class _Record(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class Source(_Record):
    """A published work and where it can be read."""

    title: Line
    address: Annotated[str, StringConstraints(pattern=r"^https?://\S+$")]


class Figure(_Record):
    """One published number. ``ours`` names the number it is held against; ``low`` and ``high`` are its own interval."""

    section: Section
    says: Line
    ours: Line
    value: Printed
    unit: Literal["points", "percent", "deals", "hands"]
    status: Status
    work: str
    low: Printed | None = None
    high: Printed | None = None
    allowed: Printed | None = None
    reason: str = ""


class CribFigures(_Record):
    """A published table of mean cribs; without ``theirs_work`` it has cribs of one's own only.

    ``reason`` says why either half may differ from ours, unless a half has a reason of its own.
    """

    name: Line
    own_work: str
    status: Status
    theirs_work: str | None = None
    reason: str = ""
    own_reason: str = ""
    theirs_reason: str = ""

    def work(self, whose: Whose) -> str | None:
        """The work in which the one or the other half of the table stands; None if there is no such half."""
        return self.own_work if whose == "own" else self.theirs_work

    def reason_of(self, whose: Whose) -> str:
        """The reason of one half; empty if it has none of its own."""
        return self.own_reason if whose == "own" else self.theirs_reason


class Distribution(_Record):
    """Hands with starters by points, from nought up; ``ours`` names the show they are held against."""

    ours: str
    work: str
    counts: Annotated[list[int], Field(min_length=1)]


class Cribs(_Record):
    """For each pair laid away, the published means in the order of the tables."""

    own: dict[str, str]
    theirs: dict[str, str]

    def half(self, whose: Whose) -> Mapping[str, str]:
        """One half of the table, by pair."""
        return self.own if whose == "own" else self.theirs


class Published(_Record):
    """All that ``published.toml`` holds."""

    allowed: dict[str, Printed]
    reasons: dict[str, Line]
    works: dict[str, Source]
    figures: list[Figure]
    distribution: Distribution
    tables: list[CribFigures]
    cribs: Cribs

    @model_validator(mode="after")
    def _complete(self) -> Published:
        works = [figure.work for figure in self.figures] + [self.distribution.work]
        works += [work for table in self.tables for work in (table.own_work, table.theirs_work) if work]
        unknown = sorted(set(works) - set(self.works))
        if unknown:
            raise ValueError(f"no such work: {unknown[0]}")
        for whose in ("own", "theirs"):
            tables = self.tables_of(whose)
            half = self.cribs.half(whose)
            if tuple(half) != LAID:
                raise ValueError(f"the {whose} half of the cribs is not of the {len(LAID)} pairs in their order")
            for laid, text in half.items():
                if len(text.split()) != len(tables):
                    raise ValueError(f"{whose}, {laid}: there are {len(tables)} tables")
        return self

    def tables_of(self, whose: Whose) -> list[CribFigures]:
        """The tables that have this half, in the order of the file."""
        return [table for table in self.tables if table.work(whose)]

    def means(self, table: CribFigures, whose: Whose) -> dict[str, str]:
        """The printed means of one half of a table by pair."""
        place = self.tables_of(whose).index(table)
        return {laid: text.split()[place] for laid, text in self.cribs.half(whose).items()}

    def allowed_for(self, figure: Figure) -> str:
        """By how much a figure may differ and still agrees, as printed; nought for what was counted."""
        return "0" if figure.status == "counted" else figure.allowed or self.allowed[figure.unit]

    def reason_for(self, figure: Figure | CribFigures, whose: Whose | None = None) -> str:
        """Why a figure, or one half of a table of cribs, may differ from ours."""
        own = figure.reason_of(whose) if isinstance(figure, CribFigures) and whose else ""
        return own or figure.reason or self.reasons[figure.status]


@functools.cache
def load_published() -> Published:
    """The published figures; raises pydantic's ValidationError if the file does not keep to its form."""
    text = files("noddysim.insight").joinpath("published.toml").read_text(encoding="utf-8")
    return Published.model_validate(tomllib.loads(text))
