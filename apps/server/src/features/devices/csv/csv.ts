// CSV as in RFC 4180 and as spreadsheets write it: with commas, semicolons or tabs, and any line ends.

export interface CsvRecord {
  readonly line: number
  readonly cells: readonly string[]
}

export class CsvUnreadable extends Error {
  readonly line: number

  constructor(line: number, message: string) {
    super(message)
    this.line = line
  }
}

const cellMaxLength = 4096
const cellsMax = 64
const lineFeed = 10
const carriageReturn = 13
const byteOrderMark = '\uFEFF'

/** Skips empty lines. @throws CsvUnreadable */
export function* readCsv(text: string): Generator<CsvRecord> {
  const delimiter = delimiterOf(text)
  let at = text.startsWith(byteOrderMark) ? 1 : 0
  let line = 1
  while (at < text.length) {
    const lineEnd = lineEndLength(text, at)
    if (lineEnd > 0) {
      at += lineEnd
      line += 1
      continue
    }
    const startLine = line
    const cells: string[] = []
    for (;;) {
      const cell =
        text[at] === '"' ? quotedCell(text, at, line) : plainCell(text, at, line, delimiter)
      cells.push(cell.value)
      at = cell.end
      line += cell.lines
      if (text[at] !== delimiter) break
      if (cells.length === cellsMax) {
        throw new CsvUnreadable(startLine, 'This line has too many cells.')
      }
      at += 1
    }
    if (at < text.length && lineEndLength(text, at) === 0) {
      throw new CsvUnreadable(
        line,
        'There is more text after the closing quotation mark of a cell.',
      )
    }
    yield { line: startLine, cells }
  }
}

export function csvRecord(cells: readonly (string | number | null)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

// Spreadsheets treat such a text as a formula, which could send off neighbouring cells
// (https://owasp.org/www-community/attacks/CSV_Injection). A leading apostrophe marks it as text.
const formula = /^'*[=+\-@＝＋－＠\t\r]/
const markedFormula = /^'+[=+\-@＝＋－＠\t\r]/

export function unmarked(cell: string): string {
  return markedFormula.test(cell) ? cell.slice(1) : cell
}

function csvCell(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = formula.test(value) ? `'${value}` : value
  return /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

function quotedCell(text: string, start: number, line: number) {
  let value = ''
  let from = start + 1
  for (;;) {
    const quote = text.indexOf('"', from)
    if (quote === -1) {
      throw new CsvUnreadable(
        line,
        'A quotation mark opens a cell, but no quotation mark closes it.',
      )
    }
    value += text.slice(from, quote)
    refuseLong(value.length, line)
    if (text[quote + 1] !== '"') {
      return { value, end: quote + 1, lines: value.match(/\r\n|\r|\n/g)?.length ?? 0 }
    }
    value += '"'
    from = quote + 2
  }
}

function plainCell(text: string, start: number, line: number, delimiter: string) {
  let end = start
  while (end < text.length && text[end] !== delimiter && lineEndLength(text, end) === 0) {
    end += 1
    refuseLong(end - start, line)
  }
  return { value: text.slice(start, end), end, lines: 0 }
}

function refuseLong(length: number, line: number): void {
  if (length > cellMaxLength) throw new CsvUnreadable(line, 'A cell of this line is too long.')
}

function lineEndLength(text: string, at: number): 0 | 1 | 2 {
  const code = text.charCodeAt(at)
  if (code === lineFeed) return 1
  if (code !== carriageReturn) return 0
  return text.charCodeAt(at + 1) === lineFeed ? 2 : 1
}

/** The delimiter that occurs most often in the first line. Column names contain none of them. */
function delimiterOf(text: string): string {
  const [firstLine = ''] = text.slice(0, cellMaxLength).split(/[\r\n]/, 1)
  const countOf = (delimiter: string) => firstLine.split(delimiter).length
  return [';', '\t'].reduce((most, other) => (countOf(other) > countOf(most) ? other : most), ',')
}
