#!/bin/sh
# JuPedSim and PedPy in a virtual environment of their own, and the same scenarios with wend and JuPedSim:
#   scripts/peers.sh WEND FOLDER
# The environment is build/peers/venv; nothing else of the machine changes.
set -eu
WEND=$1
FOLDER=$2
VENV=build/peers/venv
HERE=$(dirname "$0")/..
if ! "$VENV/bin/python" -c "import jupedsim, pedpy" 2>/dev/null; then
  python3 -m venv "$VENV"
  "$VENV/bin/pip" install --quiet jupedsim pedpy
fi
"$VENV/bin/python" "$HERE/bench/peers/peers.py" "$WEND" "$FOLDER"
