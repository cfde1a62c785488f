"""This module writes videos: frames are painted here and handed to ffmpeg, which packs them."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path

from PIL import Image

from botyard.kernel.errors import YardError
from botyard.kernel.plain import clean
from botyard.render.footage import Footage
from botyard.render.raster import Easel

MOST_FRAMES_PER_S = 60
HOLD_S = 2  # how long the last frame stays
SAID = 300  # characters of what ffmpeg says about a failure, its last ones


def find_ffmpeg() -> str:
    """Returns the system's ffmpeg, or the one that imageio-ffmpeg brings if that is installed."""
    found = shutil.which("ffmpeg")
    if found:
        return found
    try:
        return str(import_module("imageio_ffmpeg").get_ffmpeg_exe())
    except (ImportError, RuntimeError):
        raise YardError(
            "a video needs ffmpeg, which is not installed here",
            hint="install it (`apt install ffmpeg`, or `pip install imageio-ffmpeg`), or export a .gif",
        ) from None


def mp4_of(footage: Footage, easel: Easel, frames_per_s: float, watch: Callable[[], None]) -> bytes:
    """Returns footage as a video file. `watch` is called after every shot."""
    width, height = (side + side % 2 for side in easel.size)  # videos have even sides
    with tempfile.TemporaryDirectory(prefix="botyard-video-") as folder:
        target, said = Path(folder) / "film.mp4", Path(folder) / "said.txt"
        command = [
            find_ffmpeg(), "-hide_banner", "-loglevel", "error", "-f", "rawvideo", "-pixel_format", "rgb24",
            "-video_size", f"{width}x{height}", "-framerate", f"{frames_per_s:g}", "-i", "pipe:0",
            "-pix_fmt", "yuv420p", "-movflags", "+faststart", str(target),
        ]  # fmt: skip
        with said.open("wb") as log:
            packer = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=log, stderr=log)
        try:
            assert packer.stdin is not None
            with packer.stdin as pipe:
                for content in contents(footage, easel, (width, height), frames_per_s, watch):
                    pipe.write(content)
            failed = packer.wait() != 0
        except BrokenPipeError:  # it gave up, and said why
            packer.wait()
            failed = True
        finally:
            packer.kill()
            packer.wait()
        if failed:
            reason = clean(said.read_text("utf-8", "replace").strip()[-SAID:])
            raise YardError("ffmpeg could not make a video", hint=reason or "it said nothing; export a .gif instead")
        return target.read_bytes()


def contents(
    footage: Footage, easel: Easel, size: tuple[int, int], frames_per_s: float, watch: Callable[[], None]
) -> Iterator[bytes]:
    """Yields the pixels of every frame, and of the last one until it was seen long enough."""
    content = b""
    for shot in footage:
        canvas = Image.new("RGB", size, easel.theme.colours["page"])
        canvas.paste(easel.painted(shot))
        content = canvas.tobytes()
        yield content
        watch()
    for _ in range(round(HOLD_S * frames_per_s)):
        yield content
