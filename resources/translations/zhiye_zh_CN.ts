<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>AnswerActions</name>
    <message>
        <source>Copy with markers</source>
        <translation>复制（带标注）</translation>
    </message>
    <message>
        <source>Copy without markers</source>
        <translation>复制（不带标注）</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Ask again</source>
        <translation>重新提问</translation>
    </message>
    <message>
        <source>Good answer (kept on this computer)</source>
        <translation>回答得好（只记在本机）</translation>
    </message>
    <message>
        <source>Bad answer (kept on this computer)</source>
        <translation>回答得不好（只记在本机）</translation>
    </message>
    <message>
        <source>Ask the model</source>
        <translation>让模型回答</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>已复制</translation>
    </message>
    <message>
        <source>Exported</source>
        <translation>已导出</translation>
    </message>
</context>
<context>
    <name>AnswerTableView</name>
    <message>
        <source>Documents read</source>
        <translation>已读文件</translation>
    </message>
    <message>
        <source>Document</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Found</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>Sentence</source>
        <translation>原句</translation>
    </message>
    <message>
        <source>Not read to the end: it was stopped.</source>
        <translation>没有读完：中途停止。</translation>
    </message>
    <message>
        <source>Not read to the end: the limit of time or of documents was reached.</source>
        <translation>没有读完：到了时间或份数的上限。</translation>
    </message>
    <message>
        <source>Read {read} of {of} documents</source>
        <translation>已读{read}/{of}份文件</translation>
    </message>
    <message numerus="yes">
        <source>%n rows so far</source>
        <translation>
            <numerusform>目前%n行</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n rows supported</source>
        <translation>
            <numerusform>有依据%n行</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n rows unverified, not counted</source>
        <translation>
            <numerusform>未核实%n行，未计入</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n other documents have no passage about it and were not read</source>
        <translation>
            <numerusform>其余%n份没有相关的片段，没有逐份阅读</numerusform>
        </translation>
    </message>
    <message>
        <source>Copy as Markdown</source>
        <translation>复制为 Markdown</translation>
    </message>
    <message>
        <source>Copy for a spreadsheet</source>
        <translation>复制到电子表格</translation>
    </message>
    <message numerus="yes">
        <source>Show all %n rows</source>
        <translation>
            <numerusform>显示全部%n行</numerusform>
        </translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>已复制</translation>
    </message>
</context>
<context>
    <name>AnswerView</name>
    <message>
        <source>Answer</source>
        <translation>回答</translation>
    </message>
    <message>
        <source>Number check: no passage holds “{number}”.</source>
        <translation>数字核对：片段里没有“{number}”。</translation>
    </message>
    <message>
        <source>Number check: the passages say “{number}” of something else.</source>
        <translation>数字核对：片段里的“{number}”说的是别的事。</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source>The passages hold only a part of this statement.</source>
        <translation>片段只支持这个说法的一部分。</translation>
    </message>
    <message>
        <source>The passages do not hold this statement.</source>
        <translation>片段里没有这个说法。</translation>
    </message>
    <message>
        <source>Not in the passages: {details}</source>
        <translation>片段里没有：{details}</translation>
    </message>
</context>
<context>
    <name>AskController</name>
    <message>
        <source>Wait for the answer, or stop it first.</source>
        <translation>请等回答写完，或先停止它。</translation>
    </message>
</context>
<context>
    <name>AskPanel</name>
    <message>
        <source>Ask a question about your documents.</source>
        <translation>就你的文档提一个问题。</translation>
    </message>
    <message>
        <source>Questions and answers</source>
        <translation>问题与回答</translation>
    </message>
</context>
<context>
    <name>Banner</name>
    <message>
        <source>Close this message</source>
        <translation>关闭这条消息</translation>
    </message>
</context>
<context>
    <name>CheckController</name>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source>all knowledge bases</source>
        <translation>全部知识库</translation>
    </message>
    <message>
        <source>Checked against: {where}</source>
        <translation>核对范围：{where}</translation>
    </message>
    <message>
        <source>Open a draft</source>
        <translation>打开文稿</translation>
    </message>
    <message>
        <source>Text (*.txt *.md *.markdown)</source>
        <translation>文本 (*.txt *.md *.markdown)</translation>
    </message>
    <message>
        <source>Checking…</source>
        <translation>正在核对…</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>已复制</translation>
    </message>
    <message>
        <source>The draft has changed since it was checked.</source>
        <translation>核对之后文稿有改动。</translation>
    </message>
</context>
<context>
    <name>CheckWindow</name>
    <message>
        <source>Check a draft</source>
        <translation>核对文稿</translation>
    </message>
    <message>
        <source>Progress of the check</source>
        <translation>核对进度</translation>
    </message>
    <message>
        <source>Paste or open a text to check it against your documents.</source>
        <translation>粘贴或打开一段文字，与你的文档核对。</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>打开…</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>核对</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Stop the check (Esc)</source>
        <translation>停止核对 (Esc)</translation>
    </message>
    <message>
        <source>Copy result</source>
        <translation>复制结果</translation>
    </message>
    <message>
        <source>Draft</source>
        <translation>文稿</translation>
    </message>
    <message>
        <source>Paste a text here.</source>
        <translation>在这里粘贴文字。</translation>
    </message>
    <message>
        <source>Checked sentences</source>
        <translation>核对结果</translation>
    </message>
</context>
<context>
    <name>CheckedView</name>
    <message>
        <source>Checked sentences</source>
        <translation>核对结果</translation>
    </message>
</context>
<context>
    <name>ChunkRows</name>
    <message>
        <source>no section</source>
        <translation>无章节</translation>
    </message>
</context>
<context>
    <name>ChunkView</name>
    <message>
        <source>Text of the chosen passage</source>
        <translation>所选片段的文字</translation>
    </message>
    <message>
        <source>Choose a passage to see the text that is searched.</source>
        <translation>选择一个片段，查看用于检索的文字。</translation>
    </message>
</context>
<context>
    <name>CitationCard</name>
    <message>
        <source>“{quote}”</source>
        <translation>“{quote}”</translation>
    </message>
