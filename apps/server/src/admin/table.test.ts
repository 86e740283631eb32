import { expect, test } from 'vitest'
import { count, fieldList, printTime, table } from './table.ts'

test('columns are as wide as they need, and no line ends in spaces', () => {
  expect(
    table(
      ['A', 'B', 'C'],
      [
        ['one', '', ''],
        ['é👩', 'two', 'x'],
      ],
    ),
  ).toBe(['A    B    C', 'one', 'é👩   two  x'].join('\n'))
})

test('S27 text by users can’t control the terminal', () => {
  const text = table(['NAME'], [['\u001B[2Jred\u0007\u202Eevil\nnext']])
  expect(text).toBe('NAME\n�[2Jred��evil�next')
})

test('fields are printed one on a line', () => {
  expect(fieldList({ Name: 'Nova', 'Last used': '–' })).toBe('Name       Nova\nLast used  –')
})

test('times are printed to the minute, and counts with their noun', () => {
  expect(printTime('2030-01-31T14:05:59.123Z')).toBe('2030-01-31 14:05')
  expect(printTime(null)).toBe('–')
  expect([count(0, 'device'), count(1, 'device'), count(2000, 'device')]).toEqual([
    '0 devices',
    '1 device',
    '2,000 devices',
  ])
})
