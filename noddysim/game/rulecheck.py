"""From the keys of a file or a call to checked rules; every mistake becomes one sentence with its place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from pydantic import ValidationError

from noddysim.game import readings
from noddysim.game.errors import InputError
from noddysim.game.families import PEGGING, Family, Rules
from noddysim.game.readings import Reading
from noddysim.game.rulemodels import HEAD_START_WORDS, POINTS_WORDS, SEATS, PeggingRules, number_name
from noddysim.game.tomlfile import KeyPath, TomlFile, format_path, format_value

META: Final = ("name", "title", "status", "summary", "base", "family", "sources")
"""Keys of a variant's file that are not rules."""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """``; did you mean "…"?`` with the known word nearest to this one, or nothing if none is near."""
    import difflib

    close = difflib.get_close_matches(word.lower(), list(known), n=1, cutoff=0.6)
    return f'; did you mean "{close[0]}"?' if close else ""


# --- mistakes, gathered and reported in file order ------------------------------------------------------------------


class Given:
    """Stands for a file where the values come from a call: ``shown`` in messages, and the order of the arguments."""

    def __init__(self, shown: str, data: Mapping[str, Any]) -> None:
        self.shown = shown
        self.order = {key: number for number, key in enumerate(data)}

    def position(self, path: KeyPath) -> tuple[int, int] | None:
        """Which argument the path belongs to, as a place to sort by; None if it was not given."""
        number = self.order.get(str(path[0])) if path else None
        return None if number is None else (number, 0)

    def where(self, path: KeyPath) -> str:
        """The name shown: a call has no lines."""
        return self.shown


class Problems:
    """Mistakes in one file or call about rules of one family, each with its path and one sentence."""

    def __init__(self, source: TomlFile | Given, family: Family = PEGGING) -> None:
        self.source = source
        self.family = family
        self.found: dict[KeyPath, str] = {}

    def add(self, path: KeyPath, text: str) -> None:
        """Note one mistake; only the first for a path counts."""
        self.found.setdefault(path, text)

    def refuse(self, path: KeyPath, value: object, allowed: str) -> None:
        """Note a value that is not allowed, and what is."""
        self.add(path, f"{format_path(path)} = {format_value(value)} is not allowed; allowed: {allowed}")

    def unknown(self, path: KeyPath, known: Iterable[str]) -> None:
        """Note a key that does not exist, with the nearest known one or all of them."""
        *table, key = path
        known = list(known)
        hint = did_you_mean(str(key), known)
        place = f" in {format_path(table)}" if table else ""
        self.add(path, f"unknown key {format_path(path)}" + (hint or f"; keys{place} are: {', '.join(known)}"))

    def raise_any(self) -> None:
        """Raise InputError for the first mistake in file order, with the number of the others."""
        if not self.found:
            return
        end = (10**9, 0)
        first = min(self.found, key=lambda path: self.source.position(path) or end)
        more = len(self.found) - 1
        tail = f" (and {more} more)" if more else ""
        raise InputError(f"{self.source.where(first)}: {self.found[first]}{tail}")


# --- from given values to checked rules -----------------------------------------------------------------------------


def rules_with(base: Rules | None, given: Mapping[str, Any], problems: Problems) -> Rules:
    """Base rules with the given fields and readings on top. Raises InputError with the first of all mistakes."""
    shorthand, fields = _sort_keys(given, problems)
    rules: dict[str, Any] = base.model_dump() if base else {}
    for option, value in shorthand.items():
        readings.apply_reading(rules, problems.family.shorthands[option], value)
    _overlay(rules, fields, problems)
    checked = _validate(rules, base is None, problems)
    if checked:
        _refuse_contradictions(shorthand, fields, checked, problems)
        _refuse_absent_seats(fields, checked, problems)
    problems.raise_any()
    if checked is None:
        raise AssertionError("a failed validation must have added a problem")
    return checked


