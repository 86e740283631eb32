import { tokenHeartbeat } from '@astropelago/contract/devices'
import { cadenceOf } from './cadence.ts'
import type { TokenHeartbeat } from './command-guide.ts'
import { shellQuote } from './quote.ts'
import { needPrograms } from './shell-paste.ts'

/**
 * The curl options of every heartbeat: -f fails if the server refuses, -sS prints only errors, -m limits
 * each try to 10 s, --retry retries if the server is busy or slow.
 */
export const heartbeatCurlOptions = '-fsS -m 10 --retry 3'

export function heartbeatCurl(curl: string, credential: string, address: string): string {
  return `${curl} ${heartbeatCurlOptions} -o /dev/null -X POST ${credential} ${shellQuote(address)}`
}

/** The address of a call, with no characters that curl would interpret. */
export function serverAddress(publicUrl: string, path: string): string {
  const { origin, pathname } = new URL(publicUrl)
  // curl reads braces and brackets as patterns, except for the brackets of an IPv6 address in the host.
  const base = pathname.replace(/\/+$/, '').replaceAll('[', '%5B').replaceAll(']', '%5D')
  return `${origin}${base}${path}`.replace(/["{}]/g, encodeURIComponent)
}

export function heartbeatAddress(publicUrl: string): string {
  return serverAddress(publicUrl, tokenHeartbeat.path)
}

/** Sends one heartbeat in `shellInstall`, or says why it fails. Leaves the token in `$token`. */
export function checkHeartbeat({ publicUrl, token }: TokenHeartbeat): string[] {
  const address = shellQuote(heartbeatAddress(publicUrl))
  return [
    ...needPrograms(['curl']),
    `server=${shellQuote(new URL(publicUrl).origin)}`,
    `token=${shellQuote(token)}`,
    String.raw`status=$(printf 'Authorization: Bearer %s' "$token" |`,
    `  curl -sS -m 10 -o /dev/null -w '%{http_code}' -X POST -H @- ${address} 2>"$work/why") && code=0 || code=$?`,
    String.raw`why=$(sed -n 's/^curl: ([0-9]*) //p' "$work/why")`,
    'case $code/$status in',
    '  0/204) ;;',
    "  0/401) fail 'the server does not know this token. Generate another one on the page, and paste its block.' ;;",
    "  0/429) fail 'the server had too many heartbeats from here. Wait a minute, and paste again.' ;;",
    '  0/*) fail "$server answers $status where 204 is expected. Wait a minute, and paste again; if that stays, ask the operator of the site." ;;',
    '  6/*) fail "the name of $server can\'t be found. Look whether this device is online, and paste again." ;;',
    '  35/* | 58/* | 60/* | 77/*) fail "the certificate of $server can\'t be checked: $why. Look whether the clock is right (date), and whether certificates are installed (Debian and Ubuntu: apt install ca-certificates)." ;;',
    '  *) fail "$server can\'t be reached from here: $why. Look whether this device is online, and whether a browser on it opens that address." ;;',
    'esac',
  ]
}

export function foregroundHeartbeat({ publicUrl, token, schedule }: TokenHeartbeat): string {
  const curl = heartbeatCurl('curl', '-H @-', heartbeatAddress(publicUrl))
  return `while :; do printf 'Authorization: Bearer %s' ${shellQuote(token)} | ${curl}; sleep ${cadenceOf(schedule).seconds}; done`
}

/** The path of a device's file with the token header, relative to the home folder. */
export function headerFilePath(deviceId: string): string {
  return `.config/astropelago/${deviceId}.header`
}

/** For shells that set HOME, including cron's. Needs curl 7.55 (2017). */
export function headerFileOption(deviceId: string): string {
  return `-H @"$HOME/${headerFilePath(deviceId)}"`
}

/** Lines for `shellInstall` that write the file with the token from `$token`. */
export function putHeaderFile(deviceId: string): string[] {
  return [`put ${headerFilePath(deviceId)} <<HEADER`, 'Authorization: Bearer $token', 'HEADER']
}
