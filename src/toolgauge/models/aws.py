"""The client of AWS, which asks Bedrock: its replies are looked at as those that our own client gets."""

from __future__ import annotations

from typing import Any

from .client import take

__all__ = ["attend", "is_of_aws"]

SERVICE = "bedrock-runtime"


def is_of_aws(client: object) -> bool:
    """Whether a client is one of AWS, which takes neither our HTTP client nor settings of one request."""
    return type(client).__module__.partition(".")[0] in ("botocore", "boto3")


def attend(client: Any) -> None:
    """Look at every reply before it is read, and leave it to others whether there is another attempt."""
    address = str(client.meta.endpoint_url)

    def look(response_dict: dict[str, Any], **_: object) -> None:
        body = response_dict["body"]
        if isinstance(body, bytes):
            location = response_dict["headers"].get("location")
            response_dict["body"] = take(response_dict["status_code"], body, location, address)

    client.meta.events.register(f"before-parse.{SERVICE}.Converse", look)
    client.meta.events.unregister(f"needs-retry.{SERVICE}", unique_id=f"retry-config-{SERVICE}")
