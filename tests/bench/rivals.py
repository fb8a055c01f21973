"""A LangChain and a LlamaIndex pipeline as their documentation assembles them: a folder into a FAISS index.

``PYTHON tests/bench/rivals.py NAME FOLDER OUT MODEL THREADS SIZE OVERLAP`` prints a line of JSON: seconds
from the first file to the index on the disk (neither imports nor loading the model), chunks and characters.
PYTHON has the packages of the dependency group ``bench``; nothing of this repository is imported.
"""

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

os.environ |= {
    "HF_HUB_OFFLINE": "1", "HF_HUB_DISABLE_TELEMETRY": "1", "HF_HUB_DISABLE_PROGRESS_BARS": "1",
    "LANGCHAIN_TRACING_V2": "false", "LANGSMITH_TRACING": "false", "ANONYMIZED_TELEMETRY": "false",
    "DO_NOT_TRACK": "1", "TQDM_DISABLE": "1", "TOKENIZERS_PARALLELISM": "false",
}  # fmt: skip

Figures = dict[str, float]


def langchain(folder: Path, out: Path, model: str, size: int, overlap: int) -> Figures:
    """A loader a format, RecursiveCharacterTextSplitter (characters), HuggingFaceEmbeddings, FAISS."""
    import pandas
    from langchain_community.document_loaders import (
        BSHTMLLoader,
        DataFrameLoader,
        DirectoryLoader,
        Docx2txtLoader,
        PyPDFLoader,
        TextLoader,
    )
    from langchain_community.vectorstores import FAISS
    from langchain_huggingface import HuggingFaceEmbeddings
    from langchain_text_splitters import RecursiveCharacterTextSplitter

    embeddings = HuggingFaceEmbeddings(
        model_name=model, model_kwargs={"device": "cpu"}, encode_kwargs={"normalize_embeddings": True}
    )
    embeddings.embed_query("热身")
    begun, worked = time.perf_counter(), time.process_time()
    documents: list[Any] = []
    text: dict[str, Any] = {"encoding": "utf-8"}
    for pattern, loader, how in (
        ("**/*.pdf", PyPDFLoader, {}),
        ("**/*.docx", Docx2txtLoader, {}),
        ("**/*.html", BSHTMLLoader, {"open_encoding": "utf-8"}),
        ("**/*.md", TextLoader, text),
        ("**/*.txt", TextLoader, text),
    ):
        documents += DirectoryLoader(str(folder), glob=pattern, loader_cls=loader, loader_kwargs=how).load()
    for file in sorted(folder.rglob("*.xlsx")):
        frame = pandas.read_excel(file).astype(str)
        frame["page_content"] = frame.agg(" ".join, axis=1)
        documents += DataFrameLoader(frame, page_content_column="page_content").load()
    loaded = time.perf_counter()
    splitter = RecursiveCharacterTextSplitter(chunk_size=size, chunk_overlap=overlap)
    pieces = splitter.split_documents(documents)
    FAISS.from_documents(pieces, embeddings).save_local(str(out))
    return {
        "seconds": time.perf_counter() - begun, "processor": time.process_time() - worked,
        "loading": loaded - begun, "chunks": len(pieces),
        "characters": sum(len(piece.page_content) for piece in documents),
    }  # fmt: skip


def llamaindex(folder: Path, out: Path, model: str, size: int, overlap: int) -> Figures:
    """SimpleDirectoryReader, SentenceSplitter (tokens), HuggingFaceEmbedding, FaissVectorStore."""
    import faiss
    from llama_index.core import SimpleDirectoryReader, StorageContext, VectorStoreIndex
    from llama_index.core.node_parser import SentenceSplitter
    from llama_index.embeddings.huggingface import HuggingFaceEmbedding
    from llama_index.readers.file import HTMLTagReader
    from llama_index.vector_stores.faiss import FaissVectorStore

    embedding = HuggingFaceEmbedding(model_name=model, device="cpu")
    embedding.get_text_embedding("热身")
    splitter = SentenceSplitter(chunk_size=size, chunk_overlap=overlap)
    begun, worked = time.perf_counter(), time.process_time()
    reader = SimpleDirectoryReader(
        str(folder), recursive=True, file_extractor={".html": HTMLTagReader("body", ignore_no_id=False)}
    )
    documents = reader.load_data()
    loaded = time.perf_counter()
    nodes = splitter.get_nodes_from_documents(documents)
    storage = StorageContext.from_defaults(vector_store=FaissVectorStore(faiss_index=faiss.IndexFlatIP(512)))
    VectorStoreIndex(nodes, storage_context=storage, embed_model=embedding).storage_context.persist(str(out))
    return {
        "seconds": time.perf_counter() - begun, "processor": time.process_time() - worked,
        "loading": loaded - begun, "chunks": len(nodes),
        "characters": sum(len(document.text) for document in documents),
    }  # fmt: skip


def main() -> None:
    name, folder, out, model, threads, size, overlap = sys.argv[1:]
    import torch

    torch.set_num_threads(int(threads))
    pipeline = {"langchain": langchain, "llamaindex": llamaindex}[name]
    print(json.dumps(pipeline(Path(folder), Path(out), model, int(size), int(overlap))))


if __name__ == "__main__":
    main()
