"""What a real server needs, and `make stack`, which runs the same files on one's own machine."""
