"""`python -m games.raster < drawing.svg > picture.png`: a process of its own.

resvg keeps Python's lock while it draws, so that in a web process everybody else would wait for the picture.
"""

import os
import sys

import resvg_py

if __name__ == "__main__":
    # Those who play come first.
    os.nice(5)
    picture = resvg_py.svg_to_bytes(
        svg_string=sys.stdin.read(), serif_family="DejaVu Serif", sans_serif_family="DejaVu Sans"
    )
    sys.stdout.buffer.write(picture)
