import { t } from '@lingui/core/macro'
import type { CommandBlock } from './command-guide.ts'
import { xmlEscape } from './quote.ts'

interface WindowsTask {
  /** The delay after Windows starts, and the interval between two runs, in ISO 8601. */
  readonly delay: string
  readonly interval: string
  /** In the past. Only its minutes and seconds matter. */
  readonly start: string
  readonly timeLimit: string
  readonly program: string
  readonly programArguments: string
}

/**
 * A task that runs as the user without a stored password (S4U), signed in or not, and opens no window. The
 * paste replaces USER_SID and FOLDER.
 */
export function taskDefinition(task: WindowsTask): string {
  return `<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <Triggers>
    <BootTrigger>
      <Enabled>true</Enabled>
      <Delay>${task.delay}</Delay>
    </BootTrigger>
    <TimeTrigger>
      <Repetition>
        <Interval>${task.interval}</Interval>
        <StopAtDurationEnd>false</StopAtDurationEnd>
      </Repetition>
      <StartBoundary>${task.start}</StartBoundary>
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
    <ExecutionTimeLimit>${task.timeLimit}</ExecutionTimeLimit>
  </Settings>
  <Actions Context="Author">
    <Exec>
      <Command>${task.program}</Command>
      <Arguments>${xmlEscape(task.programArguments)}</Arguments>
      <WorkingDirectory>FOLDER</WorkingDirectory>
    </Exec>
  </Actions>
</Task>`
}

export const setFolder = "$folder = Join-Path $env:LOCALAPPDATA 'astropelago'"

/** A paste into Windows PowerShell 5.1 or later that ends at once without an administrator's rights. */
export function administratorPaste(lines: string): CommandBlock {
  return powershell(
    t`Open PowerShell as administrator and paste this`,
    `$ErrorActionPreference = 'Stop'
$user = [Security.Principal.WindowsIdentity]::GetCurrent()
if (-not ([Security.Principal.WindowsPrincipal]$user).IsInRole([Security.Principal.WindowsBuiltInRole]::Administrator)) {
  throw 'Nothing was done. Please open PowerShell with "Run as administrator" and paste again.'
}
${lines}`,
  )
}

export function powershell(title: string, lines: string): CommandBlock {
  return { title, text: `& {\n${lines}\n}`, language: 'powershell' }
}

/** Lines that write a secret (an expression) into `$file`, for its user alone, and set `$task`. */
export function writeSecretAndTask(secret: string, task: string): string {
  return `New-Item -ItemType File -Force -Path $file | Out-Null
icacls.exe $file /inheritance:r /grant:r "*\${sid}:F" | Out-Null
if ($LASTEXITCODE -ne 0) { throw 'The token file could not be protected; the token was not written.' }
Set-Content -LiteralPath $file -Encoding ascii -Value ${secret}
$task = @'
${task}
'@`
}

export function secretNote(file: string): string {
  return t`The token goes into %LOCALAPPDATA%\\astropelago\\${file}, which only your user can read.`
}
