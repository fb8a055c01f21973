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
    <message>
        <source>Delete this question and its answer</source>
        <translation>删除这个问题和回答</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy plain</source>
        <translation>复制纯文本</translation>
    </message>
    <message>
        <source>Add to self-test</source>
        <translation>加入自测题</translation>
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
    <name>AskStep</name>
    <message>
        <source>Your question…</source>
        <translation>你的问题…</translation>
    </message>
    <message>
        <source>Your question</source>
        <translation>你的问题</translation>
    </message>
    <message>
        <source>Ask a question</source>
        <translation>提一个问题</translation>
    </message>
    <message>
        <source>Type one, or click one of these for the sample library.</source>
        <translation>写下你的问题，或点一下这几个关于示例资料库的问题。</translation>
    </message>
    <message>
        <source>Ask as you would ask a colleague who has read it all: “How many days before a trip must it be approved?”</source>
        <translation>像问一位读过全部资料的同事那样提问，例如“差旅报销要几天内提交？”</translation>
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
    <message>
        <source>Stopped. So far: {counts}</source>
        <translation>已停止。到此为止：{counts}</translation>
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
        <translation>只找片段，不问模型（按 Ctrl+Enter 只对这一次有效）</translation>
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
    <name>CrashCard</name>
    <message>
        <source>Close this message and keep the report</source>
        <translation>关闭提示，保留报告</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>已复制</translation>
    </message>
    <message>
        <source>Copy report</source>
        <translation>复制报告</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Show…</source>
        <translation>查看…</translation>
    </message>
    <message>
        <source>Nothing that was indexed is lost. A report is on this computer; it holds places in the program and versions, nothing of your documents, and is never sent.</source>
        <translation>已经索引的内容都在。本机留有一份报告，里面只有出错的程序位置和版本号，没有文档内容，也不会发送出去。</translation>
    </message>
    <message>
        <source>Something in Zhiye failed last time</source>
        <translation>知页上次运行时内部出过错</translation>
    </message>
    <message>
        <source>Zhiye ended unexpectedly last time</source>
        <translation>知页上次意外退出了</translation>
    </message>
</context>
<context>
    <name>Deleting</name>
    <message>
        <source>Delete question</source>
        <translation>删除问题</translation>
    </message>
    <message>
        <source>Delete this question and its answer?</source>
        <translation>删除这个问题和回答？</translation>
    </message>
    <message>
        <source>Both are gone for good, with the rating; your documents stay as they are.</source>
        <translation>问题、回答和评价会一并永久删除；你的文档不受影响。</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
</context>
<context>
    <name>EnginePages</name>
    <message>
        <source>Passages and evidence</source>
        <translation>片段与证据</translation>
    </message>
    <message>
        <source>Writing</source>
        <translation>写回答</translation>
    </message>
    <message>
        <source>Questions about all documents</source>
        <translation>统计类问题</translation>
    </message>
    <message>
        <source>History</source>
        <translation>问答记录</translation>
    </message>
    <message>
        <source>Order of results</source>
        <translation>排序</translation>
    </message>
    <message>
        <source>Other sources of a chat model</source>
        <translation>对话模型的其他来源</translation>
    </message>
    <message>
        <source>Passages</source>
        <translation>片段</translation>
    </message>
    <message>
        <source>Scans</source>
        <translation>扫描页</translation>
    </message>
    <message>
        <source>Difficult files</source>
        <translation>难读的文件</translation>
    </message>
    <message>
        <source>Processor</source>
        <translation>处理器</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Counts from the next sync on</source>
        <translation>下次同步起生效</translation>
    </message>
    <message>
        <source>Loads the chat model anew</source>
        <translation>会重新载入对话模型</translation>
    </message>
    <message>
        <source>No limit</source>
        <translation>不限</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>seconds</source>
        <translation>秒</translation>
    </message>
    <message>
        <source>minutes</source>
        <translation>分钟</translation>
    </message>
    <message>
        <source>MB</source>
        <translation>MB</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Models (*.gguf)</source>
        <translation>模型（*.gguf）</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>on</source>
        <translation>开</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>The command line decides it until the next start</source>
        <translation>这次启动由命令行决定</translation>
    </message>
    <message>
        <source>Automatic ({value})</source>
        <translation>自动（{value}）</translation>
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
    <name>FigureChart</name>
    <message>
        <source>Figures of the last run</source>
        <translation>上次运行的结果</translation>
    </message>
</context>
<context>
    <name>FiguresPanel</name>
    <message numerus="yes">
        <source>%n questions</source>
        <translation>
            <numerusform>%n道题</numerusform>
        </translation>
    </message>
    <message>
        <source>Last run</source>
        <translation>上次运行</translation>
    </message>
    <message>
        <source>Mark the right passages, then run the questions.</source>
        <translation>先标出正确的片段，再运行。</translation>
    </message>
    <message>
        <source>Not run yet</source>
        <translation>还没运行过</translation>
    </message>
    <message>
        <source>The line in a bar is the run of {moment}.</source>
        <translation>横条里的竖线是{moment}那次的结果。</translation>
    </message>
    <message>
        <source>The next run shows what has changed.</source>
        <translation>下次运行会显示有什么变化。</translation>
    </message>
    <message>
        <source>It had other questions, so compare with care.</source>
        <translation>两次的题目不一样，变化仅供参考。</translation>
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
    <message>
        <source>read {time}</source>
        <translation>读取于{time}</translation>
    </message>
</context>
<context>
    <name>FileControl</name>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
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
    <message>
        <source>Leave out of the knowledge base</source>
        <translation>从知识库中排除</translation>
    </message>
    <message>
        <source>Take in again</source>
        <translation>重新纳入</translation>
    </message>
