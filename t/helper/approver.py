#!/usr/bin/env python3
"""An approver over a connection, for tests.

    approver.py listen PATH LOG HOW       at a socket
    approver.py run LOG HOW COMMAND...    starts COMMAND with the other end of fd:N; @ is N

Every line that it reads goes to LOG.  HOW is what it says to a question:

    {...}     an answer, the id is put in       silent    nothing
    raw:TEXT  TEXT as it is, and a line end     close     hangs up
    two       waits for two, answers the second first: the first no, the second yes
    late      yes, after the question is void; then yes to all others
    flood     void answers without a pause, until nobody hears them; after five seconds: yes
"""

import json
import os
import socket
import subprocess
import sys
import threading
import time


class Connection:
    def __init__(self, sock, log, how):
        self.sock, self.log, self.how, self.held = sock, log, how, []

    def say(self, text):
        self.sock.sendall(text.encode() + b"\n")

    def answer(self, question, answer):
        self.say(json.dumps(dict(answer, id=question["id"])))

    def take(self, message):
        how, yes = self.how, {"decision": "approved"}
        if message.get("type") == "cancel":
            if how == "late":
                for question in self.held:
                    self.answer(question, yes)
                self.how = json.dumps(yes)
        elif how.startswith("{"):
            self.answer(message, json.loads(how))
        elif how.startswith("raw:"):
            self.say(how[4:])
        elif how == "close":
            self.sock.shutdown(socket.SHUT_RDWR)
        elif how == "flood":
            threading.Thread(target=self.flood, args=(message,), daemon=True).start()
        elif how in ("two", "late"):
            self.held.append(message)
            if how == "two" and len(self.held) == 2:
                self.answer(self.held[1], yes)
                self.answer(self.held[0], {"decision": "denied"})

    def flood(self, question):
        void = question["id"].split("#")[0] + "#0"
        many = (json.dumps({"id": void}) + "\n").encode() * 1000
        end = time.monotonic() + 5
        try:
            while time.monotonic() < end:
                self.sock.sendall(many)
            self.answer(question, {"decision": "approved"})
        except OSError:
            pass

    def serve(self):
        try:
            for line in self.sock.makefile("rb"):
                with open(self.log, "ab") as log:
                    log.write(line)
                self.take(json.loads(line))
        except OSError:
            pass


def listen(path, log, how):
    server = socket.socket(socket.AF_UNIX)
    server.bind(path)
    server.listen(50)
    while True:
        connection = Connection(server.accept()[0], log, how)
        threading.Thread(target=connection.serve, daemon=True).start()


def run(log, how, *command):
    ours, theirs = socket.socketpair()
    number = theirs.fileno()
    answering = threading.Thread(target=Connection(ours, log, how).serve, daemon=True)
    answering.start()
    words = [word.replace("@", str(number)) for word in command]
    process = subprocess.Popen(words, pass_fds=[number])
    theirs.close()
    status = process.wait()
    answering.join(5)
    os._exit(status if status >= 0 else 128 - status)


{"listen": listen, "run": run}[sys.argv[1]](*sys.argv[2:])
