import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createEventReader } from './read-event-stream.ts'

const line = fc.string().map((text) => text.replace(/[\r\n]/g, '_'))

test('events are the same however the stream is cut, among comments, ids and retry lines', () => {
  const event = fc.tuple(line, fc.constantFrom('\n', '\r\n'), fc.boolean())
  fc.assert(
    fc.property(fc.array(event), fc.infiniteStream(fc.integer({ min: 1, max: 9 })), (all, cuts) => {
      const stream = all
        .map(([text, end, isNamed], index) => {
          const id = isNamed ? `id: e-${index}${end}` : ''
          return `:${end}${end}retry: 3000${end}${end}${id}data: ${text}${end}${end}`
        })
        .join('')
      const read = createEventReader()
      const events: string[] = []
      for (let at = 0; at < stream.length;) {
        const length = cuts.next().value
        events.push(...read(stream.slice(at, at + length)))
        at += length
      }
      expect(events).toEqual(all.map(([text]) => text))
    }),
  )
})

test('what is not ended by an empty line is no event yet', () => {
  const read = createEventReader()
  expect(read('data: a\n')).toEqual([])
  expect(read('data:b\n\n')).toEqual(['a\nb'])
})
