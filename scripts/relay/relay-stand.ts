/** A real server with islands at home, for tests of its relay. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { type HttpClient, signInOverHttp } from '../../apps/server/src/test/http-client.ts'
import { type LaunchedServer, launchServer } from '../../apps/server/src/test/launch-server.ts'
import { freePort } from '../../apps/server/src/test/listen.ts'
import { waitUntil } from '../proxy-checks.ts'
import { makeIsland } from './make-island.ts'

export interface RelayedIsland {
  readonly id: string
  readonly slug: string
  /** The host name that visitors' browsers use. */
  readonly host: string
  /** The token for the agents of the island's device. */
  readonly tokenFile: string
}

interface Asked {
  readonly method?: string
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
}

interface AgentOptions {
  /** The arguments that say what it carries, and any others. */
  readonly args: readonly string[]
  /** Another address of the server than its own port. */
  readonly server?: string
  /** The Node that runs it; the pinned one by default. */
  readonly node?: string
}

export interface RunningAgent {
  readonly output: () => string
  /** Resolves when the agent has ended. */
  readonly kill: (signal: NodeJS.Signals) => Promise<void>
}

export class RelayStand {
  readonly port: number
  readonly folder = mkdtempSync(join(tmpdir(), 'astropelago-relay-'))
  readonly agentFile = join(this.folder, 'agent.mjs')
  readonly #settings: Readonly<Record<string, string>>
  readonly #agents = new Set<ChildProcess>()
  #server: LaunchedServer | undefined
  #made = 0

  private constructor(port: number, settings: Readonly<Record<string, string>>) {
    this.port = port
    this.#settings = settings
  }

  /** Starts a server, and downloads the agent that it serves. */
  static async open(settings: Readonly<Record<string, string>> = {}): Promise<RelayStand> {
    const stand = new RelayStand(await freePort(), settings)
    try {
      await stand.startServer()
      const agent = await fetch(`${stand.url}/agent.mjs`)
      assert.equal(agent.status, 200)
      writeFileSync(stand.agentFile, await agent.text())
      return stand
    } catch (error) {
      await stand.close()
      throw error
    }
  }

  get url(): string {
    return `http://localhost:${this.port}`
  }

  get server(): LaunchedServer {
    assert.ok(this.#server !== undefined)
    return this.#server
  }

  /** Always at the same address and with the same data. */
  async startServer(): Promise<void> {
    this.#server = await launchServer({
      env: {
        PATH: process.env['PATH'],
        HOST: '127.0.0.1',
        PORT: String(this.port),
        PUBLIC_URL: this.url,
        DATA_DIR: join(this.folder, 'data'),
        LIMIT_EXEMPT: '127.0.0.1',
        ...this.#settings,
      },
    })
  }

  async killServer(signal: NodeJS.Signals): Promise<void> {
    this.server.kill(signal)
    await this.server.exited
  }

  /** A public island with a device of its own. */
  async makeIsland(host?: HttpClient): Promise<RelayedIsland> {
    this.#made += 1
    const client = host ?? (await signInOverHttp(this.url, `host-${this.#made}`))
    const letters = String(this.#made).replaceAll(/\d/g, (digit) =>
      'aefghjkmpq'.charAt(Number(digit)),
    )
    const { id, slug, token } = await makeIsland(client, `harbor-${letters}`)
    const tokenFile = join(this.folder, `token-${this.#made}`)
    writeFileSync(tokenFile, token, { mode: 0o600 })
    const domain = this.#settings['RELAY_DOMAIN'] ?? 'localhost'
    return { id, slug, host: `${slug}.${domain}:${this.port}`, tokenFile }
  }

  /** Resolves when the agent is connected. */
  async runAgent({ tokenFile }: RelayedIsland, options: AgentOptions): Promise<RunningAgent> {
    const { args, server = this.url, node = process.execPath } = options
    const child = spawn(
      node,
      [this.agentFile, '--server', server, '--token-file', tokenFile, ...args],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    this.#agents.add(child)
    const ended = once(child, 'close').then(() => this.#agents.delete(child))
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    await waitUntil(async () => {
      assert.equal(child.exitCode, null, output)
      return / connected as /.test(output)
    }, 'an agent connects')
    return {
      output: () => output,
      kill: async (signal) => {
        child.kill(signal)
        await ended
      },
    }
  }

  /** Begins a visitor's request. The visitor closes the connection afterwards. */
  async begin(host: string, { headers, ...asked }: Asked = {}): Promise<IncomingMessage> {
    const sent = request({
      host: '127.0.0.1',
      port: this.port,
      agent: false,
      ...asked,
      headers: { host, ...headers },
    })
    sent.end()
    const [answer]: IncomingMessage[] = await once(sent, 'response')
    assert.ok(answer !== undefined)
    return answer
  }

  async visit(host: string, asked?: Asked) {
    const answer = await this.begin(host, asked)
    return {
      status: answer.statusCode ?? 0,
      headers: answer.headers,
      body: await buffer(answer),
    }
  }

  async close(): Promise<void> {
    for (const child of this.#agents) {
      child.kill('SIGKILL')
      await once(child, 'close')
    }
    if (this.#server !== undefined) await this.killServer('SIGKILL')
    rmSync(this.folder, { recursive: true, force: true })
  }
}
