import { Agent, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { ServerProcess } from '../server/server-process.ts'
import { keystrokes } from './made-names.ts'

/** Enough for 20 keystrokes a second within the limit of 20 in 10 s per user, with some to spare. */
const typistCount = 15
const perSecond = 20

/** Users who type into the search, each with a session, one keystroke after the other. */
export class Typists {
  readonly #url: string
  readonly #cookies: readonly string[]
  readonly #agent = new Agent({ keepAlive: true })
  #typed = 0

  private constructor(url: string, cookies: readonly string[]) {
    this.#url = url
    this.#cookies = cookies
  }

  static async open({ url }: ServerProcess): Promise<Typists> {
    const cookies = await Promise.all(
      Array.from({ length: typistCount }, async () => {
        const response = await fetch(`${url}/api/auth/demo`, { method: 'POST' })
        if (!response.ok) throw new Error(`no typist: ${await response.text()}`)
        return response.headers
          .getSetCookie()
          .map((cookie) => cookie.split(';', 1)[0])
          .join('; ')
      }),
    )
    return new Typists(url, cookies)
  }

  /** Types every keystroke once. @returns the time of each in ms */
  async typeAll(): Promise<readonly number[]> {
    return await this.typeWhile(keystrokes.length)
  }

  /** Types 20 keystrokes a second, from where the last call stopped. */
  async typeWhile(count: number): Promise<readonly number[]> {
    const tookMs: number[] = []
    const startedMs = performance.now()
    for (let at = 0; at < count; at += 1) {
      const dueMs = startedMs + (at * 1000) / perSecond
      await wait(Math.max(0, dueMs - performance.now()))
      tookMs.push(await this.#type())
    }
    return tookMs
  }

  close(): void {
    this.#agent.destroy()
  }

  async #type(): Promise<number> {
    const text = keystrokes[this.#typed % keystrokes.length] ?? ''
    const cookie = this.#cookies[this.#typed % this.#cookies.length] ?? ''
    this.#typed += 1
    const startedMs = performance.now()
    const { statusCode, body } = await this.#get(
      `/api/search?q=${encodeURIComponent(text)}`,
      cookie,
    )
    const tookMs = performance.now() - startedMs
    if (statusCode !== 200) throw new Error(`a search was answered ${statusCode}: ${body}`)
    return tookMs
  }

  #get(path: string, cookie: string): Promise<{ statusCode: number | undefined; body: string }> {
    return new Promise((resolve, reject) => {
      const asked = request(this.#url + path, { agent: this.#agent, headers: { cookie } })
      asked.on('error', reject)
      asked.on('response', (response) => {
        let body = ''
        response.setEncoding('utf8')
        response.on('data', (part: string) => (body += part))
        response.on('end', () => resolve({ statusCode: response.statusCode, body }))
      })
      asked.end()
    })
  }
}
