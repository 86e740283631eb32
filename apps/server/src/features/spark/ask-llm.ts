import type { LlmAnswer, LlmRequest } from '@astropelago/contract/spark'
import type { Clock } from '../../clock.ts'
import { DomainError } from '../../domain-error.ts'
import type { UserCaller } from '../../http/callers.ts'
import { askUpstream, type LlmUpstream, UpstreamFailed } from './ask-upstream.ts'
import type { LlmBudget, LlmUsageStore } from './llm-usage-store.ts'

export interface LlmService extends LlmUpstream {
  /** The upstream's name for each model that may be asked for; `*` stands for all others. */
  readonly models: ReadonlyMap<string, string>
  /** What one user may ask for in a day (UTC). */
  readonly budget: LlmBudget
  /** What all users together may ask for in a day (UTC). */
  readonly totalBudget: LlmBudget
}

interface AskLlmDeps {
  readonly service: LlmService
  readonly usage: LlmUsageStore
  readonly clock: Clock
}

/** English text has about four letters a token. No text has more tokens than bytes. */
const bytesPerToken = 4
const dayMs = 86_400_000

/**
 * The language model for a user, checked before anything is asked.
 * @param service undefined if none is connected
 * @throws DomainError llm_not_configured or llm_demo
 */
export function llmFor(
  service: LlmService | undefined,
  { isDemo }: Pick<UserCaller, 'isDemo'>,
): LlmService {
  if (service === undefined) throw new DomainError('llm_not_configured')
  if (isDemo) throw new DomainError('llm_demo')
  return service
}

/**
 * Forwards a request to the language model, within the user's budget for the day.
 * @param signal aborts when the page that asked is closed
 * @throws DomainError invalid_input, llm_budget or llm_failed
 */
export async function askLlm(
  { service, usage, clock }: AskLlmDeps,
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

/** Counted before the answer, so that simultaneous calls can't spend the same tokens twice. */
function expectedTokens({ messages, max_tokens: maxTokens }: LlmRequest): number {
  const bytes = messages.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0)
  return Math.ceil(bytes / bytesPerToken) + maxTokens
}