</context>
<context>
    <name>FileTable</name>
    <message>
        <source>Files of the knowledge base</source>
        <translation>知识库的文件</translation>
    </message>
    <message>
        <source>No file is called so.</source>
        <translation>没有名称相符的文件。</translation>
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
    <message>
        <source>Read at</source>
        <translation>读取时间</translation>
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
    <name>FindBar</name>
    <message>
        <source>Words to find in the document</source>
        <translation>要在文档中查找的文字</translation>
    </message>
    <message>
        <source>Find in document</source>
        <translation>在文档中查找</translation>
    </message>
    <message>
        <source>Previous match (Shift+Enter)</source>
        <translation>上一处（Shift+Enter）</translation>
    </message>
    <message>
        <source>Next match (Enter)</source>
        <translation>下一处（Enter）</translation>
    </message>
    <message>
        <source>Close (Esc)</source>
        <translation>关闭（Esc）</translation>
    </message>
    <message>
        <source>Not found</source>
        <translation>没有找到</translation>
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
    <name>FirstRunPage</name>
    <message>
        <source>The documents are being read in the background; what has been read can be asked.</source>
        <translation>文档正在后台读取，读完的就可以提问。</translation>
    </message>
    <message>
        <source>Documents</source>
        <translation>文档</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Ask</source>
        <translation>提问</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>上一步</translation>
    </message>
    <message>
        <source>Skip this step</source>
        <translation>跳过这一步</translation>
    </message>
    <message>
        <source>Start asking</source>
        <translation>开始提问</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Step {step} of 3: {name}</source>
        <translation>第{step}步，共3步：{name}</translation>
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
    <name>FolderStep</name>
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
        <source>Import pack…</source>
        <translation>导入知识库包…</translation>
    </message>
    <message>
        <source>Restore a backup…</source>
        <translation>恢复备份…</translation>
    </message>
    <message>
        <source>Everything stays on this computer: nothing is uploaded, your files are only read.</source>
        <translation>一切都留在这台电脑上：不上传任何内容，对你的文件只读不写。</translation>
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
    <name>GeneralPage</name>
    <message>
        <source>This system shows no tray</source>
        <translation>这个系统没有托盘</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>The language of the window and of what it says about files and answers.</source>
        <translation>窗口和各种说明使用的语言。</translation>
    </message>
    <message>
        <source>Counts from the next start on</source>
        <translation>下次启动后生效</translation>
    </message>
    <message>
        <source>Colours</source>
        <translation>配色</translation>
    </message>
    <message>
        <source>Light, dark, or as the system is at the moment.</source>
        <translation>浅色、深色，或者随系统变化。</translation>
    </message>
    <message>
        <source>Size of text</source>
        <translation>文字大小</translation>
    </message>
    <message>
        <source>All text of the window, from 90 to 150 per cent of the usual size.</source>
        <translation>窗口里所有文字的大小，从平常的90%到150%。</translation>
    </message>
    <message>
        <source>Start with the system</source>
        <translation>开机时启动</translation>
    </message>
    <message>
        <source>Zhiye starts when you log in, so that folders are kept in step.</source>
        <translation>登录后自动启动知页，文件夹随时保持同步。</translation>
    </message>
    <message>
        <source>Stay in the tray</source>
        <translation>关闭后留在托盘</translation>
    </message>
    <message>
        <source>Closing the window leaves an icon in the tray, and work that is under way goes on.</source>
        <translation>关上窗口后在托盘留一个图标，正在做的事继续做完。</translation>
    </message>
    <message>
        <source>Say when a long index has ended</source>
        <translation>索引完成时通知</translation>
    </message>
    <message>
        <source>A message of the system when it took over a minute and another window is in front.</source>
        <translation>索引用了一分钟以上、你又在看别的窗口时，用系统通知告诉你。</translation>
    </message>
    <message>
        <source>Look</source>
        <translation>外观</translation>
    </message>
    <message>
        <source>System</source>
        <translation>系统</translation>
    </message>
    <message>
        <source>on</source>
        <translation>开</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>The system did not take it: {detail}</source>
        <translation>系统没有接受：{detail}</translation>
    </message>
</context>
<context>
    <name>GridPage</name>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Sheets</source>
        <translation>工作表</translation>
    </message>
    <message>
        <source>Rows of the document</source>
        <translation>文档中的行</translation>
    </message>
    <message>
        <source>Rows</source>
        <translation>数据</translation>
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
    <message>
        <source>Progress of the check</source>
        <translation>检查进度</translation>
    </message>
</context>
<context>
    <name>HistoryController</name>
    <message>
        <source>Exported to {file}</source>
        <translation>已导出到 {file}</translation>
    </message>
    <message numerus="yes">
        <source>%n questions were added to the self-test; mark their passages there.</source>
        <translation>
            <numerusform>已加入%n道自测题，请到“自测题”里标出正确的片段。</numerusform>
        </translation>
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
    <message>
        <source>Add its questions to the self-test</source>
        <translation>把其中的问题加入自测题</translation>
    </message>
    <message>
        <source>To self-test</source>
        <translation>加入自测题</translation>
    </message>
</context>
<context>
    <name>IndexNotice</name>
    <message>
        <source>Indexing has ended</source>
        <translation>索引完成</translation>
    </message>
    <message>
        <source>The knowledge base “{name}” is up to date.</source>
        <translation>知识库“{name}”已是最新。</translation>
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
    <message>
        <source>{number} passages/s</source>
        <translation>每秒{number}个片段</translation>
    </message>
    <message>
        <source>less than a minute left</source>
        <translation>剩余不到1分钟</translation>
    </message>
    <message numerus="yes">
        <source>about %n minutes left</source>
        <translation>
            <numerusform>约剩%n分钟</numerusform>
        </translation>
    </message>
    <message>
        <source>about {hours} h left</source>
        <translation>约剩{hours}小时</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Paused: on battery</source>
        <translation>已暂停：正在用电池</translation>
    </message>
    <message>
        <source>Goes on by itself when plugged in</source>
        <translation>接上电源后自动继续</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Pause indexing</source>
        <translation>暂停索引</translation>
    </message>
    <message>
        <source>Continue indexing</source>
        <translation>继续索引</translation>
    </message>
    <message>
        <source>Pausing…</source>
        <translation>正在暂停…</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>已暂停</translation>
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
    <message>
        <source>Filter by name (Ctrl+F)</source>
        <translation>按名称筛选（Ctrl+F）</translation>
    </message>
    <message>
        <source>Filter the files by name</source>
        <translation>按名称筛选文件</translation>
    </message>
    <message>
        <source>Sort files by</source>
        <translation>文件排序方式</translation>
    </message>
