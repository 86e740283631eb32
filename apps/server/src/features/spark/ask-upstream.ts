import { LlmAnswer, type LlmRequest } from '@astropelago/contract/spark'
import * as v from 'valibot'

/** Any OpenAI-compatible service with chat completions. */
export interface LlmUpstream {
  /** Such as http://localhost:11434/v1 */
  readonly baseUrl: string
  readonly apiKey: string | undefined
  readonly timeoutMs: number
}

/** Why no usable answer came. The texts are for the log, and contain neither the key nor the address. */
export class UpstreamFailed extends Error {}

export interface UpstreamAnswer {
  readonly answer: LlmAnswer
  /** The cost of the call, as the service reports it; undefined if it does not. */
  readonly tokens: number | undefined
}

/** Far above the longest answer that `max_tokens` allows. */
export const answerMaxBytes = 1024 * 1024

const CountedAnswer = v.object({
  ...LlmAnswer.entries,
  // An answer is valid without it, and with any value.
  usage: v.fallback(
    v.optional(v.object({ total_tokens: v.pipe(v.number(), v.safeInteger(), v.minValue(0)) })),
    undefined,
  ),
})

/**
 * Asks for one chat completion.
 * @throws UpstreamFailed if none comes for whatever reason, including an abort by the signal
 */
export async function askUpstream(
  { baseUrl, apiKey, timeoutMs }: LlmUpstream,
  request: LlmRequest,
  signal: AbortSignal,
): Promise<UpstreamAnswer> {
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(`${baseUrl}/chat/completions`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify(request),
      // A redirect could take the key and the prompt to another host.
      redirect: 'manual',
      signal: AbortSignal.any([signal, timeout]),
    })
    if (response.status !== 200) {
      await response.body?.cancel()
      throw new UpstreamFailed(`the service answered ${response.status}`)
    }
    return readAnswer(await readBounded(response))
  } catch (error) {
    if (error instanceof UpstreamFailed) throw error
    if (signal.aborted) throw new UpstreamFailed('the page went away')
    if (timeout.aborted) throw new UpstreamFailed(`no answer within ${timeoutMs} ms`)
    throw new UpstreamFailed('the connection failed', { cause: error })
  }
}

async function readBounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > answerMaxBytes) throw new UpstreamFailed(`more than ${answerMaxBytes} bytes came`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

function readAnswer(text: string): UpstreamAnswer {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw new UpstreamFailed('the answer is not JSON')
  }
  const parsed = v.safeParse(CountedAnswer, json)
  if (!parsed.success) throw new UpstreamFailed('the answer is no chat completion')
  const { choices, usage } = parsed.output
  return { answer: { choices }, tokens: usage?.total_tokens }
}
