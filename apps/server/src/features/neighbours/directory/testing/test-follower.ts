import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { randomUUID } from 'node:crypto'
import {
  DirectoryEntries,
  directoryPath,
  readInstallation,
  type AboutInstallation,
  type DirectoryEntry,
  type SignedStatement,
  type StatementHead,
} from '@astropelago/contract/neighbour-directory'
import { onTestFinished } from 'vitest'
import * as v from 'valibot'
import type { TestApp } from '../../../../test/create-test-app.ts'
import { authorizationOf } from '../follow-requests.ts'
import {
  importKey,
  newPrivateKey,
  readHead,
  readStatement,
  signerOf,
  type Said,
} from '../../statements.ts'

export interface Received {
  readonly head: StatementHead
  readonly entries: readonly DirectoryEntry[]
}

/** Signs requests as an installation that follows the given address. */
export function testRequests(to: string, clock: TestApp['clock']) {
  const signer = signerOf(newPrivateKey())
  const authorization = (changes: Partial<Said> = {}, follow: Partial<Said['follow']> = {}) => {
    const said: Said = {
      from: 'https://follower.example',
      kind: 'follow',
      at: clock.now(),
      epoch: 0,
      number: 0,
      follow: { to, key: signer.key, nonce: randomUUID(), ...follow },
      ...changes,
    }
    return authorizationOf(signer.sign(said, ''))
  }
  return { signer, authorization }
}

/** Follows a server on a real socket, checks each statement, and holds what it was given. */
export async function testFollower({ app, clock, inject }: TestApp) {
  if (!app.server.listening) await app.listen({ host: '127.0.0.1', port: 0 })
  const about = (await inject({ url: readInstallation.path })).json<SignedStatement>()
  const { from: address } = readHead(about.head)
  const { authorization, signer } = testRequests(address, clock)
  const received: Received[] = []
  const held = new Map<string, DirectoryEntry>()
  let pagesLeft = 0
  let open: { readonly response: IncomingMessage; readonly isOver: () => boolean } | undefined

  const take = (event: string, key: ReturnType<typeof importKey>) => {
    const [said = '', signature = '', body = ''] = event
      .split('\n')
      .map((line) => line.slice('data: '.length))
    const head = readStatement({ head: said, signature, body }, key)
    const entries = v.parse(v.pipe(v.string(), v.parseJson(), DirectoryEntries), body)
    if (head.page?.index === 0) held.clear()
    if (head.page !== undefined) pagesLeft = head.page.total - head.page.index - 1
    for (const entry of entries) {
      const [kind = ''] = entry.type.split('-')
      const id = `${kind} ${entry.payload.id}`
      if (entry.type === 'device' || entry.type === 'island') held.set(id, entry)
      else held.delete(id)
    }
    received.push({ head, entries })
  }
  const readKey = async () => {
    const { body } = (await inject({ url: readInstallation.path })).json<SignedStatement>()
    const { key }: AboutInstallation = JSON.parse(body)
    return importKey(key)
  }

  const follower = {
    received,
    signer,
    authorization,
    held: () => [...held.values()].toSorted((a, b) => (a.payload.id < b.payload.id ? -1 : 1)),
    last: () => received.at(-1)?.head,
    isWhole: () => pagesLeft === 0,
    isOver: () => open?.isOver() ?? true,
    close: () => {
      open?.response.socket.destroy()
      open = undefined
    },
    /** @param after `<epoch>-<number>`; by default after the last statement */
    connect: async (after?: string) => {
      const key = await readKey()
      const last = received.at(-1)?.head
      const position = after ?? (last === undefined ? '' : `${last.epoch}-${last.number}`)
      const sent = request({
        host: '127.0.0.1',
        port: new URL(app.listeningOrigin).port,
        path: `${directoryPath}${position === '' ? '' : `?after=${position}`}`,
        headers: { authorization: authorization() },
        agent: false,
      })
      onTestFinished(() => void sent.destroy())
      sent.on('error', () => sent.destroy())
      sent.end()
      const [response]: IncomingMessage[] = await once(sent, 'response')
      if (response === undefined) throw new Error('There was no answer')
      let isOver = false
      let text = ''
      response.setEncoding('utf8')
      response.on('error', () => undefined)
      response.on('close', () => {
        isOver = true
      })
      response.on('data', (part: string) => {
        text += part
        const events = text.split('\n\n')
        text = events.pop() ?? ''
        for (const event of events) if (event.startsWith('data: ')) take(event, key)
      })
      open = { response, isOver: () => isOver }
      return response.statusCode
    },
  }
  return follower
}
