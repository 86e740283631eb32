import { setTimeout as wait } from 'node:timers/promises'
import { DeviceToken } from '@astropelago/contract/devices'
import * as v from 'valibot'
import { testPassword } from './factories.ts'
import { sendHeartbeatOverHttp, signInOverHttp, type HttpClient } from './http-client.ts'

/** The last acknowledged number of each kind of change. Numbers grow with each change. */
type Acknowledged = ReadonlyMap<string, number>

/** Changes something of one user again and again, with a number that grows each time. */
interface Writer {
  readonly change: (number: number, note: (what: string, number: number) => void) => Promise<void>
  /** What a server has of it: the last number that was kept, by kind of change. */
  readonly find: (client: HttpClient) => Promise<Readonly<Record<string, number>>>
}

interface Storm {
  /** What has been acknowledged so far, by writer. */
  readonly acknowledged: () => readonly Acknowledged[]
  /** Resolves when the server is gone, with what ended each writer. */
  readonly ended: Promise<readonly string[]>
  /** What a server that should have everything does not have. */
  readonly findLost: (url: string, acknowledged: readonly Acknowledged[]) => Promise<string[]>
}

const users = 3
/** Things are deleted this many changes after they were made. */
const age = 2

/** Lets writers of every kind write as fast as the server acknowledges. */
export async function startStorm(url: string): Promise<Storm> {
  const writers: { readonly user: string; readonly writer: Writer }[] = []
  for (let at = 0; at < users; at += 1) {
    const user = `user-${at}`
    const client = await signInOverHttp(url, user)
    const all = [
      await heartbeats(client, url),
      await heartbeats(client, url),
      devices(client),
      await changes(client),
      await tokens(client),
      profile(client),
      values(client),
    ]
    for (const writer of all) writers.push({ user, writer })
  }
  writers.push({ user: 'user-0', writer: accounts(url) })

  const acknowledged = writers.map(() => new Map<string, number>())
  const ended = Promise.all(
    writers.map(async ({ writer }, at): Promise<string> => {
      for (let number = 1; ; number += 1) {
        try {
          await writer.change(number, (what, last) => acknowledged[at]?.set(what, last))
        } catch (error) {
          return error instanceof Error ? error.message : String(error)
        }
      }
    }),
  )
  return {
    acknowledged: () => acknowledged.map((counts) => new Map(counts)),
    ended,
    findLost: async (other, expected) => {
      const lost: string[] = []
      const clients = new Map<string, HttpClient>()
      for (const [at, { user, writer }] of writers.entries()) {
        const client = clients.get(user) ?? (await signInOverHttp(other, user))
        clients.set(user, client)
        const found = await writer.find(client)
        for (const [what, number] of expected[at] ?? []) {
          const kept = found[what] ?? 0
          if (kept < number) lost.push(`${user}: ${what} ${number}, and ${kept} is there`)
        }
      }
      return lost
    },
  }
}

function isRaging(counts: Acknowledged): boolean {
  return Math.max(0, ...counts.values()) > age + 1
}

/** Waits until every writer has made enough changes to have deleted something. */
export async function untilRaging({ acknowledged, ended }: Storm): Promise<void> {
  let ends: readonly string[] | undefined
  void ended.then((reasons) => (ends = reasons))
  while (!acknowledged().every(isRaging)) {
    if (ends !== undefined) throw new Error(`The storm is over: ${[...new Set(ends)].join(', ')}`)
    await wait(50)
  }
}

