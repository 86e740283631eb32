import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import { json } from 'node:stream/consumers'
import type { LlmRequest } from '@astropelago/contract/spark'
import type { FastifyInstance } from 'fastify'
import { onTestFinished } from 'vitest'
import type { Config } from '../../../config.ts'
import {
  createTestApp,
  shareTestApp,
  type TestApp,
  type TestAppOptions,
  type TestBrowser,
} from '../../../test/create-test-app.ts'
import { listen, portOf } from '../../../test/listen.ts'

export interface UpstreamCall {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: unknown
}

export interface TestUpstream {
  readonly baseUrl: string
  readonly calls: readonly UpstreamCall[]
}

type Answer = (response: ServerResponse, call: UpstreamCall) => void

/** A real HTTP service with chat completions. */
export async function startUpstream(answer: Answer = completion()): Promise<TestUpstream> {
  const calls: UpstreamCall[] = []
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const { method, url, headers } = request
    const call = { method, url, headers, body: await json(request) }
    calls.push(call)
    answer(response, call)
  }
  const server = createServer((request, response) => void take(request, response))
  const url = await listen(server)
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { baseUrl: `${url}/v1`, calls }
}

/** Answers like a real service, with more fields than the platform runtime reads. */
export function completion(content: string | null = 'Hello', usage?: unknown): Answer {
  return (response) => {
    response.setHeader('content-type', 'application/json').end(
      JSON.stringify({
        id: 'chatcmpl-1',
        object: 'chat.completion',
        model: 'llama3.2',
        system_fingerprint: 'fp_1',
        choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }],
        ...(usage !== undefined && { usage }),
      }),
    )
  }
}

export const apiKey = 'sk-upstream-s3cr3t'

/** A question of 4 bytes, which counts as one token in addition to its answer's. */
export const question: LlmRequest = {
  messages: [{ role: 'user', content: 'Why?' }],
  model: 'openai/gpt-4o',
  max_tokens: 99,
}
export const questionTokens = 100

type LlmConfig = NonNullable<Config['llm']>

type Settings = Partial<LlmConfig> & Pick<LlmConfig, 'baseUrl'>

const usual: Omit<LlmConfig, 'baseUrl'> = {
  apiKey,
  models: new Map([['openai/gpt-4o', 'llama3.2']]),
  budget: { calls: 200, tokens: 200_000 },
  totalBudget: { calls: 10_000, tokens: 10_000_000 },
  timeoutMs: 60_000,
}
/** The shared server reads these settings at each question. */
const llm: LlmConfig = { ...usual, baseUrl: '' }
const sharedOptions = { config: { llm } }

/** Options of the server that the tests of a file share, which connect it to this test's language model. */
export function sharedLlmOptions(settings: Settings): TestAppOptions {
  Object.assign(llm, usual, settings)
  return sharedOptions
}

/** That server, with a new user. */
export async function llmTestApp(settings: Settings) {
  const testApp = await shareTestApp(sharedLlmOptions(settings))
  const earlier = testApp.logged().length
  return await withOwner({ ...testApp, logged: () => testApp.logged().slice(earlier) })
}

/** A server of this test alone, whose clock may move, that is connected to a language model. */
export async function ownLlmTestApp(settings: Settings) {
  return await withOwner(await createTestApp({ config: { llm: { ...usual, ...settings } } }))
}

async function withOwner(testApp: TestApp) {
  const owner = await testApp.signUp()
  const ask = (body: object = question, { inject }: Pick<TestBrowser, 'inject'> = owner) =>
    inject({ method: 'POST', url: '/_spark/llm', payload: body })
  return { ...testApp, owner, ask }
}

/** Asks over a real connection, which the signal cuts. */
export async function askOverHttp(
  app: FastifyInstance,
  { cookies }: TestBrowser,
  signal: AbortSignal,
): Promise<Response> {
  if (!app.server.listening) await app.listen({ host: '127.0.0.1', port: 0 })
  const cookie = Object.entries(cookies).map(([name, value]) => `${name}=${value}`)
  return fetch(`http://127.0.0.1:${portOf(app.server)}/_spark/llm`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: cookie.join('; ') },
    body: JSON.stringify(question),
    signal,
  })
}
