# SPDX-License-Identifier: Apache-2.0
"""Short stories for children, made by rule: story(seed) -> text of 80 to 200 words.

A story is one of the plots of story_plots.py played with people, things and places drawn from
story_words.py. A plot keeps state as objects with names (who, where, what) and says sentences;
every sentence has several forms, and a form names the state by fields: "{a.He} lost {a.his} {x}."
So a thing keeps its colour, a person their pronoun, and a reason its consequence from the first
line to the moral. One seed always gives the same story, in every process.

    python3 models/stories.py [COUNT] [SEED]     prints stories to look at
"""

import random
import re
import sys

import story_words as words
from story_plots import PLOTS

FEWEST_WORDS, MOST_WORDS = 80, 200

# A letter that begins a sentence: at the start, or after an end mark (one inside a quotation only
# when it is a full stop, for '"Help!" cried the fox' goes on).
_SENTENCE = re.compile(r'(^|[.!?] |\.\" |\n)(\"?)([a-z])')


def with_article(phrase):
    return ("an " if phrase[0] in "aeiou" or phrase.startswith("honest") else "a ") + phrase


class Person:
    """A character: a name and how to speak of them. The fields are what the sentences use."""

    def __init__(self, name, she, kind, intro):
        self.name, self.kind, self.intro = name, kind, intro
        self.he, self.him, self.his, self.himself = (
            ("she", "her", "her", "herself") if she else ("he", "him", "his", "himself"))
        self.He, self.His = self.he.capitalize(), self.his.capitalize()
        self.The = name[0].upper() + name[1:]

    def __str__(self):
        return self.name


class Thing:
    """A thing with its look: "{x}" is "red ball", "{x.a}" is "a red ball", "{x.n}" is "ball"."""

    def __init__(self, look, noun):
        self.n = noun
        self.full = (look + " " + noun) if look else noun
        self.a = with_article(self.full)

    def __str__(self):
        return self.full


class Place:
    """A place: "{p}" is "the forest", "{p.at}" is "in the forest", spots are where to search."""

    def __init__(self, row):
        self.noun, self.preposition, self.scene, spots = row
        self.spots = spots.split("|")
        self.at = self.preposition + " the " + self.noun

    def __str__(self):
        return "the " + self.noun


class Tale:
    """A story being told: the dice, the state that sentences may name, the text so far."""

    with_article = staticmethod(with_article)

    def __init__(self, seed):
        self.dice = random.Random(seed)
        self.state = {}
        self.paragraphs = [[]]
        self.taken = set()

    def pick(self, choices):
        return choices[int(self.dice.random() * len(choices))]

    def chance(self, probability):
        return self.dice.random() < probability

    def let(self, **state):
        self.state.update(state)

    def say(self, *forms):
        """One of the forms, its fields filled in."""
        self.paragraphs[-1].append(self.pick(forms).format_map(self.state))

    def maybe(self, *forms):
        if self.chance(0.5):
            self.say(*forms)

    def paragraph(self):
        if self.paragraphs[-1]:
            self.paragraphs.append([])

    def text(self):
        whole = "\n".join(" ".join(p) for p in self.paragraphs if p)
        return _SENTENCE.sub(lambda m: m.group(1) + m.group(2) + m.group(3).upper(), whole)

    # Who, what and where.

    def _name(self, names):
        name = self.pick(names)
        while name in self.taken:
            name = self.pick(names)
        self.taken.add(name)
        return name

    def child(self):
        she = self.chance(0.5)
        name = self._name(words.GIRLS if she else words.BOYS)
        look = with_article(self.pick(words.CHILD_LOOKS))
        return Person(name, she, "girl" if she else "boy", f"{look} {'girl' if she else 'boy'} named {name}")

    def animal(self):
        kind = self._name(words.ANIMALS)
        name = self._name(words.PETS)
        look = with_article(self.pick(words.LOOKS))
        return Person(name, self.chance(0.5), kind, f"{look} {kind} named {name}")

    def pair(self):
        """A hero and a friend: two children, two animals, or a child and an animal."""
        cast = self.pick(("cc", "cc", "aa", "aa", "aa", "ca", "ac"))
        return tuple(self.child() if c == "c" else self.animal() for c in cast)

    def elder(self):
        she = self.chance(0.5)
        name = self.pick(words.ELDERS_F if she else words.ELDERS_M)
        return Person(name, she, "elder", name)

    def worker(self):
        trade = self.pick(words.WORKERS)
        return Person("the " + trade, self.chance(0.5), trade, with_article(trade))

    def toy(self):
        look = self.pick(words.COLORS if self.chance(0.6) else words.TOY_LOOKS)
        noun = self.pick(words.TOYS)
        return Thing("" if look in noun.split() or noun.split()[0] in look else look, noun)

    def thing(self, looks, nouns):
        return Thing(self.pick(looks), self.pick(nouns))

    def place(self):
        return Place(self.pick(words.PLACES))

    # What many plots begin and end with.

    def open(self):
        """Present {a}, who the story is about, and what {a} is like."""
        self.let(home=self.pick(words.HOMES), love=self.pick(words.LOVES))
        if self.chance(0.25):
            self.let(love2=self.pick([w for w in words.LOVES if w != self.state["love"]]))
            self.say("Once upon a time, {a.intro} lived in {home}. {a.He} loved {love} and {love2}.",
                     "In {home} lived {a.intro}. There was nothing {a.he} liked more than {love}, except {love2}.")
            return
        self.say("Once upon a time, there was {a.intro}.",
                 "Once upon a time, {a.intro} lived in {home}.",
                 "There once was {a.intro} who lived in {home}.",
                 "Long ago, {a.intro} lived in {home}.",
                 "In {home} lived {a.intro}.",
                 "This is the story of {a.intro}.")
        self.maybe("{a} loved {love}.", "{a.He} liked {love} very much.", "Every day {a.he} spent some time {love}.")

    def day(self):
        adjective, sentence = self.pick(words.WEATHER)
        self.let(weather=adjective, time=self.pick(words.TIMES), scene=self.state["p"].scene,
                 aweather=with_article(adjective))
        self.say("One {weather} {time}, {a} was {p.at}.",
                 "It was {aweather} {time}, and {a} went for a walk {p.at}.",
                 "One {time}, {a} was playing {p.at}.",
                 "On {aweather} {time}, {a} was {p.at}.")
        self.maybe("There, {scene}.", sentence)


def story(seed):
    """The story of a seed. A telling of a wrong length is told again with another throw of the dice."""
    for attempt in range(64):
        tale = Tale(seed * 64 + attempt)
        tale.pick(PLOTS)(tale)
        text = tale.text()
        if FEWEST_WORDS <= len(text.split()) <= MOST_WORDS:
            return text
    raise RuntimeError(f"seed {seed}: no story of {FEWEST_WORDS} to {MOST_WORDS} words in 64 tellings")


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    print("\n\n".join(story(first + i) for i in range(count)))
