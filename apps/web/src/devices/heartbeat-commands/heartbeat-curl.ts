import { shellQuote } from './shell-quote.ts'

/**
 * The curl options of every heartbeat: -f fails if the server refuses, -sS prints only errors, -m limits
 * each try to 10 s, --retry retries if the server is busy or slow.
 */
export const heartbeatCurlOptions = '-fsS -m 10 --retry 3'

/** The shell command for one heartbeat. `credential` is the option that passes the secret. */
export function heartbeatCurl(curl: string, credential: string, address: string): string {
  return `${curl} ${heartbeatCurlOptions} -o /dev/null -X POST ${credential} ${shellQuote(address)}`
}