</context>
<context>
    <name>Composer</name>
    <message>
        <source>Choose folders, kinds and dates to ask</source>
        <translation>选择要问的文件夹、类型和日期</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>Find passages without asking the model (Ctrl+Enter does it once)</source>
        <translation>只找片段，不问模型（按Ctrl+Enter只对这一次有效）</translation>
    </message>
    <message>
        <source>Passages only</source>
        <translation>只找片段</translation>
    </message>
    <message>
        <source>New conversation</source>
        <translation>新对话</translation>
    </message>
    <message>
        <source>Earlier conversations (Ctrl+H)</source>
        <translation>历史对话（Ctrl+H）</translation>
    </message>
    <message>
        <source>Earlier conversations</source>
        <translation>历史对话</translation>
    </message>
    <message>
        <source>Ask</source>
        <translation>提问</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Stop the answer</source>
        <translation>停止回答</translation>
    </message>
</context>
<context>
    <name>Copy</name>
    <message>
        <source> ({verdict})</source>
        <translation>（{verdict}）</translation>
    </message>
</context>
<context>
    <name>Evidence</name>
    <message>
        <source>Also in: {names}</source>
        <translation>另见：{names}</translation>
    </message>
</context>
<context>
    <name>EvidenceModel</name>
    <message>
        <source>The same document lies here, too:</source>
        <translation>同一文档还在：</translation>
    </message>
    <message>
        <source>Relevance {score}</source>
        <translation>相关度 {score}</translation>
    </message>
</context>
<context>
    <name>Export</name>
    <message>
        <source>Markdown (*.md)</source>
        <translation>Markdown (*.md)</translation>
    </message>
    <message>
        <source>Word document (*.docx)</source>
        <translation>Word 文档 (*.docx)</translation>
    </message>
    <message>
        <source>Export with sources</source>
        <translation>导出（含出处）</translation>
    </message>
</context>
<context>
    <name>File</name>
    <message>
        <source>{state} (copy)</source>
        <translation>{state}（副本）</translation>
    </message>
    <message>
        <source>Pages missing: {pages}</source>
        <translation>缺第 {pages} 页</translation>
    </message>
    <message>
        <source>Pages read by OCR: {pages}</source>
        <translation>第 {pages} 页由文字识别得出</translation>
    </message>
    <message>
        <source>Pages {count}</source>
        <translation>{count}页</translation>
    </message>
    <message>
        <source>Passages {count}</source>
        <translation>{count}个片段</translation>
    </message>
    <message>
        <source>Encoding {name}</source>
        <translation>编码 {name}</translation>
    </message>
</context>
<context>
    <name>FileDetails</name>
    <message>
        <source>More for the selected files</source>
        <translation>对所选文件的更多操作</translation>
    </message>
    <message>
        <source>Enter password…</source>
        <translation>输入密码…</translation>
    </message>
    <message>
        <source>Inspect</source>
        <translation>检查</translation>
    </message>
    <message numerus="yes">
        <source>%n files selected</source>
        <translation>
            <numerusform>已选%n个文件</numerusform>
        </translation>
    </message>
    <message>
        <source>Read again</source>
        <translation>重新读取</translation>
    </message>
</context>
<context>
    <name>FileMenu</name>
    <message>
        <source>Inspect</source>
        <translation>检查</translation>
    </message>
    <message>
        <source>Read again</source>
        <translation>重新读取</translation>
    </message>
    <message>
        <source>Enter password…</source>
        <translation>输入密码…</translation>
    </message>
    <message>
        <source>Open containing folder</source>
        <translation>打开所在文件夹</translation>
    </message>
    <message>
        <source>Copy path</source>
        <translation>复制路径</translation>
    </message>
</context>
<context>
    <name>FileTable</name>
    <message>
        <source>Files of the knowledge base</source>
        <translation>知识库的文件</translation>
    </message>
</context>
<context>
    <name>FileTableModel</name>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>页</translation>
    </message>
    <message>
        <source>Passages</source>
        <translation>片段</translation>
    </message>
</context>
<context>
    <name>Filter</name>
    <message>
        <source>Folder: {value}</source>
        <translation>文件夹“{value}”</translation>
    </message>
    <message>
        <source>Name: {value}</source>
        <translation>文件名“{value}”</translation>
    </message>
    <message>
        <source>From {value}</source>
        <translation>{value}起</translation>
    </message>
    <message>
        <source>Until {value}</source>
        <translation>{value}止</translation>
    </message>
    <message>
        <source>Tables</source>
        <translation>表格</translation>
    </message>
    <message>
        <source>Slides</source>
        <translation>幻灯片</translation>
    </message>
    <message>
        <source>Plain text</source>
        <translation>纯文本</translation>
    </message>
    <message>
        <source>Web pages</source>
        <translation>网页</translation>
    </message>
    <message>
        <source>E-mail</source>
        <translation>邮件</translation>
    </message>
    <message>
        <source>E-books</source>
        <translation>电子书</translation>
    </message>
</context>
<context>
    <name>FilterPanel</name>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>A folder or its path</source>
        <translation>文件夹名或路径</translation>
    </message>
    <message>
        <source>Browse…</source>
        <translation>浏览…</translation>
    </message>
    <message>
        <source>Choose a folder to ask</source>
        <translation>选择要问的文件夹</translation>
    </message>
    <message>
        <source>File name</source>
        <translation>文件名</translation>
    </message>
    <message>
        <source>A part of it, or contract*</source>
        <translation>名称的一部分，或 合同*</translation>
    </message>
    <message>
        <source>From date</source>
        <translation>开始日期</translation>
    </message>
    <message>
        <source>Until date</source>
        <translation>结束日期</translation>
    </message>
    <message>
        <source>to</source>
        <translation>至</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Date</source>
        <translation>日期</translation>
    </message>
</context>
<context>
    <name>FindingRow</name>
    <message>
        <source>Put right: {finding}</source>
        <translation>已修复：{finding}</translation>
    </message>
