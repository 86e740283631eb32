import { setTimeout as wait } from 'node:timers/promises'
import type { InjectOptions } from 'fastify'
import { createTestToken, registerTestDevice } from '../api-devices.ts'
import { makeTestCheck } from '../api-checks.ts'
import { createTestApiKey } from '../api-keys.ts'
import type { TestApp, TestBrowser } from '../create-test-app.ts'
import { testPassword } from '../factories.ts'
import type { FuzzedAnswer } from './judge-answer.ts'
import { KnownValues } from './known-values.ts'
import { type Operation, readOperations } from './operations.ts'
import type { FuzzedRequest } from './requests.ts'

/** How long an endless answer is read. */
const fuzzedScopes = [
  'devices:read',
  'devices:write',
  'checks:read',
  'checks:write',
  'pages:write',
] as const

const eventsMs = 10
/** Each renewal makes a device and an API key, and a user can have only so many. */
const renewalsOfUser = 10
/** Text and latitude that occur in one private device and nowhere else. */
const privateLabel = 'Nobody else may read this'
const privateLat = 12.345678

/** A server with two users: one sends generated requests, and the other, the victim, has private things. */
export class FuzzedServer {
  readonly operations: readonly Operation[]
  /** What no answer and no log line may contain. */
  readonly secrets: readonly string[]
  readonly #testApp: TestApp
  readonly #victim: TestBrowser
  readonly #known = new KnownValues()
  readonly #operatorCookie: string | undefined
  #username = ''
  #renewals = 0
  #credentials: Promise<Readonly<Record<string, InjectOptions['headers']>>> | undefined

  /** @param operator a username that the server's settings name; without it nobody is an operator */
  static async start(testApp: TestApp, operator?: string): Promise<FuzzedServer> {
    const document: unknown = (await testApp.inject({ url: '/api/openapi.json' })).json()
    const victim = await testApp.signUp()
    const { id } = await registerTestDevice(victim, {
      label: privateLabel,
      lat: privateLat,
      visibility: 'private',
    })
    const token = await createTestToken(victim, id)
    const { id: publicId } = await registerTestDevice(victim)
    await victim.inject({
      method: 'POST',
      url: '/_spark/kv/secret',
      payload: JSON.stringify(privateLabel),
      headers: { 'content-type': 'text/plain' },
    })
    const check = await makeTestCheck(victim, { name: privateLabel })
    const [session = ''] = Object.values(victim.cookies)
    const { key } = await createTestApiKey(victim, fuzzedScopes)
    const secrets = [
      privateLabel,
      String(privateLat),
      token.token,
      session,
      key,
      check.pushUrl ?? '',
    ]
    const operatorCookie =
      operator === undefined ? undefined : cookieOf((await testApp.signUp(operator)).cookies)
    const operations = readOperations(document)
    const server = new FuzzedServer(testApp, victim, operations, secrets, operatorCookie)
    // Requests name the victim's things too, which must lead nowhere.
    server.#known.learn({ username: victim.username, id: [id, token.id, publicId, check.id] })
    server.#known.learn({ key: 'secret' })
    server.#known.learn({ password: testPassword, collection: 'notes' })
    return server
  }

  private constructor(
    testApp: TestApp,
    victim: TestBrowser,
    operations: readonly Operation[],
    secrets: readonly string[],
    operatorCookie: string | undefined,
  ) {
    this.#testApp = testApp
    this.#operatorCookie = operatorCookie
    this.#victim = victim
    this.operations = operations
    this.secrets = secrets
  }

