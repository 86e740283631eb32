import { isIP } from 'node:net'
import { isGlobalAddress } from '../../../outgoing/global-address.ts'
import type { ProbedTarget } from '../probe.ts'
import type { ImportSurroundings } from './plan-check-import.ts'

/**
 * Names that only a network at home knows: reserved ones (https://www.iana.org/assignments/special-use-domain-names)
 * and those that routers give.
 */
const homeName =
  /^[^.]+$|\.(?:local|localhost|localdomain|lan|home|internal|intranet|corp|private|home\.arpa|test|invalid)$/

/** Names are judged by how they look. What they resolve to is judged each time they are looked at. */
export function judgeTarget(
  isRefused: (target: ProbedTarget) => boolean,
  allowsPrivate: boolean,
): ImportSurroundings['judge'] {
  return (target) => {
    const typed = target.kind === 'http' ? new URL(target.url).hostname : target.host
    const host = typed.replace(/^\[|\]$/g, '').replace(/\.$/, '')
    const isPrivate = isIP(host) === 0 ? homeName.test(host) : !isGlobalAddress(host)
    if (target.kind === 'ping' || (isPrivate && !allowsPrivate)) return 'private'
    return isRefused(target) ? 'refused' : undefined
  }
}