</context>
<context>
    <name>FolderList</name>
    <message>
        <source>No folders</source>
        <translation>没有文件夹</translation>
    </message>
</context>
<context>
    <name>FolderRow</name>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Locate…</source>
        <translation>重新定位…</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Will be added</source>
        <translation>确定后加入</translation>
    </message>
    <message>
        <source>Will be removed; your documents stay where they are</source>
        <translation>确定后移除；文档留在原处</translation>
    </message>
    <message>
        <source>Will take the place of {folder}</source>
        <translation>确定后代替 {folder}</translation>
    </message>
    <message>
        <source>Not on this computer: locate it to open and sync its documents</source>
        <translation>不在这台电脑上；重新定位后才能打开文档并同步</translation>
    </message>
    <message>
        <source>Not reachable; what was indexed of it can be searched</source>
        <translation>无法访问；已索引的内容仍可检索</translation>
    </message>
    <message>
        <source>Reachable</source>
        <translation>可以访问</translation>
    </message>
</context>
<context>
    <name>Folders</name>
    <message>
        <source>Choose another folder</source>
        <translation>换一个文件夹</translation>
    </message>
    <message>
        <source>Index all of it</source>
        <translation>仍然全部索引</translation>
    </message>
</context>
<context>
    <name>Formats</name>
    <message>
        <source>Reads PDF, Word, PowerPoint, Excel and CSV, Markdown, HTML, text, EPUB, e-mail (EML, MSG), RTF and OpenDocument.</source>
        <translation>可读取 PDF、Word、PowerPoint、Excel 和 CSV、Markdown、HTML、纯文本、EPUB、邮件（EML、MSG）、RTF 和 OpenDocument。</translation>
    </message>
</context>
<context>
    <name>Health</name>
    <message>
        <source>Documents</source>
        <translation>文档</translation>
    </message>
    <message>
        <source>Passages</source>
        <translation>片段</translation>
    </message>
    <message>
        <source>On disk</source>
        <translation>占用</translation>
    </message>
    <message>
        <source>Last sync</source>
        <translation>上次同步</translation>
    </message>
    <message>
        <source>Generation</source>
        <translation>写入代次</translation>
    </message>
    <message>
        <source>Left over</source>
        <translation>无主数据</translation>
    </message>
    <message>
        <source>The last sync ended early ({when}): {error}</source>
        <translation>上次同步中断（{when}）：{error}</translation>
    </message>
    <message>
        <source>never</source>
        <translation>从未</translation>
    </message>
    <message>
        <source>{size} MB</source>
        <translation>{size} MB</translation>
    </message>
</context>
<context>
    <name>HealthCard</name>
    <message>
        <source>Nothing to put right.</source>
        <translation>没有需要修复的。</translation>
    </message>
</context>
<context>
    <name>HealthController</name>
    <message>
        <source>Checking…</source>
        <translation>正在检查…</translation>
    </message>
    <message>
        <source>Putting right what can be…</source>
        <translation>正在修复…</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>已停止。</translation>
    </message>
</context>
<context>
    <name>HealthWindow</name>
    <message>
        <source>Health</source>
        <translation>健康</translation>
    </message>
    <message>
        <source>Check again</source>
        <translation>再检查</translation>
    </message>
    <message>
        <source>Repair</source>
        <translation>修复</translation>
    </message>
    <message>
        <source>Nothing is embedded for it, and a damaged file is kept beside the new one</source>
        <translation>不重算向量；损坏的文件会留在新文件旁边</translation>
    </message>
    <message>
        <source>This computer</source>
        <translation>这台电脑</translation>
    </message>
    <message numerus="yes">
        <source>%n problems repaired.</source>
        <translation>
            <numerusform>已修复%n处问题。</numerusform>
        </translation>
    </message>
    <message>
        <source>Everything is in order.</source>
        <translation>一切正常。</translation>
    </message>
    <message numerus="yes">
        <source>%n problems found.</source>
        <translation>
            <numerusform>发现%n处问题。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n of them can be repaired.</source>
        <translation>
            <numerusform>其中%n处可以修复。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n things need your attention.</source>
        <translation>
            <numerusform>有%n件事需要你处理。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>HistoryController</name>
    <message>
        <source>Exported to {file}</source>
        <translation>已导出到 {file}</translation>
    </message>
</context>
<context>
    <name>HistoryWindow</name>
    <message>
        <source>Conversations</source>
        <translation>历史对话</translation>
    </message>
    <message>
        <source>Search questions and answers</source>
        <translation>搜索问题和回答</translation>
    </message>
    <message>
        <source>Delete all…</source>
        <translation>全部删除…</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>置顶</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Delete…</source>
        <translation>删除…</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>No conversation says this.</source>
        <translation>没有对话提到这些内容。</translation>
    </message>
    <message>
        <source>No conversations yet.</source>
        <translation>还没有对话。</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>取消置顶</translation>
    </message>
    <message>
        <source>Delete the conversation “{title}”?</source>
        <translation>删除对话“{title}”？</translation>
    </message>
    <message>
        <source>Delete conversation</source>
        <translation>删除对话</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Delete all conversations, also the pinned ones?</source>
        <translation>删除所有对话，包括置顶的？</translation>
    </message>
    <message>
        <source>Delete all conversations</source>
        <translation>删除所有对话</translation>
    </message>
    <message>
        <source>Delete all</source>
        <translation>全部删除</translation>
    </message>
    <message>
        <source>Questions, answers and ratings are gone for good; your documents stay as they are.</source>
        <translation>问题、回答和评价删除后不能恢复；文档不受影响。</translation>
    </message>
</context>
<context>
    <name>IndexProgressStrip</name>
    <message>
        <source>Progress of indexing</source>
        <translation>索引进度</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Stop indexing</source>
        <translation>停止索引</translation>
    </message>
    <message>
        <source>Looking for files…</source>
        <translation>正在查找文件…</translation>
    </message>
    <message numerus="yes">
        <source>{done} of %n files</source>
        <translation>
            <numerusform>{done} / %n个文件</numerusform>
        </translation>
    </message>
    <message>
        <source>{file} · passage {done} of {total}</source>
        <translation>{file} · 片段 {done} / {total}</translation>
    </message>
    <message numerus="yes">
        <source>OCR: {done} of %n pages</source>
        <translation>
            <numerusform>文字识别 {done} / %n页</numerusform>
        </translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>正在停止…</translation>
    </message>
