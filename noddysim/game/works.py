"""The works that built-in variants name as their sources."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Work:
    """A source: its title and address, and how much of it was seen (whole, part or extracts)."""

    title: str
    address: str
    seen: str


WORKS: Final[Mapping[str, Work]] = {
    "seed-b": Work("How to Play: Noddy, a page of rules with the play, the show, variations and tips", "", "whole"),
    "seed-a": Work("The Innocence (Noddy), a page of rules for a melding game", "", "whole"),
    "seed-c": Work("Nosach (Snitch), a page of rules in Ukrainian, credited to Geoff Klassen", "", "whole"),
    "TH1": Work("Jason Garber, Thief card game (2013)",
                "https://jasongarber.com/blog/2013/02/11/thief-card-game/", "part"),
    "TH2": Work("Cats at Cards, Thief", "http://www.catsatcards.com/Games/Thief_Card_Game.htm", "part"),
    "COT": Work("Charles Cotton, The Compleat Gamester (1674), chapters IX and XIV",
                "https://quod.lib.umich.edu/e/eebo/A34637.0001.001", "whole"),
    "HOF": Work("Professor Hoffmann, Hoyle's Games Modernized, chapter Cribbage",
                "https://www.gutenberg.org/ebooks/39445", "whole"),
    "BSD": Work("Cribbage, the rules text of the BSD program", "https://github.com/freebsd/freebsd-src", "whole"),
    "HOY": Work("Hoyle's Games, pp. 249-250", "http://www.childrensnursery.org.uk/hoyles-games/", "part"),
    "EB9": Work("Encyclopaedia Britannica, 9th edition, Cribbage", "https://en.wikisource.org/", "part"),
    "EB11": Work("Encyclopaedia Britannica, 11th edition, Cribbage",
                 "http://encyclopedia.jrank.org/CRE_DAH/CRIBBAGE.html", "part"),
    "ACC": Work("American Cribbage Congress, tournament rules", "http://cribbage.org/rules/", "part"),
    "GER": Work("Germantown Peggers, Muggins", "http://members.tripod.com/~Germantown_Peggers/muggins.htm", "part"),
    "CRN": Work("Cribbage Corner", "http://cribbagecorner.com/cribbage-rules-play", "part"),
    "RU3": Work("Encyclopedia of Games (1992, in Russian), cribbage for three and four",
                "https://cartalana.com/029book-18.php", "part"),
    "WRC": Work("Wikipedia, Rules of cribbage", "https://en.wikipedia.org/wiki/Rules_of_cribbage", "extracts"),
    "OSP": Work("OpenSpiel, cribbage", "https://github.com/google-deepmind/open_spiel", "whole"),
    "PNO": Work("David Parlett, Noddy", "http://www.parlettgames.uk/histocs/noddy.html", "part"),
    "WNO": Work("Wikipedia, Noddy (card game)", "https://en.wikipedia.org/wiki/Noddy_(card_game)", "extracts"),
    "GRO": Work("Jonny Groves, Four-Card Noddy and Crib Noddy",
                "http://www.pagat.com/invented/4cardnoddy.html", "whole"),
    "IVE": Work("Guilde of St Ives, Noddy", "http://members.tripod.com/Guilde_of_St_Ives/Games/noddy.htm", "whole"),
    "COG": Work("Cool Old Games, Noddy", "https://www.coololdgames.com/card-games/cribbage/noddy/", "part"),
    "ENQ": Work("Enquire Within Upon Everything, sections 80-83", "http://www.grapenovel.com/", "part"),
    "BIC": Work("Bicycle, Three-Hand Cribbage and Four-Hand Cribbage",
                "http://www.bicyclecards.com/card-games/rule/four-hand-cribbage", "whole"),
    "SMW": Work("smw25, Costly-Colors, a program with its rules", "https://github.com/smw25/Costly-Colors", "whole"),
    "YUT": Work("yuta-yoshinaga, go_trumpcards, Costly Colours: program, tests and manual",
                "https://github.com/yuta-yoshinaga/go_trumpcards", "whole"),
    "PCC": Work("David Parlett, Costly Colours", "https://davidparlett.co.uk/histocs/costly.html", "part"),
}  # fmt: skip
"""Works that the built-in variants name; a source of any other key is shown by its key alone."""