</context>
<context>
    <name>LogController</name>
    <message>
        <source>Clear</source>
        <translation>清空</translation>
    </message>
    <message>
        <source>Clear the log</source>
        <translation>清空日志</translation>
    </message>
    <message>
        <source>Delete all entries of the log?</source>
        <translation>删除日志里的全部记录？</translation>
    </message>
    <message>
        <source>It helps to find out what went wrong; the program goes on writing to it.</source>
        <translation>日志能帮助查明出错的原因；清空后程序会接着记。</translation>
    </message>
</context>
<context>
    <name>LogPage</name>
    <message>
        <source>Clear…</source>
        <translation>清空…</translation>
    </message>
    <message>
        <source>Copy what is shown</source>
        <translation>复制所列内容</translation>
    </message>
    <message>
        <source>Errors only</source>
        <translation>只看错误</translation>
    </message>
    <message>
        <source>Everything</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Information and above</source>
        <translation>信息及以上</translation>
    </message>
    <message>
        <source>Least important entries shown</source>
        <translation>显示哪些级别</translation>
    </message>
    <message>
        <source>Log entries</source>
        <translation>日志记录</translation>
    </message>
    <message>
        <source>Nothing to show.</source>
        <translation>没有可显示的记录。</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>打开文件夹</translation>
    </message>
    <message>
        <source>Refresh</source>
        <translation>刷新</translation>
    </message>
    <message>
        <source>Search the log</source>
        <translation>搜索日志</translation>
    </message>
    <message>
        <source>Warnings and errors</source>
        <translation>警告和错误</translation>
    </message>
    <message>
        <source>What the program did, for finding faults. It holds no text of documents, questions or answers.</source>
        <translation>程序做过的事，用来查找故障；里面没有文档、问题和回答的文字。</translation>
    </message>
    <message>
        <source>{shown} of {total} entries</source>
        <translation>共{total}条，显示{shown}条</translation>
    </message>
</context>
<context>
    <name>MachineCard</name>
    <message>
        <source>Measure speed</source>
        <translation>测速</translation>
    </message>
    <message>
        <source>Takes ten seconds at most</source>
        <translation>最多十秒</translation>
    </message>
    <message>
        <source>Measuring</source>
        <translation>正在测速</translation>
    </message>
    <message>
        <source>Not measured yet. A measurement takes ten seconds at most.</source>
        <translation>还没有测过速度；测一次最多十秒。</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>The chat server {address} answers.</source>
        <translation>由本机的对话服务器 {address} 回答。</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>Zhiye</source>
        <translation>知页 Zhiye</translation>
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
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Settings (Ctrl+,)</source>
        <translation>设置（Ctrl+,）</translation>
    </message>
    <message>
        <source>Measure how well your own questions are answered</source>
        <translation>用你自己的题目检验回答得怎么样</translation>
    </message>
    <message>
        <source>Self-test</source>
        <translation>自测题</translation>
    </message>
    <message>
        <source>What leaves this computer, and what is stored where</source>
        <translation>什么会离开这台电脑，什么存在哪里</translation>
    </message>
</context>
<context>
    <name>MarkWindow</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Click the passage that answers the question.</source>
        <translation>点一下能回答问题的片段。</translation>
    </message>
    <message>
        <source>Find passages</source>
        <translation>查找片段</translation>
    </message>
    <message>
        <source>Knowledge base</source>
        <translation>知识库</translation>
    </message>
    <message>
        <source>Look for</source>
        <translation>查找</translation>
    </message>
    <message>
        <source>No passages found</source>
        <translation>没有找到片段</translation>
    </message>
    <message>
        <source>Not among them? Find the passage in other words</source>
        <translation>下面没有？换个说法查找片段</translation>
    </message>
    <message>
        <source>Passages</source>
        <translation>片段</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Self-test question</source>
        <translation>自测题</translation>
    </message>
    <message>
        <source>Text of the passage</source>
        <translation>片段全文</translation>
    </message>
    <message>
        <source>The documents do not hold the answer</source>
        <translation>文档里没有答案</translation>
    </message>
    <message>
        <source>Words to find the passage by</source>
        <translation>查找片段用的词</translation>
    </message>
    <message>
        <source>Write a question</source>
        <translation>写一个问题</translation>
    </message>
</context>
<context>
    <name>ModelButton</name>
    <message>
        <source>{model}. Open the models page</source>
        <translation>{model}。打开“模型”页</translation>
    </message>
</context>
<context>
    <name>ModelRow</name>
    <message>
        <source>Check again</source>
        <translation>重新校验</translation>
    </message>
    <message>
        <source>More</source>
        <translation>更多</translation>
    </message>
    <message>
        <source>In use</source>
        <translation>使用中</translation>
    </message>
    <message>
        <source>Recommended here</source>
        <translation>适合本机</translation>
    </message>
    <message>
        <source>Download…</source>
        <translation>下载…</translation>
    </message>
    <message>
        <source>Remove…</source>
        <translation>删除…</translation>
    </message>
    <message>
        <source>Default</source>
        <translation>默认</translation>
    </message>
    <message>
        <source>cannot be downloaded; import its folder</source>
        <translation>无法下载，请导入它的文件夹</translation>
    </message>
    <message>
        <source>Import folder…</source>
        <translation>导入文件夹…</translation>
    </message>
    <message>
        <source>Use</source>
        <translation>使用</translation>
    </message>
    <message>
        <source>More for {name}</source>
        <translation>{name} 的更多操作</translation>
    </message>
