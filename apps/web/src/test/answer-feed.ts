import { listPublicDevices } from '@astropelago/contract/devices'
import { FeedMessage, type FeedSequence, streamFeed } from '@astropelago/contract/feed'
import * as v from 'valibot'
import { respondTo } from './answer-api.ts'
import { StreamReaders } from './answer-stream.ts'

type Message = Exclude<v.InferInput<typeof FeedMessage>, readonly unknown[]>
type Told = Message extends infer M ? (M extends unknown ? Omit<M, 'sequence'> : never) : never

interface FeedAnswer {
  /** Sends a message to all of the page's readers, as the server would. */
  readonly tell: (message: Told) => void
  /** The number of open connections. */
  readonly open: () => number
  /** Ends the connections and accepts no more, so that the page polls. */
  readonly refuse: () => void
}

/** A live feed that connects at once and sends what the test says. */
export function answerFeed(): FeedAnswer {
  const readers = new StreamReaders()
  let number = 0
  let isRefused = false
  const sequence = (): FeedSequence => `test-${number}`

  respondTo('HEAD', listPublicDevices.path, async () => {
    return new Response(null, { headers: { etag: `"${sequence()}"` } })
  })
  respondTo(streamFeed.method, streamFeed.path, async ({ signal }) => {
    if (isRefused) return new Response(null, { status: 503 })
    return readers.connect(signal)
  })

  return {
    tell: (message) => {
      number += 1
      const whole = v.parse(FeedMessage, { ...message, sequence: sequence() })
      readers.send(`id: ${sequence()}\ndata: ${JSON.stringify(whole)}\n\n`)
    },
    open: () => readers.count(),
    refuse: () => {
      isRefused = true
      readers.end()
    },
  }
}