def _sort_keys(given: Mapping[str, Any], problems: Problems) -> tuple[dict[str, Any], dict[str, Any]]:
    """Part the given keys into readings and fields; unknown and refused ones become problems."""
    shorthand: dict[str, Any] = {}
    fields: dict[str, Any] = {}
    tables, shorthands = problems.family.tables, problems.family.shorthands
    for key, value in given.items():
        path = (key,)
        if key in tables:
            if isinstance(value, Mapping):
                fields[key] = _table_fields(key, value, problems)
            else:
                problems.refuse(path, value, f"a table with keys {', '.join(tables[key])}")
        elif key in problems.family.top_fields and not (key in shorthands and isinstance(value, str)):
            fields[key] = _plain(value)
        elif key in shorthands:
            if shorthands[key].choice(value):
                shorthand[key] = value
            else:
                problems.refuse(path, value, _reading_values(problems.family, key))
        else:
            _other_key(path, value, problems)
    return shorthand, fields


def _table_fields(table: str, values: Mapping[str, Any], problems: Problems) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for key, value in values.items():
        if key in problems.family.tables[table]:
            fields[key] = _plain(readings.number_for_word(key, value))
        else:
            _other_key((table, key), value, problems)
    return fields


def _other_key(path: KeyPath, value: object, problems: Problems) -> None:
    """A key that is no field here: not built yet, in the wrong place, or unknown."""
    key = str(path[-1])
    table = str(path[0]) if len(path) > 1 else None
    family = problems.family
    if not table and key in META:  # META keys of a file are taken out before; these come from a call
        problems.add(path, f"{key} is not a rule; replace changes fields and readings of the rules only")
    elif key in family.not_built:
        _refuse_unless_as_now(path, value, problems)
    elif table and (key in family.top_fields or key in family.shorthands or key in META):
        problems.add(path, f"{key} belongs at the top of the file, not in [{table}]")
    elif homes := [f"[{home}]" for home, keys in family.tables.items() if key in keys]:
        place = f"[{table}]" if table else "the top of the file"
        problems.add(path, f"{key} belongs in {' or '.join(homes)}, not in {place}")
    else:
        top = (*family.top_fields, *family.shorthands)
        top = top if isinstance(problems.source, Given) else (*META, *top)
        problems.unknown(path, family.tables[table] if table else top)


def _refuse_unless_as_now(path: KeyPath, value: object, problems: Problems) -> None:
    entry = problems.family.not_built[str(path[-1])]
    if any(readings.same_value(value, accepted) for accepted in entry.accepted):
        return
    # The friendliest of the accepted values is enough: the others say the same.
    allowed = f"allowed: {format_value(entry.accepted[0])}" if entry.accepted else "leave it out"
    problems.add(path, f"{format_path(path)} = {format_value(value)} is refused: {entry.reason}; {allowed}")


def _reading_values(family: Family, option: str) -> str:
    reading = family.shorthands[option]
    values = [format_value(choice.value) for choice in reading.choices]
    text = f"{', '.join(values[:-1])} or {values[-1]}"
    if option in family.top_fields:
        return f"{text}, or {family.allowed[option]}"
    tables = [key for key in reading.fields if key.split(".")[-1] == option and POINTS_WORDS in family.allowed[key]]
    return f"{text}; for other points set {' and '.join(tables)}" if tables else text


def _plain(value: Any) -> Any:
    """Tuples become lists, so that values from a call look like values from a file."""
    if isinstance(value, list | tuple):
        return [_plain(entry) for entry in value]
    if isinstance(value, Mapping):
        return {key: _plain(entry) for key, entry in value.items()}
    return value


def _overlay(rules: dict[str, Any], fields: Mapping[str, Any], problems: Problems) -> None:
    """Put the given fields over the base; tables are merged, all else is replaced."""
    for key, value in fields.items():
        if key in problems.family.tables:
            rules[key] = {**rules.get(key, {}), **value}
        elif key in problems.family.by_players and isinstance(value, dict):
            rules[key] = {**rules.get(key, {}), **_by_number_of_players(key, value, problems)}
        elif key == "head_start":
            players = rules.get("players") if "players" not in fields else fields["players"]
            rules[key] = _head_start(value, rules.get(key, {}), players, problems)
        else:
            rules[key] = value


