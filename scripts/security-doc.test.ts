import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const docs = new URL('../docs/', import.meta.url)
/** The site's rules. Other parts have their own letters and start again at 1. */
const numbers = Array.from({ length: 62 }, (_, index) => `S${index + 1}`)

/** `partly` needs a note on what is missing, the last two on why there is no test. */
const statuses = ['proven', 'partly', 'not built yet', 'not here'] as const

interface Row {
  readonly number: string
  readonly status: string
  /** The text beside the tests. */
  readonly words: string
  readonly tests: readonly { readonly title: string; readonly path: string }[]
}

/** The sections whose heading has a number and a status. Each test is a list item. */
function readRows(text: string): Row[] {
  const sections = text.split(/^(?=##)/m).filter((section) => /^### [A-Z]+\d/.test(section))
  return sections.map((section) => {
    const [heading = '', ...lines] = section.split('\n')
    const [, number = '', status = ''] = /^### ([A-Z]+\d+): (.+)$/.exec(heading) ?? []
    const tests = lines.flatMap((line) => {
      const [, title, path] = /^- \[((?:[^\]\\]|\\.)+)\]\(([^)]+)\)$/.exec(line) ?? []
      return title !== undefined && path !== undefined
        ? [{ title: title.replaceAll(/\\(.)/g, '$1'), path }]
        : []
    })
    const words = lines.filter((line) => !/^(>|- |$)/.test(line)).join(' ')
    return { number, status, words, tests }
  })
}

/** The errors in a row: a test that does not exist, or neither a test nor a reason. */
function faultsOf({ number, status, words, tests }: Row): string[] {
  const faults = tests.flatMap(({ title, path }) => {
    const file = new URL(path, docs)
    if (!existsSync(file)) return [`${number}: there is no ${path}`]
    const quoted = ["'", '"', '`'].map((quote) => `${quote}${title}${quote}`)
    const source = readFileSync(file, 'utf8')
    const isThere = quoted.some((one) => source.includes(one))
    return isThere ? [] : [`${number}: ${path} has no test "${title}"`]
  })
  if (!statuses.some((one) => one === status)) faults.push(`${number}: unknown status ${status}`)
  const isTested = status === 'proven' || status === 'partly'
  if (isTested && tests.length === 0) faults.push(`${number}: names no test`)
  if (status !== 'proven' && words === '') faults.push(`${number}: gives no reason`)
  return faults
}

test('every rule of security has a test that exists, or the reason why there is none', () => {
  const rows = readRows(readFileSync(new URL('security.md', docs), 'utf8'))
  const named = rows.map(({ number }) => number)
  expect(named.slice(0, numbers.length)).toEqual(numbers)
  const others = Map.groupBy(named.slice(numbers.length), (name) => name.replace(/\d+$/, ''))
  for (const [letters, group] of others) {
    const own = group.map((name) => Number(name.slice(letters.length)))
    expect(own).toEqual([...new Set(own)].toSorted((one, other) => one - other))
  }
  expect(rows.flatMap(faultsOf)).toEqual([])
})

describe('the check finds', () => {
  const path = '../scripts/security-doc.test.ts'
  const here = `- [the check finds](${path})`
  test.each([
    ['no test', '### S1: proven\n\nWords.', ['S1: names no test']],
    ['no reason', `### S1: partly\n\n> The rule\n\n${here}`, ['S1: gives no reason']],
    ['no word', '### S2: not built yet\n\n> The rule', ['S2: gives no reason']],
    ['a made-up status', `### S1: fine\n\nWords.\n\n${here}`, ['S1: unknown status fine']],
    [
      'a file that is gone',
      '### S1: proven\n- [a](../no.test.ts)',
      ['S1: there is no ../no.test.ts'],
    ],
    ['nothing where all is well', `### S1: proven\n\n${here}\n\n## More\n`, []],
  ])('%s', (_, text, faults) => {
    expect(readRows(text).flatMap(faultsOf)).toEqual(faults)
  })

  test('a test of another name', () => {
    const gone = 'gone'.repeat(2)
    const [row] = readRows(`### S1: proven\n\n- [${gone}](${path})`)
    expect(row && faultsOf(row)).toEqual([`S1: ${path} has no test "${gone}"`])
  })
})