</context>
<context>
    <name>ModelStep</name>
    <message>
        <source>Without one you get the passages and sentences themselves, at once.</source>
        <translation>没有对话模型也能用：提问后直接显示片段和原句。</translation>
    </message>
    <message>
        <source>Models on this computer</source>
        <translation>这台电脑上的模型</translation>
    </message>
    <message>
        <source>A small model finds passages, a chat model writes the answers. Both run here, offline.</source>
        <translation>向量模型负责查找片段，对话模型负责写回答，都在这台电脑上离线运行。</translation>
    </message>
    <message>
        <source>Import from disk or USB</source>
        <translation>从硬盘或U盘导入</translation>
    </message>
    <message>
        <source>A model file (.gguf)…</source>
        <translation>模型文件（.gguf）…</translation>
    </message>
    <message>
        <source>A folder or a stick…</source>
        <translation>文件夹或U盘…</translation>
    </message>
    <message>
        <source>Download…</source>
        <translation>下载…</translation>
    </message>
    <message>
        <source>Looking for models…</source>
        <translation>正在查找模型…</translation>
    </message>
    <message>
        <source>The embedder cannot be used: passages are found by their words only</source>
        <translation>向量模型无法使用：只按关键词检索</translation>
    </message>
    <message>
        <source>A chat server of this computer answers: {address}</source>
        <translation>由本机的对话服务器回答：{address}</translation>
    </message>
    <message>
        <source>Suits this computer: {name} ({facts}).</source>
        <translation>适合这台电脑的是 {name}（{facts}）。</translation>
    </message>
    <message>
        <source>No chat model yet</source>
        <translation>还没有对话模型</translation>
    </message>
    <message>
        <source>Embedder found: {name}</source>
        <translation>已找到向量模型：{name}</translation>
    </message>
    <message>
        <source>Chat model found: {name}</source>
        <translation>已找到对话模型：{name}</translation>
    </message>
</context>
<context>
    <name>Models</name>
    <message>
        <source>Import a model</source>
        <translation>导入模型</translation>
    </message>
    <message>
        <source>Models (*.gguf);;All files (*)</source>
        <translation>模型 (*.gguf);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Download</source>
        <translation>下载</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Add it anyway</source>
        <translation>仍要加入</translation>
    </message>
    <message>
        <source>All {count} passages are embedded again in the background. Until that is done, the old index answers as before.</source>
        <translation>全部{count}个片段将在后台重新生成向量；完成之前，原有索引照常回答。</translation>
    </message>
    <message>
        <source>Use it</source>
        <translation>使用它</translation>
    </message>
    <message>
        <source>On this computer that takes about {minutes} minutes.</source>
        <translation>在这台电脑上大约需要{minutes}分钟。</translation>
    </message>
    <message>
        <source>Download {name}?</source>
        <translation>下载 {name}？</translation>
    </message>
    <message>
        <source>{facts}
Only this connects to the internet: a process of its own fetches the file and compares its SHA-256. It sees no document and no question. A download that was stopped goes on where it was.</source>
        <translation>{facts}
只有这一步会联网：由单独的进程下载文件并核对 SHA-256，它看不到任何文档和问题。中途停止后，下次从停下的地方继续。</translation>
    </message>
    <message>
        <source>Remove {name}?</source>
        <translation>删除 {name}？</translation>
    </message>
    <message>
        <source>This frees {size} of disk.</source>
        <translation>将腾出{size}硬盘空间。</translation>
    </message>
    <message>
        <source>Until another one is here, only passages are shown.</source>
        <translation>在有另一个对话模型之前，只显示片段。</translation>
    </message>
    <message>
        <source>Use {name}?</source>
        <translation>改用 {name}？</translation>
    </message>
    <message>
        <source>needs {memory} of memory</source>
        <translation>需要内存{memory}</translation>
    </message>
    <message>
        <source>Not checked yet</source>
        <translation>还没有校验</translation>
    </message>
    <message>
        <source>Measured: {figures}</source>
        <translation>实测：{figures}</translation>
    </message>
    <message>
        <source>{cores} cores · {total} of memory, {free} free · {disk} free on disk</source>
        <translation>{cores}核 · 内存{total}，空闲{free} · 硬盘空闲{disk}</translation>
    </message>
    <message>
        <source>Memory is tight: close other programs first</source>
        <translation>内存偏紧，先关闭其他程序</translation>
    </message>
    <message>
        <source>Fits this computer</source>
        <translation>适合这台电脑</translation>
    </message>
    <message>
        <source>Not in the catalogue: only its header was checked</source>
        <translation>不在目录里，只检查过文件头</translation>
    </message>
    <message>
        <source>Checked: its SHA-256 is right</source>
        <translation>已校验，SHA-256 一致</translation>
    </message>
    <message>
        <source>Checked by its structure; no hash is published</source>
        <translation>已按结构检查，发布者没有公布哈希</translation>
    </message>
    <message>
        <source>Measured: indexes {count} passages a second</source>
        <translation>实测：每秒索引{count}个片段</translation>
    </message>
    <message>
        <source>an answer begins after about {seconds} s</source>
        <translation>约{seconds}秒后开始回答</translation>
    </message>
    <message>
        <source>then about {count} words a second</source>
        <translation>之后每秒约写{count}字</translation>
    </message>
    <message>
        <source>This computer has too little memory for a chat model; searching works all the same.</source>
        <translation>这台电脑的内存不够运行对话模型；检索照常可用。</translation>
    </message>
    <message>
        <source>Too large for the memory of this computer</source>
        <translation>内存不够，这台电脑用不了</translation>
    </message>
    <message>
        <source>Suits this computer: {name}.</source>
        <translation>适合这台电脑的对话模型：{name}。</translation>
    </message>
    <message>
        <source>, </source>
        <translation>，</translation>
    </message>
