<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>AnswerTableView</name>
    <message numerus="yes">
        <source>%n rows so far</source>
        <translation>
            <numerusform>%n row so far</numerusform>
            <numerusform>%n rows so far</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n rows supported</source>
        <translation>
            <numerusform>%n row supported</numerusform>
            <numerusform>%n rows supported</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n rows unverified, not counted</source>
        <translation>
            <numerusform>%n row unverified, not counted</numerusform>
            <numerusform>%n rows unverified, not counted</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n other documents have no passage about it and were not read</source>
        <translation>
            <numerusform>%n other document has no passage about it and was not read</numerusform>
            <numerusform>%n other documents have no passage about it and were not read</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Show all %n rows</source>
        <translation>
            <numerusform>Show all %n row</numerusform>
            <numerusform>Show all %n rows</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FiguresPanel</name>
    <message numerus="yes">
        <source>%n questions</source>
        <translation>
            <numerusform>%n question</numerusform>
            <numerusform>%n questions</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FileDetails</name>
    <message numerus="yes">
        <source>%n files selected</source>
        <translation>
            <numerusform>%n file selected</numerusform>
            <numerusform>%n files selected</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>HealthWindow</name>
    <message numerus="yes">
        <source>%n problems repaired.</source>
        <translation>
            <numerusform>%n problem repaired.</numerusform>
            <numerusform>%n problems repaired.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n problems found.</source>
        <translation>
            <numerusform>%n problem found.</numerusform>
            <numerusform>%n problems found.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n of them can be repaired.</source>
        <translation>
            <numerusform>%n of them can be repaired.</numerusform>
            <numerusform>%n of them can be repaired.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n things need your attention.</source>
        <translation>
            <numerusform>%n thing needs your attention.</numerusform>
            <numerusform>%n things need your attention.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>HistoryController</name>
    <message numerus="yes">
        <source>%n questions were added to the self-test; mark their passages there.</source>
        <translation>
            <numerusform>%n question was added to the self-test; mark its passage there.</numerusform>
            <numerusform>%n questions were added to the self-test; mark their passages there.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>IndexProgressStrip</name>
    <message numerus="yes">
        <source>{done} of %n files</source>
        <translation>
            <numerusform>{done} of %n file</numerusform>
            <numerusform>{done} of %n files</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>OCR: {done} of %n pages</source>
        <translation>
            <numerusform>OCR: {done} of %n page</numerusform>
            <numerusform>OCR: {done} of %n pages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>about %n minutes left</source>
        <translation>
            <numerusform>about %n minute left</numerusform>
            <numerusform>about %n minutes left</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Legend</name>
    <message numerus="yes">
        <source>%n characters in no passage</source>
        <translation>
            <numerusform>%n character in no passage</numerusform>
            <numerusform>%n characters in no passage</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LibraryPanel</name>
    <message numerus="yes">
        <source>%n files</source>
        <translation>
            <numerusform>%n file</numerusform>
            <numerusform>%n files</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Retry failed only (%n)</source>
        <translation>
            <numerusform>Retry failed only (%n)</numerusform>
            <numerusform>Retry failed only (%n)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n files need a password</source>
        <translation>
            <numerusform>%n file needs a password</numerusform>
            <numerusform>%n files need a password</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The passwords given so far do not open %n of them.</source>
        <translation>
            <numerusform>The passwords given so far do not open %n of them.</numerusform>
            <numerusform>The passwords given so far do not open %n of them.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Password for %n encrypted files</source>
        <translation>
            <numerusform>Password for %n encrypted file</numerusform>
            <numerusform>Password for %n encrypted files</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n passages</source>
        <translation>
            <numerusform>%n passage</numerusform>
            <numerusform>%n passages</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PackController</name>
    <message numerus="yes">
        <source>Looking for its documents: {done} of %n</source>
        <translation>
            <numerusform>Looking for its document: {done} of %n</numerusform>
            <numerusform>Looking for its documents: {done} of %n</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PageRows</name>
    <message numerus="yes">
        <source>%n characters</source>
        <translation>
            <numerusform>%n character</numerusform>
            <numerusform>%n characters</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n passages</source>
        <translation>
            <numerusform>%n passage</numerusform>
            <numerusform>%n passages</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ScopeButton</name>
    <message numerus="yes">
        <source>%n knowledge bases chosen</source>
        <translation>
            <numerusform>%n knowledge base chosen</numerusform>
            <numerusform>%n knowledge bases chosen</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SelfTestWindow</name>
    <message numerus="yes">
        <source>%n questions wait to be marked</source>
        <translation>
            <numerusform>%n question waits to be marked</numerusform>
            <numerusform>%n questions wait to be marked</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SyncLine</name>
    <message numerus="yes">
        <source>%n folders not reachable</source>
        <translation>
            <numerusform>%n folder not reachable</numerusform>
            <numerusform>%n folders not reachable</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TableText</name>
    <message numerus="yes">
        <source>sum of %n rows</source>
        <translation>
            <numerusform>sum of %n row</numerusform>
            <numerusform>sum of %n rows</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ThreadList</name>
    <message numerus="yes">
        <source>%n questions</source>
        <translation>
            <numerusform>%n question</numerusform>
            <numerusform>%n questions</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TurnPresenter</name>
    <message numerus="yes">
        <source>%n sentences quoted</source>
        <translation>
            <numerusform>%n sentence quoted</numerusform>
            <numerusform>%n sentences quoted</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n sentences supported</source>
        <translation>
            <numerusform>%n sentence supported</numerusform>
            <numerusform>%n sentences supported</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n sentences partly supported</source>
        <translation>
            <numerusform>%n sentence partly supported</numerusform>
            <numerusform>%n sentences partly supported</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n sentences unverified</source>
        <translation>
            <numerusform>%n sentence unverified</numerusform>
            <numerusform>%n sentences unverified</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TurnView</name>
    <message numerus="yes">
        <source>Evidence · %n passages</source>
        <translation>
            <numerusform>Evidence · %n passage</numerusform>
            <numerusform>Evidence · %n passages</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>UnreadFiles</name>
    <message numerus="yes">
        <source>%n files could not be read in full and may hold it. The likeliest:</source>
        <translation>
            <numerusform>%n file could not be read in full and may hold it. The likeliest:</numerusform>
            <numerusform>%n files could not be read in full and may hold it. The likeliest:</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n files could not be read in full and may hold it:</source>
        <translation>
            <numerusform>%n file could not be read in full and may hold it:</numerusform>
            <numerusform>%n files could not be read in full and may hold it:</numerusform>
        </translation>
    </message>
</context>
</TS>
