"""How comments are written in English: sentences that take a noun, and some for one kind of video."""
# ruff: noqa: E501 - a comment is as long as it is

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from gotgan.world.videos.moods import Mood, Phrases

__all__ = ["ENGLISH", "filled"]

_OPENERS: Final[Mapping[Mood, tuple[str, ...]]] = {
    "positive": (
        "Wow, ", "Honestly, ", "Okay but ", "Not gonna lie, ", "As always, ", "Just found this channel and ",
        "Came here from the shorts, ", "No joke, ", "Watching this at 2am, ",
    ),
    "neutral": ("Just noting that ", "For what it's worth, ", "So ", "I think ", "Fyi, ", "Heads up, "),
    "negative": (
        "Honestly, ", "Sorry but ", "I wanted to like this, but ", "Am I the only one who thinks ", "Ugh, ",
        "Long time viewer here, and ", "No offence, ",
    ),
}  # fmt: skip
_CLOSERS: Final[Mapping[Mood, tuple[str, ...]]] = {
    "positive": ("!", "!!!", " lol", " 😂😂", " ❤️", " 🔥🔥", " 👏", " :)", ".", " haha", " 🙌", " <3", " 😭❤️"),
    "neutral": ("", ".", "...", " tbh", " 🤔"),
    "negative": (".", "...", " 👎", " smh", " :(", " 🙄", "!!", " 😤"),
}  # fmt: skip
_ABOUT: Final[Mapping[Mood, tuple[str, ...]]] = {
    "positive": (
        "the {n} is amazing",
        "I love the {n} so much",
        "the {n} here is on another level",
        "this is the best {n} I have seen all year",
        "the {n} made my day",
        "the {n} is absolutely gorgeous",
        "I keep coming back just for the {n}",
        "that {n} was so satisfying",
        "great work on the {n}, thank you",
        "the {n} gave me chills",
        "the {n} is a masterpiece",
        "the {n} was really helpful and clear",
        "never thought I would enjoy the {n} this much",
        "the {n} deserves way more views",
        "the {n} is super impressive",
        "you nailed the {n}",
    ),
    "neutral": (
        "the {n} is the same as in the last video",
        "the {n} starts about halfway through",
        "the {n} is listed in the description",
        "I only watched the part about the {n}",
        "my brother uses a different {n}",
        "the {n} changed in the spring, I believe",
        "the {n} depends on where you live",
        "I wrote down the {n} for later",
        "there are two versions of the {n}",
        "the {n} comes up again in part two",
    ),
    "negative": (
        "the {n} is terrible",
        "the {n} ruined it for me",
        "I really hate the {n}",
        "the {n} is so boring I fell asleep",
        "the {n} was a huge disappointment",
        "the {n} is the worst part by far",
        "the {n} feels lazy and rushed",
        "I stopped watching because of the {n}",
        "the {n} is way too annoying",
        "this {n} is a complete waste of time",
        "the {n} keeps getting worse",
        "whoever approved the {n} should be ashamed",
        "the {n} is painfully bad",
    ),
}
_WHOLE: Final[Mapping[str, Mapping[Mood, tuple[str, ...]]]] = {
    "cooking": {
        "positive": ("made this tonight and my kids asked for seconds, thank you", "finally a recipe that works, delicious", "my kitchen smells wonderful right now"),
        "neutral": ("I used rice vinegar because that is what I had", "this makes about four servings", "my oven runs a little hot, so I took 20 minutes"),
        "negative": ("followed every step and it came out inedible", "way too salty, had to throw it all away", "half the steps are missing, very frustrating"),
    },
    "game": {
        "positive": ("that last run was insane, I was cheering out loud", "best playthrough on this site, hands down", "laughed the whole way through, love it"),
        "neutral": ("I am still on chapter two", "the patch notes say the numbers changed on Tuesday", "console version is out next month"),
        "negative": ("spoiling the ending in the title is just awful", "watching you miss the obvious door for ten minutes was painful", "too much screaming, unwatchable"),
    },
    "music": {
        "positive": ("goosebumps from the very first line", "this has been on repeat all week, I love it", "they killed it, what a stage"),
        "neutral": ("the single came out at six", "this is their third album", "there is a live version on the other channel"),
        "negative": ("sounds like everything else this year, disappointing", "too much autotune, I could not finish it", "the old sound was so much better, this is bad"),
    },
    "news": {
        "positive": ("thank you for explaining this so clearly", "great reporting, we need more of this", "really appreciate the honest coverage"),
        "neutral": ("it starts on the first of next month", "our town has not announced anything yet", "two other cities have a similar scheme"),
        "negative": ("they never listen to anyone, this is a disgrace", "my commute got so much worse, I am furious", "all talk and nothing ever changes, pathetic"),
    },
    "tech": {
        "positive": ("bought it because of this review and could not be happier", "finally an honest review, thank you", "the comparison table was incredibly useful"),
        "neutral": ("I am on last year's model", "the import version has 16 gigs of memory", "it ships on the 25th"),
        "negative": ("mine broke after a month, terrible quality", "this feels like a paid ad, very disappointing", "absurd price for such poor performance"),
    },
    "vlog": {
        "positive": ("these videos calm me down after work, love them", "so cosy, please never stop", "this made a hard week better, thank you"),
        "neutral": ("I live two streets from there", "that plant is from the corner shop", "so these come out on Sundays"),
        "negative": ("nothing but sponsors lately, so boring", "same video again, I am tired of it", "the old ones were so much better, sad"),
    },
    "lecture": {
        "positive": ("passed my exam because of you, thank you so much", "best explanation of this I have ever heard", "ten years late, but now I finally understand it, brilliant"),
        "neutral": ("I started with lecture three", "page numbers are from the second edition", "the next one comes out on Thursday"),
        "negative": ("way too fast, I am completely lost", "the first ten minutes are simply wrong, confusing", "cannot read the board at all, useless"),
    },
    "travel": {
        "positive": ("I want to book a flight right now, beautiful", "felt like travelling with a friend, so happy", "what a stunning place, thank you for showing it"),
        "neutral": ("we are going there in April", "it is two and a half hours by train", "the ticket was twelve dollars"),
        "negative": ("nobody mentions the scams, disappointing", "overcrowded and overpriced, do not go", "that was rude to the locals, hard to watch"),
    },
}  # fmt: skip
_QUESTIONS: Final = (
    "where did you get the {n}?",
    "how long did the {n} take?",
    "does anyone know what the {n} is called?",
    "is the {n} okay for beginners?",
    "why is the {n} different this time??",
    "what happens if you skip the {n}?",
    "which {n} did you use here?",
    "when will the {n} be out?",
    "can somebody explain the {n} to me?",
)
_REQUESTS: Final = (
    "please do a longer video on the {n}",
    "could you do a part two about the {n}",
    "can you share a link to the {n} please",
    "would love to see you compare the {n} with the old one",
    "please slow down a bit during the {n}",
    "next video should be all about the {n}, please",
    "please upload the full {n}",
    "you should make a tutorial for the {n}",
)
_SPAM: Final = (
    "I make $5,000 a week from home, message me on WhatsApp +1 555 01{number}",
    "Check out my channel for better content, sub 4 sub!!",
    "FREE GIFT CARDS >>> http://gifts-{number}.example.test <<< hurry",
    "Invest with coach{number} on Telegram, she changed my life 💰💰💰",
    "Who wants 1000 subscribers? http://subs-{number}.example.test",
)
_AT_MOMENT: Final = ("{time} ", "at {time} ", "{time} - ", "{time} when ", "around {time}, ")
_JOINTS: Final = (" ", ". ", ", and ", "! ", "\n")
_SLIPS: Final = (
    ("the ", "teh "),
    ("really", "realy"),
    ("definitely", "definately"),
    ("I ", "i "),
    ("you ", "u "),
    ("so much", "sooo much"),
    ("amazing", "amazin"),
    ("because", "bc"),
    ("thank you", "thx"),
    ("terrible", "terible"),
    ("please", "pls"),
    ("disappoint", "dissapoint"),
)

ENGLISH: Final = Phrases(
    openers=_OPENERS,
    closers=_CLOSERS,
    about=_ABOUT,
    whole=_WHOLE,
    questions=_QUESTIONS,
    requests=_REQUESTS,
    spam=_SPAM,
    at_moment=_AT_MOMENT,
    joints=_JOINTS,
    slips=_SLIPS,
)
_SEVERAL: Final = (
    ("{n} is", "{n} are"),
    ("is the {n}", "are the {n}"),
    ("{n} was", "{n} were"),
    ("{n} has", "{n} have"),
    ("this {n}", "these {n}"),
    ("that {n}", "those {n}"),
    ("{n} feels", "{n} feel"),
    ("{n} keeps", "{n} keep"),
    ("{n} deserves", "{n} deserve"),
    ("{n} depends", "{n} depend"),
    ("{n} starts", "{n} start"),
    ("{n} comes", "{n} come"),
)


def filled(sentence: str, noun: str) -> str:
    """A sentence about something, or about several."""
    if noun.endswith("s"):
        for one, several in _SEVERAL:
            sentence = sentence.replace(one, several)
    return sentence.format(n=noun)
