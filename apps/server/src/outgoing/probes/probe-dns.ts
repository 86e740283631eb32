import { Resolver } from 'node:dns/promises'
import { isIPv6 } from 'node:net'
import type { DnsRecord } from '@astropelago/contract/checks'
import type { ProbedTarget, ProbeResult } from '../../features/checks/probe.ts'
import { bareHost, insideReason } from '../judge-addresses.ts'
import { failed, type Attempt } from './attempt.ts'

type DnsTarget = Extract<ProbedTarget, { kind: 'dns' }>

const tries = 2

/** @param servers addresses of name servers; empty for those of the system */
export async function probeDns(
  { host, record, value }: DnsTarget,
  { judge, signal, timeoutMs, tookMs }: Attempt,
  servers: readonly string[],
): Promise<ProbeResult> {
  if (judge.isInside(bareHost(host))) return failed(insideReason)
  const resolver = new Resolver({ timeout: Math.ceil(timeoutMs / tries), tries })
  if (servers.length > 0) resolver.setServers(servers)
  const stop = () => resolver.cancel()
  signal.addEventListener('abort', stop)
  try {
    const found = await read[record](resolver, bareHost(host))
    // By guessing, others could learn what this server's name servers know of the inside.
    const values = found.filter((one) => record === 'TXT' || !judge.isInside(nameIn(one)))
    if (values.length === 0) return failed(`It has no ${record} record.`, tookMs())
    const wanted = value === null ? undefined : plain(record, value)
    return wanted === undefined || values.some((one) => plain(record, one) === wanted)
      ? { isUp: true, tookMs: tookMs() }
      : failed(`None of its ${record} records has the expected value.`, tookMs())
  } catch (error) {
    if (!isNoData(error)) throw error
    return failed(`It has no ${record} record.`, tookMs())
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

const read: Readonly<
  Record<DnsRecord, (resolver: Resolver, host: string) => Promise<readonly string[]>>
> = {
  A: (resolver, host) => resolver.resolve4(host),
  AAAA: (resolver, host) => resolver.resolve6(host),
  CNAME: (resolver, host) => resolver.resolveCname(host),
  MX: async (resolver, host) =>
    (await resolver.resolveMx(host)).map(({ priority, exchange }) => `${priority} ${exchange}`),
  NS: (resolver, host) => resolver.resolveNs(host),
  TXT: async (resolver, host) => (await resolver.resolveTxt(host)).map((parts) => parts.join('')),
}

/** In one of the forms in which people write it: names in lower case, without the dot at their end. */
function plain(record: DnsRecord, value: string): string {
  if (record === 'TXT') return value
  if (record === 'AAAA' && isIPv6(value)) return new URL(`http://[${value}]`).hostname
  return value.trim().toLowerCase().replaceAll(/\s+/g, ' ').replace(/\.$/, '')
}

/** What a value leads to, behind the priority of a mail server. */
const nameIn = (value: string): string => bareHost(value.split(' ').at(-1) ?? '')

function isNoData(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENODATA'
}