async function call(
  client: HttpClient,
  ...[method, path, body]: Parameters<HttpClient['call']>
): Promise<Response> {
  const response = await client.call(method, path, body)
  if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status}`)
  return response
}

async function heartbeats(client: HttpClient, url: string): Promise<Writer> {
  const id = await client.registerDevice()
  const token = await client.createToken(id)
  return {
    // The number is a time.
    change: async (_, note) => {
      const sentMs = Date.now()
      const status = await sendHeartbeatOverHttp(url, token)
      if (status !== 204) throw new Error(`A heartbeat was answered with ${status}`)
      note('heartbeat at', sentMs)
    },
    find: async (other) => {
      const device = (await other.listOwnDevices()).find((own) => own.id === id)
      return { 'heartbeat at': Date.parse(device?.lastSeenAt ?? '') || 0 }
    },
  }
}

/** A first heartbeat cannot be replaced by any other one. */
function devices(client: HttpClient): Writer {
  const ids: string[] = []
  return {
    change: async (number, note) => {
      const id = await client.registerDevice()
      ids[number] = id
      note('device registered', number)
      await call(client, 'POST', `/api/devices/heartbeat?id=${id}`)
      note('first heartbeat', number)
      const old = ids[number - age]
      if (old === undefined) return
      await call(client, 'DELETE', `/api/devices/${old}`)
      note('device deleted', number - age)
    },
    find: async (other) => {
      const own = new Map((await other.listOwnDevices()).map((device) => [device.id, device]))
      const kept = [...ids.entries()].filter(([, id]) => own.has(id))
      return {
        'device registered': kept.at(-1)?.[0] ?? 0,
        'first heartbeat': kept.findLast(([, id]) => own.get(id)?.lastSeenAt !== null)?.[0] ?? 0,
        'device deleted': (kept[0]?.[0] ?? 0) - 1,
      }
    },
  }
}

async function changes(client: HttpClient): Promise<Writer> {
  const id = await client.registerDevice()
  return {
    change: async (number, note) => {
      await call(client, 'PATCH', `/api/devices/${id}`, {
        label: String(number),
        visibility: number % 2 === 0 ? 'public' : 'private',
      })
      note('device changed', number)
    },
    find: async (other) => {
      const device = (await other.listOwnDevices()).find((own) => own.id === id)
      return { 'device changed': Number(device?.label) }
    },
  }
}

async function tokens(client: HttpClient): Promise<Writer> {
  const deviceId = await client.registerDevice()
  const list = async (other: HttpClient) => {
    const response = await call(other, 'GET', `/api/devices/${deviceId}/tokens`)
    return v.parse(v.array(DeviceToken), await response.json())
  }
  return {
    change: async (number, note) => {
      await call(client, 'POST', '/api/devices/token', { deviceId, label: String(number) })
      note('token created', number)
      const old = (await list(client)).find(({ label }) => Number(label) === number - age)
      if (old === undefined) return
      await call(client, 'DELETE', `/api/devices/tokens/${old.id}`)
      note('token revoked', number - age)
    },
    find: async (other) => {
      const labels = (await list(other)).map(({ label }) => Number(label))
      return { 'token created': Math.max(...labels), 'token revoked': Math.min(...labels) - 1 }
    },
  }
}

function profile(client: HttpClient): Writer {
  return {
    change: async (number, note) => {
      await call(client, 'PATCH', '/api/me', { name: String(number) })
      note('profile changed', number)
    },
    find: async (other) => {
      const answer: unknown = await (await call(other, 'GET', '/_spark/user')).json()
      return { 'profile changed': Number(v.parse(v.object({ name: v.string() }), answer).name) }
    },
  }
}

function values(client: HttpClient): Writer {
  const write = (key: string, value: string) => call(client, 'POST', `/_spark/kv/${key}`, value)
  return {
    change: async (number, note) => {
      await write('count', String(number))
      note('value written', number)
      await write(String(number), '1')
      note('key made', number)
      await call(client, 'DELETE', `/_spark/kv/${number - age}`)
      note('key deleted', number - age)
    },
    find: async (other) => {
      const list: unknown = await (await call(other, 'GET', '/_spark/kv')).json()
      const names = v.parse(v.array(v.string()), list)
      const keys = names.filter((name) => name !== 'count').map(Number)
      return {
        'value written': Number(await (await call(other, 'GET', '/_spark/kv/count')).text()),
        'key made': Math.max(...keys),
        'key deleted': Math.min(...keys) - 1,
      }
    },
  }
}

/** Registers and signs in new users. Each one's predecessor signs out. */
function accounts(url: string): Writer {
  const cookies: string[] = []
  return {
    change: async (number, note) => {
      const response = await fetch(new URL('/api/auth/register', url), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username: `new-${number}`, password: testPassword }),
      })
      if (!response.ok) throw new Error(`Registering was answered with ${response.status}`)
      cookies[number] = response.headers.getSetCookie().map(nameAndValue).join('; ')
      note('user registered', number)
      const cookie = cookies[number - 1]
      if (cookie === undefined) return
      const out = await fetch(new URL('/api/auth/logout', url), { headers: { cookie } })
      if (!out.ok) throw new Error(`Signing out was answered with ${out.status}`)
      note('user signed out', number - 1)
    },
    find: async ({ url: other }) => {
      const signedIn: number[] = []
      for (const [number, cookie] of cookies.entries()) {
        if (cookie !== undefined && (await isSignedIn(other, cookie))) signedIn.push(number)
      }
      return {
        'user registered': Math.max(...signedIn),
        'user signed out': Math.min(...signedIn) - 1,
      }
    },
  }
}

async function isSignedIn(url: string, cookie: string): Promise<boolean> {
  const { status } = await fetch(new URL('/api/me', url), { headers: { cookie } })
  return status === 200
}

function nameAndValue(setCookie: string): string {
  return setCookie.split(';', 1)[0] ?? ''
}