</context>
<context>
    <name>Inspect</name>
    <message>
        <source>Passage {number}</source>
        <translation>片段 {number}</translation>
    </message>
    <message>
        <source>{count} tokens</source>
        <translation>{count}词元</translation>
    </message>
    <message>
        <source>pages {first}–{last}</source>
        <translation>第 {first}–{last} 页</translation>
    </message>
    <message>
        <source>page {page}</source>
        <translation>第 {page} 页</translation>
    </message>
    <message>
        <source>read by OCR</source>
        <translation>文字识别</translation>
    </message>
    <message>
        <source>read by OCR, confidence {share}</source>
        <translation>文字识别，置信度 {share}</translation>
    </message>
    <message>
        <source>OCR</source>
        <translation>文字识别</translation>
    </message>
    <message>
        <source>{count} characters</source>
        <translation>{count}个字符</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>页</translation>
    </message>
    <message>
        <source>Passages</source>
        <translation>片段</translation>
    </message>
    <message>
        <source>Characters</source>
        <translation>字符</translation>
    </message>
    <message>
        <source>Left out</source>
        <translation>未收入片段</translation>
    </message>
    <message>
        <source>Pages by OCR</source>
        <translation>文字识别页</translation>
    </message>
    <message>
        <source>Encoding</source>
        <translation>编码</translation>
    </message>
</context>
<context>
    <name>InspectWindow</name>
    <message>
        <source>Pages of the document</source>
        <translation>文档的页</translation>
    </message>
    <message>
        <source>Passages of the document</source>
        <translation>文档的片段</translation>
    </message>
    <message>
        <source>Passages</source>
        <translation>片段</translation>
    </message>
    <message>
        <source>Text that is searched</source>
        <translation>用于检索的文字</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>页</translation>
    </message>
    <message>
        <source>Part before</source>
        <translation>上一段</translation>
    </message>
    <message>
        <source>Next part</source>
        <translation>下一段</translation>
    </message>
    <message>
        <source>Part {number} of {count}</source>
        <translation>第 {number} 段，共 {count} 段</translation>
    </message>
</context>
<context>
    <name>InspectedDocument</name>
    <message>
        <source>{file} – How it was read</source>
        <translation>{file} – 检查</translation>
    </message>
    <message>
        <source>Fetching what is stored…</source>
        <translation>正在取出已保存的内容…</translation>
    </message>
    <message>
        <source>Nothing of this is stored.</source>
        <translation>这里没有已保存的内容。</translation>
    </message>
    <message>
        <source>Compare numbers with the original picture.</source>
        <translation>数字请对照原图核对。</translation>
    </message>
</context>
<context>
    <name>Legend</name>
    <message>
        <source>Passages by turns</source>
        <translation>片段（两种底色交替）</translation>
    </message>
    <message>
        <source>text</source>
        <translation>文字</translation>
    </message>
    <message>
        <source>Left out: {reasons}</source>
        <translation>未收入片段：{reasons}</translation>
    </message>
    <message numerus="yes">
        <source>%n characters in no passage</source>
        <translation>
            <numerusform>%n个字符不在任何片段中</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LibraryPanel</name>
    <message>
        <source>Knowledge base</source>
        <translation>知识库</translation>
    </message>
    <message>
        <source>New knowledge base from a folder</source>
        <translation>用文件夹新建知识库</translation>
    </message>
    <message>
        <source>Add folder</source>
        <translation>添加文件夹</translation>
    </message>
    <message>
        <source>Sync</source>
        <translation>同步</translation>
    </message>
    <message>
        <source>Remove knowledge base…</source>
        <translation>移除知识库…</translation>
    </message>
    <message numerus="yes">
        <source>%n files</source>
        <translation>
            <numerusform>%n个文件</numerusform>
        </translation>
    </message>
    <message>
        <source>Retry failed files only</source>
        <translation>仅重试失败的文件</translation>
    </message>
    <message>
        <source>More for knowledge bases</source>
        <translation>知识库的更多操作</translation>
    </message>
    <message>
        <source>Locate…</source>
        <translation>重新定位…</translation>
    </message>
    <message>
        <source>Say where a folder lies now</source>
        <translation>指出文件夹现在的位置</translation>
    </message>
    <message>
        <source>Knowledge base settings…</source>
        <translation>知识库设置…</translation>
    </message>
    <message>
        <source>Export pack…</source>
        <translation>导出知识库包…</translation>
    </message>
    <message>
        <source>Import pack…</source>
        <translation>导入知识库包…</translation>
    </message>
    <message>
        <source>Back up everything…</source>
        <translation>备份全部…</translation>
    </message>
    <message>
        <source>Restore a backup…</source>
        <translation>恢复备份…</translation>
    </message>
    <message numerus="yes">
        <source>%n passages</source>
        <translation>
            <numerusform>%n个片段</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Retry failed only (%n)</source>
        <translation>
            <numerusform>仅重试失败的文件（%n）</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n files need a password</source>
        <translation>
            <numerusform>%n个文件需要密码</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The passwords given so far do not open %n of them.</source>
        <translation>
            <numerusform>已输入的密码打不开其中%n个。</numerusform>
        </translation>
    </message>
    <message>
        <source>Enter password…</source>
        <translation>输入密码…</translation>
    </message>
    <message>
        <source>Password for {file}</source>
        <translation>{file} 的密码</translation>
    </message>
    <message numerus="yes">
        <source>Password for %n encrypted files</source>
        <translation>
            <numerusform>%n个加密文件的密码</numerusform>
        </translation>
    </message>
    <message>
        <source>Choose a folder with documents</source>
        <translation>选择放文档的文件夹</translation>
    </message>
    <message>
        <source>Remove the knowledge base “{name}”?</source>
        <translation>移除知识库“{name}”？</translation>
    </message>
    <message>
        <source>Remove knowledge base</source>
        <translation>移除知识库</translation>
    </message>
    <message>
        <source>Your documents stay where they are; only the index is deleted.</source>
        <translation>你的文档留在原处，只删除索引。</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>Zhiye</source>
        <translation>知页 Zhiye</translation>
    </message>
    <message>
        <source>Offline: nothing leaves this computer</source>
        <translation>离线运行：任何内容都不会离开这台电脑</translation>
    </message>
    <message>
        <source>Shared: vectors and passages are on {hosts}</source>
        <translation>共享中：向量和片段在 {hosts} 上</translation>
    </message>
    <message>
        <source>Health</source>
        <translation>健康</translation>
    </message>
    <message>
        <source>Check and repair knowledge bases</source>
        <translation>检查和修复知识库</translation>
    </message>
    <message>
        <source>Drop folders or documents to add them</source>
        <translation>松开鼠标，添加文件夹或文档</translation>
    </message>
    <message>
        <source>Check a draft</source>
        <translation>核对文稿</translation>
    </message>
    <message>
        <source>Check each sentence of your own text (Ctrl+Shift+K)</source>
        <translation>逐句核对你自己的文字 (Ctrl+Shift+K)</translation>
    </message>
