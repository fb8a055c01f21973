"""What each command takes. Names are a contract with people's scripts."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from engine.errors import WrongUse
from engine.intake.chunking.profiles import PROFILES


class _Parser(argparse.ArgumentParser):
    """Says what is wrong as a typed error, so that ``--json`` prints it like any other."""

    def error(self, message: str) -> NoReturn:
        raise WrongUse(detail=message)


def parse(argv: Sequence[str] | None = None) -> argparse.Namespace:
    """The options of one command; raises WrongUse, and SystemExit after ``--help``."""
    options, late = build_parser().parse_known_args(argv)
    if late and not any(word.startswith("-") for word in late) and _take_late(options, late):
        late = []
    if late:
        raise WrongUse(detail=" ".join(late))
    if hasattr(options, "question"):
        _settle_question(options)
    return options


def _take_late(options: argparse.Namespace, late: list[str]) -> bool:
    """``runs show --json 3``: argparse gives up an optional word that comes after an option."""
    if options.command == "ingest":
        options.folders += [Path(word) for word in late]
        return True
    if options.command == "libraries":
        options.words = options.words + late
        return True
    names = {"runs": "id", "models": "model", "sync": "name", "status": "name", "doctor": "name"}
    name = names.get(options.command, "question")
    if len(late) > 1 or getattr(options, name, "") is not None:
        return False
    setattr(options, name, _whole_number(late[0]) if name == "id" else late[0])
    return True


def _settle_question(options: argparse.Namespace) -> None:
    """``--library NAME QUESTION``: the option takes every word after it, so the last one is given back."""
    takes_others = getattr(options, "batch", None) or getattr(options, "chat", False)
    if options.question is None and len(options.library) > 1 and not takes_others:
        options.question = options.library.pop()


def _whole_number(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise WrongUse(detail=text)
    return int(text)


def build_parser() -> argparse.ArgumentParser:
    """The parser of all commands; ``command`` names the one that was given."""
    parser = _Parser(prog="zhiye", description="知页 Zhiye: offline answers with sources")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    common = _common()

    ingest = commands.add_parser("ingest", parents=[common], help="index folders; run again to sync")
    ingest.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    ingest.add_argument("--library", metavar="NAME")
    ingest.add_argument("--out", type=Path, metavar="DIR", help="write the portable layout, all or nothing")
    ingest.add_argument("--fail-on-error", action="store_true", default=None)
    _add_reading(ingest)
    ingest.add_argument("--profile", choices=PROFILES, help="how documents are cut; kept for the library")

    sync = commands.add_parser("sync", parents=[common], help="bring libraries up to date with their folders")
    sync.add_argument("name", nargs="?", metavar="NAME", help="one library; all that are not paused")
    _add_reading(sync)

    inspect = commands.add_parser("inspect", parents=[common], help="what is read in one file")
    inspect.add_argument("file", type=Path, metavar="FILE")
    inspect.add_argument("--password", metavar="P", help="for an encrypted file")

    search = commands.add_parser("search", parents=[common], help="passages only, no chat model")
    _add_question(search)
    _add_filters(search)
    search.add_argument("--top", type=_whole_number, metavar="N")

    ask = commands.add_parser("ask", parents=[common], help="an answer with its sources")
    _add_question(ask)
    ask.add_argument("--model", metavar="ID")
    ask.add_argument("--mode", choices=("strict", "balanced", "loose"))
    ask.add_argument("--no-model", action="store_true", help="passages only, quoted")
    several = ask.add_mutually_exclusive_group()
    several.add_argument("--batch", type=Path, metavar="FILE.jsonl", help="many questions, one object a line")
    several.add_argument("--chat", action="store_true", help="a conversation, one question a line")
    _add_filters(ask)

    check = commands.add_parser("check", parents=[common], help="every sentence of a draft, with its source")
    check.add_argument("file", nargs="?", metavar="FILE.txt|-", help="the draft; - reads it from the input")
    scope = _add_scope(check)
    scope.add_argument("--evidence", metavar="FILE.jsonl", help="check against the evidence on each line")
    _add_filters(check)

    evaluate = commands.add_parser("eval", parents=[common], help="metrics over a set of questions")
    evaluate.add_argument("--questions", type=Path, required=True, metavar="FILE.jsonl")
    evaluate.add_argument("--corpus", type=Path, metavar="FILE.jsonl")
    evaluate.add_argument("--leave-out", type=Path, metavar="FILE.txt", help="ids of documents to leave out")
    evaluate.add_argument("--answers", action="store_true", help="let the chat model answer too")
    evaluate.add_argument("--limit", type=_whole_number, metavar="N", help="the first N questions only")
    evaluate.add_argument("--report", type=Path, metavar="DIR")
    evaluate.add_argument("--model", metavar="ID")
    _add_scope(evaluate)

    runs = commands.add_parser("runs", parents=[common], help="saved questions")
    runs.add_argument("action", choices=("list", "show", "export", "delete", "clear"))
    runs.add_argument("id", nargs="?", type=_whole_number, metavar="ID")
    runs.add_argument("--thread", type=_whole_number, metavar="ID", help="of one conversation; all of it")
    runs.add_argument("--search", default="", metavar="TEXT", help="list: what says these words")
    runs.add_argument("--format", choices=("md", "docx"), help="export; default: by the file's name, or md")
    runs.add_argument("--out", type=Path, metavar="FILE", help="export into this file; md is printed without")

    models = commands.add_parser("models", parents=[common], help="model files")
    models.add_argument("action", choices=("list", "get", "add", "verify", "remove"))
    models.add_argument("model", nargs="?", metavar="ID|FILE|FOLDER")

    settings = commands.add_parser("settings", parents=[common], help="show and change what is kept")
    settings.add_argument("action", nargs="?", choices=("list", "set", "reset"), default="list")
    settings.add_argument("name", nargs="?", metavar="NAME", help="reset: all of them without a name")
    settings.add_argument("value", nargs="?", metavar="VALUE")

    status = commands.add_parser("status", parents=[common], help="how libraries stand")
    status.add_argument("name", nargs="?", metavar="NAME")

    libraries = commands.add_parser("libraries", parents=[common], help="list, rename, pause libraries")
    libraries.add_argument(
        "words",
        nargs="*",
        metavar="rename A B | pause NAME | resume NAME | select NAME"
        " | move NAME FOLDER TO | drop NAME FOLDER | share NAME URI | unshare NAME"
        " | alias NAME [WORD=WORD …]",
    )
    libraries.add_argument("--include", action="append", metavar="PATTERN", help="select: read only these")
    libraries.add_argument("--exclude", action="append", metavar="PATTERN", help="select: leave these out")
    libraries.add_argument(
        "--hidden", action=argparse.BooleanOptionalAction, help="select: hidden files, too"
    )
    libraries.add_argument("--clear", action="store_true", help="alias: forget all of them")
    remove = commands.add_parser("remove", parents=[common], help="forget a library; documents stay")
    remove.add_argument("name", metavar="NAME")

    export = commands.add_parser("export", parents=[common], help="a library as one file, for other machines")
    export.add_argument("name", metavar="NAME")
    export.add_argument("file", type=Path, metavar="FILE.zhiye")
    take_in = commands.add_parser("import", parents=[common], help="a library from such a file")
    take_in.add_argument("file", type=Path, metavar="FILE.zhiye")
    take_in.add_argument("--library", metavar="NAME", help="its name here; its own, or its own with a number")
    take_in.add_argument("--relink", type=Path, metavar="FOLDER", help="where its documents lie now")
    backup = commands.add_parser("backup", parents=[common], help="copy libraries and runs into a new folder")
    backup.add_argument("folder", type=Path, metavar="DIR", help="gets a new zhiye-backup-DATE folder inside")
    restore = commands.add_parser("restore", parents=[common], help="put a backup into this home")
    restore.add_argument("folder", type=Path, metavar="DIR", help="a backup, or a folder: the last in it")

    doctor = commands.add_parser("doctor", parents=[common], help="what works, what does not, what to do")
    doctor.add_argument("name", nargs="?", metavar="NAME", help="one library; all of them and this machine")
    doctor.add_argument("--repair", action="store_true", help="put right what can be; embeds nothing anew")

    clear = commands.add_parser("clear", parents=[common], help="delete all libraries, questions, settings")
    clear.add_argument("--all", action="store_true", help="all of it; model files and documents stay")
    clear.add_argument("--yes", action="store_true", help="do not ask")
    prove = commands.add_parser("prove-offline", parents=[common], help="show that nothing leaves")
    prove.add_argument("--report", type=Path, metavar="FILE.html|pdf", help="write what was found")
    return parser


def _common() -> _Parser:
    common = _Parser(add_help=False)
    common.add_argument("--json", action="store_true", help="one JSON object on stdout")
    common.add_argument("--home", type=Path, metavar="DIR", help="data folder")
    common.add_argument("--config", type=Path, metavar="FILE.yaml", help="settings")
    common.add_argument("--debug", action="store_true", help="log more")
    return common


def _add_reading(parser: argparse.ArgumentParser) -> None:
    """How files are read."""
    parser.add_argument("--retry-failed", action="store_true")
    parser.add_argument("--deep", action="store_true", help="compare the bytes of unchanged files, too")
    parser.add_argument("--no-ocr", action="store_true", help="read text layers only")
    parser.add_argument("--password-file", type=Path, metavar="F", help="passwords to try, one a line")


def _add_question(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("question", nargs="?", metavar="QUESTION")
    _add_scope(parser)


def _add_filters(parser: argparse.ArgumentParser) -> None:
    """Which documents are asked; of an option that is given several times, one value must hold."""
    parser.add_argument("--in", dest="within", action="append", default=[], metavar="FOLDER-PREFIX")
    parser.add_argument("--type", dest="types", action="append", default=[], metavar="pdf,docx")
    parser.add_argument("--since", metavar="DATE", help="2023, 2023-05 or 2023-05-01; that day counts, too")
    parser.add_argument("--until", metavar="DATE")
    parser.add_argument("--name", dest="names", action="append", default=[], metavar="PATTERN")


def _add_scope(parser: argparse.ArgumentParser) -> "argparse._MutuallyExclusiveGroup":
    scope = parser.add_mutually_exclusive_group()
    scope.add_argument("--library", nargs="+", action="extend", default=[], metavar="NAME")
    scope.add_argument("--index", type=Path, metavar="DIR", help="a portable index")
    return scope
