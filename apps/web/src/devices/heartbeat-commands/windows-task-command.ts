import { tokenHeartbeat } from '@astropelago/contract/devices'
import { addressNotes, type CommandGuide, type TokenHeartbeat } from './command-guide.ts'
import { heartbeatCurlOptions, serverAddress } from './heartbeat-curl.ts'
import { powershellQuote, xmlEscape } from './quote.ts'

// Runs as the user without a stored password (S4U), signed in or not, and opens no window. The paste
// replaces USER_SID and FOLDER. The start is in the past. Only its minutes and seconds matter: they give
// each device its own offset.
function taskDefinition(curlArguments: string, offsetSeconds: number): string {
  const start = new Date(Date.UTC(2020, 0, 1, 0, 0, offsetSeconds)).toISOString().slice(0, 19)
  return `<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <Triggers>
    <BootTrigger>
      <Enabled>true</Enabled>
      <Delay>PT30S</Delay>
    </BootTrigger>
    <TimeTrigger>
      <Repetition>
        <Interval>PT2M</Interval>
        <StopAtDurationEnd>false</StopAtDurationEnd>
      </Repetition>
      <StartBoundary>${start}</StartBoundary>
      <Enabled>true</Enabled>
    </TimeTrigger>
  </Triggers>
  <Principals>
    <Principal id="Author">
      <UserId>USER_SID</UserId>
      <LogonType>S4U</LogonType>
      <RunLevel>LeastPrivilege</RunLevel>
    </Principal>
  </Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <StartWhenAvailable>true</StartWhenAvailable>
    <ExecutionTimeLimit>PT90S</ExecutionTimeLimit>
  </Settings>
  <Actions Context="Author">
    <Exec>
      <Command>%SystemRoot%\\System32\\curl.exe</Command>
      <Arguments>${xmlEscape(curlArguments)}</Arguments>
      <WorkingDirectory>FOLDER</WorkingDirectory>
    </Exec>
  </Actions>
</Task>`
}

export function windowsTaskCommand(input: TokenHeartbeat): CommandGuide {
  const { publicUrl, token, deviceId, offsetSeconds } = input
  const address = serverAddress(publicUrl, tokenHeartbeat.path)
  const options = `${heartbeatCurlOptions} -o NUL -X POST`
  const file = `${deviceId}.header`
  const task = taskDefinition(`${options} -H "@${file}" "${address}"`, offsetSeconds)
  const taskName = powershellQuote(`Astropelago ${deviceId}`)
  const folder = "$folder = Join-Path $env:LOCALAPPDATA 'astropelago'"
  const header = powershellQuote(`Authorization: Bearer ${token}`)
  return {
    steps: [
      {
        title: 'Open PowerShell as administrator and paste this',
        text: `& {
$ErrorActionPreference = 'Stop'
$user = [Security.Principal.WindowsIdentity]::GetCurrent()
if (-not ([Security.Principal.WindowsPrincipal]$user).IsInRole([Security.Principal.WindowsBuiltInRole]::Administrator)) {
  throw 'Nothing was done. Please open PowerShell with "Run as administrator" and paste again.'
}
$sid = $user.User.Value
${folder}
$file = Join-Path $folder ${powershellQuote(file)}
New-Item -ItemType Directory -Force -Path $folder | Out-Null
New-Item -ItemType File -Force -Path $file | Out-Null
icacls.exe $file /inheritance:r /grant:r "*\${sid}:F" | Out-Null
if ($LASTEXITCODE -ne 0) { throw 'The token file could not be protected; the token was not written.' }
Set-Content -LiteralPath $file -Encoding ascii -Value ${header}
$task = @'
${task}
'@
$task = $task.Replace('USER_SID', $sid).Replace('FOLDER', [Security.SecurityElement]::Escape($folder))
Register-ScheduledTask -Force -TaskName ${taskName} -Xml $task | Out-Null
curl.exe ${options} -H "@$file" ${powershellQuote(address)}
if ($LASTEXITCODE -ne 0) { throw 'Installed, but the first heartbeat did not arrive: see above.' }
'Done: the first heartbeat arrived, more follow every 2 minutes.'
}`,
        language: 'powershell',
      },
    ],
    installs: [{ title: 'The scheduled task', text: task, language: 'xml' }],
    removal: {
      title: 'To stop it',
      text: `& {
Unregister-ScheduledTask -Confirm:$false -TaskName ${taskName}
${folder}
Remove-Item -LiteralPath (Join-Path $folder ${powershellQuote(file)})
}`,
      language: 'powershell',
    },
    notes: [
      `The token goes into %LOCALAPPDATA%\\astropelago\\${file}, which only your user can read.`,
      'It needs an administrator because the task also reports while nobody is signed in.',
      'It uses the curl.exe that comes with Windows 10 (1803) and later.',
      ...addressNotes(publicUrl),
    ],
  }
}