</context>
<context>
    <name>PackController</name>
    <message>
        <source>Exporting “{name}”</source>
        <translation>正在导出“{name}”</translation>
    </message>
    <message>
        <source>Importing “{name}”</source>
        <translation>正在导入“{name}”</translation>
    </message>
    <message>
        <source>Backing up everything</source>
        <translation>正在备份全部</translation>
    </message>
    <message>
        <source>Restoring a backup</source>
        <translation>正在恢复备份</translation>
    </message>
    <message numerus="yes">
        <source>Looking for its documents: {done} of %n</source>
        <translation>
            <numerusform>正在查找它的文档：{done} / %n</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PackPicker</name>
    <message>
        <source>Export knowledge base pack</source>
        <translation>导出知识库包</translation>
    </message>
    <message>
        <source>Import knowledge base pack</source>
        <translation>导入知识库包</translation>
    </message>
    <message>
        <source>Knowledge base packs (*.zhiye)</source>
        <translation>知识库包 (*.zhiye)</translation>
    </message>
    <message>
        <source>Are the documents of “{pack}” on this computer?</source>
        <translation>“{pack}”的文档在这台电脑上吗？</translation>
    </message>
    <message>
        <source>A pack holds their text, not the documents. With their folder they can be opened, and the knowledge base stays in step with it; you can choose it later, too.</source>
        <translation>包里只有文档的文字，没有文档本身。选择文档所在的文件夹后，可以打开文档，知识库也会与它保持同步；也可以以后再选。</translation>
    </message>
    <message>
        <source>Choose their folder…</source>
        <translation>选择文件夹…</translation>
    </message>
    <message>
        <source>Import without folder</source>
        <translation>只导入，不选文件夹</translation>
    </message>
    <message>
        <source>Choose the folder with the documents of the pack</source>
        <translation>选择这个包的文档所在的文件夹</translation>
    </message>
    <message>
        <source>Choose where the backup is to lie, best on another drive</source>
        <translation>选择存放备份的位置，最好在另一块硬盘上</translation>
    </message>
    <message>
        <source>Choose a backup, or the folder that holds it</source>
        <translation>选择备份，或存放备份的文件夹</translation>
    </message>
</context>
<context>
    <name>PageRows</name>
    <message>
        <source>Missing: nothing could be read</source>
        <translation>缺失：没有读到文字</translation>
    </message>
    <message numerus="yes">
        <source>%n characters</source>
        <translation>
            <numerusform>%n个字符</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n passages</source>
        <translation>
            <numerusform>%n个片段</numerusform>
        </translation>
    </message>
    <message>
        <source>incomplete</source>
        <translation>不完整</translation>
    </message>
</context>
<context>
    <name>PageText</name>
    <message>
        <source>Text of the page</source>
        <translation>页面文字</translation>
    </message>
    <message>
        <source>Left out of the passages: {why}</source>
        <translation>未收入片段：{why}</translation>
    </message>
    <message>
        <source>In no passage</source>
        <translation>不在任何片段中</translation>
    </message>
</context>
<context>
    <name>PassageButton</name>
    <message>
        <source>Open {passage}</source>
        <translation>打开 {passage}</translation>
    </message>
</context>
<context>
    <name>PasswordDialog</name>
    <message>
        <source>Password</source>
        <translation>密码</translation>
    </message>
    <message>
        <source>Show password</source>
        <translation>显示密码</translation>
    </message>
    <message>
        <source>All encrypted files that wait are tried with it. It is kept in memory until the program ends and is never stored.</source>
        <translation>所有等待密码的加密文件都会用它尝试打开。密码只保留在内存中，到程序关闭为止，不会写入磁盘。</translation>
    </message>
    <message>
        <source>Open files</source>
        <translation>打开文件</translation>
    </message>
</context>
<context>
    <name>PdfPages</name>
    <message>
        <source>Pages of the document</source>
        <translation>文档的页面</translation>
    </message>
</context>
<context>
    <name>Place</name>
    <message>
        <source>Page {number} (page label {label})</source>
        <translation>第 {number} 页（页码标签 {label}）</translation>
    </message>
    <message>
        <source>Page {number}</source>
        <translation>第 {number} 页</translation>
    </message>
    <message>
        <source>Sheet “{sheet}”</source>
        <translation>工作表“{sheet}”</translation>
    </message>
    <message>
        <source>Slide {slide}</source>
        <translation>幻灯片 {slide}</translation>
    </message>
    <message>
        <source>Line {line}</source>
        <translation>第 {line} 行</translation>
    </message>
    <message>
        <source>row {row}</source>
        <translation>第 {row} 行</translation>
    </message>
    <message>
        <source>rows {first}–{last}</source>
        <translation>第 {first}–{last} 行</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source>Body text</source>
        <translation>正文</translation>
    </message>
