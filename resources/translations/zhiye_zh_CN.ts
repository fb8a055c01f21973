<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>AnswerView</name>
    <message>
        <source>Answer</source>
        <translation>回答</translation>
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
        <source>Question words found in no document: {terms}</source>
        <translation>问题中没有出现在文档里的词：{terms}</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
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
    <name>Composer</name>
    <message>
        <source>Which knowledge bases to ask</source>
        <translation>向哪些知识库提问</translation>
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
    <message>
        <source>All knowledge bases</source>
        <translation>全部知识库</translation>
    </message>
</context>
<context>
    <name>EvidenceModel</name>
    <message>
        <source>Relevance {score}</source>
        <translation>相关度 {score}</translation>
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
    <message>
        <source>Stopping…</source>
        <translation>正在停止…</translation>
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
        <source>More for this knowledge base</source>
        <translation>这个知识库的更多操作</translation>
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
        <source>Retry files that were not readable</source>
        <translation>重试未能读取的文件</translation>
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
    <message numerus="yes">
        <source>%n indexed</source>
        <translation>
            <numerusform>%n个已索引</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n passages</source>
        <translation>
            <numerusform>%n个片段</numerusform>
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
        <source>Drop folders or documents to add them</source>
        <translation>松开鼠标，添加文件夹或文档</translation>
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
        <source>Line {line}</source>
        <translation>第 {line} 行</translation>
    </message>
    <message>
        <source>Body text</source>
        <translation>正文</translation>
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
    <name>State</name>
    <message>
        <source>Reading</source>
        <translation>读取中</translation>
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
</TS>
