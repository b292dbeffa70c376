"""Telling people what waits for them while they are elsewhere: by mail, by push, by a webhook of their own."""
