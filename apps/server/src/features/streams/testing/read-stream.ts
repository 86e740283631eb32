import { onTestFinished } from 'vitest'
import type { TestBrowser } from '../../../test/create-test-app.ts'

interface StreamMessage {
  readonly type: string
  readonly payload?: Readonly<Record<string, unknown>>
}

export interface ReadStream {
  readonly status: number
  /** Everything that arrived so far, oldest first. */
  readonly messages: readonly StreamMessage[]
  readonly types: () => string[]
  readonly isOver: () => boolean
  /** Whether it told the reader to load again what was loaded before. */
  readonly hasChangedBefore: () => boolean
  readonly close: () => void
}

/** Reads server-sent events as a browser would, until the test is over. */
export async function readStream(
  url: string,
  path: string,
  browser?: Pick<TestBrowser, 'cookies'>,
): Promise<ReadStream> {
  const closing = new AbortController()
  onTestFinished(() => closing.abort())
  const cookie = Object.entries(browser?.cookies ?? {})
    .map(([name, value]) => `${name}=${value}`)
    .join('; ')
  const response = await fetch(`${url}${path}`, { headers: { cookie }, signal: closing.signal })
  const messages: StreamMessage[] = []
  let isOver = false
  let hasChangedBefore = false
  const read = async () => {
    let text = ''
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk
      const events = text.split('\n\n')
      text = events.pop() ?? ''
      for (const event of events) {
        const [, data] = /^data: (.*)$/m.exec(event) ?? []
        const message = data === undefined ? undefined : JSON.parse(data)
        // Depends on what other tests have just changed.
        if (message?.type === 'changed-before') hasChangedBefore = true
        else if (message !== undefined) messages.push(message)
      }
    }
  }
  const end = () => {
    isOver = true
  }
  void read().then(end, end)
  return {
    status: response.status,
    messages,
    types: () => messages.map(({ type }) => type),
    isOver: () => isOver,
    hasChangedBefore: () => hasChangedBefore,
    close: () => closing.abort(),
  }
}
