"""An OpenID Connect provider that people of a test log in with: discovery, keys, authorization code flow, logout.

It asks for what a real one asks for: a client and its secret, the registered address to come back to, a code that is
good once, and the verifier of the challenge (PKCE, S256). It says of a person whatever the test wants it to say.
"""

import base64
import hashlib
import html
import json
import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import KeySet, RSAKey

CLIENT, SECRET = "fupan", "only for tests"


class Provider(ThreadingHTTPServer):
    """The provider and what it knows: ``people`` are the claims that it makes, by the name on the button."""

    daemon_threads = True

    def __init__(self, people: dict[str, dict[str, Any]], back: str) -> None:
        super().__init__(("127.0.0.1", 0), Answers)
        self.people, self.back = people, back
        self.address = f"http://127.0.0.1:{self.server_port}"
        self.key = RSAKey.generate_key(2048, {"use": "sig", "alg": "RS256"}, auto_kid=True)
        self.codes: dict[str, tuple[str, dict[str, str]]] = {}
        """Codes that nobody has used yet: who it is, and what was asked."""
        self.tokens = 0
        """How many people have been told of."""
        self.refused: list[str] = []

    def token(self, name: str, nonce: str) -> str:
        """Who somebody is, signed."""
        return self.signed(name, nonce, self.key, {})

    def signed(self, name: str, nonce: str, key: RSAKey, changed: dict[str, Any]) -> str:
        """The same with another key, or other claims."""
        now = int(time.time())
        told = {"iss": self.address, "sub": name, "aud": CLIENT, "iat": now, "exp": now + 300, "nonce": nonce}
        return jwt.encode({"alg": "RS256", "kid": self.key.kid}, told | self.people[name] | changed, key)


class Answers(BaseHTTPRequestHandler):
    server: Provider

    def do_GET(self) -> None:
        path, asked = urlsplit(self.path).path, self._words(urlsplit(self.path).query)
        if path == "/.well-known/openid-configuration":
            self._json(self._metadata())
        elif path == "/keys":
            self._json(KeySet([self.server.key]).as_dict(private=False))
        elif path == "/authorize":
            self._ask(asked)
        elif path == "/leave":
            self._send_to(asked["post_logout_redirect_uri"])
        else:
            self.send_error(404)

    def do_POST(self) -> None:
        asked = self._words(self.rfile.read(int(self.headers["Content-Length"])).decode())
        if urlsplit(self.path).path == "/token":
            self._tell(asked)
        else:
            code = secrets.token_urlsafe()
            self.server.codes[code] = asked.pop("name"), asked
            self._send_to(f"{asked['redirect_uri']}?{urlencode({'code': code, 'state': asked['state']})}")

    def _metadata(self) -> dict[str, Any]:
        here = self.server.address
        return {
            "issuer": here,
            "authorization_endpoint": f"{here}/authorize",
            "token_endpoint": f"{here}/token",
            "jwks_uri": f"{here}/keys",
            "end_session_endpoint": f"{here}/leave",
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
            "code_challenge_methods_supported": ["S256"],
        }

    def _ask(self, asked: dict[str, str]) -> None:
        """The page on which somebody says who he is."""
        wanted = {"response_type": "code", "client_id": CLIENT, "redirect_uri": self.server.back}
        if {key: asked.get(key) for key in wanted} != wanted or asked.get("code_challenge_method") != "S256":
            self._refuse(f"asked for {asked}")
            return
        kept = "".join(f"<input type=hidden name='{key}' value='{html.escape(asked[key])}'>" for key in asked)
        names = "".join(f"<button name=name value='{name}'>{name}</button>" for name in self.server.people)
        self._answer(f"<h1>Who are you?</h1><form method=post>{kept}{names}</form>".encode(), "text/html")

    def _tell(self, asked: dict[str, str]) -> None:
        """Exchange a code for who somebody is."""
        known = "Basic " + base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode()
        name, before = self.server.codes.pop(asked.get("code", ""), ("", {}))
        proof = base64.urlsafe_b64encode(hashlib.sha256(asked.get("code_verifier", "").encode()).digest())
        if self.headers["Authorization"] != known:
            self._refuse("a client that is not known")
        elif not name or asked["redirect_uri"] != before["redirect_uri"]:
            self._refuse("a code that is not known, or was used")
        elif proof.decode().rstrip("=") != before["code_challenge"]:
            self._refuse("somebody else's code")
        else:
            self.server.tokens += 1
            token = self.server.token(name, before["nonce"])
            self._json({"access_token": secrets.token_urlsafe(), "token_type": "Bearer", "id_token": token})

    @staticmethod
    def _words(query: str) -> dict[str, str]:
        return {key: value for key, (value,) in parse_qs(query).items()}

    def _refuse(self, why: str) -> None:
        self.server.refused.append(why)
        self.send_error(400)

    def _send_to(self, address: str) -> None:
        self.send_response(302)
        self.send_header("Location", address)
        self.end_headers()

    def _json(self, value: dict[str, Any]) -> None:
        self._answer(json.dumps(value).encode(), "application/json")

    def _answer(self, content: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def providing(people: dict[str, dict[str, Any]], back: str) -> Iterator[Provider]:
    with Provider(people, back) as provider:
        thread = threading.Thread(target=provider.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield provider
        finally:
            provider.shutdown()
            thread.join()