</context>
<context>
    <name>ProgressDialog</name>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Waiting until other work is done…</source>
        <translation>正在等待其他工作完成…</translation>
    </message>
    <message>
        <source>Preparing…</source>
        <translation>正在准备…</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>正在停止…</translation>
    </message>
</context>
<context>
    <name>PropertiesController</name>
    <message>
        <source>Choose a folder with documents</source>
        <translation>选择文档所在的文件夹</translation>
    </message>
    <message>
        <source>“{folder}” is in the list already.</source>
        <translation>“{folder}”已在列表中。</translation>
    </message>
    <message>
        <source>A knowledge base needs a name.</source>
        <translation>知识库需要一个名称。</translation>
    </message>
</context>
<context>
    <name>PropertiesDialog</name>
    <message>
        <source>Knowledge base settings</source>
        <translation>知识库设置</translation>
    </message>
    <message>
        <source>Which files are read</source>
        <translation>读取哪些文件</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Add folder…</source>
        <translation>添加文件夹…</translation>
    </message>
    <message>
        <source>Folders</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Short, for looking things up</source>
        <translation>短片段，适合查找条款和数据</translation>
    </message>
    <message>
        <source>General</source>
        <translation>通用</translation>
    </message>
    <message>
        <source>Long, for novels and essays</source>
        <translation>长片段，适合小说和长文</translation>
    </message>
    <message>
        <source>Length of passages</source>
        <translation>片段长度</translation>
    </message>
    <message>
        <source>With another length all files are read again; until then the present passages are searched.</source>
        <translation>改变长度会重新读取全部文件；完成之前仍检索现有片段。</translation>
    </message>
    <message>
        <source>Sync</source>
        <translation>同步</translation>
    </message>
    <message>
        <source>Do not sync by itself (pause)</source>
        <translation>不自动同步（暂停）</translation>
    </message>
    <message>
        <source>Deep check</source>
        <translation>完整核对</translation>
    </message>
    <message>
        <source>Compares every file byte by byte with what was indexed, also where size and time have not changed. It reads all files, which takes about as long as copying them; only what differs is indexed again.</source>
        <translation>逐字节核对每个文件与已索引的内容，大小和时间没有变化的也核对。需要读一遍全部文件，用时大约等于复制它们；只重新索引有变化的文件。</translation>
    </message>
    <message>
        <source>Applying…</source>
        <translation>正在应用…</translation>
    </message>
    <message>
        <source>Started; the panel shows how far it is.</source>
        <translation>已开始；进度显示在知识库面板中。</translation>
    </message>
    <message>
        <source>Remove the folder “{folder}” from this knowledge base?</source>
        <translation>从这个知识库移除文件夹“{folder}”？</translation>
    </message>
    <message>
        <source>Remove folder</source>
        <translation>移除文件夹</translation>
    </message>
    <message>
        <source>After OK its documents are no longer found; they stay where they are.</source>
        <translation>确定后不再检索其中的文档；文档留在原处。</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
</context>
<context>
    <name>QuestionBox</name>
    <message>
        <source>Question</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Ask your documents…</source>
        <translation>向你的文档提问…</translation>
    </message>
</context>
<context>
    <name>QuestionEditor</name>
    <message>
        <source>Ask again</source>
        <translation>重新提问</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>ReaderController</name>
    <message>
        <source>The file was moved or changed since it was indexed. This is the stored text.</source>
        <translation>文件在索引之后被移动或更改，下面是当时存下的文字。</translation>
    </message>
    <message>
        <source>The file cannot be opened. This is the stored text.</source>
        <translation>文件无法打开，下面是索引时存下的文字。</translation>
    </message>
    <message>
        <source>The passage could not be marked on this page.</source>
        <translation>这一页上无法标出片段的位置。</translation>
    </message>
    <message>
        <source>The text of page {page} was read by OCR, confidence {share}.</source>
        <translation>第 {page} 页的文字由识别得出，置信度 {share}。</translation>
    </message>
    <message>
        <source>Compare numbers with the original picture.</source>
        <translation>数字请对照原图核对。</translation>
    </message>
    <message>
        <source>The passwords given so far do not open this file. This is the stored text.</source>
        <translation>已输入的密码打不开这个文件。以下是已保存的文字。</translation>
    </message>
    <message>
        <source>The file is encrypted: with its password the original page can be shown. This is the stored text.</source>
        <translation>文件已加密：输入密码后可显示原页。以下是已保存的文字。</translation>
    </message>
    <message>
        <source>Enter password…</source>
        <translation>输入密码…</translation>
    </message>
    <message>
        <source>Password for {file}</source>
        <translation>{file} 的密码</translation>
    </message>
</context>
<context>
    <name>ReaderPanel</name>
    <message>
        <source>Click a citation or a passage to read it here in its document.</source>
        <translation>点击引用或片段，在这里阅读原文。</translation>
    </message>
    <message>
        <source>Previous page</source>
        <translation>上一页</translation>
    </message>
    <message>
        <source>Next page</source>
        <translation>下一页</translation>
    </message>
    <message>
        <source>Zoom out</source>
        <translation>缩小</translation>
    </message>
    <message>
        <source>Zoom in</source>
        <translation>放大</translation>
    </message>
    <message>
        <source>Fit width</source>
        <translation>适合宽度</translation>
    </message>
</context>
<context>
    <name>Refusal</name>
    <message>
        <source>No passage is close enough to the question, so the model was not asked.</source>
        <translation>没有与问题足够接近的片段，因此没有询问模型。</translation>
    </message>
    <message>
        <source>The model found no answer in the passages.</source>
        <translation>模型在片段里没有找到答案。</translation>
    </message>
    <message>
        <source>What the model wrote did not stand in the passages, so it is not shown.</source>
        <translation>模型写的内容在片段里没有依据，因此不显示。</translation>
    </message>
    <message>
        <source>The passages do not answer the question.</source>
        <translation>片段没有回答这个问题。</translation>
    </message>
