"""x"""


def context() -> dict[str, object]:
    return {}
