"""RapidOCR's three networks, loaded from the files in its package and from nowhere else."""

import functools
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from engine import native
from engine.documents import FileState, Reason
from engine.intake.loaders import LoadFailed

_FILES = {
    "Det": "PP-OCRv6_det_small.onnx",
    "Cls": "ch_ppocr_mobile_v2.0_cls_mobile.onnx",
    "Rec": "PP-OCRv6_rec_small.onnx",
}
_PARAMS: dict[str, dict[str, Any]] = {
    # The longer side is what the caller says, page by page.
    "Det": {"limit_type": "max"},
    "Cls": {},
    # One line a run: on a processor a batch is no faster (77 µs a pixel column either way) and lines padded
    # to the longest of six cost memory. Short lines are not padded to 320 pixels either.
    "Rec": {"rec_batch_num": 1, "rec_img_shape": [3, 48, 48]},
}


@dataclass(frozen=True, slots=True)
class Models:
    """``find`` finds lines, ``turned`` says whether a line stands on its head, ``read`` reads it."""

    find: Any
    turned: Any
    read: Any


@functools.cache
def load() -> Models:
    """The networks, loaded once a process (about two seconds).

    Raises:
        LoadFailed: the package or one of its files is missing or damaged; nothing is ever fetched.
    """
    try:
        import rapidocr

        folder = Path(rapidocr.__file__).parent
        sessions = {part: _session(folder / "models" / file) for part, file in _FILES.items()}
        from rapidocr.ch_ppocr_cls import TextClassifier
        from rapidocr.ch_ppocr_det import TextDetector
        from rapidocr.ch_ppocr_rec import TextRecognizer

        _quieten()
        makers = {"Det": TextDetector, "Cls": TextClassifier, "Rec": TextRecognizer}
        config = _config(folder / "config.yaml", sessions)
        made = {part: maker(config[part]) for part, maker in makers.items()}
    except Exception as exc:
        # Import errors, missing files and onnxruntime's own kinds all mean: no OCR on this machine.
        reason = Reason("ocr_unavailable", {"detail": type(exc).__name__})
        raise LoadFailed(FileState.NEEDS_OCR, reason) from exc
    return Models(made["Det"], made["Cls"], made["Rec"])


def threads() -> int:
    """All cores but one, which is the window's and the question's."""
    return max(1, native.thread_count(wanted=sys.maxsize) - 1)


def _session(file: Path) -> Any:
    import onnxruntime

    if not file.is_file():
        raise FileNotFoundError(file.name)
    # Official Windows builds hand events to the system otherwise.
    onnxruntime.disable_telemetry_events()
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = threads()
    options.inter_op_num_threads = 1
    # Waiting threads sleep: the cores are wanted by others between two lines.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    # The arena would keep the largest page's memory for good.
    options.enable_cpu_mem_arena = False
    # Bytes, since onnxruntime's own opening of paths depends on the system's code page.
    return onnxruntime.InferenceSession(file.read_bytes(), options, providers=["CPUExecutionProvider"])


def _config(file: Path, sessions: dict[str, Any]) -> dict[str, Any]:
    """RapidOCR's own settings with ours; given a session, it looks for no file and no address."""
    from omegaconf import OmegaConf
    from rapidocr.utils.parse_parameters import ParseParams

    result = {}
    for part, session in sessions.items():
        defaults = cast(dict[str, Any], OmegaConf.to_container(ParseParams.load(file)[part]))
        settings = {**defaults, "font_path": None, **_PARAMS[part], "session": session}
        result[part] = OmegaConf.create(settings, flags={"allow_objects": True})
    return result


def _quieten() -> None:
    """Its logger has a handler of its own on stderr and passes nothing on."""
    import logging

    import cv2

    logging.getLogger("RapidOCR").setLevel(logging.CRITICAL + 1)
    cv2.setNumThreads(threads())
