"""The draft a page works on: kept in the store as it changes, found again by the address of the page.

A page asks for the draft of its kind, changes it through `change`, and never saves by itself. What somebody else saved
meanwhile is never overwritten without asking.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final, Generic, Protocol, Self, TypeVar

import streamlit as st

from engine import KingdominoError
from store import LIMITS, DraftConflict, NotFound, Settings, Store, database_url, open_store
from ui.guard import action, show_problem, tell
from ui.language import _
from ui.style import message

#: The name of the draft in the address of a page.
PARAMETER: Final = "draft"
#: The kind of drafts that never become a record.
PASSING: Final = "score"


class Document(Protocol):
    """A value that a draft can hold."""

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        ...

    @classmethod
    def from_json(cls, data: Any) -> Self:
        """The value of plain data."""
        ...


D = TypeVar("D", bound=Document)


@dataclass
class Working(Generic[D]):
    """A draft in this tab: the value shown, the version it has in the store, and what another tab saved, if it did."""

    id: str
    version: int
    value: D
    theirs: tuple[int, D] | None = None
    #: Whether the page shows the question about it already.
    asked: bool = False
    #: Counts how often the value was replaced from outside, so that widgets begin anew with it.
    epoch: int = 0


@st.cache_resource(show_spinner=False)
def _opened(url: str) -> Store:
    opened = open_store(url, Settings())
    # Kingdoms that were scored without a game and left alone for so long are thrown away like discarded ones.
    forgotten = datetime.now(UTC) - LIMITS.kept
    for draft in opened.drafts.all(kind=PASSING):
        if draft.changed_at < forgotten:
            opened.drafts.discard(draft.id)
    opened.purge()
    return opened


def store() -> Store:
    """The records, opened once for all tabs."""
    return _opened(database_url().render_as_string(hide_password=False))


class Drafts(Generic[D]):
    """The drafts of one kind, as one page sees them."""

    def __init__(self, kind: str, read: Callable[[Any], D]) -> None:
        self.kind = kind
        self._read = read
        self._key = f"working on {kind}"

    def current(self) -> Working[D] | None:
        """The draft of this tab: the one in the address, else the one it had before; None if there is none."""
        named = st.query_params.get(PARAMETER)
        here: Working[D] | None = st.session_state.get(self._key)
        if named is None and here is None:
            return None
        loaded = self._load(named) if named is not None and (here is None or here.id != named) else None
        here = loaded or (here and self._refreshed(here))
        if here is not None:
            st.query_params[PARAMETER] = here.id
        else:
            self.close()
        return here

    def begin(self, value: D, *, edits: str | None = None) -> None:
        """Start a draft, perhaps one that edits a game, and let this tab work on it."""
        saved = store().drafts.start(value.as_json(), kind=self.kind, edits=edits)
        self._take(saved.id, saved.version, value)

    def open(self, draft_id: str) -> None:
        """Let this tab work on another draft."""
        self.close()
        st.query_params[PARAMETER] = draft_id

    def close(self) -> None:
        """Let this tab work on no draft; the draft stays."""
        st.session_state.pop(self._key, None)
        st.query_params.pop(PARAMETER, None)

    def value(self) -> D:
        """What is being entered in this tab now."""
        return self._working().value

    def version(self) -> int:
        """The version that this tab saved or read last."""
        return self._working().version

    def change(self, value: D, *, save: bool = True) -> None:
        """Show another value and save it. If another tab saved meanwhile, nothing is overwritten and the page asks."""
        here = self._working()
        here.value = value
        if not save or here.theirs is not None:
            return
        try:
            here.version = store().drafts.save(here.id, value.as_json(), here.version)
        except DraftConflict as conflict:
            here.theirs, here.asked = (conflict.version, self._read(conflict.document)), False

    def conflict(self) -> bool:
        """Whether another tab saved something else, so that a person has to choose."""
        here: Working[D] | None = st.session_state.get(self._key)
        return here is not None and here.theirs is not None

    def unasked(self) -> bool:
        """Whether there is such a choice and the page does not show it yet."""
        return self.conflict() and not self._working().asked

    def show_notices(self) -> None:
        """Tell what went wrong, was thrown away or was changed elsewhere; the page below keeps its place."""
        # A part of the page that moves is made anew, and a finger that is down on it then comes up on nothing.
        with st.container():
            show_problem()
            self._offer_restoring()
            self._ask_about_conflict()

    def _ask_about_conflict(self) -> None:
        """Let the person choose between what is shown here and what was saved elsewhere."""
        if not self.conflict():
            return
        self._working().asked = True
        headline = _("This was changed on another phone or in another tab in the meantime.")
        detail = _("Your last change is not saved yet. Which of the two do you want to go on with?")
        st.html(message("bad", headline, (detail,)))
        with st.container(horizontal=True):
            st.button(_("Show what was saved there"), on_click=action(self._take_theirs), key=f"{self.kind} theirs")
            st.button(_("Keep what I have here"), on_click=action(self._keep_mine), key=f"{self.kind} mine")

    def discard(self, draft_id: str, *, silently: bool = False) -> None:
        """Throw a draft away; undoing it is offered unless nothing was in it."""
        store().drafts.discard(draft_id)
        here: Working[D] | None = st.session_state.get(self._key)
        if here is not None and here.id == draft_id:
            self.close()
        if not silently:
            st.session_state[f"{self._key} discarded"] = draft_id

    def _offer_restoring(self) -> None:
        """Offer to bring back what was thrown away in this tab last."""
        discarded = st.session_state.get(f"{self._key} discarded")
        if discarded is None:
            return

        def restore() -> None:
            st.session_state.pop(f"{self._key} discarded", None)
            store().drafts.restore(discarded)
            self.open(discarded)

        with st.container(horizontal=True, vertical_alignment="center"):
            st.html(message("open", _("The draft was discarded.")))
            st.button(_("Undo: bring the draft back"), on_click=action(restore), key=f"{self.kind} restore")

    def finished(self) -> str | None:
        """The game that the draft of this tab has become, here or on another phone; told once."""
        game: str | None = st.session_state.pop(f"{self._key} finished", None)
        return game

    def _working(self) -> Working[D]:
        here: Working[D] | None = st.session_state.get(self._key)
        if here is None:
            raise NotFound(_("This draft is no longer open here. Reload the page to go on."))
        return here

    def _load(self, draft_id: str) -> Working[D] | None:
        try:
            saved = store().drafts.open(draft_id)
            if saved.kind != self.kind:
                return None
            if saved.finished_game is not None:
                st.session_state[f"{self._key} finished"] = saved.finished_game
                return None
            if saved.discarded_at is not None:
                st.session_state[f"{self._key} discarded"] = saved.id
                return None
            value = self._read(saved.document)
        except KingdominoError as error:
            tell(str(error))
            return None
        return self._take(saved.id, saved.version, value)

    def _refreshed(self, here: Working[D]) -> Working[D] | None:
        """The draft with what another tab saved since; nothing of this tab is lost, for it is always saved."""
        saved = store().drafts.open(here.id)
        if saved.finished_game is not None or saved.discarded_at is not None:
            st.session_state[f"{self._key} finished"] = saved.finished_game
            return None
        if saved.version != here.version and here.theirs is None:
            return self._take(saved.id, saved.version, self._read(saved.document), here.epoch + 1)
        return here

    def _take(self, draft_id: str, version: int, value: D, epoch: int = 0) -> Working[D]:
        here = Working(draft_id, version, value, epoch=epoch)
        st.session_state[self._key] = here
        st.query_params[PARAMETER] = draft_id
        st.session_state.pop(f"{self._key} discarded", None)
        return here

    def _take_theirs(self) -> None:
        here = self._working()
        if here.theirs is not None:
            (here.version, here.value), here.theirs = here.theirs, None
            here.epoch += 1

    def _keep_mine(self) -> None:
        here = self._working()
        if here.theirs is not None:
            (here.version, _value), here.theirs = here.theirs, None
            self.change(here.value)
