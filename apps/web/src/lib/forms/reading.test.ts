import * as v from 'valibot'
import { expect, test } from 'vitest'
import { readBy } from './reading.ts'

const Body = v.object({
  name: v.pipe(v.string(), v.trim(), v.nonEmpty('A name is needed.')),
  hours: v.object({ from: v.pipe(v.string(), v.nonEmpty('From when?')) }),
})

test('what the schema takes is read as the schema gives it', () => {
  const reading = readBy(Body, { name: ' Ada ', hours: { from: '8' } })
  expect(reading).toEqual({ body: { name: 'Ada', hours: { from: '8' } } })
})

test('each wrong field has its sentence, by its path', () => {
  const problems = { name: 'A name is needed.', 'hours.from': 'From when?' }
  expect(readBy(Body, { name: '', hours: { from: '' } })).toEqual({ problems })
})

test('the sentences of the form win, and refuse what the schema would take', () => {
  const own = { name: 'Type Ada.', other: false, another: undefined } as const
  expect(readBy(Body, { name: '', hours: { from: '8' } }, own)).toEqual({
    problems: { name: 'Type Ada.' },
  })
  expect(readBy(Body, { name: 'Bob', hours: { from: '8' } }, own)).toEqual({
    problems: { name: 'Type Ada.' },
  })
})

test('a problem of the whole is the form’s own', () => {
  const Changes = v.pipe(
    v.object({}),
    v.check(() => false, 'Change something.'),
  )
  expect(readBy(Changes, {})).toEqual({ problems: { form: 'Change something.' } })
})
