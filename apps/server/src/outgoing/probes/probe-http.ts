import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { ProbedTarget, ProbeResult } from '../../features/checks/probe.ts'
import { bareHost, lookupIn } from '../judge-addresses.ts'
import { failed, type Attempt } from './attempt.ts'

type HttpTarget = Extract<ProbedTarget, { kind: 'http' }>

export const pageMaxBytes = 256 * 1024
const redirectsMax = 5
const headersMaxBytes = 16 * 1024
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** Asks for a page, without a body, cookies or anything else of the user's. Every redirect is judged anew. */
export async function probeHttp(target: HttpTarget, attempt: Attempt): Promise<ProbeResult> {
  let url = new URL(target.url)
  for (let followed = 0; followed <= redirectsMax; followed += 1) {
    const refusal = attempt.judge.refusalOf(url)
    if (refusal !== undefined) return failed(refusal)
    const addresses = await attempt.judge.addressesOf(bareHost(url.hostname), attempt.timeoutMs)
    if (typeof addresses === 'string') return failed(addresses)
    const answer = await ask(url, addresses, attempt)
    const next = target.followsRedirects ? redirectOf(answer, url, target) : undefined
    if (next === undefined) return await judgeAnswer(answer, target, attempt)
    answer.destroy()
    if (!/^https?:$/.test(next.protocol)) {
      return failed('It redirects to an address that is no web page.', attempt.tookMs())
    }
    url = next
  }
  return failed(`It redirects more than ${redirectsMax} times.`, attempt.tookMs())
}

function ask(
  url: URL,
  addresses: readonly string[],
  { signal, ca }: Attempt,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const call = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
      method: 'GET',
      headers: { 'user-agent': 'Astropelago', accept: '*/*', 'accept-encoding': 'identity' },
      // A redirect may name a user and a password.
      auth: null,
      agent: false,
      lookup: lookupIn(addresses),
      maxHeaderSize: headersMaxBytes,
      signal,
      ...(ca !== undefined && { ca }),
    })
    // Keep listening: a destroyed answer emits errors too.
    call.on('error', reject)
    call.on('response', (answer) => {
      answer.on('error', () => undefined)
      resolve(answer)
    })
    call.end()
  })
}

function redirectOf(
  { statusCode = 0, headers: { location } }: IncomingMessage,
  from: URL,
  { statuses }: HttpTarget,
): URL | undefined {
  const isAsked = isAmong(statuses, statusCode)
  if (isAsked || !redirects.has(statusCode) || location === undefined) return undefined
  return URL.parse(location, from) ?? undefined
}

async function judgeAnswer(
  answer: IncomingMessage,
  { statuses, text }: HttpTarget,
  { tookMs }: Attempt,
): Promise<ProbeResult> {
  const took = tookMs()
  try {
    const { statusCode = 0 } = answer
    if (!isAmong(statuses, statusCode)) return failed(`It answers with status ${statusCode}.`, took)
    const missing = text === null ? undefined : await missingText(answer, text)
    return missing === undefined ? { isUp: true, tookMs: took } : failed(missing, took)
  } finally {
    answer.destroy()
  }
}

/** @param statuses such as `200-299, 401` */
function isAmong(statuses: string, status: number): boolean {
  return statuses.split(',').some((range) => {
    const [first = 0, last = first] = range.split('-').map(Number)
    return status >= first && status <= last
  })
}

/** Undefined once the text was read. Keeps no more of the answer than the text is long. */
async function missingText(answer: IncomingMessage, text: string): Promise<string | undefined> {
  const wanted = Buffer.from(text)
  let end = Buffer.alloc(0)
  let length = 0
  try {
    for await (const part of answer as AsyncIterable<Buffer>) {
      const readable = part.subarray(0, pageMaxBytes - length)
      length += readable.length
      const seen = Buffer.concat([end, readable])
      if (seen.includes(wanted)) return undefined
      if (length >= pageMaxBytes) return 'The text is not in the first 256 kB of its answer.'
      end = seen.subarray(Math.max(0, seen.length - wanted.length + 1))
    }
    return 'The text is not in its answer.'
  } catch {
    return 'It ended the connection in the middle of its answer.'
  }
}
