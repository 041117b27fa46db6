"""The Python oracle: see oracle.js for the protocol.

{"e": ...} carries the text of re.error or of another exception.
"""
import json
import re
import sys
import warnings

warnings.simplefilter("ignore")
for line in sys.stdin:
    request = json.loads(line)
    re.purge()
    try:
        pattern = re.compile(request["p"])
        answer = {"m": [pattern.search(s) is not None for s in request["s"]]}
    except Exception as err:
        answer = {"e": str(err)}
    print(json.dumps(answer), flush=True)
