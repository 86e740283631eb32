import { agentPath } from '@astropelago/contract/relay-agent'
import { t } from '@lingui/core/macro'
import { addressNotes, type CommandGuide } from '../heartbeat-commands/command-guide.ts'
import { powershellQuote } from '../heartbeat-commands/quote.ts'
import {
  administratorPaste,
  powershell,
  secretNote,
  setFolder,
  taskDefinition,
  writeSecretAndTask,
} from '../heartbeat-commands/windows-task.ts'
import { nodeMin } from './agent-files.ts'
import { replacedNote } from './agent-notes.ts'
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

export function windowsAgent(input: RelayInstall): CommandGuide {
  const { publicUrl, token, islandId, sha256 } = input
  const program = `${islandId}.agent.mjs`
  const tokenFile = `${islandId}.relay-token`
  const task = taskDefinition({
    delay: 'PT10S',
    // Starts the agent unless it is running. If the server has refused it for good, each start costs one
    // request that asks again.
    interval: 'PT5M',
    start: '2020-01-01T00:00:00',
    timeLimit: 'PT0S',
    program: 'NODE_PROGRAM',
    programArguments: `"${program}" ${agentOptions(input, `"${tokenFile}"`, taskQuoting)}`,
  })
  const check = agentOptions(input, '$file', checkQuoting)
  const taskName = powershellQuote(`Astropelago agent ${islandId}`)
  return {
    steps: [
      administratorPaste(`$node = (Get-Command node.exe -ErrorAction SilentlyContinue | Select-Object -First 1).Source
if (-not $node) { throw 'Nothing was done: Node.js is missing. ${nodeSource}' }
if ([int]((& $node --version) -replace '^v(\\d+).*', '$1') -lt ${nodeMin}) {
  throw 'Nothing was done: this Node.js is too old, and the agent needs ${nodeMin} or newer. ${nodeSource}'
}
$sid = $user.User.Value
${setFolder}
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
${writeSecretAndTask(powershellQuote(token), task)}
foreach ($part in @(('USER_SID', $sid), ('FOLDER', $folder), ('NODE_PROGRAM', $node), ('USER_HOME', $env:USERPROFILE))) {
  $task = $task.Replace($part[0], [Security.SecurityElement]::Escape($part[1]))
}
Stop-ScheduledTask -ErrorAction SilentlyContinue -TaskName ${taskName}
Register-ScheduledTask -Force -TaskName ${taskName} -Xml $task | Out-Null
Start-ScheduledTask -TaskName ${taskName}
& $node $agent ${check} --check
if ($LASTEXITCODE -ne 0) { throw 'The agent is installed, but something is missing yet: see above.' }
if ((Get-ScheduledTask -TaskName ${taskName}).State -ne 'Running') { throw 'The agent is installed, but its task does not run: see the Task Scheduler.' }
'Done: the agent runs, and visitors can come.'`),
    ],
    installs: [{ title: t`The scheduled task`, text: task, language: 'xml' }],
    removal: powershell(
      t`To stop it`,
      `Stop-ScheduledTask -TaskName ${taskName}
Unregister-ScheduledTask -Confirm:$false -TaskName ${taskName}
${setFolder}
foreach ($name in ${[program, tokenFile, `${tokenFile}-agent-id-${islandId}`].map(powershellQuote).join(', ')}) {
  Remove-Item -ErrorAction SilentlyContinue -LiteralPath (Join-Path $folder $name)
}`,
    ),
    notes: [
      t`It needs Node.js ${nodeMin} or newer. Get it from https://nodejs.org or with: winget install OpenJS.NodeJS.LTS.`,
      secretNote(tokenFile),
      replacedNote,
      t`It needs an administrator because the agent also runs while nobody is signed in.`,
      ...addressNotes(publicUrl),
    ],
  }
}