  /** Everything the victim still has. */
  async victimsThings(): Promise<readonly string[]> {
    const lists = [
      '/api/me',
      '/api/me/devices',
      '/api/me/checks',
      '/_spark/kv',
      '/_spark/kv/secret',
    ]
    const answers: string[] = []
    for (const url of lists) answers.push((await this.#victim.inject({ url })).body)
    return answers
  }

  /** @returns the answer, and whether it is the operation's own */
  async send(request: FuzzedRequest): Promise<{ answer: FuzzedAnswer; isOwn: boolean }> {
    const { operation, method, caller } = request
    const known = this.#known
    const filled = (value: unknown) => String(known.fill(value)).toWellFormed()
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(filled(request.params[name])),
    )
    const search = new URLSearchParams(
      request.query.map(([name, value]) => [name.toWellFormed(), filled(value)]),
    )
    const url = search.size === 0 ? path : `${path}?${search.toString()}`
    const value = request.body?.kind === 'json' ? known.fill(request.body.value) : undefined
    const bytes = request.body?.kind === 'bytes' ? request.body.bytes : JSON.stringify(value)
    const answer = await this.#ask({
      method,
      url,
      remoteAddress: `198.51.100.${request.host}`,
      headers: {
        ...(bytes !== undefined && { 'content-type': operation.body?.type ?? 'application/json' }),
        ...(await this.#headersOf(caller)),
        ...request.headers,
      },
      ...(bytes !== undefined && method !== 'GET' && method !== 'HEAD' && { payload: bytes }),
    })
    if (answer.status === 401) this.#credentials = undefined
    if (answer.status < 300) {
      known.learn(request.params)
      known.learn(value)
      known.learn(jsonOf(answer.text))
    }
    const isOwn =
      method === operation.method &&
      !path.endsWith('/') &&
      new URL(path, 'http://localhost').pathname === path
    return { answer, isOwn }
  }

  async #ask(options: InjectOptions): Promise<FuzzedAnswer> {
    const response = await this.#testApp.app.inject({ ...options, payloadAsStream: true })
    const stream = response.stream()
    let text = ''
    stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    const ended = new Promise<void>((done) => stream.on('end', done).on('close', done))
    const isEndless = String(response.headers['content-type']).startsWith('text/event-stream')
    await (isEndless ? Promise.race([ended, wait(eventsMs)]) : ended)
    stream.destroy()
    return { status: response.statusCode, headers: response.headers, text }
  }

  async #headersOf(caller: string): Promise<InjectOptions['headers']> {
    this.#credentials ??= this.#makeCredentials()
    const credentials = await this.#credentials
    const headers = credentials[caller]
    if (headers === undefined) throw new Error(`The fuzzer does not know how to call as ${caller}`)
    return headers
  }

  /**
   * Credentials are renewed after a request has invalidated them: for the same user if that user still
   * exists and has room.
   */
  async #makeCredentials(): Promise<Readonly<Record<string, InjectOptions['headers']>>> {
    this.#renewals += 1
    const isFull = this.#renewals % renewalsOfUser === 0
    const cookie = (isFull ? undefined : await this.#signInAgain()) ?? (await this.#signUp())
    const headers = { cookie }
    const user: TestBrowser['inject'] = (options) =>
      this.#testApp.inject({ ...options, headers: { ...options.headers, ...headers } })
    const browser = { username: this.#username, cookies: {}, inject: user }
    const { id } = await registerTestDevice(browser)
    const token = await createTestToken(browser, id)
    const relayToken = await createTestToken(browser, id, undefined, 'relay')
    const { key } = await createTestApiKey(browser, fuzzedScopes)
    this.#known.learn({ username: this.#username, id: [id, token.id] })
    return {
      user: headers,
      operator: { cookie: this.#operatorCookie ?? cookie },
      device: { authorization: `Bearer ${token.token}` },
      agent: { authorization: `Bearer ${relayToken.token}` },
      apiKey: { authorization: `Bearer ${key}` },
      nobody: {},
      'a made-up cookie': { cookie: cookie.replaceAll(/\w(?=\w{8};)/g, 'x') },
      'a made-up token': { authorization: `Bearer apd_${'x'.repeat(43)}` },
    }
  }

  async #signUp(): Promise<string> {
    const { username, cookies } = await this.#testApp.signUp()
    this.#username = username
    return cookieOf(cookies)
  }

  async #signInAgain(): Promise<string | undefined> {
    if (this.#username === '') return undefined
    const { statusCode, cookies } = await this.#testApp.inject({
      method: 'POST',
      url: '/api/auth/password-login',
      payload: { username: this.#username, password: testPassword },
    })
    if (statusCode !== 200) return undefined
    return cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  }
}

function cookieOf(cookies: Readonly<Record<string, string>>): string {
  return Object.entries(cookies)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ')
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