</context>
<context>
    <name>RefusalCard</name>
    <message>
        <source>No evidence found</source>
        <translation>未找到依据</translation>
    </message>
    <message>
        <source>Nearest passages</source>
        <translation>最接近的片段</translation>
    </message>
</context>
<context>
    <name>RemovableChip</name>
    <message>
        <source>Remove filter “{filter}”</source>
        <translation>移除筛选“{filter}”</translation>
    </message>
</context>
<context>
    <name>ScopeButton</name>
    <message>
        <source>All knowledge bases</source>
        <translation>全部知识库</translation>
    </message>
    <message numerus="yes">
        <source>%n knowledge bases chosen</source>
        <translation>
            <numerusform>已选%n个知识库</numerusform>
        </translation>
    </message>
    <message>
        <source>Which knowledge bases to ask</source>
        <translation>向哪些知识库提问</translation>
    </message>
</context>
<context>
    <name>ScopeController</name>
    <message>
        <source>“{value}” is no date. Write 2023, 2023-05 or 2023-05-01.</source>
        <translation>“{value}”不是日期。请写成 2023、2023-05 或 2023-05-01。</translation>
    </message>
    <message>
        <source>The first date is after the last one.</source>
        <translation>开始日期晚于结束日期。</translation>
    </message>
</context>
<context>
    <name>SelectionFields</name>
    <message>
        <source>One pattern a line, as in .gitignore: * stands for any characters, a / at the end for a folder, ! in front for an exception.</source>
        <translation>每行一条规则，写法同.gitignore：* 代表任意字符，末尾的 / 表示文件夹，开头的 ! 表示例外。</translation>
    </message>
    <message>
        <source>*.pdf
contracts/</source>
        <translation>*.pdf
合同/</translation>
    </message>
    <message>
        <source>*.bak
drafts/</source>
        <translation>*.bak
草稿/</translation>
    </message>
    <message>
        <source>Read hidden files and folders too</source>
        <translation>也读取隐藏的文件和文件夹</translation>
    </message>
    <message>
        <source>Only these (none: all files)</source>
        <translation>只读取这些（留空：全部）</translation>
    </message>
    <message>
        <source>Leave these out</source>
        <translation>不读取这些</translation>
    </message>
</context>
<context>
    <name>State</name>
    <message>
        <source>Reading</source>
        <translation>读取中</translation>
    </message>
</context>
<context>
    <name>StateLedger</name>
    <message>
        <source>Show all files again</source>
        <translation>重新显示全部文件</translation>
    </message>
    <message>
        <source>Show only these files: {state}</source>
        <translation>只显示这些文件：{state}</translation>
    </message>
</context>
<context>
    <name>SyncLine</name>
    <message>
        <source>Syncing…</source>
        <translation>正在同步…</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>Folder not on this computer: {folder}</source>
        <translation>文件夹不在这台电脑上：{folder}</translation>
    </message>
    <message>
        <source>Folder not reachable: {folder}</source>
        <translation>文件夹无法访问：{folder}</translation>
    </message>
    <message numerus="yes">
        <source>%n folders not reachable</source>
        <translation>
            <numerusform>%n个文件夹无法访问</numerusform>
        </translation>
    </message>
    <message>
        <source>In step · {time}</source>
        <translation>已同步 · {time}</translation>
    </message>
</context>
<context>
    <name>TableCopy</name>
    <message>
        <source>Check</source>
        <translation>核对结果</translation>
    </message>
    <message>
        <source>Unverified, not counted</source>
        <translation>未核实，未计入</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>合计</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>位置</translation>
    </message>
</context>
<context>
    <name>TableText</name>
    <message>
        <source>Table of what was found</source>
        <translation>查找结果的表格</translation>
    </message>
    <message numerus="yes">
        <source>sum of %n rows</source>
        <translation>
            <numerusform>%n行之和</numerusform>
        </translation>
    </message>
    <message>
        <source>The passage holds only a part of this row.</source>
        <translation>片段只支持这一行的一部分。</translation>
    </message>
    <message>
        <source>The passage does not hold this row; it is counted nowhere.</source>
        <translation>片段里没有这一行的内容，未计入任何合计。</translation>
    </message>
</context>
<context>
    <name>TextPage</name>
    <message>
        <source>Text of the document</source>
        <translation>文档的文字</translation>
    </message>
</context>
<context>
    <name>ThreadList</name>
    <message>
        <source>Conversations</source>
        <translation>历史对话</translation>
    </message>
    <message numerus="yes">
        <source>%n questions</source>
        <translation>
            <numerusform>%n个问题</numerusform>
        </translation>
    </message>
    <message>
        <source>Pinned</source>
        <translation>已置顶</translation>
    </message>
</context>
<context>
    <name>TurnHeader</name>
    <message>
        <source>Change this question and ask again</source>
        <translation>修改这个问题，重新提问</translation>
    </message>
</context>
<context>
    <name>TurnPresenter</name>
    <message>
        <source>Searching…</source>
        <translation>正在检索…</translation>
    </message>
    <message>
        <source>Reading the evidence…</source>
        <translation>正在阅读证据…</translation>
    </message>
    <message>
        <source>Reading the evidence… {percent}%</source>
        <translation>正在阅读证据… {percent}%</translation>
    </message>
    <message>
        <source>Writing…</source>
        <translation>正在写回答…</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>Passages only: sentences of the documents, no model was asked.</source>
        <translation>只找片段：下面是文档中的原句，没有询问模型。</translation>
    </message>
    <message>
        <source>Question words found in no document: {terms}</source>
        <translation>问题中没有出现在文档里的词：{terms}</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message numerus="yes">
        <source>%n sentences quoted</source>
        <translation>
            <numerusform>引用%n句原文</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n sentences supported</source>
        <translation>
            <numerusform>%n句有依据</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n sentences partly supported</source>
        <translation>
            <numerusform>%n句部分有依据</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n sentences unverified</source>
        <translation>
            <numerusform>%n句未核实</numerusform>
        </translation>
    </message>
    <message>
        <source>{seconds} s</source>
        <translation>{seconds}秒</translation>
    </message>
    <message>
        <source>Reading the documents one by one…</source>
        <translation>正在逐份阅读文件…</translation>
    </message>
