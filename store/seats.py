"""Seats and turns of games, read and written for many games at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import delete, insert, select
from sqlalchemy.orm import Session

from store.errors import NotFound
from store.models import DynastyRow, GameRow, PlayerRow, SeatRow, TurnRow
from store.rows import batches, checked_id, reading_columns, reading_of, rules_of, saved_player
from store.values import DynastySlot, Reading, SavedGame, SavedSeat, SeatEntry, Turn


def readings_of(seats: Iterable[SeatEntry]) -> list[Reading]:
    """Return every look at a kingdom that the seats hold."""
    return [reading for seat in seats for reading in (seat.reading, *(turn.reading for turn in seat.turns))]


def write_seats(session: Session, games: Iterable[tuple[str, Sequence[SeatEntry], Sequence[str]]]) -> None:
    """Write the seats and turns of games: the id of the game, its seats, the ids of their players."""
    for batch in batches(games):
        seats: list[dict[str, Any]] = []
        turns: list[dict[str, Any]] = []
        for game_id, entries, players in batch:
            for position, (seat, player_id) in enumerate(zip(entries, players, strict=True)):
                place = {"game_id": game_id, "position": position}
                columns = reading_columns(seat.reading)
                seats.append({**place, "player_id": player_id, "colour": seat.colour, **columns})
                turns += [
                    {
                        **place,
                        "number": number,
                        "taken_at": turn.taken_at,
                        "discarded": turn.discarded,
                        **reading_columns(turn.reading),
                    }
                    for number, turn in enumerate(seat.turns)
                ]
        session.execute(insert(SeatRow), seats)
        if turns:
            session.execute(insert(TurnRow), turns)


def clear_seats(session: Session, game_ids: Sequence[str]) -> None:
    """Remove the seats and turns of games."""
    for batch in batches(game_ids):
        session.execute(delete(TurnRow).where(TurnRow.game_id.in_(batch)))
        session.execute(delete(SeatRow).where(SeatRow.game_id.in_(batch)))


def load_game(session: Session, game_id: str) -> SavedGame:
    """Return one game in full."""
    games = load_games(session, [checked_id(game_id, "game")])
    if not games:
        raise NotFound("There is no such game.")
    return games[0]


def load_games(session: Session, game_ids: Sequence[str]) -> list[SavedGame]:
    """Return those of the games that there are, in full and in the order of the ids."""
    found: dict[str, SavedGame] = {}
    for batch in batches(game_ids):
        turns: defaultdict[tuple[str, int], list[Turn]] = defaultdict(list)
        of_turns = select(TurnRow).where(TurnRow.game_id.in_(batch)).order_by(TurnRow.number)
        for turn in session.scalars(of_turns):
            turns[turn.game_id, turn.position].append(Turn(reading_of(turn), turn.taken_at, turn.discarded))
        seats: defaultdict[str, list[SavedSeat]] = defaultdict(list)
        of_seats = select(SeatRow, PlayerRow).join(PlayerRow, PlayerRow.id == SeatRow.player_id)
        for seat, player in session.execute(of_seats.where(SeatRow.game_id.in_(batch)).order_by(SeatRow.position)):
            taken = tuple(turns[seat.game_id, seat.position])
            seats[seat.game_id].append(SavedSeat(saved_player(player), seat.colour, reading_of(seat), taken))
        of_games = select(GameRow, DynastyRow.name).join(DynastyRow, DynastyRow.id == GameRow.dynasty_id, isouter=True)
        for row, dynasty in session.execute(of_games.where(GameRow.id.in_(batch))):
            found[row.id] = _saved_game(row, dynasty, tuple(seats[row.id]))
    return [found[game_id] for game_id in game_ids if game_id in found]


def _saved_game(row: GameRow, dynasty: str | None, seats: tuple[SavedSeat, ...]) -> SavedGame:
    return SavedGame(
        id=row.id,
        version=row.version,
        played_at=row.played_at,
        note=row.note,
        rules=rules_of(row, len(seats)),
        seats=seats,
        dynasty=slot_of(row.dynasty_id, dynasty, row.slot),
        created_at=row.created_at,
        changed_at=row.changed_at,
        deleted_at=row.deleted_at,
    )


def slot_of(dynasty_id: str | None, name: str | None, slot: int | None) -> DynastySlot | None:
    """Return the place of a game in a Dynasty, if it has one."""
    if dynasty_id is None or name is None or slot is None:
        return None
    return DynastySlot(dynasty_id, name, slot)
