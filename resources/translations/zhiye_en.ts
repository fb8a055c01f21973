<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>AskController</name>
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
    <name>TurnView</name>
    <message numerus="yes">
        <source>Evidence · %n passages</source>
        <translation>
            <numerusform>Evidence · %n passage</numerusform>
            <numerusform>Evidence · %n passages</numerusform>
        </translation>
    </message>
</context>
</TS>
