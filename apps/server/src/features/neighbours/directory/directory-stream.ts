import { setImmediate as otherWork } from 'node:timers/promises'
import { readSequence } from '@astropelago/contract/feed'
import type { DirectoryEntry, StatementHead } from '@astropelago/contract/neighbour-directory'
import type { Clock } from '../../../clock.ts'
import { chunk, chunkedEventStream, type EventStreamEncoding } from '../../../http/event-stream.ts'
import { PacedAnswer } from '../../../paced-answer.ts'
import type { PublicMessages } from '../../../public-messages.ts'
import type { Feed, FeedReader } from '../../feed/public.ts'
import type { Installation } from '../installation.ts'
import type { Said, Statement } from '../statements.ts'
import type { SharedSubjects } from './shared-subjects.ts'

const entriesPerPage = 500
/** 100,000 entries take about 0.4 s, in turns of this length. */
const turnMs = 10
/** After this many withdrawals amid its making, a snapshot is given as it is: removals follow it at once. */
const snapshotTries = 5
const farewellMs = 1000

interface DirectoryStreamParts {
  readonly address: string
  readonly feed: Feed
  readonly messages: Pick<PublicMessages, 'sealed' | 'isCurrent' | 'onWithdraw'>
  readonly subjects: SharedSubjects
  readonly clock: Clock
}

interface Snapshot {
  readonly by: Speaking | undefined
  readonly sequence: string
  readonly pages: readonly Buffer[]
}

/** As whom this installation speaks until its key or its epoch changes. */
interface Speaking extends Pick<Installation, 'signer' | 'keyNumber' | 'keyChanges'> {
  readonly epoch: number
  /** New ones each time, because the feed caches what they made. */
  readonly plain: EventStreamEncoding
  readonly chunked: EventStreamEncoding
}

const nothing = Buffer.alloc(0)