def _by_number_of_players(table: str, value: Mapping[Any, Any], problems: Problems) -> dict[object, Any]:
    """Numbers of cards by the names two, three, four; a number of players may also be written as a figure."""
    named: dict[object, Any] = {}
    for key, cards in value.items():
        name = number_name(key)
        if name in named:
            problems.add(
                (table, key), f"{table}: {name} is given twice, as a word and as a figure; give one of the two"
            )
        named[name] = cards
    return named


def _head_start(value: Any, base: Mapping[str, Any], players: Any, problems: Problems) -> Any:
    """The head start as a table of all four seats; what cannot be read is left for the validation to refuse."""
    nobody = dict.fromkeys(SEATS, 0)
    if isinstance(value, list):
        allowed = players if isinstance(players, list) else []
        if any(len(value) != n for n in allowed):
            problems.refuse(("head_start",), value, HEAD_START_WORDS)
            return dict(base) or nobody
        seats = (*SEATS[: len(value) - 1], "dealer")
        return {**nobody, **dict(zip(seats, value, strict=True))} if 2 <= len(value) <= 4 else value
    if not isinstance(value, dict):
        return value
    if value.get("pone", value.get("eldest")) != value.get("eldest", value.get("pone")):
        problems.add(("head_start", "pone"), "head_start: pone and eldest are one seat; give one of the two")
    named = {("eldest" if seat == "pone" else seat): points for seat, points in value.items()}
    return {**nobody, **base, **named}


def _validate(rules: dict[str, Any], alone: bool, problems: Problems) -> Rules | None:
    """The checked record, or None after noting what is wrong."""
    try:
        return problems.family.model(**rules)
    except ValidationError as error:
        details = error.errors(include_url=False)
    gaps = [d for d in details if alone and _is_absent(d) and not _in_an_entry(problems.family, d["loc"])]
    if gaps:
        names = _shortened([format_path(_field_path(problems.family, d["loc"])) for d in gaps])
        problems.add(
            (),
            f'no base: write base = "{problems.family.example}" and then only the differences, or give all of: {names}',
        )
    for detail in details:
        if detail not in gaps:
            _note_detail(detail, rules, problems)
    return None


def _in_an_entry(family: Family, loc: tuple[str | int, ...]) -> bool:
    """Whether a place lies inside an entry of a list, whose keys are not gaps of the rules."""
    return any(loc[: len(path)] == path and len(loc) > len(path) for path in family.entry_lists)


def _is_absent(detail: Any) -> bool:
    """Whether a key is missing (pydantic uses the same word for a list that is too short)."""
    return detail["type"] == "missing" and isinstance(detail["loc"][-1], str)


def _shortened(keys: list[str]) -> str:
    """A list of keys, shortened after six."""
    return ", ".join(keys[:6]) + (f" and {len(keys) - 6} more" if len(keys) > 6 else "")


def _note_detail(detail: Any, rules: dict[str, Any], problems: Problems) -> None:
    """Turn one of pydantic's findings into a problem in our words."""
    if not detail["loc"]:
        misfit = detail["ctx"]["error"]
        path = next((p for p in misfit.paths if problems.source.position(p)), misfit.paths[0])
        problems.add(path, f"{format_path(path)}: {misfit}")
        return
    allowed = problems.family.allowed
    path = _field_path(problems.family, detail["loc"])
    if path and path[0] in problems.family.by_players and not isinstance(rules[path[0]], Mapping):
        path = path[:1]  # one number was given for all
    key = ".".join(part for part in path if isinstance(part, str))
    if detail["type"] == "extra_forbidden":
        known = [k.removeprefix(f"{key}.") for k in allowed if k.startswith(f"{key}.")]
        known = ["pone", *known] if path[0] == "head_start" else known
        problems.unknown((*path, str(detail["loc"][-1])), known)
    elif _is_absent(detail):
        problems.add(path, f"{format_path(path)} is missing; allowed: {allowed[key]}")
    else:
        problems.refuse(path, _value_at(rules, path), allowed[key])