</context>
<context>
    <name>ModelsController</name>
    <message>
        <source>{name} was added. It is not in the catalogue: only its header was checked.</source>
        <translation>已加入 {name}。它不在目录里，只检查了文件头。</translation>
    </message>
    <message>
        <source>the chat model that suits this computer</source>
        <translation>适合这台电脑的对话模型</translation>
    </message>
    <message>
        <source>Loading {name}</source>
        <translation>正在载入 {name}</translation>
    </message>
    <message>
        <source>{name} was removed, {size} are free again.</source>
        <translation>已删除 {name}，腾出{size}。</translation>
    </message>
    <message>
        <source>{name} is here and was checked.</source>
        <translation>{name} 已就绪，校验无误。</translation>
    </message>
    <message>
        <source>{name}: every byte is right.</source>
        <translation>{name} 校验无误。</translation>
    </message>
    <message>
        <source>{name} is used from now on. {count} passages are embedded again in the background.</source>
        <translation>现在使用 {name}。{count}个片段正在后台重新生成向量。</translation>
    </message>
    <message>
        <source>Importing {name}</source>
        <translation>正在导入 {name}</translation>
    </message>
    <message>
        <source>Checking {name}</source>
        <translation>正在校验 {name}</translation>
    </message>
    <message>
        <source>{name} answers from now on.</source>
        <translation>现在由 {name} 回答。</translation>
    </message>
    <message>
        <source>Downloading {name}</source>
        <translation>正在下载 {name}</translation>
    </message>
    <message>
        <source>Removing {name}</source>
        <translation>正在删除 {name}</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>已停止。</translation>
    </message>
</context>
<context>
    <name>ModelsPage</name>
    <message>
        <source>Import from disk or USB</source>
        <translation>从硬盘或U盘导入</translation>
    </message>
    <message>
        <source>A model file (.gguf)…</source>
        <translation>模型文件（.gguf）…</translation>
    </message>
    <message>
        <source>A folder or a stick…</source>
        <translation>文件夹或U盘…</translation>
    </message>
    <message>
        <source>Choose by memory</source>
        <translation>按内存自动选择</translation>
    </message>
    <message>
        <source>Take the chat model that suits the memory of this computer</source>
        <translation>使用适合这台电脑内存的对话模型</translation>
    </message>
    <message>
        <source>Chat models</source>
        <translation>对话模型</translation>
    </message>
    <message>
        <source>They write the answers. Without one, passages and sentences are shown.</source>
        <translation>用来写回答。没有对话模型时，只显示片段和原句。</translation>
    </message>
    <message>
        <source>Embedders</source>
        <translation>向量模型</translation>
    </message>
    <message>
        <source>They find passages by meaning. Another one needs all passages embedded again; that goes on in the background, and the old index answers until then.</source>
        <translation>用来按意思查找片段。换一个向量模型，全部片段要重新生成向量；这在后台进行，完成之前原有索引照常可用。</translation>
    </message>
    <message>
        <source>Reranking</source>
        <translation>重排</translation>
    </message>
    <message>
        <source>Needs no model of its own: the embedder compares the best passages word by word.</source>
        <translation>不需要单独的模型：由向量模型把最靠前的片段逐词比对一遍。</translation>
    </message>
</context>
<context>
    <name>ModelsPageController</name>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Use it</source>
        <translation>使用它</translation>
    </message>
</context>
<context>
    <name>OutlineTree</name>
    <message>
        <source>Outline of the document</source>
        <translation>文档目录</translation>
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
    <name>PassageChoice</name>
    <message>
        <source>Passages</source>
        <translation>片段</translation>
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
    <message>
        <source>Copy</source>
        <translation>复制</translation>
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
    <name>Privacy</name>
    <message>
        <source>Knowledge bases</source>
        <translation>知识库</translation>
    </message>
    <message>
        <source>Conversations and self-test questions</source>
        <translation>对话和自测题</translation>
    </message>
    <message>
        <source>Settings and measured speeds</source>
        <translation>设置和测得的速度</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>Crash reports</source>
        <translation>崩溃记录</translation>
    </message>
    <message>
        <source>Report of the last proof</source>
        <translation>上次证明的报告</translation>
    </message>
    <message>
        <source>Model files</source>
        <translation>模型文件</translation>
    </message>
    <message>
        <source>Text of your documents, search index and vectors</source>
        <translation>文档的文字、索引和向量</translation>
    </message>
    <message>
        <source>Questions, answers and their sources</source>
        <translation>提问、回答和出处</translation>
    </message>
    <message>
        <source>Only what you have changed</source>
        <translation>只有你改过的</translation>
    </message>
    <message>
        <source>No text of documents, questions or answers</source>
        <translation>不含文档、提问和回答的文字</translation>
    </message>
    <message>
        <source>Stay here; nobody is sent any</source>
        <translation>只留在这里，不会发给任何人</translation>
    </message>
    <message>
        <source>About the sample documents, none of yours</source>
        <translation>只涉及样例文档</translation>
    </message>
    <message>
        <source>Hold nothing of yours</source>
        <translation>里面没有你的内容</translation>
    </message>
    <message>
        <source>empty</source>
        <translation>空</translation>
    </message>
    <message>
        <source>less than 1 MB</source>
        <translation>不到1 MB</translation>
    </message>
    <message>
        <source>It has not been run yet.</source>
        <translation>还没有运行过。</translation>
    </message>
    <message>
        <source>Last run {when}: passed, 0 attempts</source>
        <translation>上次运行{when}：通过，0次外联尝试</translation>
    </message>
    <message>
        <source>Last run {when}: not passed, {count} attempts</source>
        <translation>上次运行{when}：未通过，{count}次外联尝试</translation>
    </message>
    <message>
        <source>Last run {when}: it did not come to its end</source>
        <translation>上次运行{when}：没有走完</translation>
    </message>
    <message>
        <source>Shared: vectors and passages are on {hosts}</source>
        <translation>共享中：向量和片段在{hosts}上</translation>
    </message>
    <message>
        <source>Offline: nothing leaves this computer · {count} attempts</source>
        <translation>离线：没有数据离开这台电脑 · {count}次外联尝试</translation>
    </message>
    <message>
        <source>Move the data into…</source>
        <translation>把数据移到…</translation>
    </message>
    <message>
        <source>Move all data to {path}?</source>
        <translation>把全部数据移到{path}？</translation>
    </message>
    <message>
        <source>Knowledge bases, conversations, settings and models are copied and compared, then the program starts again. The old folder is deleted only when the new one has been opened.</source>
        <translation>知识库、对话、设置和模型会先复制并核对，然后程序重新启动。新文件夹打开之后，才删除原来的文件夹。</translation>
    </message>
    <message>
        <source>Move</source>
        <translation>移动</translation>
    </message>
    <message>
        <source>Clear all conversations?</source>
        <translation>清空全部对话？</translation>
    </message>
    <message>
        <source>All questions and answers are deleted and overwritten. This cannot be undone.</source>
        <translation>全部提问和回答会被删除并覆盖，不能恢复。</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>清空</translation>
    </message>
    <message>
        <source>Clear everything?</source>
        <translation>全部清空？</translation>
    </message>
    <message>
        <source>All knowledge bases, conversations, settings and logs are deleted. This cannot be undone. Your documents and the model files are not touched.</source>
        <translation>全部知识库、对话、设置和日志会被删除，不能恢复。你的文档和模型文件不动。</translation>
    </message>
    <message>
        <source>Clear everything</source>
        <translation>全部清空</translation>
    </message>
