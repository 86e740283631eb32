import { StatementRefused, type Statement } from '../statements.ts'

/** 20,000 changes of 400 bytes. */
export const eventMaxBytes = 8 << 20
/** From the first byte of a statement to its last. */
const statementMaxMs = 60_000

const end = Buffer.from('\n\n')
const field = 'data: '

/**
 * Statements as server-sent events: three lines of data each. Comments and other fields are skipped.
 * @param onEvent is called with each event before it is read, also for one without a statement
 * @throws StatementRefused for more than one event may be, or too little in too long a time
 */
export async function* readStatements(
  body: AsyncIterable<Buffer>,
  now: () => number,
  onEvent: (bytes: number) => void = () => undefined,
): AsyncGenerator<Statement> {
  let parts: Buffer[] = []
  let bytes = 0
  let begunMs = 0
  for await (const chunk of body) {
    let rest = chunk
    for (;;) {
      // The end may be divided between two chunks.
      const last = parts.at(-1)
      const isDivided = last?.at(-1) === end[0] && rest[0] === end[0]
      const at = isDivided ? 1 : rest.indexOf(end) + end.length
      if (at < end.length && !isDivided) break
      const event = Buffer.concat([...parts, rest.subarray(0, at)])
      parts = []
      bytes = 0
      rest = rest.subarray(at)
      onEvent(event.length)
      const statement = statementOf(event.toString())
      if (statement !== undefined) yield statement
    }
    if (rest.length === 0) continue
    if (bytes === 0) begunMs = now()
    parts.push(rest)
    bytes += rest.length
    if (bytes > eventMaxBytes) throw new StatementRefused('It sends a statement without end.')
    if (now() - begunMs > statementMaxMs) {
      throw new StatementRefused('It takes more than a minute to send one statement.')
    }
  }
}

function statementOf(event: string): Statement | undefined {
  const lines = event
    .split('\n')
    .filter((line) => line.startsWith(field))
    .map((line) => line.slice(field.length))
  const [head, signature, body, ...more] = lines
  if (head === undefined) return undefined
  if (signature === undefined || body === undefined || more.length > 0) {
    throw new StatementRefused('It sends events that are no statements.')
  }
  return { head, signature, body }
}