def _field_path(family: Family, loc: tuple[str | int, ...]) -> KeyPath:
    """The part of pydantic's path that names a field of ours (it adds the branch of a union that it tried)."""
    path: KeyPath = ()
    for part in loc:
        longer = (*path, part)
        key = ".".join(p for p in longer if isinstance(p, str))
        if key not in family.allowed or (isinstance(part, int) and path not in family.entry_lists):
            break
        path = longer
    return path


def _value_at(rules: Any, path: KeyPath) -> Any:
    for part in path:
        rules = rules[part]
    return rules


def _refuse_contradictions(
    shorthand: Mapping[str, Any], fields: Mapping[str, Any], checked: Rules, problems: Problems
) -> None:
    """A reading and a field of one file must say the same, and a reading must find what it sets."""
    rules, shorthands = checked.model_dump(), problems.family.shorthands
    for option, value in shorthand.items():
        reading = shorthands[option]
        if not readings.same_value(readings.reading_in_force(reading, rules), value):
            rivals = [key for key in reading.fields if _is_given(fields, key)]
            rivals = rivals or [name for name in shorthand if name != option and _overlap(shorthands[name], reading)]
            text = f"contradicts {' and '.join(rivals)} given beside it; give one"
            if not rivals:
                text = f"has nothing to set; give {' and '.join(reading.fields)} with an entry for it"
            text = f"{option} = {format_value(value)} {text}"
            problems.add((option,), text)


def _overlap(one: Reading, other: Reading) -> bool:
    """Whether two readings set the same field."""
    return not set(one.fields).isdisjoint(other.fields)


def _is_given(fields: Mapping[str, Any], key: str) -> bool:
    table, _, name = key.partition(".")
    return table in fields and (not name or name in fields[table])


def _refuse_absent_seats(fields: Mapping[str, Any], checked: Rules, problems: Problems) -> None:
    """A head start given here must be for a seat that some allowed number of players has."""
    given = fields.get("head_start")
    if not isinstance(given, dict) or not isinstance(checked, PeggingRules):
        return
    seats = checked.seats(max(checked.players))
    for seat, points in given.items():
        if points and seat not in (*seats, "pone"):
            most = max(checked.players)
            problems.add(("head_start", seat), f"head_start.{seat}: with at most {most} players there is no such seat")


# --- differences in words -------------------------------------------------------------------------------------------


def differences(family: Family, old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """What differs, shortest form first: a reading where it says all of it, else dotted fields with their values."""
    rest = [key for key in family.leaves if readings.look_up(old, key) != readings.look_up(new, key)]
    words = []
    for reading in family.shorthands.values():
        value = readings.reading_in_force(reading, new)
        said = [key for key in rest if key in reading.fields]
        if said and value != readings.OWN and _reading_says_it(old, new, reading, value, said):
            words.append(f"{reading.option}={_compact(value)}")
            rest = [key for key in rest if key not in said]
    for key in rest:
        words.extend(_field_words(key, readings.look_up(old, key), readings.look_up(new, key)))
    return words


def _reading_says_it(old: Any, new: Any, reading: Reading, value: object, keys: list[str]) -> bool:
    """Whether giving the reading to the old rules makes these fields what they are in the new ones."""
    trial = {key: dict(entry) if isinstance(entry, dict) else entry for key, entry in old.items()}
    readings.apply_reading(trial, reading, value)
    return all(readings.look_up(trial, key) == readings.look_up(new, key) for key in keys)


def _field_words(key: str, old: Any, new: Any) -> list[str]:
    if key == "head_start":
        return [f"{key}.{seat}={new[seat]}" for seat in SEATS if old[seat] != new[seat]]
    return [f"{key}={_compact(new)}"]


def _compact(value: Any) -> str:
    if isinstance(value, dict):
        return ":".join(_compact(entry) for entry in value.values())
    if isinstance(value, list | tuple):
        return ",".join(_compact(entry) for entry in value) or "none"
    return str(value).lower() if isinstance(value, bool) else str(value)
