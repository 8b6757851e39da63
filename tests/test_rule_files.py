"""Files of variants: bases, sources, paths and names, and places of faults in a TOML file."""

from __future__ import annotations

import builtins
import os
import subprocess
import sys
from pathlib import Path

import pytest
from rules_setup import changed_noddy, refusal

from noddysim.game import tomlfile
from noddysim.game.rules import NO_SOURCE, load_variant
from noddysim.game.tomlfile import parse_toml, read_toml

# --- files ----------------------------------------------------------------------------------------------------------


def test_a_designers_file(write):
    path = write(
        'name = "pone-joy"\ntitle = "Pone\'s joy"\nstatus = "provisional"\nsummary = "Heels 3 to the pone."\n'
        'base = "noddy"\nplayers = [2]\nturned = [{rank = "J", to = "pone", points = 3}]\nhead_start = [2, 0]\n'
        '[sources]\nturned = {from = "my uncle", place = "by word of mouth", seen = "none", note = "1950s"}\n'
    )
    variant = load_variant(path)
    assert (variant.name, variant.title, variant.base, variant.origin) == ("pone-joy", "Pone's joy", "noddy", "my.toml")
    assert variant.rules.model_dump()["turned"] == [{"rank": "J", "to": "eldest", "points": 3}]
    assert variant.sources["turned"].key == "my uncle"
    assert variant.sources["turned"].note == "1950s"
    assert variant.sources["head_start"].key == NO_SOURCE
    assert variant.sources["play.fifteen"].key == "seed-b"


def test_what_a_file_may_leave_out(write):
    variant = load_variant(write('base = "noddy"\ntarget = 61\n', "long.toml"))
    assert (variant.name, variant.title, variant.status) == ("long", "long", "provisional")
    assert variant.summary == "Noddy with these changes: target=61."


@pytest.mark.parametrize(
    ("text", "name", "says"),
    [
        (
            'base = "noddy"\nname = "noddy"\ntarget = 61\n', "v60.toml",
            'v60.toml:2:1: name = "noddy" is a built-in name; choose another',
        ),
        (
            'base = "noddy"\ntarget = 61\n', "cribbage.toml",
            "cribbage.toml: without a name it is named after its file, and cribbage is a built-in name; give it a name",
        ),
    ],
)  # fmt: skip
def test_a_file_may_not_take_a_built_in_name(write, text, name, says):
    assert refusal(write(text, name)) == says


def test_a_built_in_variant_may_be_read_by_its_path(noddy):
    path = Path(tomlfile.__file__).parent / "variants" / "noddy.toml"
    assert load_variant(path).rules == noddy.rules


def test_a_source_for_a_reading_stands_for_its_fields(write):
    entry = '{from = "GRO", place = "scores", seen = "whole"}'
    variant = load_variant(
        write(f'base = "noddy"\nfifteen = "per_card"\nsources.show.fifteen = {entry.replace("GRO", "IVE")}\n'
              f"sources.fifteen = {entry}\n")
    )  # fmt: skip
    assert variant.sources["play.fifteen"].key == "GRO"
    assert variant.sources["show.fifteen"].key == "IVE"


def test_a_whole_file_needs_no_base(write, noddy):
    built_in = Path(tomlfile.__file__).parent / "variants" / "noddy.toml"
    text = built_in.read_text(encoding="utf-8").replace('name = "noddy"', 'name = "copy"')
    variant = load_variant(write(text, "copy.toml"))
    assert variant.rules == noddy.rules
    assert variant.sources == noddy.sources


def test_a_file_without_base_must_be_whole(write):
    assert refusal(write("target = 31\n")) == (
        'my.toml: no base: write base = "noddy" and then only the differences, or give all of: '
        "players, partners, hand, discard, deal_to_crib, crib and 9 more"
    )


def test_bases_may_be_chained_from_folder_to_folder(write):
    Path("inner").mkdir()
    write('base = "noddy-61"\nhand = 4\n', "four.toml")
    write('base = "../four.toml"\nfifteen = "per_card"\n', "inner/five.toml")
    variant = load_variant("inner/five.toml")
    expected = {"target": 61, "hand": 4, "play.fifteen": "per_card", "show.fifteen": "per_card"}
    assert variant.rules.model_dump() == changed_noddy(expected)
    assert variant.base == "four"


def test_an_error_in_a_base_names_the_base(write):
    Path("inner").mkdir()
    write('base = "noddy"\nhand = 9\n', "inner/four.toml")
    assert refusal(write('base = "inner/four.toml"\n')).startswith("inner/four.toml:2:1: hand = 9 ")


def test_circles_of_bases_are_refused(write):
    write('base = "b.toml"\n', "a.toml")
    write('base = "./a.toml"\n', "b.toml")
    assert refusal("a.toml") == (
        'b.toml:1:1: base = "./a.toml": the bases go round in a circle: a.toml -> b.toml -> ./a.toml'
    )
    write('base = "c.toml"\n', "c.toml")
    assert "circle" in refusal("c.toml")


def test_what_is_a_path_and_what_is_a_name(write, noddy):
    write('base = "noddy"\ntarget = 21\n', "plain")
    assert load_variant("plain").rules.target == 21
    assert load_variant("./plain").rules.target == 21
    assert load_variant(Path("plain")).rules.target == 21
    assert load_variant(os.path.abspath("plain")).name == "plain"
    write("nonsense", "noddy")  # a file cannot take the place of a built-in variant by chance
    assert load_variant("noddy") is noddy


