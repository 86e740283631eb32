import { setTimeout as wait } from 'node:timers/promises'
import type { IncomingHttpHeaders } from 'node:http2'
import type { ServiceFailure } from '@astropelago/contract/island-relay'
import { cancel } from '../agents/agent-session.ts'
import type { ReachableAgent } from '../agents/reachable-agents.ts'
import { stateOfFailure } from '../visitors/visit-states.ts'

/** Later it is too slow, whatever it says. */
const answerMs = 10_000

/** What a service says to being asked for its first page: it answers, or it does not. */
export type ServiceAnswer = 'answered' | ServiceFailure

/**
 * Asks a service for the headers of its first page. Undefined where its agent went meanwhile.
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
      // What it was is told by `close`.
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

/** Of what visitors were told, that which the service is to blame for. */
export function serviceFailure(state: string): ServiceFailure | undefined {
  return state === 'refused' || state === 'timeout' || state === 'broken' ? state : undefined
}
