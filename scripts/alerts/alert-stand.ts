/** A real server, and a receiver of webhooks for its users' alerts. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { changeAlerts } from '@astropelago/contract/alerts'
import { createChannel } from '@astropelago/contract/alert-channels'
import * as v from 'valibot'
import { type HttpClient, signInOverHttp } from '../../apps/server/src/test/http-client.ts'
import { type LaunchedServer, launchServer } from '../../apps/server/src/test/launch-server.ts'
import { freePort } from '../../apps/server/src/test/listen.ts'
import { HonestDevices } from '../honest-devices.ts'
import { Receiver } from './receiver.ts'

/** Long enough for a device that reports each second to survive a restart of the server. */
export const windowS = 4
/** More password hashes than this at once would queue up. */
const atOnce = 2

export interface Device {
  readonly id: string
  readonly token: string
}

/** A user who has one webhook. */
export interface Owner {
  readonly client: HttpClient
  /** The path of the webhook's URL. */
  readonly path: string
  readonly secret: string
  readonly devices: readonly Device[]
}

const Call = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    type: v.string(),
    data: v.object({ items: v.array(v.object({ id: v.string(), status: v.string() })) }),
  }),
)

/** A message that an owner received, with the number of calls that delivered it. */
export interface Told {
  readonly key: string
  readonly type: string
  readonly deviceIds: readonly string[]
  readonly calls: number
}

export class AlertStand {
  readonly receiver: Receiver
  readonly devices = new HonestDevices()
  readonly port: string
  readonly #settings: Readonly<Record<string, string>>
  readonly #folder = mkdtempSync(join(tmpdir(), 'astropelago-alerts-'))
  #server: LaunchedServer | undefined

  private constructor(
    port: number,
    receiver: Receiver,
    settings: Readonly<Record<string, string>>,
  ) {
    this.port = String(port)
    this.receiver = receiver
    this.#settings = settings
  }

  static async open(settings: Readonly<Record<string, string>> = {}): Promise<AlertStand> {
    const stand = new AlertStand(await freePort(), await Receiver.open(), settings)
    await stand.startServer()
    return stand
  }

  get url(): string {
    return `http://localhost:${this.port}`
  }

  /**
   * Keeps the data of earlier starts.
   * @param aheadMs how far the server's clock is ahead
   */
  async startServer({ aheadMs = 0 } = {}): Promise<void> {
    const ahead = `data:text/javascript,const now=Date.now;Date.now=()=>now()+${aheadMs}`
    this.#server = await launchServer({
      env: {
        PATH: process.env['PATH'],
        HOST: '127.0.0.1',
        PORT: this.port,
        PUBLIC_URL: this.url,
        DATA_DIR: join(this.#folder, 'data'),
        LIMIT_EXEMPT: '127.0.0.0/8',
        ALLOW_PRIVATE_TARGETS: 'on',
        ONLINE_WINDOW_S: String(windowS),
        NODE_OPTIONS: `--import "${ahead}"`,
        ...this.#settings,
      },
    })
  }

  async killServer(signal: NodeJS.Signals): Promise<void> {
    assert.ok(this.#server !== undefined)
    this.#server.kill(signal)
    await this.#server.exited
  }

  /**
   * Makes users with this many devices each.
   * @param below the first part of their webhooks' paths
   */
  async makeOwners(
    name: string,
    count: number,
    deviceCount: number,
    below?: 'hooks' | 'hangs' | 'later',
  ): Promise<Owner[]> {
    const names = Array.from({ length: count }, (_, at) => `${name}-${at}`)
    return await sideBySide(names, (username) => this.makeOwner(username, deviceCount, below))
  }

  async makeOwner(username: string, deviceCount: number, below = 'hooks'): Promise<Owner> {
    const client = await signInOverHttp(this.url, username)
    const path = `/${below}/${username}`
    const settings = { kind: 'webhook', url: this.receiver.url + path }
    const made = await client.call('POST', createChannel.path, { name: 'Hook', settings })
    assert.equal(made.status, 201)
    const { secret } = v.parse(v.object({ secret: v.string() }), await made.json())
    const devices: Device[] = []
    while (devices.length < deviceCount) {
      const id = await client.registerDevice()
      devices.push({ id, token: await client.createToken(id) })
    }
    return { client, path, secret, devices }
  }

  /** Turns these owners' alerts about recoveries off. */
  async tellNoReturns(owners: readonly Owner[]): Promise<void> {
    await sideBySide(owners, async ({ client }) => {
      const answer = await client.call(changeAlerts.method, changeAlerts.path, {
        tellsOnline: false,
      })
      assert.equal(answer.status, 200)
    })
  }

  /**
   * Sends one heartbeat for each device.
   * @returns how many the server did not accept
   */
  async beat(devices: readonly Device[]): Promise<number> {
    const answers = await Promise.all(
      devices.map(({ token }) => this.devices.send(this.port, token)),
    )
    return answers.filter((status) => status !== 204).length
  }

  toldTo({ path }: Pick<Owner, 'path'>): Told[] {
    const byKey = Map.groupBy(this.receiver.of(path), ({ headers }) =>
      String(headers['webhook-id']),
    )
    return [...byKey].map(([key, calls]) => {
      const { type, data } = v.parse(Call, calls[0]?.body.toString())
      return { key, type, deviceIds: data.items.map(({ id }) => id), calls: calls.length }
    })
  }

  async close(): Promise<void> {
    await this.killServer('SIGKILL')
    this.receiver.close()
    this.devices.leave()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

/** Works on a few items at once. Results are in the order of the items. */
async function sideBySide<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (let from = 0; from < items.length; from += atOnce) {
    results.push(...(await Promise.all(items.slice(from, from + atOnce).map(work))))
  }
  return results
}
