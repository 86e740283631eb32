import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { csvRecord, readCsv, unmarked } from './csv.ts'

const cellsOf = (text: string) => [...readCsv(text)].map(({ cells }) => cells)

describe('reading CSV', () => {
  test.each([
    [
      'commas',
      'a,b\n1,2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'semicolons',
      'a;b\n1;2,5',
      [
        ['a', 'b'],
        ['1', '2,5'],
      ],
    ],
    [
      'tabs',
      'a\tb\n1\t2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    ['a byte order mark', '\uFEFFa,b', [['a', 'b']]],
    ['any line ends', 'a\r\nb\rc\nd', [['a'], ['b'], ['c'], ['d']]],
    ['lines without a character', '\n\na\n\n\nb\n\n', [['a'], ['b']]],
    [
      'empty cells',
      ',,\n,x,',
      [
        ['', '', ''],
        ['', 'x', ''],
      ],
    ],
    ['quoted cells', '"a,b","c\nd","say ""hi""",""', [['a,b', 'c\nd', 'say "hi"', '']]],
    ['nothing', '', []],
  ])('takes %s', (_, text, records) => {
    expect(cellsOf(text)).toEqual(records)
  })

  test('gives the line on which a record begins', () => {
    const records = [...readCsv('a\n\n"b\nb\r\nb",x\nc')]
    expect(records.map(({ line }) => line)).toEqual([1, 3, 6])
  })

  test.each([
    ['an open quotation mark', 'a\nb,"c\nd', 2, /no quotation mark closes it/],
    ['text after a quotation mark', 'a\n"b"c', 2, /after the closing quotation mark/],
    ['a cell without end', `a\n${'x'.repeat(5000)}`, 2, /too long/],
    ['a quoted cell without end', `a\n"${'x'.repeat(5000)}"`, 2, /too long/],
    ['cells without end', `a\n${','.repeat(100)}`, 2, /too many cells/],
  ])('refuses %s, and says where', (_, text, line, message) => {
    const read = () => cellsOf(text)
    expect(read).toThrow(message)
    expect(read).toThrow(expect.objectContaining({ line }))
  })

  test('what is written is read back', () => {
    const cell = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.string({
        unit: fc.constantFrom(
          '=',
          '+',
          '-',
          '@',
          "'",
          '"',
          ',',
          ';',
          '\t',
          '\r',
          '\n',
          ' ',
          'x',
          '＝',
        ),
      }),
    )
    const row = fc.array(cell, { minLength: 2, maxLength: 4 })
    fc.assert(
      fc.property(fc.array(row, { maxLength: 4 }), (rows) => {
        // The delimiter is detected from the first line.
        const text = csvRecord(['a', 'b']) + rows.map(csvRecord).join('')
        const [, ...read] = cellsOf(text).map((cells) => cells.map(unmarked))
        expect(read).toEqual(rows)
      }),
    )
  })
})

test.each(['=1+1', '+1', '-1', '@SUM(A1)', "'=1", '＝1', '\t=1', '=HYPERLINK("http://evil")'])(
  'a text that spreadsheets would take for a formula is marked as text: %j',
  (text) => {
    const [[cell = ''] = []] = cellsOf(csvRecord([text, 'x']))
    expect(cell).toBe(`'${text}`)
    expect(unmarked(cell)).toBe(text)
  },
)

test('numbers are not formulas', () => {
  expect(csvRecord([-33.87, 1e-7, null])).toBe('-33.87,1e-7,\r\n')
})
