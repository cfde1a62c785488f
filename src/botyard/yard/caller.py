"""Who makes a request, and what they may do."""

from __future__ import annotations

from dataclasses import dataclass, field

from botyard.yard.data.tables import ADMIN, ORGANISER, ROLES
from botyard.yard.refusals import NotAllowed, NotSignedIn

READ, UPLOAD, PLAY, ADMINISTER = SCOPES = "read", "upload", "play", "admin"
"""What a token may be good for: seeing what is private, uploading and activating, asking for games, administering."""


@dataclass(frozen=True, slots=True)
class Caller:
    """A person, known by a session or a token, or nobody in particular."""

    person: int | None = None
    name: str = ""
    role: str = ROLES[-1]
    session: str = ""  # its digest, if the request came with a cookie
    token: int = 0  # its number, if the request came with one
    scopes: frozenset[str] = field(default=frozenset(SCOPES))  # a session has all of them
    address: str = ""  # where the request comes from

    @property
    def known(self) -> bool:
        return self.person is not None

    @property
    def is_admin(self) -> bool:
        return self.known and self.role == ADMIN and ADMINISTER in self.scopes

    @property
    def is_organiser(self) -> bool:
        return self.is_admin or (self.known and self.role == ORGANISER)

    def owns(self, owner: int | None) -> bool:
        """Whether this caller may see what is private to an owner."""
        return self.is_admin or (self.person is not None and self.person == owner)

    def need(self, scope: str = READ) -> int:
        """Returns the person's number; refuses whoever has not signed in, and tokens that are not good for this."""
        if self.person is None:
            raise NotSignedIn("this needs an account", hint="sign in, or register")
        if scope not in self.scopes:
            raise NotAllowed(f"this token is not good for {scope!r}", hint="make one with that scope on your page")
        return self.person

    def need_session(self) -> int:
        """The same for what concerns the account itself, which no token is good for."""
        person = self.need()
        if not self.session:
            raise NotAllowed("a token is not good for this", hint="sign in with a browser and do it there")
        return person

    def need_admin(self) -> int:
        person = self.need(ADMINISTER)
        if not self.is_admin:
            raise NotAllowed("only admins may do this", hint="ask an admin of this yard")
        return person