/** The live feed as signed statements about what is shared, made once for all followers ([F3]). */
export function directoryStream(parts: DirectoryStreamParts) {
  const { address, feed, messages, subjects, clock } = parts
  let speaking: Speaking | undefined
  let withdrawals = 0
  const readers = new Set<FeedReader>()

  const sign = (
    said: Omit<Said, 'from' | 'at' | 'epoch'>,
    body: string,
    { signer, epoch }: Pick<Speaking, 'signer' | 'epoch'>,
  ): Statement => signer.sign({ from: address, at: clock(), epoch, ...said }, body)

  const snapshots = new PacedAnswer<Snapshot>({
    make: async () => {
      for (let tries = 1; ; tries += 1) {
        const before = withdrawals
        const snapshot = await makeSnapshot()
        if (before === withdrawals || tries === snapshotTries) return snapshot
      }
    },
    isCurrent: ({ sequence }) => messages.isCurrent(sequence),
    clock,
  })
  messages.onWithdraw((kind, key) => {
    // What came from neighbours goes no further.
    if ((kind !== 'device' && kind !== 'island') || !subjects.had({ kind, key })) return
    subjects.withdraw({ kind, key })
    withdrawals += 1
    snapshots.forget()
  })

  const makeSnapshot = async (): Promise<Snapshot> => {
    const sequence = await messages.sealed()
    const as = speaking
    if (as === undefined) return { by: as, sequence, pages: [] }
    const all = subjects.all()
    const total = Math.max(1, Math.ceil(all.length / entriesPerPage))
    const number = numberOf(sequence)
    const pages: Buffer[] = []
    let turnStartMs = performance.now()
    for (let index = 0; index < total; index += 1) {
      const part = all.slice(index * entriesPerPage, (index + 1) * entriesPerPage)
      const entries = part.flatMap((subject) => subjects.entryOf(subject) ?? [])
      const page = { kind: 'page', number, page: { index, total } } as const
      pages.push(eventOf(sign(page, JSON.stringify(entries), as)))
      if (performance.now() - turnStartMs < turnMs) continue
      await otherWork()
      turnStartMs = performance.now()
    }
    return { by: as, sequence, pages }
  }

  const speakAs = (installation: Installation, epoch: number): Speaking => {
    const as = { ...installation, epoch }
    const changes = (entries: readonly DirectoryEntry[], number: number) =>
      entries.length === 0
        ? nothing
        : eventOf(sign({ kind: 'changes', number }, JSON.stringify(entries), as))
    const alive = () => eventOf(sign({ kind: 'alive', number: feed.lastNumber }, '[]', as))
    const encoding = (frame: (event: Buffer) => Buffer): EventStreamEncoding => ({
      // Only `reload` comes without a batch. The stream ends after it, which says the same.
      message: () => nothing,
      batch: () => nothing,
      translate: (batch) => {
        const event = changes(subjects.translate(batch), numberOf(batch.at(-1)?.sequence ?? ''))
        return event === nothing ? nothing : frame(event)
      },
      get beat() {
        return frame(alive())
      },
    })
    return {
      ...as,
      plain: encoding((event) => event),
      chunked: encoding((event) => chunk([event])),
    }
  }

  const leave = (reader: FeedReader) => {
    readers.delete(reader)
    feed.leave(reader)
  }

  return {
    speaking: () => speaking,
    about: (body: string, as: Speaking): Statement =>
      sign({ kind: 'about', number: feed.lastNumber }, body, as),
    /** Ends all streams if it is another key or epoch than before. */
    speak: (installation: Installation): void => {
      const epoch = installation.epochOf(readSequence(feed.sequence)?.epoch ?? '')
      const isSame = speaking?.epoch === epoch && speaking?.signer.key === installation.signer.key
      if (isSame && epoch !== undefined) return
      speaking = epoch === undefined ? undefined : speakAs(installation, epoch)
      snapshots.forget()
      for (const reader of readers) {
        leave(reader)
        reader.end('reload')
        setTimeout(() => reader.destroy(), farewellMs).unref()
      }
    },
    /** The sequence of the live feed that a follower has reached; undefined if it needs a snapshot. */
    sequenceOf: (after: string): string | undefined => {
      const position = readSequence(after)
      const feedEpoch = readSequence(feed.sequence)?.epoch
      if (position === undefined || position.epoch !== String(speaking?.epoch)) return undefined
      return `${feedEpoch}-${position.number}`
    },
    snapshot: () => snapshots.get(),
    /** Gives a follower the snapshot, or what came after its sequence, and everything from then on. */
    listen: (stream: FeedReader, from: Snapshot | string): (() => void) => {
      const isChunked = stream.encoding === chunkedEventStream
      if (speaking === undefined) throw new Error('This installation has no epoch yet')
      const reader: FeedReader = {
        ...stream,
        encoding: isChunked ? speaking.chunked : speaking.plain,
      }
      readers.add(reader)
      if (typeof from === 'string') feed.resume(reader, from)
      // A key may have changed since. Then the follower has to come again.
      else if (from.by !== speaking) feed.resume(reader, '')
      else feed.greet(reader, from.sequence, () => framed(from.pages, isChunked))
      if (feed.has(reader)) reader.write(reader.encoding.beat)
      return () => leave(reader)
    },
  }
}

/** Without copying the pages, which all followers share. */
function framed(pages: readonly Buffer[], isChunked: boolean): readonly Buffer[] {
  if (!isChunked) return pages
  const lineEnd = Buffer.from('\r\n')
  return pages.flatMap((page) => [Buffer.from(`${page.length.toString(16)}\r\n`), page, lineEnd])
}

function eventOf({ head, signature, body }: Statement): Buffer {
  return Buffer.from(`data: ${head}\ndata: ${signature}\ndata: ${body}\n\n`)
}

function numberOf(sequence: string): StatementHead['number'] {
  return readSequence(sequence)?.number ?? 0
}
