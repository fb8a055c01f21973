"""Questions about all documents (全量统计): every one is read; the answer is a table with citations."""