</context>
<context>
    <name>PrivacyController</name>
    <message>
        <source>Privacy</source>
        <translation>隐私</translation>
    </message>
    <message>
        <source>Everything was cleared.</source>
        <translation>已全部清空。</translation>
    </message>
</context>
<context>
    <name>PrivacyPage</name>
    <message>
        <source>Attempts to leave since the start</source>
        <translation>启动以来离开本机的尝试</translation>
    </message>
    <message>
        <source>Offline proof</source>
        <translation>拔网线证明</translation>
    </message>
    <message>
        <source>Data folder</source>
        <translation>数据文件夹</translation>
    </message>
    <message>
        <source>Move the data</source>
        <translation>移动数据</translation>
    </message>
    <message>
        <source>To another disk: copied, compared, then used. The program starts again at the end.</source>
        <translation>移到别的磁盘：先复制并核对，再启用。最后程序会重新启动。</translation>
    </message>
    <message>
        <source>Clear conversations</source>
        <translation>清空对话</translation>
    </message>
    <message>
        <source>Deletes all questions and answers. Knowledge bases stay.</source>
        <translation>删除全部提问和回答，知识库保留。</translation>
    </message>
    <message>
        <source>Clear everything</source>
        <translation>全部清空</translation>
    </message>
    <message>
        <source>Deletes knowledge bases, conversations, settings and logs. Your documents and the model files stay.</source>
        <translation>删除知识库、对话、设置和日志。你的文档和模型文件不动。</translation>
    </message>
    <message>
        <source>What leaves this computer</source>
        <translation>什么会离开这台电脑</translation>
    </message>
    <message>
        <source>What is stored where</source>
        <translation>什么存在哪里</translation>
    </message>
    <message>
        <source>Move and clear</source>
        <translation>移动和清空</translation>
    </message>
    <message>
        <source>Run the proof</source>
        <translation>运行证明</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Open the report</source>
        <translation>打开报告</translation>
    </message>
    <message>
        <source>Open the folder</source>
        <translation>打开文件夹</translation>
    </message>
    <message>
        <source>Move…</source>
        <translation>移动…</translation>
    </message>
    <message>
        <source>Clear conversations…</source>
        <translation>清空对话…</translation>
    </message>
    <message>
        <source>Clear everything…</source>
        <translation>全部清空…</translation>
    </message>
    <message>
        <source>The data folder was named at start, by an option or ZHIYE_HOME, so it stays there.</source>
        <translation>数据文件夹是启动时用选项或 ZHIYE_HOME 指定的，所以留在那里。</translation>
    </message>
    <message>
        <source>Not while a knowledge base is shared: it is on {hosts}.</source>
        <translation>有知识库共享在{hosts}上，这时不能证明。</translation>
    </message>
    <message>
        <source>Goes through all steps on the sample documents where nothing can leave, and writes a report. It takes one or two minutes.</source>
        <translation>在无法联网的环境里用样例文档走一遍，并写一份报告，要一两分钟。</translation>
    </message>
    <message>
        <source>Connections and name look-ups outside are refused.</source>
        <translation>对外的连接和域名查询都会被拒绝。</translation>
    </message>
</context>
<context>
    <name>ProblemActions</name>
    <message>
        <source>Check and repair</source>
        <translation>检查并修复</translation>
    </message>
    <message>
        <source>Open log</source>
        <translation>打开日志</translation>
    </message>
    <message>
        <source>Open models</source>
        <translation>打开模型页</translation>
    </message>
    <message>
        <source>Open settings</source>
        <translation>打开设置</translation>
    </message>
    <message>
        <source>Show file</source>
        <translation>显示文件</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
</context>
<context>
    <name>ProblemsController</name>
    <message>
        <source>Log</source>
        <translation>日志</translation>
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
    <name>QFileDialog</name>
    <message>
        <source>&amp;Look in:</source>
        <translation>查找范围(&amp;L)：</translation>
    </message>
    <message>
        <source>Files of &amp;type:</source>
        <translation>文件类型(&amp;T)：</translation>
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
    <name>QuestionModel</name>
    <message>
        <source>Last run</source>
        <translation>上次结果</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Right passage</source>
        <translation>正确的片段</translation>
    </message>
</context>
<context>
    <name>QuestionTable</name>
    <message>
        <source>Self-test questions</source>
        <translation>自测题</translation>
    </message>
</context>
<context>
    <name>RatingNote</name>
    <message>
        <source>Change note</source>
        <translation>修改备注</translation>
    </message>
    <message>
        <source>Note with the rating</source>
        <translation>评价备注</translation>
    </message>
    <message>
        <source>Save note</source>
        <translation>保存备注</translation>
    </message>
    <message>
        <source>What was wrong? (optional, kept on this computer)</source>
        <translation>哪里不对？（可不填，只记在本机）</translation>
    </message>
    <message>
        <source>What was good? (optional, kept on this computer)</source>
        <translation>好在哪里？（可不填，只记在本机）</translation>
    </message>
    <message>
        <source>Your note: {note}</source>
        <translation>你的备注：{note}</translation>
    </message>
