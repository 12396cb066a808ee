"""Find the actor of a step: a role at its beginning ("**User**: opens the page", "The server answers", "As an admin, open …")."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from ..sections import Item


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: Last words in names of actors: people, programs and parts of systems.
_ROLES: Final = _words(
    """
    actor admin administrator agent analyst api app application approver architect assistant attacker author backend
    bank bot broker browser buyer cache caller client cluster compiler consumer contributor controller coordinator
    crawler customer database daemon db designer developer device dispatcher driver editor employee engine engineer
    executor extension follower framework frontend gateway guest handler host hub indexer initiator installer issuer
    kernel leader lead listener loader maintainer manager master mediator member merchant middleware miner model
    moderator monitor node oncall operator orchestrator organizer owner parser participant partner peer planner player
    plugin producer provider proxy publisher qa queue reader receiver recipient renderer replica reporter repository
    requester resolver responder reviewer router runner runtime scanner scheduler script sdk sender seller server
    service signer student subscriber supervisor support system teacher team tester tool tracker user validator vendor
    verifier viewer visitor watcher webhook worker writer
    """
)
_VERBS: Final = _words(
    """
    accepts acknowledges adds allocates answers applies approves asks assigns authenticates authorizes begins
    broadcasts builds calculates calls cancels checks chooses clicks closes collects commits completes computes
    confirms connects consumes continues converts copies creates decides decodes decrypts deletes deploys detects
    determines dispatches downloads emits enables encodes encrypts enqueues ensures enters establishes evaluates
    executes exports extracts fetches fills finds forwards generates gets gives handles ignores imports initiates
    inserts invokes issues joins launches listens loads logs looks makes marks merges navigates notifies obtains opens
    parses passes pays performs picks polls posts prepares presents presses processes produces prompts provides
    publishes pulls pushes queries queues reads receives records redirects registers rejects releases removes renders
    replies reports requests resolves responds restarts retrieves returns reviews runs saves scans schedules scrolls
    searches selects sends serves sets shows signs spawns starts stops stores streams submits subscribes takes tests
    translates triggers tries types updates uploads uses validates verifies waits writes
    """
)
#: First words of instructions.
_IMPERATIVES: Final = _words(
    """
    accept access activate add adjust allow amend announce answer append apply approve archive ask assign attach
    authenticate authorize begin browse build bump call cd change check checkout choose clean clear click clone close
    collect comment commit compare compile complete compute configure confirm connect consider contact continue convert
    copy create curl cut decide declare decode define delete deploy describe determine develop disable discuss docker
    document double-check download draft drag draw drop duplicate edit enable ensure enter establish evaluate execute
    explain export expose extend extract fetch fill filter find finish fix flag follow fork format generate get git give
    go grant handle head identify implement import include increment inform initialize inject insert inspect install
    integrate introduce invite invoke issue join keep label launch leave let link list load locate log login look
    maintain make map mark measure merge migrate modify monitor mount move name navigate note notify npm obtain open
    order parse pass paste patch perform pick ping pip place point post prepare press print process produce promote
    provide prune publish pull push put query quit raise read rebase reboot rebuild receive recompile record recycle
    refactor refresh register release reload remove rename repeat replace reply report request rerun reset resolve
    restart restore retrieve return revert review rewrite rotate run save scale scan schedule scroll search see select
    send separate serve set share ship show sign skip solve specify split squash stage start stop store submit subscribe
    swipe switch sync tag take tap tell terminate test tick trace track train transfer transform trigger try turn type
    uncomment undo uninstall unpack untar unzip update upgrade upload use validate verify view visit wait walk watch
    wire wrap write yarn
    """
)
_ADVERBS: Final = re.compile(
    r"(?:(?:first|next|then|finally|now|optionally|also|please|always|\(optional\))[,:]? )*", re.IGNORECASE
)
_CLAUSE: Final = re.compile(
    r"(?:after|before|if|in|on|once|from|when|while|for|to|with|using|inside|under|at|as|upon|assuming)\b"
    r"(?:[^,.;]|\.(?=\w)){1,160}, ",
    re.IGNORECASE,
)
#: What readers see or must do, said to them: "You should see a message".
_TO_READER: Final = re.compile(r"you(?:'ll| will| should| must| need to| can now)\b", re.IGNORECASE)
#: Words before the verb of an actor, and verbs after them that are no actions.
_MODALS: Final = frozenset(("will",))
_STATIVE: Final = frozenset(("be", "have", "not", "never", "no", "only"))
#: Words between the actor and the verb.
_BETWEEN: Final = frozenset(("then", "also", "now"))
#: Maximum number of words in the name of an actor.
_MAX_WORDS: Final = 3
_ARTICLES: Final = frozenset(("the", "a", "an"))
_DETERMINERS: Final = frozenset(
    ("a", "an", "the", "its", "their", "his", "her", "this", "that", "each", "all", "every", "whether", "one")
)
_AS: Final = re.compile(r"as (?:the |an? )(?P<actor>(?:[\w-]+ ){0,2}[\w-]+), ", re.IGNORECASE)
_LABELLED: Final = re.compile(r"\[?(?P<actor>(?:[\w-]+ ){0,2}[\w-]+)\]?(?::|[ \t]+[\u2013\u2014-])[ \t]+\S")
#: First word of a condition, a time or a place.
_CONDITION: Final = re.compile(
    r"(?:for|if|when|whenever|while|once|after|before|until|unless|during|on|in|at|from|with|without|within|by|to)\b",
    re.IGNORECASE,
)
#: A mark before a sentence: "(Optional)".
_MARK: Final = re.compile(r"[\[(][^()\[\]]{1,30}[\])][:,]?[ ]*")
_VERB: Final = re.compile(r"[a-z]{3,}s")
_CAMEL: Final = re.compile(r"[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+")


def actors_of(items: Sequence[Item], participants: Sequence[str]) -> list[str]:
    """Return the actor of each item of a list; "" if the text does not name one.

    A term before a colon is an actor if it is a role, a participant of a diagram of the document, or the beginning of several
    items.
    """
    labels = [_label(item) for item in items]
    times = Counter(label.lower() for label in labels if label)
    known = {name.lower() for name in participants}
    found = []
    for item, label in zip(items, labels, strict=True):
        is_actor = label and (_is_role(label) or label.lower() in known or times[label.lower()] > 1)
        found.append(label if is_actor else _subject(item.text, known))
    return found


def is_instruction(text: str) -> bool:
    """Return whether a text is an instruction: "Next, run the tests", "On the server, stop the process"."""
    rest = _main_clause(text)
    if _TO_READER.match(rest) is not None:
        return True
    return re.split(r"[^\w-]", rest.lstrip("`*_["), maxsplit=1)[0].lower() in _IMPERATIVES


def is_action(text: str) -> bool:
    """Return whether a text says what an actor does: "The server answers", "If it fails, the maintainers will fix it"."""
    return bool(_subject(_main_clause(text), set()))


def _main_clause(text: str) -> str:
    """Return a text without the adverbs and the clause at its beginning."""
    begun = _ADVERBS.match(text)
    rest = text[begun.end() if begun is not None else 0 :]
    clause = _CLAUSE.match(rest)
    return rest[clause.end() :] if clause is not None else rest


def _label(item: Item) -> str:
    """Return the term before a colon or a dash at the beginning of an item; "" for none and for a condition: "For each user:"."""
    label = _term(item)
    return "" if _CONDITION.match(label) is not None else label


def _term(item: Item) -> str:
    if item.lead and item.text.startswith(item.lead):
        after = item.text[len(item.lead) :].lstrip()
        if item.lead.endswith(":") or after[:1] in (":", "\u2014", "\u2013", "-"):
            return item.lead.rstrip(" :")
    labelled = _LABELLED.match(item.text[:100])
    return labelled["actor"] if labelled is not None else ""


def _subject(text: str, known: set[str]) -> str:
    begun = _AS.match(text)
    if begun is not None and _is_role(begun["actor"]):
        return begun["actor"]
    words = _MARK.sub("", text[:200]).split()
    if words and words[0].lower() in _ARTICLES:
        del words[0]
    for count in range(1, min(_MAX_WORDS, len(words) - 1) + 1):
        actor = " ".join(words[:count])
        if _is_role(actor) or actor.lower() in known or _CAMEL.fullmatch(actor):
            following = words[count:]
            is_modal = following[0].lower() in _MODALS
            following = following[1:] if is_modal else following
            following = following[1:] if following and following[0].lower() in _BETWEEN else following
            verb = following[0].strip(".,:;") if following else ""
            if is_modal and verb.isalpha() and verb not in _STATIVE:
                return actor
            if verb in _VERBS or (_VERB.fullmatch(verb) and len(following) > 1 and following[1].lower() in _DETERMINERS):
                return actor
    return ""


def _is_role(name: str) -> bool:
    last = name.rpartition(" ")[2].lower().rpartition("-")[2]
    return last in _ROLES or last.removesuffix("s") in _ROLES
