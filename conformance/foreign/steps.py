# SPDX-License-Identifier: Apache-2.0
"""How a script of Python reports its steps: lines on standard output."""
import sys


def say(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def expect(actual, wanted):
    if actual != wanted:
        raise AssertionError("expected %r, was %r" % (wanted, actual))


def step(name, body):
    try:
        body()
        say("ok " + name)
    except Exception as error:  # every failure is this step's result
        say("not ok %s: %s %s" % (name, type(error).__name__, " ".join(str(error).split())))
