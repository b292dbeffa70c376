"""The OpenAPI document: what the API has, said for programs. See api/README.md, “The schema”."""
