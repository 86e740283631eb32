import { heartbeatIntervalS, heartbeatSlackS } from '@astropelago/contract/limits'
import type { Config } from './config.ts'

const loopback: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '::1', '[::1]'])

type WarnedSettings = Pick<
  Config,
  'host' | 'publicUrl' | 'hasPublicUrl' | 'onlineWindowMs' | 'mail'
>

/** What the operator should know of settings that can be used and yet disappoint, a line each. */
export function startWarnings(config: WarnedSettings): string[] {
  const { host, publicUrl, hasPublicUrl, onlineWindowMs, mail } = config
  const warnings: string[] = []
  if (!hasPublicUrl && !loopback.has(host)) {
    warnings.push(
      'PUBLIC_URL is not set: people can sign in by an IP address or a name of the local network alone, ' +
        'such as http://pi.lan; set it to the address that they open',
    )
  }
  const { protocol, hostname } = new URL(publicUrl)
  if (protocol === 'http:' && !loopback.has(hostname)) {
    warnings.push(
      'PUBLIC_URL is plain http: passwords and cookies cross the network readable to all',
    )
  }
  if (mail !== undefined && !hasPublicUrl) {
    warnings.push(
      `PUBLIC_URL is not set: the links in e-mails begin with ${publicUrl}, which leads nowhere from another machine`,
    )
  }
  const neededS = heartbeatIntervalS + heartbeatSlackS
  if (onlineWindowMs < neededS * 1000) {
    warnings.push(
      `ONLINE_WINDOW_S is ${onlineWindowMs / 1000}, but the heartbeat commands that the site hands out ` +
        `report every ${heartbeatIntervalS} s or a little later: devices will go offline between two ` +
        `heartbeats; set it to ${neededS} or more`,
    )
  }
  return warnings
}
