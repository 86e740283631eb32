import { shellQuote } from './shell-quote.ts'

/**
 * What every heartbeat says to curl: -f makes a refusal a failure, -sS is quiet but for errors,
 * -m bounds each try to 10 s, --retry tries again when the server is busy or slow.
 */
export const heartbeatCurlOptions = '-fsS -m 10 --retry 3'

/** The shell command of one heartbeat; `credential` is the part that hands over the secret. */
export function heartbeatCurl(curl: string, credential: string, address: string): string {
  return `${curl} ${heartbeatCurlOptions} -o /dev/null -X POST ${credential} ${shellQuote(address)}`
}
