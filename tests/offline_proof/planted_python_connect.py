import sys

from tests.offline_proof import planted

if __name__ == "__main__":
    sys.exit(planted.main(planted.python_connect, None))
