"""docs/files.md documents every field, reading, feature and key."""

from __future__ import annotations

import files_page

from noddysim.game.experiment import Experiment
from noddysim.game.laying_file import MeldFile, SetFile
from noddysim.game.strategy_file import LevelFile, StrategyFile

TEXT = files_page.PAGE.read_text(encoding="utf-8")


def test_the_tables_are_those_of_the_data() -> None:
    assert files_page.renewed(TEXT) == TEXT, "run python tests/files_page.py"
    for table in files_page.tables().values():
        assert table in TEXT


def test_every_key_of_strategies_and_experiments_is_named() -> None:
    models = ((LevelFile, ()), (StrategyFile, ("source",)), (MeldFile, ()), (SetFile, ()))
    for model, own in (*models, (Experiment, ("name", "folder"))):
        for key in model.model_fields:
            assert (
                key in own
                or f"`{key}`" in TEXT
                or f"`[{key}]`" in TEXT
                or f"`[[{key}]]`" in TEXT
                or f"`{key} =" in TEXT
            )


def test_the_page_says_what_a_variant_without_a_name_is_called() -> None:
    assert "Without `name` a variant is named after its file" in TEXT
    assert "`name` is needed" not in TEXT
