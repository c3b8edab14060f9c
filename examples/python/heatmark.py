"""The main path of an integration, with nothing but the standard library of Python 3.

HEATMARK_URL, HEATMARK_COMPANY_ID and HEATMARK_KEY (or HEATMARK_TOKEN) say where and who.
"""

import base64
import hmac
import json
import os
import random
import re
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

TEMPORARY = {429, 502, 503, 504}


class HeatmarkError(Exception):
    """A refused request. Act on `code`."""

    def __init__(self, status, problem):
        super().__init__(f"{status} {problem.get('code')}: {problem.get('detail')}")
        self.status = status
        self.code = problem.get("code")
        self.problem = problem


class Heatmark:
    def __init__(self, url, company, key=None, token=None):
        self.url = url.rstrip("/")
        self.company = f"/api/company/{company}"
        self.credentials = {"Service-Api-Key": key} if key else {"Authorization": f"Bearer {token}"}
        self.last_commit = None

    def request(self, method, path, body=None, headers=None, attempts=6):
        """Return the answer and its headers. A repeat has the same Idempotency-Key, so nothing is done twice."""
        sent = {**self.credentials, **(headers or {})}
        if method != "GET":
            sent.setdefault("Idempotency-Key", str(uuid.uuid4()))
        elif self.last_commit is not None:
            sent["Min-Position"] = str(self.last_commit)
        data = None
        if body is not None:
            sent["Content-Type"] = "application/json"
            data = json.dumps(body).encode()
        for attempt in range(1, attempts + 1):
            pause = min(30, 0.25 * 2**attempt) * random.uniform(0.5, 1)
            try:
                request = urllib.request.Request(self.url + path, data, sent, method=method)
                with urllib.request.urlopen(request, timeout=60) as response:
                    self._note(response.headers.get("Commit-Position"))
                    content = response.read()
                    if re.search(r"[/+]json\b", response.headers.get("Content-Type", "")):
                        content = json.loads(content)
                    return (None if response.status == 204 else content), response.headers
            except urllib.error.HTTPError as refused:
                if refused.code not in TEMPORARY or attempt == attempts:
                    raise HeatmarkError(refused.code, json.loads(refused.read() or b"{}")) from None
                pause = max(pause, float(refused.headers.get("Retry-After") or 0))
            except OSError:
                if attempt == attempts:
                    raise
            time.sleep(pause)

    def _note(self, commit):
        if commit is not None:
            self.last_commit = max(int(commit), self.last_commit or 0)

    def list(self, path, **query):
        """Yield the records of a list, over all its pages."""
        address = f"{self.company}/{path}?{urllib.parse.urlencode({'limit': 1000, **query}, doseq=True)}"
        while address:
            records, headers = self.request("GET", address)
            yield from records
            following = re.search(r'<([^>]+)>; rel="next"', headers.get("Link") or "")
            address = following and following[1]

    def update(self, path, change, attempts=10):
        """Patch a record by what `change` returns for it, again if somebody else has changed it in between."""
        for attempt in range(1, attempts + 1):
            record, headers = self.request("GET", f"{self.company}/{path}")
            try:
                condition = {"If-Match": headers["ETag"]}
                return self.request("PATCH", f"{self.company}/{path}", change(record), condition)[0]
            except HeatmarkError as error:
                if error.code != "precondition-failed" or attempt == attempts:
                    raise
            time.sleep(0.01 * 2**attempt * random.uniform(0.5, 1))

    def changes(self, after="0", wait=20):
        """Yield each change with the place after it. Keep the place together with what you did with the change."""
        while True:
            path = f"{self.company}/changes?after={after}"
            changes, headers = self.request("GET", path, headers={"Prefer": f"wait={wait}"})
            following = re.search(r"[?&]after=(\d+)", headers.get("Link") or "")
            after = following[1] if following else after
            for change in changes:
                yield change, change["position"]


def read_webhook(headers, body, secret, tolerance=300):
    """Return the changes of a webhook. `body` is as it was received. ValueError: nobody may trust it."""
    moment = headers.get("webhook-timestamp") or "0"
    if abs(time.time() - int(moment)) > tolerance:
        raise ValueError("the webhook is too old, or has no time")
    signed = f"{headers.get('webhook-id')}.{moment}.".encode() + body
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signature = "v1," + base64.b64encode(hmac.digest(key, signed, "sha256")).decode()
    given = (headers.get("webhook-signature") or "").split(" ")
    if not any(hmac.compare_digest(signature.encode(), one.encode()) for one in given):
        raise ValueError("no signature of the webhook fits the secret")
    return json.loads(body)


def main():
    heatmark = Heatmark(
        os.environ["HEATMARK_URL"],
        os.environ["HEATMARK_COMPANY_ID"],
        os.environ.get("HEATMARK_KEY"),
        os.environ.get("HEATMARK_TOKEN"),
    )
    certificate, _ = heatmark.request(
        "POST",
        f"{heatmark.company}/millcert/certificates",
        {"certificateNumber": "PY-1", "heatNumber": "H 0815", "grade": "S355J2+N", "inspectionDocument": "3.1"},
    )
    heatmark.update(
        f"millcert/certificates/{certificate['millCertificationId']}",
        lambda record: {"standard": "EN 10025-2"} if record["standard"] is None else {},
    )
    for found in heatmark.list("millcert/certificates", heatNumber="h 0815"):
        print(found["certificateNumber"], found["standard"])
    change, _ = next(heatmark.changes())
    print(change["type"])


if __name__ == "__main__":
    main()