</context>
<context>
    <name>ReaderController</name>
    <message>
        <source>Password for {file}</source>
        <translation>{file} 的密码</translation>
    </message>
    <message>
        <source>This is the file as it is now. The passage is not marked in it.</source>
        <translation>这是文件现在的样子，其中没有标出片段。</translation>
    </message>
    <message>
        <source>Show stored text</source>
        <translation>显示存下的文字</translation>
    </message>
</context>
<context>
    <name>ReaderHeader</name>
    <message>
        <source>Back (Alt+Left)</source>
        <translation>后退（Alt+Left）</translation>
    </message>
    <message>
        <source>Forward (Alt+Right)</source>
        <translation>前进（Alt+Right）</translation>
    </message>
    <message>
        <source>Open in the system&apos;s own program</source>
        <translation>用系统自带的程序打开</translation>
    </message>
    <message>
        <source>Previous citation (Alt+Up)</source>
        <translation>上一处引用（Alt+Up）</translation>
    </message>
    <message>
        <source>Next citation (Alt+Down)</source>
        <translation>下一处引用（Alt+Down）</translation>
    </message>
    <message>
        <source>Outline</source>
        <translation>目录</translation>
    </message>
    <message>
        <source>Find in document (Ctrl+F)</source>
        <translation>在文档中查找（Ctrl+F）</translation>
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
        <source>Page: its number or the label printed on it</source>
        <translation>页：填第几页，或纸上印的页码</translation>
    </message>
    <message>
        <source>Zoom out (Ctrl+-)</source>
        <translation>缩小（Ctrl+-）</translation>
    </message>
    <message>
        <source>Zoom in (Ctrl++)</source>
        <translation>放大（Ctrl++）</translation>
    </message>
    <message>
        <source>Fit width (Ctrl+0)</source>
        <translation>适合宽度（Ctrl+0）</translation>
    </message>
    <message>
        <source>Fit page (Ctrl+9)</source>
        <translation>适合整页（Ctrl+9）</translation>
    </message>
    <message>
        <source>Citation {n} of {count}</source>
        <translation>引用 {n} / {count}</translation>
    </message>
</context>
<context>
    <name>ReaderNote</name>
    <message>
        <source>Read again</source>
        <translation>重新读取</translation>
    </message>
    <message>
        <source>Read the file as it is now and bring the index up to date</source>
        <translation>按文件现在的内容重新读取，并更新索引</translation>
    </message>
</context>
<context>
    <name>ReaderNotes</name>
    <message>
        <source>The text of page {page} was read by OCR, confidence {share}.</source>
        <translation>第 {page} 页的文字由识别得出，置信度 {share}。</translation>
    </message>
    <message>
        <source>Compare numbers with the original picture.</source>
        <translation>数字请对照原图核对。</translation>
    </message>
    <message>
        <source>The file is no longer where it was when it was indexed. This is the stored text.</source>
        <translation>文件已不在索引时的位置。这里显示的是存下的文字。</translation>
    </message>
    <message>
        <source>The file was changed since it was indexed. This is the stored text.</source>
        <translation>文件在索引之后改动过。这里显示的是存下的文字。</translation>
    </message>
    <message>
        <source>Show file</source>
        <translation>显示文件</translation>
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
    <name>ReportWindow</name>
    <message>
        <source>Copy report</source>
        <translation>复制报告</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>打开文件夹</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>报告</translation>
    </message>
    <message>
        <source>This is all that the report says</source>
        <translation>报告的全部内容如下</translation>
    </message>
</context>
<context>
    <name>RichPage</name>
    <message>
        <source>Text of the document</source>
        <translation>文档的文字</translation>
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
    <name>SelfTest</name>
    <message>
        <source>Answers that cite the marked document</source>
        <translation>引用了所标文档的回答</translation>
    </message>
    <message>
        <source>Citations that hold</source>
        <translation>引用站得住</translation>
    </message>
    <message>
        <source>Cited sentences that the cited passage holds</source>
        <translation>带引用的句子中，所引片段确实支持的</translation>
    </message>
    <message>
        <source>Found, place {rank}</source>
        <translation>找到了，排第{rank}</translation>
    </message>
    <message>
        <source>Mean reciprocal rank</source>
        <translation>平均倒数排名</translation>
    </message>
    <message>
        <source>Not in the documents</source>
        <translation>文档里没有</translation>
    </message>
    <message>
        <source>Not marked yet</source>
        <translation>还没标注</translation>
    </message>
    <message>
        <source>Questions that the documents do not answer, and that were refused</source>
        <translation>文档里没有答案、也确实拒答了的题</translation>
    </message>
    <message>
        <source>Questions with a marked passage that were refused; fewer is better</source>
        <translation>标有正确片段却被拒答的题，越少越好</translation>
    </message>
    <message>
        <source>Refused, rightly</source>
        <translation>正确地拒答</translation>
    </message>
    <message>
        <source>Right document cited</source>
        <translation>引用了正确的文档</translation>
    </message>
    <message>
        <source>Right passage among five</source>
        <translation>前五名里有正确片段</translation>
    </message>
    <message>
        <source>Right passage first</source>
        <translation>首位就是正确片段</translation>
    </message>
    <message>
        <source>Rightly refused</source>
        <translation>正确拒答</translation>
    </message>
    <message>
        <source>Sentences of answers that no passage holds; fewer is better</source>
        <translation>回答中没有片段支持的句子，越少越好</translation>
    </message>
    <message>
        <source>Sentences unverified</source>
        <translation>未核实的句子</translation>
    </message>
    <message>
        <source>Wrongly refused</source>
        <translation>误拒</translation>
    </message>
    <message>
        <source>hit@1: the marked passage is the first one found</source>
        <translation>hit@1：排在第一的就是所标片段</translation>
    </message>
    <message>
        <source>hit@5: it is among the first five</source>
        <translation>hit@5：前五名里有所标片段</translation>
    </message>
    <message>
        <source>MRR: 1 for the first place, 1/2 for the second, and so on</source>
        <translation>MRR：排第一得1，排第二得1/2，依此类推</translation>
    </message>
    <message>
        <source>Answered, though not there</source>
        <translation>文档里没有，却回答了</translation>
    </message>
    <message>
        <source>Found, but too far down</source>
        <translation>找到了，但太靠后没用上</translation>
    </message>
    <message>
        <source>Lost in cutting: sentence torn apart</source>
        <translation>切分时丢失：句子被切断</translation>
    </message>
    <message>
        <source>Lost in reading: no longer there</source>
        <translation>读取时丢失：片段已经不在</translation>
    </message>
    <message>
        <source>Lost in searching: not among ten</source>
        <translation>检索时丢失：没排进前十</translation>
    </message>
    <message>
        <source>Found, yet refused</source>
        <translation>找到了片段，却拒答了</translation>
    </message>
    <message>
        <source>Lost in checking the answer</source>
        <translation>核对时丢失：没通过核对</translation>
    </message>
    <message>
        <source>The model did not answer it</source>
        <translation>模型没有答出来</translation>
    </message>
