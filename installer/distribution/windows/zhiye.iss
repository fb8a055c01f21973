; Inno Setup: per-user installation, no administrator needed. Called by installer/distribution/desktops.py with
; /DVersion, /DFrozen (the frozen folder), /DOutput and /DIcons.

[Setup]
AppId={{6C1F4B7E-6C2B-4C0E-9F0B-2D6B0E3A7F51}
AppName=知页 Zhiye
AppVersion={#Version}
AppPublisher=The Zhiye authors
DefaultDirName={localappdata}\Programs\Zhiye
DefaultGroupName=知页 Zhiye
DisableProgramGroupPage=yes
DisableDirPage=no
PrivilegesRequired=lowest
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
OutputDir={#Output}
OutputBaseFilename=zhiye-{#Version}-setup
SetupIconFile={#Icons}\zhiye.ico
UninstallDisplayIcon={app}\zhiye-gui.exe
LicenseFile={#Frozen}\LICENSE
Compression=lzma2/normal
SolidCompression=yes
ChangesAssociations=yes
; An installation over a running program asks to close it: its files are in use.
CloseApplications=yes
RestartApplications=no
MinVersion=10.0.17763

[Languages]
Name: "en"; MessagesFile: "compiler:Default.isl"
Name: "zh"; MessagesFile: "ChineseSimplified.isl"

[CustomMessages]
en.DesktopIcon=Create a desktop icon
zh.DesktopIcon=创建桌面图标
en.Pack=Zhiye pack
zh.Pack=知页知识库包
en.OpenNow=Open Zhiye
zh.OpenNow=打开知页

[Tasks]
Name: "desktopicon"; Description: "{cm:DesktopIcon}"

[InstallDelete]
; What an earlier version left there would be found before the new one's.
Type: filesandordirs; Name: "{app}\_internal"

[Files]
Source: "{#Frozen}\*"; DestDir: "{app}"; Flags: ignoreversion recursesubdirs createallsubdirs

[Icons]
Name: "{group}\知页 Zhiye"; Filename: "{app}\zhiye-gui.exe"
Name: "{userdesktop}\知页 Zhiye"; Filename: "{app}\zhiye-gui.exe"; Tasks: desktopicon

[Registry]
Root: HKCU; Subkey: "Software\Classes\.zhiye"; ValueType: string; ValueData: "Zhiye.Pack"; Flags: uninsdeletevalue
Root: HKCU; Subkey: "Software\Classes\Zhiye.Pack"; ValueType: string; ValueData: "{cm:Pack}"; Flags: uninsdeletekey
Root: HKCU; Subkey: "Software\Classes\Zhiye.Pack\DefaultIcon"; ValueType: string; ValueData: "{app}\zhiye-gui.exe,0"
Root: HKCU; Subkey: "Software\Classes\Zhiye.Pack\shell\open\command"; ValueType: string; ValueData: """{app}\zhiye-gui.exe"" ""%1"""

[Run]
Filename: "{app}\zhiye-gui.exe"; Description: "{cm:OpenNow}"; Flags: nowait postinstall skipifsilent

; Uninstalling takes the program away and nothing else: libraries, settings and documents lie elsewhere and stay.