</context>
<context>
    <name>TurnView</name>
    <message>
        <source>Evidence</source>
        <translation>证据</translation>
    </message>
    <message numerus="yes">
        <source>Evidence · %n passages</source>
        <translation>
            <numerusform>证据 · %n个片段</numerusform>
        </translation>
    </message>
    <message>
        <source>No passages found</source>
        <translation>没有找到片段</translation>
    </message>
</context>
<context>
    <name>Understanding</name>
    <message>
        <source>Change how the question was understood and ask it</source>
        <translation>修改理解后的问题再提问</translation>
    </message>
    <message>
        <source>Search everywhere instead</source>
        <translation>改为在全部文档中查找</translation>
    </message>
    <message>
        <source>Understood as: {question}</source>
        <translation>理解为：{question}</translation>
    </message>
    <message>
        <source>Only: {filter}</source>
        <translation>范围：{filter}</translation>
    </message>
    <message>
        <source>From your question: {filter}</source>
        <translation>按问题限定：{filter}</translation>
    </message>
</context>
<context>
    <name>UnreadFiles</name>
    <message numerus="yes">
        <source>%n files could not be read in full and may hold it. The likeliest:</source>
        <translation>
            <numerusform>有%n个文件没能完整读出，可能含有答案。最有可能的是：</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n files could not be read in full and may hold it:</source>
        <translation>
            <numerusform>有%n个文件没能完整读出，可能含有答案：</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Verdict</name>
    <message>
        <source>Supported</source>
        <translation>有依据</translation>
    </message>
    <message>
        <source>Partly supported</source>
        <translation>部分有依据</translation>
    </message>
    <message>
        <source>Unverified</source>
        <translation>未核实</translation>
    </message>
    <message>
        <source>Nothing to verify</source>
        <translation>无需核对</translation>
    </message>
</context>
<context>
    <name>VersionNotes</name>
    <message>
        <source>The older version “{older}” says the same here as “{newer}”.</source>
        <translation>旧版《{older}》在这里与《{newer}》一致。</translation>
    </message>
    <message>
        <source>The older version “{older}” does not agree with the newer “{newer}”.</source>
        <translation>旧版《{older}》与新版《{newer}》不一致。</translation>
    </message>
</context>
<context>
    <name>WelcomePage</name>
    <message>
        <source>Ask your own documents</source>
        <translation>向你自己的文档提问</translation>
    </message>
    <message>
        <source>Choose a folder. Zhiye reads the documents in it, answers your questions from them and shows for every sentence where it comes from.</source>
        <translation>选择一个文件夹。知页会阅读其中的文档，只根据它们回答你的问题，并标明每一句话的出处。</translation>
    </message>
    <message>
        <source>Choose a folder</source>
        <translation>选择文件夹</translation>
    </message>
    <message>
        <source>Try the sample library</source>
        <translation>试用示例资料库</translation>
    </message>
    <message>
        <source>Everything stays on this computer: nothing is uploaded, your files are only read.</source>
        <translation>一切都留在这台电脑上：不上传任何内容，对你的文件只读不写。</translation>
    </message>
    <message>
        <source>Import pack…</source>
        <translation>导入知识库包…</translation>
    </message>
    <message>
        <source>Restore a backup…</source>
        <translation>恢复备份…</translation>
    </message>
</context>
<context>
    <name>WhyNotSection</name>
    <message>
        <source>Why was nothing found?</source>
        <translation>为什么没找到</translation>
    </message>
    <message>
        <source>shown</source>
        <translation>已展开</translation>
    </message>
    <message>
        <source>folded away</source>
        <translation>已折叠</translation>
    </message>
    <message>
        <source>No passage has these words of the question: {terms}</source>
        <translation>片段里没有问题中的这些词：{terms}</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source>Most words in common (word score {score}):</source>
        <translation>用词最接近的片段（字词得分 {score}）：</translation>
    </message>
    <message>
        <source>Nearest in meaning (similarity {score} of 1):</source>
        <translation>意思最接近的片段（相似度 {score}，满分1）：</translation>
    </message>
    <message>
        <source>After reading, the model&apos;s certainty that the passages hold an answer: {share}. An answer is given from {least} on.</source>
        <translation>模型读过片段后，认为里面有答案的把握：{share}，达到{least}才会回答。</translation>
    </message>
    <message>
        <source>How surely the passages hold an answer: {share}. An answer is given from {least} on.</source>
        <translation>片段里有答案的把握：{share}，达到{least}才会回答。</translation>
    </message>
    <message>
        <source>How surely the passages hold an answer: {share}, enough to try ({least}), but no sentence could be supported.</source>
        <translation>片段里有答案的把握：{share}，达到了尝试回答的门槛（{least}），但写出的句子都找不到依据。</translation>
    </message>
</context>
<context>
    <name>WindowController</name>
    <message>
        <source>Loading models…</source>
        <translation>正在载入模型…</translation>
    </message>
    <message>
        <source>No chat model: passages only</source>
        <translation>没有对话模型：只显示片段</translation>
    </message>
    <message>
        <source>Chat model: {name}</source>
        <translation>对话模型：{name}</translation>
    </message>
    <message>
        <source>Sample library</source>
        <translation>示例资料库</translation>
    </message>
</context>
<context>
    <name>_Row</name>
    <message>
        <source>{file} ({state})</source>
        <translation>{file}（{state}）</translation>
    </message>
    <message>
        <source>Show in the list</source>
        <translation>在列表中查看</translation>
    </message>
    <message>
        <source>Show {file} in the list of files</source>
        <translation>在文件列表中查看 {file}</translation>
    </message>
</context>
<context>
    <name>_ThreadDelegate</name>
    <message>
        <source>Title of the conversation</source>
        <translation>对话标题</translation>
    </message>
</context>
</TS>
