#!/usr/bin/env python3
"""An agent: a model says what to run, the sandbox holds it, the operator's rule decides.

    agent.py WORKSPACE NOTES      NOTES is a file outside of the workspace
"""
import os
import sys

import sbx

workspace, notes = (os.path.realpath(word) for word in sys.argv[1:])


def model(said):
    """Yours; this one has a script.  It sees what became of its last command."""
    if said is None:
        return ["sh", "-c", f"echo done >{notes} && echo written"]
    if said.ok and said.text == "written\n":
        return ["cat", notes]
    return None


def operator(request):
    """One directory may be given when the sandbox denied it, and nothing else."""
    print("asked:", request.reason, request.grant)
    if request.grant == {"write": [os.path.dirname(notes)]}:
        return sbx.approve(grant=request.grant)
    return sbx.deny("only the notes")


said = None
with sbx.Session(operator, cwd=workspace, sandbox="workspace-write", ask="on-request", timeout=60) as session:
    while command := model(said):
        said = session.run(command)
        print(said.outcome, said.status, said.text, *(denial.path for denial in said.denials))
sys.exit(0 if said and said.text == "done\n" else 1)
