import type { CheckTarget } from '@astropelago/contract/checks'
import type { Clock } from '../../clock.ts'
import type { Probe, ProbedTarget, ProbeResult } from '../../features/checks/probe.ts'
import { failureText } from '../failure-text.ts'
import { bareHost, judgeAddresses, type AddressRules } from '../judge-addresses.ts'
import { failed, type Attempt } from './attempt.ts'
import { probeConnection, refusalOfConnection } from './probe-connection.ts'
import { probeDns } from './probe-dns.ts'
import { probeHttp } from './probe-http.ts'

interface ProbeOptions extends AddressRules {
  readonly clock: Clock
  /** Certificates that are trusted instead of the usual ones. */
  readonly ca?: string
  /** Addresses of name servers instead of those of the system. */
  readonly dnsServers?: readonly string[]
}

/** Looks at targets that users name. Like all that is outgoing, it reaches nothing inside. */
export function createProbe(options: ProbeOptions) {
  const { clock, ca, dnsServers = [] } = options
  const judge = judgeAddresses(options)

  const look = (target: ProbedTarget, attempt: Attempt): Promise<ProbeResult> => {
    switch (target.kind) {
      case 'http':
        return probeHttp(target, attempt)
      case 'dns':
        return probeDns(target, attempt, dnsServers)
      case 'tcp':
      case 'certificate':
        return probeConnection(target, attempt)
      case 'ping':
        return Promise.resolve(failed('Only one of your own devices can ping it.'))
      default:
        return target satisfies never
    }
  }

  const probe: Probe = async (target, stopped) => {
    const { timeoutS } = target
    const begunMs = performance.now()
    const over = Promise.withResolvers<ProbeResult>()
    const controller = new AbortController()
    const end = (note: string) => {
      over.resolve(failed(note))
      controller.abort()
    }
    const stop = () => end('This server is stopping.')
    const late = setTimeout(() => end(`It did not answer within ${timeoutS} s.`), timeoutS * 1000)
    stopped.addEventListener('abort', stop)
    if (stopped.aborted) stop()
    try {
      const attempt = {
        judge,
        ca,
        signal: controller.signal,
        timeoutMs: timeoutS * 1000,
        nowMs: clock(),
        tookMs: () => Math.round(performance.now() - begunMs),
      }
      return await Promise.race([over.promise, look(target, attempt)])
    } catch (error) {
      return failed(failureText(error))
    } finally {
      clearTimeout(late)
      stopped.removeEventListener('abort', stop)
      controller.abort()
    }
  }

  return {
    probe,
    /** Whether a target can be refused as it is written. Names are judged at every look. */
    isRefusedTarget: (target: CheckTarget): boolean => {
      switch (target.kind) {
        case 'http':
          return judge.refusalOf(new URL(target.url)) !== undefined
        case 'tcp':
        case 'certificate':
          return refusalOfConnection(target, judge) !== undefined
        case 'ping':
          return true
        case 'dns':
          return judge.isInside(bareHost(target.host))
        case 'push':
          return false
        default:
          return target satisfies never
      }
    },
  }
}