@pytest.mark.parametrize(("name", "message"), [
    ("nody", 'no variant is named "nody"; did you mean "noddy"? Variants are: '),
    ("noddy-16", 'no variant is named "noddy-16"; did you mean "noddy-61"? Variants are: '),
    ("", 'no variant is named "". Variants are: '),
    ("qqqqq", 'no variant is named "qqqqq". Variants are: '),
    ("none.toml", "none.toml: there is no such file"),
    ("some/where", "some/where: there is no such file"),
    ("folder/", "folder/: this is a folder; a TOML file is needed"),
    ("nul\0.toml", "nul\\x00.toml: cannot be read: embedded null byte"),
    ("a" * 400 + ".toml", "a" * 400 + ".toml: cannot be read: file name too long"),
])  # fmt: skip
def test_names_and_paths_that_lead_nowhere(tmp_path, monkeypatch, name, message):
    monkeypatch.chdir(tmp_path)
    Path("folder").mkdir()
    assert refusal(name).startswith(message)


@pytest.mark.parametrize(("text", "message"), [
    ('base = "nody"', 'my.toml:1:1: base = "nody": no variant is named "nody"; did you mean "noddy"? Variants are: '),
    ('base = "gone.toml"', 'my.toml:1:1: base = "gone.toml": there is no such file'),
    ('base = "noddy.toml"', 'my.toml:1:1: base = "noddy.toml": there is no such file; for the built-in variant write '
     'base = "noddy"'),
    ('base = "./"', 'my.toml:1:1: base = "./": this is a folder; a TOML file is needed'),
    ("base = 3", "my.toml:1:1: base = 3 is not allowed; allowed: the name of a variant, or a path to a file"),
    ('base = ""', 'my.toml:1:1: base = "" is not allowed'),
    ('base = "noddy"\ntarget =\n', "my.toml:2:9: not valid TOML: invalid value"),
    ('base = "noddy"\ntarget =', "my.toml:2:9: not valid TOML: invalid value"),
    ('base = "noddy"\nhand = 3\nhand = 4\n', "my.toml:3:9: not valid TOML: a key is given twice"),
    ("x = " + "[" * 3000, "my.toml: not valid TOML: brackets are nested too deeply"),
    ("target = " + "9" * 5000, "my.toml: not valid TOML: a number has thousands of digits"),
    ('base = "noddy"\ntarget = ' + "9" * 300, "my.toml:2:1: target = a number of more than 50 digits is not allowed"),
])  # fmt: skip
def test_files_that_cannot_be_used(write, text, message):
    assert refusal(write(text)).startswith(message)


def test_text_that_is_not_utf8(write):
    Path("latin.toml").write_bytes('base = "noddy"\ntitle = "Naïf"\n'.encode("latin-1"))
    assert refusal("latin.toml") == "latin.toml:2: not UTF-8 text; save the file as UTF-8"


def test_a_byte_order_mark_and_windows_line_ends_do_no_harm(write):
    Path("bom.toml").write_bytes(b'\xef\xbb\xbfbase = "noddy"\r\ntarget = 61\r\n')
    assert load_variant("bom.toml").rules.target == 61
    Path("bom.toml").write_bytes(b'\xef\xbb\xbfbase = "noddy"\r\ntarget = 0\r\n')
    assert refusal("bom.toml").startswith("bom.toml:2:1: target = 0 ")


# --- places in a TOML file ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("path", "place"), [
    (("a",), (1, 1)), (("b", "c"), (2, 1)), (("b",), (2, 1)), (("list", 1), (4, 5)), (("list", 0), (3, 9)),
    (("t", "ü x"), (6, 3)), (("t", "in", "k"), (7, 8)), (("rows", 0, "r"), (9, 1)), (("rows", 1, "r"), (12, 1)),
    (("rows", 1, "sub", "s"), (14, 1)), (("rows", 1, "absent", "s"), (11, 1)), (("é",), (15, 1)),
    (("é", "late"), (15, 8)), (("absent",), None), ((), None),
])  # fmt: skip
def test_places_of_keys(path, place):
    text = (
        'a = 1\nb.c = 2\nlist = [1, # one\n    2]\n[t]\n  "ü x" = 3\nin = { k = 1 }\n'
        "[[rows]]\nr = 1\n\n[[rows]]\nr = 2\n[rows.sub]\ns = 1\n"
    )
    text = "" if path and path[0] == "é" else text
    text += "\n" * 14 + '"é" = {late = 1}\n' if not text else ""
    assert parse_toml(text, "x.toml").position(path) == place


def test_columns_count_letters_not_bytes():
    assert parse_toml('t = { "éé" = 1, b = 2 }', "x").where(("t", "b")) == "x:1:17"


def test_without_a_grammar_errors_still_name_file_and_key(write, monkeypatch):
    real = builtins.__import__

    def no_tree_sitter(name, *args, **kwargs):
        if name.startswith("tree_sitter"):
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", no_tree_sitter)
    assert refusal(write('base = "noddy"\ntarget = 0\n')).startswith("my.toml: target = 0 is not allowed")


def test_a_sound_file_is_read_without_the_grammar():
    code = (
        "import sys; from noddysim.game.rules import load_variant; load_variant('noddy-61');"
        "print(sorted({'numba', 'pandas', 'numpy', 'tree_sitter', 'difflib'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_read_toml_shows_the_name_it_is_given(tmp_path):
    path = tmp_path / "x.toml"
    path.write_text("a = 1\n")
    assert read_toml(path, "shown.toml").where(("a",)) == "shown.toml:1:1"
    assert read_toml(path).data == {"a": 1}
