"""The command `botyard`. Exit status: 0 fine, 1 the checked thing failed, 2 wrong use."""

from __future__ import annotations

import sys


def main() -> None:
    from rich.markup import escape

    from botyard.cli.app import make_app
    from botyard.cli.console import errors
    from botyard.kernel.errors import OurFault, YardError
    from botyard.render.terminal import clean_lines

    try:
        make_app(*sys.argv[1:2])()
    except YardError as error:
        errors.print(f"[red]error:[/] {escape(clean_lines(error.message))}", highlight=False, soft_wrap=True)
        if error.hint:
            errors.print(f"[dim]hint:[/]  {escape(clean_lines(error.hint))}", highlight=False, soft_wrap=True)
        sys.exit(2)
    except OurFault as fault:
        from botyard.match.blame import commonest

        told = escape(clean_lines(commonest([str(fault)])))
        errors.print(f"[red]a fault of ours, nothing was played:[/] {told}", highlight=False, soft_wrap=True)
        sys.exit(1)
