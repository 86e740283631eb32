import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readRuleTests, type RuleTest, testsIn } from './rule-tests.ts'

/** The site's rules. Other parts have their own letters and start again at 1. */
const numbers = Array.from({ length: 62 }, (_, index) => `S${index + 1}`)

/** `partly` needs a note on what is missing, the last two on why there is no test. */
const statuses = ['proven', 'partly', 'not built yet', 'not here'] as const

interface Rule {
  readonly number: string
  readonly status: string
  /** The text below the rule itself. */
  readonly words: string
}

/** The sections whose heading has a number and a status. */
function readRules(text: string): Rule[] {
  const sections = text.split(/^(?=##)/m).filter((section) => /^### [A-Z]+\d/.test(section))
  return sections.map((section) => {
    const [heading = '', ...lines] = section.split('\n')
    const [, number = '', status = ''] = /^### ([A-Z]+\d+): (.+)$/.exec(heading) ?? []
    return { number, status, words: lines.filter((line) => !/^(>|$)/.test(line)).join(' ') }
  })
}

/** The errors of a rule: neither a test nor a reason. */
function faultsOf(
  { number, status, words }: Rule,
  tests: ReadonlyMap<string, readonly unknown[]>,
): string[] {
  const faults: string[] = []
  if (!statuses.some((one) => one === status)) faults.push(`${number}: unknown status ${status}`)
  const isTested = status === 'proven' || status === 'partly'
  if (isTested && !tests.has(number)) faults.push(`${number}: no test is named after it`)
  if (status !== 'proven' && words === '') faults.push(`${number}: gives no reason`)
  return faults
}

test('every security rule has a test, or a reason why not', () => {
  const rules = readRules(readFileSync(new URL('../docs/security.md', import.meta.url), 'utf8'))
  const named = rules.map(({ number }) => number)
  expect(named.slice(0, numbers.length)).toEqual(numbers)
  const others = Map.groupBy(named.slice(numbers.length), (name) => name.replace(/\d+$/, ''))
  for (const [letters, group] of others) {
    const own = group.map((name) => Number(name.slice(letters.length)))
    expect(own).toEqual([...new Set(own)].toSorted((one, other) => one - other))
  }
  const tests = readRuleTests()
  expect(rules.flatMap((rule) => faultsOf(rule, tests))).toEqual([])
})

describe('the check finds', () => {
  const tests: ReadonlyMap<string, readonly RuleTest[]> = new Map([['S1', []]])
  test.each([
    ['no test', '### S2: proven\n\nWords.', ['S2: no test is named after it']],
    ['no reason', '### S1: partly\n\n> The rule', ['S1: gives no reason']],
    [
      'no reason for a missing feature',
      '### S2: not built yet\n\n> The rule',
      ['S2: gives no reason'],
    ],
    ['a made-up status', '### S1: fine\n\nWords.', ['S1: unknown status fine']],
    ['nothing if all is well', '### S1: proven\n\n> The rule\n\n## More\n', []],
  ])('%s', (_, text, faults) => {
    expect(readRules(text).flatMap((rule) => faultsOf(rule, tests))).toEqual(faults)
  })

  test('the rules at the start of a title', () => {
    const titles = ['S1 S3 two', '[P8] S23 brackets', 'none of S4', 'R2 one'].map(
      (title) => `'${title}'`,
    )
    expect(testsIn(titles.join('\n')).map(({ rules }) => rules)).toEqual([
      ['S1', 'S3'],
      ['P8', 'S23'],
      ['R2'],
    ])
  })
})
