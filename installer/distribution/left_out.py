"""What stays out of the packages, and what has to be told to PyInstaller, each with its reason."""

import fnmatch
import importlib.metadata
import subprocess
import sys
from functools import cache
from pathlib import Path

METADATA = ("zhiye", "torch", "transformers", "tokenizers", "huggingface-hub", "safetensors", "tqdm", "numpy",
            "regex", "requests", "packaging", "filelock", "pyyaml", "sentence-transformers")  # fmt: skip
"""Distributions whose version is asked for at run time; those that are not installed are passed over."""

MODULES = [
    # Of the tests, or of tools that a development environment holds.
    "pytest", "_pytest", "hypothesis", "IPython", "matplotlib", "tkinter", "docx", "pptx", "odf", "striprtf",
    "fontTools", "mypy", "mypyc", "ruff", "PyInstaller", "pip", "setuptools", "wheel", "pkg_resources",
    # Imported by scikit-learn and sentence-transformers where they are there; nothing here needs them.
    "pandas", "pyarrow", "datasets", "accelerate", "peft", "onnx", "numba", "triton", "tensorflow", "keras",
    "jax", "flax", "torchvision", "torchaudio", "tensorboard",
    # sentence-transformers needs scikit-learn's metrics; of SciPy what these need.
    *(f"sklearn.{part}" for part in ("cluster", "covariance", "datasets", "decomposition", "ensemble",
      "gaussian_process", "linear_model", "manifold", "neighbors", "neural_network", "svm", "tree", "_loss")),
    "scipy.io", "scipy.signal", "scipy.cluster",
    # What only command lines and compilers import.
    "networkx", "pygments", "rich",
    # A team's server is an extra that the packages do not bring.
    "pymilvus", "milvus_lite", "grpc", "grpc_tools",
    # llama-cpp-python's web server.
    "fastapi", "uvicorn", "starlette",
]  # fmt: skip

_FILES = (
    # For compiling against torch, and its tests.
    "torch/include/*", "torch/share/*", "torch/test/*", "torch/testing/_internal/*",
    "torch/lib/*.a", "torch/lib/*_test.so", "torch/lib/libaoti_custom_ops*",
    "torch/lib/libbackend_with_compiler*", "llama_cpp/lib/*.a",
    # Sources beside the bytecode, of parts of torch that nothing looks for source code in.
    *(f"torch/{part}/*.py" for part in ("_dynamo", "_export", "_functorch", "_higher_order_ops", "_inductor",
      "ao", "export", "onnx")),
    # A picture format that no document is read in.
    "PIL/_avif.*", "pillow.libs/libavif-*",
    # Other Qt bindings' plug-ins, languages other than the interface's, Qt modules that no window uses.
    "PySide6/Qt/qml/*", "PySide6/Qt/translations/*", "PySide6/Qt/resources/*", "PySide6/Qt/libexec/*",
    "PySide6/Qt/lib/libQt6Qml*", "PySide6/Qt/lib/libQt6Quick*", "PySide6/Qt/lib/libQt6WebEngine*",
    "PySide6/Qt/lib/libQt6VirtualKeyboard*", "PySide6/Qt/plugins/platforminputcontexts/*virtualkeyboard*",
    "PySide6/Qt/plugins/sqldrivers/*", "PySide6/Qt/plugins/multimedia/*",
    "PySide6/Qt/plugins/networkinformation/*",
    "PySide6/Qt/plugins/tls/*", "PySide6/Qt/plugins/egldeviceintegrations/*", "PySide6/Qt/plugins/generic/*",
    *(f"PySide6/Qt/plugins/platforms/libq{name}.so"
      for name in ("eglfs", "linuxfb", "minimalegl", "vkkhrdisplay", "vnc")),
    "PySide6/Qt/lib/libQt6Egl*",
    # Qt's look of GTK: the window has its own, and this would bring GTK along.
    "PySide6/Qt/plugins/platformthemes/libqgtk3.so",
    "PySide6/Qt/plugins/wayland-decoration-client/libadwaita.so",
    *(f"lib{name}.so*"
      for name in ("gtk-3", "gdk-3", "gdk_pixbuf-2.0", "atk-1.0", "atk-bridge-2.0", "atspi", "cairo",
                   "cairo-gobject", "pango-1.0", "pangocairo-1.0", "pangoft2-1.0", "epoxy", "pixman-1",
                   "wayland-cursor")),
    # The hub is never reached.
    "hf_xet/*",
    # Command-line tools and headers that came with libraries.
    "*/include/*.h", "*/tests/*", "*.pyi",
)  # fmt: skip

_SHARES_MEMORY = "torch/bin/torch_shm_manager"
"""torch looks for it when it is imported."""

_QT_TRANSLATIONS = "PySide6/Qt/translations/qtbase_zh_CN.qm"


def is_left_out(destination: str) -> bool:
    """Whether a file, by its place in the frozen folder, does not ship."""
    place = destination.replace("\\", "/")
    if place.startswith("torch/bin/"):
        return place != _SHARES_MEMORY
    if place.startswith("torch/") and place.endswith("config.py"):
        return False  # torch looks for comments in these
    if place == _QT_TRANSLATIONS:
        return False
    if place.startswith("transformers/models/") and place.count("/") > 2:
        return place.split("/")[2] not in architectures()
    return any(fnmatch.fnmatchcase(place, pattern) for pattern in _FILES)


def is_module_left_out(name: str) -> bool:
    """Whether a Python module does not ship: :data:`MODULES`, and the architectures nothing loads."""
    parts = name.split(".")
    return parts[:2] == ["transformers", "models"] and len(parts) > 2 and parts[2] not in architectures()


@cache
def architectures() -> frozenset[str]:
    """Which of the hundreds of folders of transformers.models the embedder imports, asked of itself."""
    script = (
        "import sys; from pathlib import Path; from engine.index.embedding import BgeEmbedder; "
        "BgeEmbedder(Path(sys.argv[1]), 'bge-small-zh-v1.5', 512, 1).embed_query('知页'); "
        "print(*sorted({name.split('.')[2] for name in sys.modules if "
        "name.startswith('transformers.models.')}))"
    )
    folder = Path(__file__).parents[2] / "models" / "bge-small-zh-v1.5"
    answer = subprocess.run(
        [sys.executable, "-c", script, str(folder)], capture_output=True, encoding="utf-8", check=True,
        cwd=folder.parents[1],
    )  # fmt: skip
    return frozenset(answer.stdout.split())


def installed_metadata() -> list[str]:
    """Those of :data:`METADATA` that are installed here."""
    names = []
    for name in METADATA:
        try:
            importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
        names.append(name)
    return names


def icon(folder: Path) -> str | None:
    """The executable's icon on systems that keep it inside."""
    name = {"win32": "zhiye.ico", "darwin": "zhiye.icns"}.get(sys.platform)
    made = folder.parents[1] / "build" / "icons" / name if name else None
    return str(made) if made is not None and made.exists() else None
