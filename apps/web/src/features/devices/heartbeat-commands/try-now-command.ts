import { tokenHeartbeat } from '@astropelago/contract/devices'
import type { CommandBlock, TokenHeartbeat } from './command-guide.ts'
import { heartbeatCurl } from './heartbeat-curl.ts'
import { serverAddress } from './server-address.ts'
import { shellQuote } from './shell-quote.ts'

/**
 * One line that reports once. Standard input carries the token, so that it is not in the process
 * list: printf is part of the shell.
 */
export function tryNowCommand({
  publicUrl,
  token,
}: Pick<TokenHeartbeat, 'publicUrl' | 'token'>): CommandBlock {
  const curl = heartbeatCurl('curl', '-H @-', serverAddress(publicUrl, tokenHeartbeat.path))
  const text = [
    `if printf 'Authorization: Bearer %s' ${shellQuote(token)} | ${curl};`,
    "then echo 'It works: the heartbeat arrived.';",
    "else echo 'The heartbeat did not arrive: see above.' >&2; false; fi",
  ].join(' ')
  return { title: 'Try it now: one heartbeat, nothing installed', text, language: 'sh' }
}
