"""What becomes of the records of an imported file: no duplicates, nothing newer overwritten, nothing lost.

Records keep their ids, so a file can be imported twice, or on another phone. Where a record is there already,
the one that was changed last stays. Players of the same name are the same player. A deleted game comes back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from store.documents import Contents, DraftDocument, DynastyDocument, GameDocument
from store.games import bring_back
from store.limits import LIMITS
from store.models import DraftRow, DynastyPlayerRow, DynastyRow, GameRow, PhotoRow, PlayerRow
from store.rows import batches, now
from store.seats import clear_seats, readings_of, write_seats
from store.slots import SLOTS
from store.text import name_key
from store.values import Reading, SavedPhoto, SavedPlayer, SeatEntry


@dataclass(frozen=True, slots=True)
class ImportReport:
    """How many records of each kind (games, drafts, …) were new, replaced an older one, or were there already."""

    added: Counter[str] = field(default_factory=Counter)
    updated: Counter[str] = field(default_factory=Counter)
    unchanged: Counter[str] = field(default_factory=Counter)
    #: Games whose slot of a Dynasty was taken by another game, so that they got another slot or none.
    moved: tuple[str, ...] = ()


def merge(session: Session, contents: Contents) -> ImportReport:
    """Bring the records of a file into the store, within the transaction of the caller."""
    return _Merge(session).run(contents)


class _Merge:
    """One import; it holds how the ids of the file are called here."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._report = ImportReport()
        self._players: dict[str, str] = {}
        self._photos: set[str] = set()
        self._moved: list[str] = []

    def run(self, contents: Contents) -> ImportReport:
        """Players first, then what names them."""
        self._merge_players(contents.players)
        self._merge_photos(contents.photos or ())
        self._merge_dynasties(contents.dynasties)
        self._merge_games(contents.games)
        self._merge_drafts(contents.drafts)
        return replace(self._report, moved=tuple(self._moved))

    def _count(self, kind: str, was: object, newer: bool) -> bool:
        """Count a record and say whether it is to be written."""
        counter = self._report.added if was is None else self._report.updated if newer else self._report.unchanged
        counter[kind] += 1
        return was is None or newer

    def _merge_players(self, players: Sequence[SavedPlayer]) -> None:
        rows = self._session.scalars(select(PlayerRow).with_for_update()).all()
        by_id, by_key = {row.id: row for row in rows}, {row.key: row for row in rows}
        # Whoever is known by id is not taken for somebody else of the same name.
        spoken_for = {player.id for player in players}
        for player in players:
            key = name_key(player.name)
            namesake = by_key.get(key)
            row = by_id.get(player.id)
            if row is None and namesake is not None and namesake.id not in spoken_for:
                row = namesake
            if self._count("players", row, row is not None and player.changed_at > row.changed_at):
                row = self._write_player(row, player, by_key)
            assert row is not None
            self._players[player.id] = row.id

    def _write_player(self, row: PlayerRow | None, player: SavedPlayer, by_key: dict[str, PlayerRow]) -> PlayerRow:
        name = player.name
        if row is None:
            name = _free_name(name, by_key)
            row = PlayerRow(id=player.id, created_at=player.created_at)
            self._session.add(row)
        elif by_key.get(name_key(name), row) is not row:
            # A name that somebody else has here stays theirs.
            name = row.name
        by_key.pop(row.key, None)
        row.name, row.key = name, name_key(name)
        by_key[row.key] = row
        row.colour, row.remembered, row.changed_at = player.colour, player.remembered, player.changed_at
        self._session.flush()
        return row

    def _merge_photos(self, photos: Sequence[SavedPhoto]) -> None:
        self._photos = set(self._session.scalars(select(PhotoRow.id)))
        new = [photo for photo in photos if self._count("photos", photo.id in self._photos or None, False)]
        for batch in batches(new):
            columns = [
                {"id": each.id, "media_type": each.media_type, "size": each.size, "data": each.data, "added_at": now()}
                for each in batch
            ]
            self._session.execute(insert(PhotoRow), columns)
        self._photos.update(photo.id for photo in new)

    def _merge_dynasties(self, dynasties: Sequence[DynastyDocument]) -> None:
        rows = {row.id: row for row in self._session.scalars(select(DynastyRow).with_for_update())}
        members: list[dict[str, Any]] = []
        for dynasty in dynasties:
            row = rows.get(dynasty.id)
            if not self._count("dynasties", row, row is not None and dynasty.changed_at > row.changed_at):
                continue
            if row is None:
                row = DynastyRow(id=dynasty.id, created_at=dynasty.created_at, version=0)
                self._session.add(row)
                members += [
                    {"dynasty_id": dynasty.id, "position": position, "player_id": self._players[player]}
                    for position, player in enumerate(dynasty.players)
                ]
            row.name, row.abandoned_at, row.changed_at = dynasty.name, dynasty.abandoned_at, dynasty.changed_at
            row.version = max(row.version + 1, dynasty.version)
        self._session.flush()
        if members:
            self._session.execute(insert(DynastyPlayerRow), members)

    def _merge_games(self, games: Sequence[GameDocument]) -> None:
        session = self._session
        rows: dict[str, GameRow] = {}
        for batch in batches(game.id for game in games):
            found = session.scalars(select(GameRow).where(GameRow.id.in_(batch)).with_for_update())
            rows.update((row.id, row) for row in found)
        new: list[GameDocument] = []
        changed: list[GameDocument] = []
        for game in games:
            row = rows.get(game.id)
            newer = row is not None and game.changed_at > row.changed_at
            deleted = row is not None and row.deleted_at is not None
            if self._count("games", row, newer or deleted):
                (new if row is None else changed if newer else []).append(game)
            if row is not None and deleted:
                bring_back(session, row)
        # Games that change places in a Dynasty all leave theirs first.
        for game in changed:
            rows[game.id].dynasty_id = rows[game.id].slot = None
        session.flush()
        places = self._places([*changed, *new])
        for game in changed:
            row = rows[game.id]
            for name, value in _game_columns(game, places).items():
                setattr(row, name, value)
            row.version = max(row.version + 1, game.version)
        session.flush()
        clear_seats(session, [game.id for game in changed])
        columns = ({"id": game.id, "version": game.version, **_game_columns(game, places)} for game in new)
        for rows_of_batch in batches(columns):
            session.execute(insert(GameRow), rows_of_batch)
        write_seats(session, ((game.id, self._seats(game), self._here(game.players)) for game in [*changed, *new]))

    def _places(self, games: Iterable[GameDocument]) -> dict[str, tuple[str, int]]:
        """Return the Dynasty and slot of each game: the slot it had if that is free, else another, else none."""
        members: dict[str, set[str]] = {}
        for dynasty, player in self._session.execute(select(DynastyPlayerRow.dynasty_id, DynastyPlayerRow.player_id)):
            members.setdefault(dynasty, set()).add(player)
        query = select(GameRow.dynasty_id, GameRow.slot).where(GameRow.slot.is_not(None), GameRow.deleted_at.is_(None))
        taken = {(dynasty, slot) for dynasty, slot in self._session.execute(query)}
        found: dict[str, tuple[str, int]] = {}
        for game in games:
            wanted = game.entry.dynasty
            if wanted is None:
                continue
            slots = (game.slot, *SLOTS) if members.get(wanted) == set(self._here(game.players)) else ()
            slot = next((each for each in slots if each is not None and (wanted, each) not in taken), None)
            if slot is not None:
                taken.add((wanted, slot))
                found[game.id] = (wanted, slot)
            if slot != game.slot:
                self._moved.append(game.id)
        return found

    def _here(self, players: Iterable[str]) -> list[str]:
        return [self._players[player] for player in players]

    def _seats(self, game: GameDocument) -> list[SeatEntry]:
        """Return the seats without the photos that neither the file nor the store holds."""
        seats = game.entry.seats
        named = {name for each in readings_of(seats) for name in (each.photo, each.thumbnail)} - {None}
        if named <= self._photos:
            return list(seats)
        return [
            replace(
                seat,
                reading=self._without_missing(seat.reading),
                turns=tuple(replace(turn, reading=self._without_missing(turn.reading)) for turn in seat.turns),
            )
            for seat in seats
        ]

    def _without_missing(self, reading: Reading) -> Reading:
        return replace(
            reading,
            photo=reading.photo if reading.photo in self._photos else None,
            thumbnail=reading.thumbnail if reading.thumbnail in self._photos else None,
        )

    def _merge_drafts(self, drafts: Sequence[DraftDocument]) -> None:
        finished = set(self._session.scalars(select(GameRow.id)))
        rows = {row.id: row for row in self._session.scalars(select(DraftRow).with_for_update())}
        for draft in drafts:
            row = rows.get(draft.id)
            open_here = row is not None and row.finished_at is None
            newer = row is not None and open_here and draft.changed_at > row.changed_at
            discarded = row is not None and open_here and row.discarded_at is not None
            if not self._count("drafts", row or (draft.id in finished or None), newer or discarded):
                continue
            if row is None:
                row = DraftRow(id=draft.id, created_at=draft.created_at, version=0)
                self._session.add(row)
            row.discarded_at = None
            if newer or row.version == 0:
                row.kind, row.document, row.changed_at = draft.kind, draft.document, draft.changed_at
                row.edits_game, row.edits_version = draft.edits_game, draft.edits_version
                row.version = max(row.version + 1, draft.version)
        self._session.flush()


def _free_name(name: str, by_key: dict[str, PlayerRow]) -> str:
    """Return the name, or with a number behind it if somebody has it here already."""
    free, number = name, 1
    while name_key(free) in by_key:
        number += 1
        ending = f" ({number})"
        free = name[: LIMITS.name - len(ending)] + ending
    return free


def _game_columns(game: GameDocument, places: dict[str, tuple[str, int]]) -> dict[str, Any]:
    dynasty, slot = places.get(game.id, (None, None))
    rules = game.entry.rules
    return {
        "played_at": game.entry.played_at,
        "note": game.entry.note,
        "size": rules.size,
        "edition": rules.edition.value,
        "middle_kingdom": rules.middle_kingdom,
        "harmony": rules.harmony,
        "dynasty_id": dynasty,
        "slot": slot,
        "created_at": game.created_at,
        "changed_at": game.changed_at,
        "deleted_at": None,
    }
