import type { IncomingMessage } from 'node:http'
import { tokenHeartbeat } from '@astropelago/contract/devices'
import type { DeviceCaller } from '../../http/callers.ts'
import type { AnswerCount } from '../../http/answer-counts.ts'
import type { AnswerEarly } from '../../http/early-answers.ts'
import { hasBody } from '../../http/slow-bodies.ts'

export interface AnswerHeartbeatsOptions {
  readonly findDevice: (token: string) => DeviceCaller | undefined
  readonly heartbeat: (deviceKey: number) => Promise<void>
  readonly recordTokenUse: (tokenKey: number) => void
  readonly answered: AnswerCount
  readonly headers: Readonly<Record<string, string>>
}

const scheme = 'Bearer '

/** Answers a good token without a body. All else goes to the ordinary route, at four times the cost. */
export function answerHeartbeats(options: AnswerHeartbeatsOptions): AnswerEarly {
  const { findDevice, heartbeat, recordTokenUse, answered } = options
  const headers = Object.entries({ ...options.headers, 'cache-control': 'no-store' }).flat()

  return (request, response, goOrdinaryWay) => {
    if (request.url !== tokenHeartbeat.path || request.method !== tokenHeartbeat.method)
      return false
    if (hasBody(request) || mayBeCrossSite(request)) return false
    const { authorization } = request.headers
    if (authorization?.startsWith(scheme) !== true) return false
    const caller = findDevice(authorization.slice(scheme.length))
    if (caller === undefined) return false
    const acknowledge = () => {
      recordTokenUse(caller.tokenKey)
      response.writeHead(204, headers).end()
      answered.count += 1
    }
    // Trying again does no harm and tells the client what is wrong.
    heartbeat(caller.deviceKey).then(acknowledge, goOrdinaryWay)
    return true
  }
}

function mayBeCrossSite({ headers }: IncomingMessage): boolean {
  return headers['sec-fetch-site'] !== undefined || headers.origin !== undefined
}
