"""The command `botyard`. Its exit status is 0 if all is well, 1 if what it ran or checked failed, 2 for wrong use."""

from __future__ import annotations

import sys


def main() -> None:
    from botyard.cli.app import make_app
    from botyard.cli.console import Lines, note
    from botyard.kernel.errors import OurFault, YardError

    try:
        make_app(*sys.argv[1:2])()
    except YardError as error:
        note("[red]error:[/] {message}", message=Lines(error.message))
        if error.hint:
            note("[dim]hint:[/]  {hint}", hint=Lines(error.hint))
        sys.exit(2)
    except OurFault as fault:
        from botyard.match.blame import commonest

        note("[red]Botyard failed, and nothing was played:[/] {reason}", reason=commonest([str(fault)]))
        sys.exit(1)
