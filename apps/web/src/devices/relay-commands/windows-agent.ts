import { agentPath } from '@astropelago/contract/relay-agent'
import { addressNotes, type CommandGuide } from '../heartbeat-commands/command-guide.ts'
import { powershellQuote, xmlEscape } from '../heartbeat-commands/quote.ts'
import { nodeMin, replacedNote } from './agent-files.ts'
import { agentOptions, type RelayInstall } from './relay-install.ts'

const nodeSource = 'Get it from https://nodejs.org or with: winget install OpenJS.NodeJS.LTS'

// Programs read \" as a quote, so the last character must not be a backslash. A drive's root ends in
// `\.`, because `C:` alone is the current folder on that drive.
const withoutLastSlash = (path: string) =>
  path.replace(/[\\/]+$/, '').replace(/^([a-z]:)?$/i, '$1\\.')

// The paste replaces USER_HOME.
const taskQuoting = {
  word: (text: string) => `"${withoutLastSlash(text)}"`,
  inHome: (path: string) =>
    path === '' ? '"USER_HOME"' : `"USER_HOME\\${withoutLastSlash(path)}"`,
}

const checkQuoting = {
  word: (text: string) => powershellQuote(withoutLastSlash(text)),
  inHome: (path: string) =>
    path === ''
      ? '$env:USERPROFILE'
      : `(Join-Path $env:USERPROFILE ${powershellQuote(withoutLastSlash(path))})`,
}

// Runs as the user without a stored password (S4U), signed in or not, and opens no window. The task
// starts every 5 minutes unless the agent is running. If the server has refused the agent for good, each
// start costs one request that asks again.
function taskDefinition(agentArguments: string): string {
  return `<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <Triggers>
    <BootTrigger>
      <Enabled>true</Enabled>
      <Delay>PT10S</Delay>
    </BootTrigger>
    <TimeTrigger>
      <Repetition>
        <Interval>PT5M</Interval>
        <StopAtDurationEnd>false</StopAtDurationEnd>
      </Repetition>
      <StartBoundary>2020-01-01T00:00:00</StartBoundary>
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
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
  </Settings>
  <Actions Context="Author">
    <Exec>
      <Command>NODE_PROGRAM</Command>
      <Arguments>${xmlEscape(agentArguments)}</Arguments>
      <WorkingDirectory>FOLDER</WorkingDirectory>
    </Exec>
  </Actions>
</Task>`
}

export function windowsAgent(input: RelayInstall): CommandGuide {
  const { publicUrl, token, islandId, sha256 } = input
  const program = `${islandId}.agent.mjs`
  const tokenFile = `${islandId}.relay-token`
  const task = taskDefinition(`"${program}" ${agentOptions(input, `"${tokenFile}"`, taskQuoting)}`)
  const check = agentOptions(input, '$file', checkQuoting)
  const taskName = powershellQuote(`Astropelago agent ${islandId}`)
  const folder = "$folder = Join-Path $env:LOCALAPPDATA 'astropelago'"
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
$node = (Get-Command node.exe -ErrorAction SilentlyContinue | Select-Object -First 1).Source
if (-not $node) { throw 'Nothing was done: Node.js is missing. ${nodeSource}' }
if ([int]((& $node --version) -replace '^v(\\d+).*', '$1') -lt ${nodeMin}) {
  throw 'Nothing was done: this Node.js is too old, and the agent needs ${nodeMin} or newer. ${nodeSource}'
}
$sid = $user.User.Value
${folder}
$file = Join-Path $folder ${powershellQuote(tokenFile)}
$agent = Join-Path $folder ${powershellQuote(program)}
New-Item -ItemType Directory -Force -Path $folder | Out-Null
curl.exe -fsS -m 60 --retry 3 -o "$agent.new" ${powershellQuote(new URL(agentPath, publicUrl).href)}
if ($LASTEXITCODE -ne 0) { throw 'The agent did not come: see above. Nothing was installed.' }
if ((Get-FileHash -Algorithm SHA256 -LiteralPath "$agent.new").Hash -ne '${sha256}') {
  Remove-Item -LiteralPath "$agent.new"
  throw 'The agent that came is not the one that the page shows. Nothing was installed: reload the page and paste again.'
}
Move-Item -Force -LiteralPath "$agent.new" -Destination $agent
New-Item -ItemType File -Force -Path $file | Out-Null
icacls.exe $file /inheritance:r /grant:r "*\${sid}:F" | Out-Null
if ($LASTEXITCODE -ne 0) { throw 'The token file could not be protected; the token was not written.' }
Set-Content -LiteralPath $file -Encoding ascii -Value ${powershellQuote(token)}
$task = @'
${task}
'@
foreach ($part in @(('USER_SID', $sid), ('FOLDER', $folder), ('NODE_PROGRAM', $node), ('USER_HOME', $env:USERPROFILE))) {
  $task = $task.Replace($part[0], [Security.SecurityElement]::Escape($part[1]))
}
Stop-ScheduledTask -ErrorAction SilentlyContinue -TaskName ${taskName}
Register-ScheduledTask -Force -TaskName ${taskName} -Xml $task | Out-Null
Start-ScheduledTask -TaskName ${taskName}
& $node $agent ${check} --check
if ($LASTEXITCODE -ne 0) { throw 'The agent is installed, but something is missing yet: see above.' }
if ((Get-ScheduledTask -TaskName ${taskName}).State -ne 'Running') { throw 'The agent is installed, but its task does not run: see the Task Scheduler.' }
'Done: the agent runs, and visitors can come.'
}`,
        language: 'powershell',
      },
    ],
    installs: [{ title: 'The scheduled task', text: task, language: 'xml' }],
    removal: {
      title: 'To stop it',
      text: `& {
Stop-ScheduledTask -TaskName ${taskName}
Unregister-ScheduledTask -Confirm:$false -TaskName ${taskName}
${folder}
foreach ($name in ${[program, tokenFile, `${tokenFile}-agent-id-${islandId}`].map(powershellQuote).join(', ')}) {
  Remove-Item -ErrorAction SilentlyContinue -LiteralPath (Join-Path $folder $name)
}
}`,
      language: 'powershell',
    },
    notes: [
      `It needs Node.js ${nodeMin} or newer. ${nodeSource}.`,
      `The token goes into %LOCALAPPDATA%\\astropelago\\${tokenFile}, which only your user can read.`,
      replacedNote,
      'It needs an administrator because the agent also runs while nobody is signed in.',
      ...addressNotes(publicUrl),
    ],
  }
}
