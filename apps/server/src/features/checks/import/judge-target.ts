import { isIP } from 'node:net'
import { isGlobalAddress, isInsideName } from '../../../outgoing/global-address.ts'
import type { ProbedTarget } from '../probe.ts'
import type { ImportSurroundings } from './plan-check-import.ts'

/** Names are judged by how they look. What they resolve to is judged each time they are looked at. */
export function judgeTarget(
  isRefused: (target: ProbedTarget) => boolean,
  allowsPrivate: boolean,
): ImportSurroundings['judge'] {
  return (target) => {
    const typed = target.kind === 'http' ? new URL(target.url).hostname : target.host
    const host = typed.replace(/^\[|\]$/g, '').replace(/\.$/, '')
    const isPrivate = isIP(host) === 0 ? isInsideName(host) : !isGlobalAddress(host)
    if (target.kind === 'ping' || (isPrivate && !allowsPrivate)) return 'private'
    return isRefused(target) ? 'refused' : undefined
  }
}
