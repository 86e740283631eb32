/** Fills a room with pages that send messages, in a process of its own. Its argument is a load as JSON. */
import { setTimeout as wait } from 'node:timers/promises'
import { quantile } from '../quantile.ts'
import { RoomPage, type Batches, type Sent } from './room-page.ts'

export interface RoomLoad {
  /** The servers that the pages are spread over. */
  readonly ports: readonly number[]
  readonly pages: number
  readonly perSecond: number
  readonly seconds: number
}

export interface RoomFigures {
  /** From sending a message until the last page has it. */
  readonly p50Ms: number
  readonly p99Ms: number
  /** Messages that some page did not get. */
  readonly lost: number
  readonly misplaced: number
  readonly refused: number
  /** Processor time of this process, in ms per second. */
  readonly driverMs: number
}

/** For people who came to be told to all. */
const settleMs = 2500
const lateMs = 2000
const words = 'The quick brown fox jumps over the lazy dog, and waves at whoever is here.'

async function drive({ ports, pages: count, perSecond, seconds }: RoomLoad): Promise<RoomFigures> {
  const messages = perSecond * seconds
  const sentMs = new Float64Array(messages)
  const arrivals = new Uint32Array(messages)
  const took: number[] = []
  const onMessage = ({ sent }: Sent) => {
    const arrived = (arrivals[sent] ?? 0) + 1
    arrivals[sent] = arrived
    if (arrived === count) took.push(performance.now() - (sentMs[sent] ?? 0))
  }
  const batches: Batches[] = ports.map(() => new Map())
  const pages: RoomPage[] = []
  for (let at = 0; at < count; at += 1) {
    const place = at % ports.length
    const [port = 0, known = new Map()] = [ports[place], batches[place]]
    const page = new RoomPage({ port, visitor: at + 1, batches: known, onMessage })
    await page.joined
    pages.push(page)
  }
  await wait(settleMs)
  process.send?.('sending')
  const begunMs = performance.now()
  const before = process.cpuUsage()
  for (let sent = 0; sent < messages; sent += 1) {
    // Spread as by chance, and the same in each run.
    const dueMs = begunMs + ((sent + ((sent * 0.618) % 1)) * 1000) / perSecond
    await wait(Math.max(0, dueMs - performance.now()))
    sentMs[sent] = performance.now()
    pages[(sent * 7) % count]?.send({ sent, text: words })
  }
  const usage = process.cpuUsage(before)
  process.send?.('sent')
  await wait(lateMs)
  for (const page of pages) page.close()
  const sum = (of: (page: RoomPage) => number) => pages.reduce((all, page) => all + of(page), 0)
  return {
    p50Ms: quantile(took, 0.5),
    p99Ms: quantile(took, 0.99),
    lost: messages - took.length,
    misplaced: sum(({ misplaced }) => misplaced),
    refused: sum(({ refused }) => refused),
    driverMs: (usage.user + usage.system) / 1000 / seconds,
  }
}

const load: RoomLoad = JSON.parse(process.argv[2] ?? '')
process.send?.(await drive(load))
