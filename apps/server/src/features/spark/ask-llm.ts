import { dayMs } from '../../history/time-spans.ts'
import { LlmAnswer, type LlmRequest } from '@astropelago/contract/spark'
import * as v from 'valibot'
import type { Clock } from '../../clock.ts'
import type { Config } from '../../config.ts'
import { DomainError } from '../../domain-error.ts'
import type { UserCaller } from '../../http/callers.ts'
import type { LlmUsageStore } from './llm-usage-store.ts'

/** Any OpenAI-compatible service with chat completions. */
type LlmService = NonNullable<Config['llm']>

/** English text has about four letters a token. No text has more tokens than bytes. */
const bytesPerToken = 4

/** @throws DomainError `llm_not_configured`, `llm_demo` */
export function llmFor(
  service: LlmService | undefined,
  { isDemo }: Pick<UserCaller, 'isDemo'>,
): LlmService {
  if (service === undefined) throw new DomainError('llm_not_configured')
  if (isDemo) throw new DomainError('llm_demo')
  return service
}

export async function askLlm(
  {
    service,
    usage,
    clock,
  }: {
    readonly service: LlmService
    readonly usage: Pick<LlmUsageStore, 'reserve' | 'giveBack'>
    readonly clock: Clock
  },
  { userKey }: Pick<UserCaller, 'userKey'>,
  request: LlmRequest,
  signal: AbortSignal,
): Promise<LlmAnswer> {
  const model = service.models.get(request.model) ?? service.models.get('*')
  if (model === undefined) {
    throw new DomainError('invalid_input', {
      fields: { model: 'This server does not offer that model.' },
    })
  }

  const nowMs = clock()
  const day = new Date(nowMs).toISOString().slice(0, 10)
  const reserved = expectedTokens(request)
  if (!(await usage.reserve(userKey, day, reserved, service.budget, service.totalBudget))) {
    throw new DomainError('llm_budget', {
      retryAfterS: Math.ceil((dayMs - (nowMs % dayMs)) / 1000),
    })
  }

  let spent = 0
  try {
    const { answer, tokens } = await askUpstream(service, { ...request, model }, signal)
    spent = tokens ?? reserved
    return answer
  } catch (error) {
    // The service may have worked on it until the page was closed.
    if (signal.aborted) spent = reserved
    throw error instanceof UpstreamFailed ? new DomainError('llm_failed', { cause: error }) : error
  } finally {
    if (spent !== reserved) await usage.giveBack(userKey, day, reserved - spent)
  }
}

function expectedTokens({ messages, max_tokens: maxTokens }: LlmRequest): number {
  const bytes = messages.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0)
  return Math.ceil(bytes / bytesPerToken) + maxTokens
}

/** No usable answer came. The texts are for the log, and contain neither the key nor the address. */
class UpstreamFailed extends Error {}

export const answerMaxBytes = 1024 * 1024

const CountedAnswer = v.object({
  ...LlmAnswer.entries,
  // An answer is valid without it, and with any value.
  usage: v.fallback(
    v.optional(v.object({ total_tokens: v.pipe(v.number(), v.safeInteger(), v.minValue(0)) })),
    undefined,
  ),
})

/** @throws UpstreamFailed if no answer comes for whatever reason, including an abort by the signal */
async function askUpstream(
  { baseUrl, apiKey, timeoutMs }: LlmService,
  request: LlmRequest,
  signal: AbortSignal,
) {
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

function readAnswer(text: string) {
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
