import { t } from '@lingui/core/macro'
import { type CommandBlock, sh, type TokenHeartbeat } from './command-guide.ts'
import { heartbeatAddress, heartbeatCurl } from './heartbeat-curl.ts'
import { powershellQuote, shellQuote } from './quote.ts'

type TryNow = Pick<TokenHeartbeat, 'publicUrl' | 'token'>

const title = t`Try it now: one heartbeat, nothing installed`

/** The token goes through standard input. printf is a shell builtin, so no process list has it. */
export function tryNowCommand({ publicUrl, token }: TryNow): CommandBlock {
  const curl = heartbeatCurl('curl', '-H @-', heartbeatAddress(publicUrl))
  const text = [
    `if printf 'Authorization: Bearer %s' ${shellQuote(token)} | ${curl};`,
    "then echo 'It works: the heartbeat arrived.';",
    "else echo 'The heartbeat did not arrive: see above.' >&2; false; fi",
  ].join(' ')
  return sh(title, text)
}

/** For PowerShell 5.1 and later. No program gets the token as an argument. */
export function tryNowInPowershell({ publicUrl, token }: TryNow): CommandBlock {
  const address = powershellQuote(heartbeatAddress(publicUrl))
  const headers = `@{ Authorization = ${powershellQuote(`Bearer ${token}`)} }`
  const text = [
    `try { Invoke-RestMethod -Method Post -TimeoutSec 10 -Headers ${headers} -Uri ${address} | Out-Null;`,
    `'It works: the heartbeat arrived.' }`,
    `catch { Write-Error "The heartbeat did not arrive: $($_.Exception.Message)" }`,
  ].join(' ')
  return { title, text, language: 'powershell' }
}
