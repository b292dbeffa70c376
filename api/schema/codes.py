"""Every code by which the API says that something was not done, with what it means and what to do about it."""

from __future__ import annotations

from http import HTTPStatus
from typing import Final, NamedTuple

from games.rules.refusals import SENTENCES


class Code(NamedTuple):
    status: int
    meaning: str


_400, _401, _403, _404, _405 = (
    HTTPStatus.BAD_REQUEST,
    HTTPStatus.UNAUTHORIZED,
    HTTPStatus.FORBIDDEN,
    HTTPStatus.NOT_FOUND,
    HTTPStatus.METHOD_NOT_ALLOWED,
)

#: What does not fit what was sent, whoever sent it and whenever.
_MALFORMED: Final = {
    "malformed": Code(_400, "Some of what was sent does not fit: errors says which fields, and why."),
    "malformed_move": Code(_400, "The move has no meaning in any game: errors names its field."),
    "malformed_order": Code(_400, "The standing order has no meaning in any game."),
    "bad_line": Code(_400, "A line of a chat that is empty or too long."),
    "parse_error": Code(_400, "What was sent is not JSON."),
    "not_utf8": Code(_400, "Send UTF-8, or name no charset."),
    "method_not_allowed": Code(_405, "This address does not know that method: the header Allow says which it knows."),
    "too_long": Code(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "More was sent than is read here."),
    "unsupported_media_type": Code(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "Send JSON: Content-Type: application/json."),
}

#: About who asks.
_WHO: Final = {
    "not_authenticated": Code(_401, "Say who you are: send a token of your account."),
    "authentication_failed": Code(_401, "The token is unknown, was revoked or is no token: make a new one."),
    "scope": Code(_403, "This token may only read: use one that may play."),
    "banned": Code(_403, "This account is banned: its decisions page says why, and how to appeal."),
    "csrf": Code(_403, "X-CSRFToken is not that of the session: load the page again, or use a token."),
    "permission_denied": Code(_403, "This is for others to do; detail says whose it is."),
    "not_seated": Code(_403, "Only those who sit there may talk in this chat."),
    "not_for_you": Code(_403, "This conversation is for others."),
    "not_host": Code(_403, "Only the host of this table can do that."),
    "asked_to_leave": Code(_403, "The host has asked you to leave this table, and has to let you back in first."),
    "account_needed": Code(_403, "This is for accounts, not for guests."),
    "muted": Code(_403, "The moderators have muted this account; detail says until when."),
}

_NOT_THERE: Final = {
    "no_such_game": Code(_404, "There is no such game."),
    "no_such_table": Code(_404, "There is no such table, or you may not see it."),
    "outdated": Code(HTTPStatus.GONE, "The address is one of before /api/v1/: see this documentation."),
    "not_found": Code(_404, "There is nothing at this address, or nothing that you may see."),
}

#: About how things stand: look again, then ask for something else.
_NOT_NOW: Final = {
    "refused": Code(409, "It cannot be done as things stand; detail says why, and what would help."),
    "stale_version": Code(409, "The game has moved on: missed says what happened since your version. Choose again."),
    "not_running": Code(409, "The game is paused, at rest or over."),
    "needs_attention": Code(409, "The game has been set aside while a problem is looked into. Nothing is lost."),
    "client_id_taken": Code(409, "You have used this client_id for another move: use a new one."),
    "nothing_to_do": Code(409, "It is so already, or there is nothing to do it to."),
    "not_your_seat": Code(409, "A stand-in plays your seat: take it back first."),
    "already_proposed": Code(409, "This is proposed already: answer that proposal."),
    "no_such_proposal": Code(409, "The proposal was decided, has lapsed, or never was."),
    "no_advice": Code(409, "Advice is for unrated games against bots alone, and when the game waits for you."),
    "not_away": Code(409, "Only somebody who has missed three deadlines in a row can be removed."),
    "order_refused": Code(409, "This order does not go with others, or is one too many."),
    "not_over": Code(409, "Records are open once their game is over."),
    "already_started": Code(409, "The game of this table has started: the table says which it is."),
    "chair_taken": Code(409, "Somebody has that chair: look at the table, and take one that is free."),
    "no_such_chair": Code(409, "The table has no such chair: look at its chairs."),
    "name_taken": Code(409, "Somebody goes by that name already: choose another."),
    "too_few_players": Code(409, "A game needs at least three players."),
    "board_changed": Code(409, "The table has another board now: look at it, and send its board_mark."),
    "options_changed": Code(409, "The table plays otherwise now: look at its options, and send its terms_mark."),
    "no_bots": Code(409, "The table has no place for a bot account."),
    "rated_apart": Code(409, "People and bot accounts are never in one rated game."),
    "for_people": Code(409, "This is for people, not for bot accounts."),
    "nobody_there": Code(409, "They are not there any more."),
}

_LATER: Final = {
    "too_fast": Code(HTTPStatus.TOO_MANY_REQUESTS, "Wait for as many seconds as Retry-After says."),
    "restarting": Code(
        HTTPStatus.SERVICE_UNAVAILABLE, "Only in streams: it goes on elsewhere. Open it again, after the last page."
    ),
    "too_slow": Code(
        HTTPStatus.SERVICE_UNAVAILABLE, "Only in streams: you read too slowly. Open it again, after the last page."
    ),
    "try_again": Code(HTTPStatus.SERVICE_UNAVAILABLE, "The site is busy, or just starting: see Retry-After."),
}

#: Refusals of pages alone, and of what moderators do; and a game that one may not see, which is none here.
NOT_HERE: Final = frozenset(
    {"address_refused", "bad_extension", "no_spectators", "not_to_be_declared", "too_many_tokens"}
)

#: The rules have a code of their own for each way in which a move may be illegal.
RULES: Final = {code: Code(409, sentence.replace("'", "’")) for code, sentence in SENTENCES.items()}

CODES: Final[dict[str, Code]] = {**_MALFORMED, **_WHO, **_NOT_THERE, **_NOT_NOW, **_LATER, **RULES}
