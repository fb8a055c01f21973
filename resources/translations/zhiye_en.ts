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
    <name>IndexProgressStrip</name>
    <message numerus="yes">
        <source>{done} of %n files</source>
        <translation>
            <numerusform>{done} of %n file</numerusform>
            <numerusform>{done} of %n files</numerusform>
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
        <source>%n indexed</source>
        <translation>
            <numerusform>%n indexed</numerusform>
            <numerusform>%n indexed</numerusform>
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
