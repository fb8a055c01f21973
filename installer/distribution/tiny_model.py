"""Makes resources/self_check/tiny.gguf: a chat model of 0.4 MB that says nothing and decodes like a large
one.

    python installer/distribution/tiny_model.py

One layer of random weights in the quantisation of the real models (Q4_K_M), so that the same kernels of
llama.cpp run. The self-check decodes a token with it where no chat model is installed.
"""

import ctypes
import sys
import tempfile
from pathlib import Path

import gguf
import llama_cpp
import numpy as np

TARGET = Path(__file__).parents[2] / "resources" / "self_check" / "tiny.gguf"
WIDTH = 256  # one block of Q4_K
CONTEXT = 512
_EPSILON = 1e-5
_TEMPLATE = "{% for message in messages %}{{ message['content'] }}\n{% endfor %}"


def tokens() -> tuple[list[bytes], list[int]]:
    """A byte-level vocabulary: unknown, begin, end, and the 256 bytes."""
    kinds = gguf.TokenType
    names = [b"<unk>", b"<s>", b"</s>", *(f"<0x{byte:02X}>".encode() for byte in range(256))]
    types = [kinds.UNKNOWN, kinds.CONTROL, kinds.CONTROL] + [kinds.BYTE] * 256
    return names, [int(kind) for kind in types]


def write_plain(path: Path) -> None:
    """The model in float32."""
    random = np.random.default_rng(7)
    names, types = tokens()
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_name("Zhiye self-check")
    writer.add_license("AGPL-3.0-or-later")
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(1)
    writer.add_feed_forward_length(WIDTH)
    writer.add_head_count(4)
    writer.add_head_count_kv(4)
    writer.add_layer_norm_rms_eps(_EPSILON)
    writer.add_rope_dimension_count(WIDTH // 4)
    writer.add_tokenizer_model("llama")
    writer.add_token_list(names)
    writer.add_token_scores([0.0] * len(names))
    writer.add_token_types(types)
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_chat_template(_TEMPLATE)

    def matrix(rows: int) -> np.ndarray:
        return random.normal(0, 0.1, (rows, WIDTH)).astype(np.float32)

    writer.add_tensor("token_embd.weight", matrix(len(names)))
    for name in ("attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down"):
        writer.add_tensor(f"blk.0.{name}.weight", matrix(WIDTH))
    for name in ("blk.0.attn_norm", "blk.0.ffn_norm", "output_norm"):
        writer.add_tensor(f"{name}.weight", np.ones(WIDTH, dtype=np.float32))
    writer.add_tensor("output.weight", matrix(len(names)))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def main() -> int:
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder, "plain.gguf")
        write_plain(plain)
        options = llama_cpp.llama_model_quantize_default_params()
        options.ftype = llama_cpp.LLAMA_FTYPE_MOSTLY_Q4_K_M
        status = llama_cpp.llama_model_quantize(
            str(plain).encode(), str(TARGET).encode(), ctypes.byref(options)
        )
    print(f"{TARGET.name}: {TARGET.stat().st_size} bytes")
    return int(status)


if __name__ == "__main__":
    sys.exit(main())
