import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import {
  directoryPath,
  wellKnownPath,
  type DirectoryDevice,
  type DirectoryEntry,
  type DirectoryIsland,
  type KeyChange,
  type StatementHead,
} from '@astropelago/contract/neighbour-directory'
import type { AddressInfo } from 'node:net'
import { followRequests } from '../directory/follow-requests.ts'
import { newPrivateKey, signerOf, signKeyChange, type Said, type Statement } from '../statements.ts'

export function deviceEntry(device: Partial<DirectoryDevice> = {}): DirectoryEntry {
  const payload = { id: 'one', label: 'Beacon', lat: 1.5, lon: 2.5, status: 'online' } as const
  return { type: 'device', payload: { ...payload, ...device } }
}

export function islandEntry(island: Partial<DirectoryIsland> = {}): DirectoryEntry {
  const payload = {
    id: 'isle',
    slug: 'isle',
    name: 'Faraway',
    kind: 'media',
    picture: 7,
    tagline: 'Music',
    access: 'public',
    isOpen: true,
    deviceId: null,
  } as const
  return { type: 'island', payload: { ...payload, ...island } }
}

export function removal(kind: 'device' | 'island', id: string): DirectoryEntry {
  return { type: `${kind}-removed`, payload: { id } }
}

interface Received {
  readonly after: string | null
  readonly authorization: string | undefined
}

export type PlayedInstallation = Awaited<ReturnType<typeof playInstallation>>

/** An installation that says what its caller wants, also what none would say. Close it at the end. */
export async function playInstallation(now: () => number, wantedPort = 0) {
  let signer = signerOf(newPrivateKey())
  let keyNumber = 1
  let keyChanges: KeyChange[] = []
  const state = {
    name: 'Far Sky',
    epoch: 1000,
    number: 0,
    entries: [] as readonly DirectoryEntry[],
    /** Instead of what an installation sends to a new follower. */
    greet: undefined as ((answer: ServerResponse) => void) | undefined,
    about: {} as object,
    status: 200,
  }
  const asked: Received[] = []
  const open = new Set<ServerResponse>()

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://played')
    if (url.pathname === wellKnownPath) {
      const body = JSON.stringify({
        name: state.name,
        software: 'Played 1',
        key: signer.key,
        keyNumber,
        keyChanges,
        directory: directoryPath,
        islands: count('island'),
        devices: count('device'),
        ...state.about,
      })
      response.end(JSON.stringify(signer.sign(head('about'), body)))
      return
    }
    if (url.pathname !== directoryPath || state.status !== 200) {
      response.writeHead(state.status === 200 ? 404 : state.status).end()
      return
    }
    try {
      readFollower(request.headers.authorization)
    } catch {
      response.writeHead(401).end()
      return
    }
    asked.push({
      after: url.searchParams.get('after'),
      authorization: request.headers.authorization,
    })
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    open.add(response)
    response.on('close', () => open.delete(response))
    if (state.greet !== undefined) state.greet(response)
    else if (url.searchParams.get('after') !== `${state.epoch}-${state.number}`) {
      response.write(eventOf([...pages(state.entries), statement('alive', '[]')]))
    } else response.write(eventOf([statement('alive', '[]')]))
  })
  const listen = async (port: number): Promise<number> => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    // A server that listens at a port of TCP.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return (server.address() as AddressInfo).port
  }
  const port = await listen(wantedPort)
  const address = `http://127.0.0.1:${port}`
  const readFollower = followRequests({ address, clock: now })

  const count = (type: DirectoryEntry['type']) =>
    state.entries.filter((entry) => entry.type === type).length
  const head = (kind: StatementHead['kind'], more: Partial<Said> = {}): Said => {
    const { epoch, number } = state
    return { from: address, kind, at: now(), epoch, number, ...more }
  }
  const statement = (
    kind: StatementHead['kind'],
    body: string,
    more: Partial<Said> = {},
  ): Statement => signer.sign(head(kind, more), body)
  const pages = (entries: readonly DirectoryEntry[], perPage = 500): Statement[] => {
    const total = Math.max(1, Math.ceil(entries.length / perPage))
    return Array.from({ length: total }, (_, index) => {
      const part = entries.slice(index * perPage, (index + 1) * perPage)
      return statement('page', JSON.stringify(part), { page: { index, total } })
    })
  }
  const send = (...statements: readonly Statement[]) => {
    for (const response of open) response.write(eventOf(statements))
  }
  const drop = () => {
    for (const response of open) response.destroy()
  }
  const close = async () => {
    drop()
    server.closeAllConnections()
    server.close()
    if (server.listening) await once(server, 'close')
  }
  return {
    address,
    state,
    asked,
    open,
    key: () => signer.key,
    statement,
    pages,
    send,
    drop,
    close,
    listenAgain: () => listen(port),
    /** Sends a change, and from now on has it. */
    change: (...entries: readonly DirectoryEntry[]) => {
      if (entries.length === 0) return
      state.number += entries.length
      const byId = new Map(state.entries.map((entry) => [subjectOf(entry), entry]))
      for (const entry of entries) {
        byId.delete(subjectOf(entry))
        if (entry.type === 'device' || entry.type === 'island') byId.set(subjectOf(entry), entry)
      }
      state.entries = [...byId.values()]
      send(statement('changes', JSON.stringify(entries)))
    },
    /** Sends changes without remembering them. */
    flip: (entries: readonly DirectoryEntry[]) => {
      state.number += entries.length
      send(statement('changes', JSON.stringify(entries)))
    },
    changeKey: ({ isSigned = true } = {}) => {
      const next = signerOf(newPrivateKey())
      keyNumber += 1
      if (isSigned) keyChanges.push(signKeyChange({ old: signer, next }, address, keyNumber))
      else keyChanges = []
      signer = next
      drop()
    },
  }
}

function subjectOf({ type, payload: { id } }: DirectoryEntry): string {
  return `${type.replace('-removed', '')} ${id}`
}

export function eventOf(statements: readonly Statement[]): string {
  return statements
    .map(({ head, signature, body }) => `data: ${head}\ndata: ${signature}\ndata: ${body}\n\n`)
    .join('')
}