</context>
<context>
    <name>SelfTestController</name>
    <message>
        <source>Beginning…</source>
        <translation>正在开始…</translation>
    </message>
    <message>
        <source>Export to a folder</source>
        <translation>导出到文件夹</translation>
    </message>
    <message>
        <source>Exported to {folder}</source>
        <translation>已导出到{folder}</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>已停止</translation>
    </message>
</context>
<context>
    <name>SelfTestWindow</name>
    <message numerus="yes">
        <source>%n questions wait to be marked</source>
        <translation>
            <numerusform>%n道题还没标注</numerusform>
        </translation>
    </message>
    <message>
        <source>Add question…</source>
        <translation>添加题目…</translation>
    </message>
    <message>
        <source>Also let the model answer (slow)</source>
        <translation>同时让模型回答（较慢）</translation>
    </message>
    <message>
        <source>Collect questions whose answers you know, and see how well they are found. Add one here, or under an answer.</source>
        <translation>收集一些你知道答案的问题，看看能不能找对。可以在这里添加，也可以在回答下面加入。</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Knowledge base</source>
        <translation>知识库</translation>
    </message>
    <message>
        <source>Mark or edit…</source>
        <translation>标注或修改…</translation>
    </message>
    <message>
        <source>Progress of the run</source>
        <translation>运行进度</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Self-test</source>
        <translation>自测题</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Write questions and documents as files for zhiye eval</source>
        <translation>把题目和文档写成 zhiye eval 能读的文件</translation>
    </message>
</context>
<context>
    <name>SettingRow</name>
    <message>
        <source>Back to the default</source>
        <translation>恢复默认</translation>
    </message>
    <message>
        <source>Reset: {title}</source>
        <translation>恢复默认：{title}</translation>
    </message>
    <message>
        <source>Default: {value}</source>
        <translation>默认：{value}</translation>
    </message>
</context>
<context>
    <name>SettingsController</name>
    <message>
        <source>General</source>
        <translation>常规</translation>
    </message>
    <message>
        <source>Shortcuts</source>
        <translation>快捷键</translation>
    </message>
    <message>
        <source>The window speaks the other language from the next start on.</source>
        <translation>换一种语言要重新启动才能生效。</translation>
    </message>
    <message>
        <source>Restart now</source>
        <translation>立即重启</translation>
    </message>
    <message>
        <source>Answers</source>
        <translation>回答</translation>
    </message>
    <message>
        <source>Reading and indexing</source>
        <translation>读取与索引</translation>
    </message>
    <message>
        <source>Performance</source>
        <translation>性能</translation>
    </message>
</context>
<context>
    <name>SettingsPage</name>
    <message>
        <source>Reset this page</source>
        <translation>本页全部恢复默认</translation>
    </message>
</context>
<context>
    <name>SettingsWindow</name>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Search settings</source>
        <translation>搜索设置</translation>
    </message>
    <message>
        <source>Pages of settings</source>
        <translation>设置的分类</translation>
    </message>
    <message>
        <source>No setting says that.</source>
        <translation>没有这样的设置。</translation>
    </message>
    <message>
        <source>{title} ({count})</source>
        <translation>{title}（{count}）</translation>
    </message>
</context>
<context>
    <name>ShortcutsPage</name>
    <message>
        <source>Click into the field and press the new keys.</source>
        <translation>点一下输入框，再按新的快捷键。</translation>
    </message>
    <message>
        <source>To open Zhiye from any program, give the command zhiye-gui a shortcut in the keyboard settings of your system: a window that is open comes forward.</source>
        <translation>想在别的程序里一键打开知页，就在系统的键盘设置里给命令 zhiye-gui 设一个快捷键；已经打开的窗口会到最前面来。</translation>
    </message>
    <message>
        <source>Nothing was changed.</source>
        <translation>没有改动。</translation>
    </message>
    <message>
        <source>Hold Ctrl or Alt with it; a key alone is for typing.</source>
        <translation>请和 Ctrl 或 Alt 一起按，单个键是用来打字的。</translation>
    </message>
    <message>
        <source>{keys} is taken by “{other}”.</source>
        <translation>{keys} 已经用于“{other}”。</translation>
    </message>
    <message>
        <source>Main window</source>
        <translation>主窗口</translation>
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
    <message>
        <source>Not reachable since {time}: {folder}</source>
        <translation>自{time}起无法访问：{folder}</translation>
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
    <name>TransferStrip</name>
    <message>
        <source>{done} of {total}</source>
        <translation>{done} / {total}</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>正在停止…</translation>
    </message>
</context>
<context>
    <name>Tray</name>
    <message>
        <source>Open Zhiye</source>
        <translation>打开知页</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
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
        <source>Chat model resting: {name} (a question wakes it)</source>
        <translation>对话模型休息中：{name}（提问时再加载）</translation>
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
