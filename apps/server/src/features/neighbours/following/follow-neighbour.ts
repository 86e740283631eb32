import { setTimeout as wait } from 'node:timers/promises'
import {
  directoryPath,
  DirectoryEntries,
  type DirectoryEntry,
} from '@astropelago/contract/neighbour-directory'
import * as v from 'valibot'
import type { Clock } from '../../../clock.ts'
import type { Outgoing } from '../../../outgoing/outgoing.ts'
import { signFollow } from '../directory/follow-requests.ts'
import type { ReadInstallation } from '../installation.ts'
import { InstallationUnreachable, type ReadAbout } from '../read-about.ts'
import { importKey, leadsTo, parseJson, readStatement, StatementRefused } from '../statements.ts'
import type { ChangeBudget } from './change-budget.ts'
import type { DirectoryChanges, DirectoryPosition, NeighbourRecord } from './neighbours-store.ts'
import { readStatements } from './read-statements.ts'
import { StatementOrder } from './statement-order.ts'

/** A neighbour says every 15 seconds that it is there. */
const silentMaxMs = 45_000

/** Its key is another one, and the key that we know did not sign it. */
export class KeyUnknown extends Error {
  readonly key: string

  constructor(key: string) {
    super('Its key is another one, which its last key did not sign.')
    this.key = key
  }
}

/** Whom to follow, and from where on. */
export type Followed = Pick<
  NeighbourRecord,
  'address' | 'publicKey' | 'keyNumber' | 'epoch' | 'number'
>

/** What is done with what a neighbour says, in the order in which it says it. */
export interface Receiver {
  readonly introduce: (about: {
    readonly name: string
    readonly key: string
    readonly keyNumber: number
  }) => Promise<void>
  readonly beginSnapshot: (epoch: number) => Promise<void>
  readonly addPage: (changes: DirectoryChanges) => Promise<void>
  readonly endSnapshot: (position: DirectoryPosition) => Promise<void>
  readonly change: (changes: DirectoryChanges, position: DirectoryPosition) => Promise<void>
  readonly alive: (position: DirectoryPosition) => Promise<void>
}

export interface FollowParts {
  readonly outgoing: Pick<Outgoing, 'open'>
  readonly readAbout: ReadAbout
  readonly installation: ReadInstallation
  /** Ours. */
  readonly address: string
  readonly clock: Clock
}

/**
 * Follows a neighbour until the connection ends. @throws InstallationUnreachable if it does;
 * StatementRefused and KeyUnknown if it has to be held; whatever the receiver throws
 */
export async function followNeighbour(
  neighbour: Followed,
  {
    budget,
    receiver,
    signal,
    ...parts
  }: FollowParts & {
    readonly budget: ChangeBudget
    readonly receiver: Receiver
    readonly signal: AbortSignal
  },
): Promise<never> {
  const { clock } = parts
  const { address } = neighbour
  const about = await parts.readAbout(address)
  const known = { key: neighbour.publicKey, keyNumber: neighbour.keyNumber }
  if (!leadsTo(about.keyChanges, known, about, address)) throw new KeyUnknown(about.key)
  await receiver.introduce(about)

  const order = new StatementOrder({
    address,
    epoch: neighbour.epoch,
    number: neighbour.number,
    now: clock,
  })
  const key = importKey(about.key)
  const silence = new AbortController()
  const until = AbortSignal.any([signal, silence.signal])
  const answer = await openDirectory(neighbour, parts, until)
  let silentSince = performance.now()
  const watch = setInterval(() => {
    if (performance.now() - silentSince > silentMaxMs) silence.abort()
  }, 1000)
  try {
    for await (const statement of readStatements(answer, clock, budget.takeEvent)) {
      silentSince = performance.now()
      const head = readStatement(statement, key)
      const meaning = order.take(head)
      if (meaning.kind === 'page' && meaning.isFirst) {
        budget.takeSnapshot()
        await receiver.beginSnapshot(head.epoch)
      }
      const { position } = order
      if (meaning.kind === 'alive') {
        if (position !== undefined) await receiver.alive(position)
        continue
      }
      const entries = entriesOf(statement.body)
      const changes = changesOf(entries)
      if (meaning.kind === 'page') await receiver.addPage(changes)
      else {
        budget.takeChanges(entries.length)
        if (position !== undefined) await receiver.change(changes, position)
      }
      if (meaning.kind === 'page' && meaning.isLast && position !== undefined) {
        await receiver.endSnapshot(position)
      }
      // What came in one piece of the network must not hold up others.
      await wait(0)
    }
  } catch (error) {
    if (isOfNetwork(error)) throw new InstallationUnreachable('The connection to it broke.')
    throw error
  } finally {
    clearInterval(watch)
    answer.destroy()
  }
  throw new InstallationUnreachable('It ended the connection.')
}

async function openDirectory(
  { address, epoch, number }: Followed,
  { outgoing, installation, address: from, clock }: Omit<FollowParts, 'readAbout'>,
  signal: AbortSignal,
) {
  const { signer } = await installation()
  const after = epoch === null || number === null ? '' : `?after=${epoch}-${number}`
  const opened = await outgoing.open({
    url: `${address}${directoryPath}${after}`,
    headers: {
      accept: 'text/event-stream',
      authorization: signFollow(signer, { from, to: address, at: clock() }),
    },
    signal,
  })
  if (opened.kind === 'failed') throw new InstallationUnreachable(opened.note)
  const { status, answer } = opened
  if (status === 200) return answer
  answer.destroy()
  const note =
    status === 403
      ? 'Its operator does not let us follow.'
      : `It answered with the status ${status} when we asked to follow.`
  throw new InstallationUnreachable(note)
}

/** @throws StatementRefused */
function entriesOf(body: string): readonly DirectoryEntry[] {
  const json = parseJson(v.unknown(), body)
  if (json === undefined) {
    throw new StatementRefused('It sends islands or devices that can’t be read.')
  }
  const entries = v.safeParse(DirectoryEntries, json, { abortEarly: true })
  if (entries.success) return entries.output
  throw new StatementRefused('It sends islands or devices that no installation has.')
}

/** Of several entries about one subject, the last counts. */
function changesOf(entries: readonly DirectoryEntry[]): DirectoryChanges {
  const last = new Map<string, DirectoryEntry>()
  for (const entry of entries) {
    const kind = entry.type.replace('-removed', '')
    last.set(`${kind} ${entry.payload.id}`, entry)
  }
  const all = [...last.values()]
  return {
    devices: all.flatMap((entry) => (entry.type === 'device' ? entry.payload : [])),
    islands: all.flatMap((entry) => (entry.type === 'island' ? entry.payload : [])),
    removed: all.flatMap(({ type, payload: { id } }) => {
      if (type === 'device-removed') return { kind: 'device' as const, id }
      return type === 'island-removed' ? { kind: 'island' as const, id } : []
    }),
  }
}

function isOfNetwork(error: unknown): boolean {
  return error instanceof Error && ('code' in error || error.name === 'AbortError')
}
