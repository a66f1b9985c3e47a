"""Lists of games with their totals worked out, page by page."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from engine import Rules
from store.errors import StoreError
from store.limits import LIMITS
from store.models import DynastyRow, GameRow, PlayerRow, SeatRow
from store.rows import checked_id, rules_of
from store.scores import result_of
from store.seats import slot_of
from store.values import GameLine, GamePage, SeatLine, as_store_error


@dataclass(frozen=True, slots=True)
class GameFilter:
    """Which games a list holds: of all these players, of this Dynasty, and deleted ones or the others."""

    players: tuple[str, ...] = ()
    dynasty: str | None = None
    deleted: bool = False

    def conditions(self) -> list[ColumnElement[bool]]:
        """Return the conditions on the table of games."""
        found: list[ColumnElement[bool]] = [
            GameRow.deleted_at.is_not(None) if self.deleted else GameRow.deleted_at.is_(None)
        ]
        for player in self.players:
            name = checked_id(player, "player")
            found.append(select(SeatRow).where(SeatRow.game_id == GameRow.id, SeatRow.player_id == name).exists())
        if self.dynasty is not None:
            found.append(GameRow.dynasty_id == checked_id(self.dynasty, "Dynasty"))
        return found


def page_of(session: Session, which: GameFilter, page: int, per_page: int) -> GamePage:
    """Return a page of games; a page beyond the last one is the last one."""
    if not 1 <= per_page <= LIMITS.page:
        raise StoreError(f"A page holds 1 to {LIMITS.page} games, not {per_page}.")
    total = session.scalar(select(func.count()).select_from(GameRow).where(*which.conditions())) or 0
    pages = max(1, -(-total // per_page))
    number = min(max(1, page), pages)
    lines = game_lines(session, which, limit=per_page, offset=(number - 1) * per_page)
    return GamePage(lines, total, number, pages)


def game_lines(session: Session, which: GameFilter, *, limit: int, offset: int = 0) -> tuple[GameLine, ...]:
    """Return games with their seats, the newest (or last deleted) first."""
    order: list[ColumnElement[Any]] = [GameRow.played_at.desc(), GameRow.created_at.desc(), GameRow.id.desc()]
    if which.deleted:
        order.insert(0, GameRow.deleted_at.desc())
    query = (
        select(GameRow, DynastyRow.name)
        .join(DynastyRow, DynastyRow.id == GameRow.dynasty_id, isouter=True)
        .where(*which.conditions())
        .order_by(*order)
        .limit(limit)
        .offset(offset)
    )
    games = session.execute(query).all()
    return lines_of(session, [(row, dynasty) for row, dynasty in games])


def lines_of(session: Session, games: Sequence[tuple[GameRow, str | None]]) -> tuple[GameLine, ...]:
    """Return rows of games, each with the name of its Dynasty, as lines of a list."""
    query = (
        select(SeatRow, PlayerRow.name)
        .join(PlayerRow, PlayerRow.id == SeatRow.player_id)
        .where(SeatRow.game_id.in_([row.id for row, _ in games]))
        .order_by(SeatRow.position)
    )
    seats: defaultdict[str, list[tuple[SeatRow, str]]] = defaultdict(list)
    for seat, name in session.execute(query):
        seats[seat.game_id].append((seat, name))
    return tuple(_line(row, dynasty, seats[row.id]) for row, dynasty in games)


def _line(row: GameRow, dynasty: str | None, seats: Sequence[tuple[SeatRow, str]]) -> GameLine:
    rules: Rules = rules_of(row, len(seats))
    result = as_store_error(lambda: result_of(rules, tuple(seat.kingdom for seat, _ in seats)))
    return GameLine(
        id=row.id,
        version=row.version,
        played_at=row.played_at,
        note=row.note,
        rules=rules,
        seats=tuple(
            _seat(seat, name, tally.total, place)
            for (seat, name), tally, place in zip(seats, result.seats, result.places, strict=True)
        ),
        dynasty=slot_of(row.dynasty_id, dynasty, row.slot),
        deleted_at=row.deleted_at,
    )


def _seat(seat: SeatRow, name: str, total: int, place: int) -> SeatLine:
    return SeatLine(
        player_id=seat.player_id,
        name=name,
        colour=seat.colour,
        kingdom=seat.kingdom,
        thumbnail=seat.thumbnail_id or seat.photo_id,
        total=total,
        place=place,
    )
