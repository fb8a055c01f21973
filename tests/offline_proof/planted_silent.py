import sys

if __name__ == "__main__":
    sys.exit("es gibt kein Qt auf diesem Rechner")
