import { setTimeout as wait } from 'node:timers/promises'
import type { IncomingHttpHeaders } from 'node:http2'
import type { ServiceFailure } from '@astropelago/contract/island-relay'
import { cancel } from '../agents/agent-session.ts'
import type { ReachableAgent } from '../agents/reachable-agents.ts'
import { serviceFailure, stateOfFailure } from '../visitors/visitor-states.ts'

/** A later answer counts as too late. */
const answerMs = 10_000

/** Whether a service answers a request for its first page, and if not, why. */
export type ServiceAnswer = 'answered' | ServiceFailure

/**
 * Requests the headers of a service's first page. Undefined if its agent went meanwhile.
 * @param address where visitors enter
 */
export async function askService(
  agent: Pick<ReachableAgent, 'request' | 'isOpen'>,
  address: string,
  timeoutMs = answerMs,
): Promise<ServiceAnswer | undefined> {
  const { protocol, host } = new URL(address)
  const headers = {
    ':method': 'HEAD',
    ':scheme': protocol.slice(0, -1),
    ':authority': host,
    ':path': '/',
    'user-agent': 'Astropelago-Relay-Check',
  }
  let stream
  try {
    stream = agent.request(headers, { endStream: true })
  } catch {
    return undefined
  }
  const answered = new Promise<ServiceAnswer | undefined>((resolve) => {
    stream
      .on('response', (head: IncomingHttpHeaders) => {
        const failure = stateOfFailure(head)
        resolve(failure === undefined ? 'answered' : serviceFailure(failure))
      })
      // `close` says what it was.
      .on('error', () => undefined)
      .on('close', () => resolve(agent.isOpen ? 'broken' : undefined))
    stream.resume()
  })
  const ended = new AbortController()
  const late = wait(timeoutMs, 'timeout' as const, { ref: false, signal: ended.signal })
  late.catch(() => undefined)
  const answer = await Promise.race([answered, late])
  ended.abort()
  cancel(stream)
  return answer
}
