/**
 * Reads a stream of server-sent events (WHATWG HTML, 9.2.6) from pieces of text that are cut anywhere,
 * as far as the feed uses it: ids are in the messages, and there is one kind of event.
 */
export function createEventReader(): (piece: string) => string[] {
  let rest = ''
  let data: string[] = []
  return (piece) => {
    const events: string[] = []
    const lines = (rest + piece).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const text = line.endsWith('\r') ? line.slice(0, -1) : line
      if (text.startsWith('data:')) data.push(text.slice(text[5] === ' ' ? 6 : 5))
      if (text !== '' || data.length === 0) continue
      events.push(data.join('\n'))
      data = []
    }
    return events
  }
}
