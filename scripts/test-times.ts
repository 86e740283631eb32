/** What a test may take, by its kind, on a machine as fast as the one that the budgets were set on. */
const budgetsMs = {
  unit: 5000,
  server: 20_000,
  component: 10_000,
  repository: 30_000,
  browser: 30_000,
} as const
type TestKind = keyof typeof budgetsMs

/** Tests that may take longer, each for a reason that no better test takes away. */
const longTests: readonly { name: RegExp; budgetMs: number; reason: string }[] = [
  {
    name: /visits leave no context behind/,
    budgetMs: 60_000,
    reason: 'draws 18 globes by software',
  },
  { name: /kill -9 in a storm/, budgetMs: 60_000, reason: 'kills and starts servers under load' },
  {
    name: /three servers behind a balancer/,
    budgetMs: 90_000,
    reason: 'kills, cuts off and starts three servers and their database under load',
  },
  {
    name: /among three servers in any order/,
    budgetMs: 60_000,
    reason: 'servers take over after seconds',
  },
  {
    name: /changed visibilities and restarts in any order/,
    budgetMs: 40_000,
    reason: 'starts servers anew, over and over',
  },
  {
    name: /whatever is sent, every answer|whatever bytes come/,
    budgetMs: 300_000,
    reason: 'draws ten times as many requests among the long tests',
  },
  {
    name: /no route and no stream tells of an island/,
    budgetMs: 600_000,
    reason: 'makes twenty times as many worlds among the long tests',
  },
]

export interface TimedTest {
  readonly kind: TestKind
  /** Its file and its title. */
  readonly name: string
  /** Without its wait for what tests share. */
  readonly ownMs: number
  /** How many times slower the machine was meanwhile: see MachinePace. */
  readonly slowness: number
}

const slowestShown = 10
/** A machine that is busier than that tells nothing about a test. */
const tellingSlowness = 3

/**
 * Prints the slowest tests, and those that are past their budget. A busy machine fails none: a budget
 * is stretched by how much slower the machine was while the test ran.
 * @returns whether all of them kept their budget
 */
export function reportTestTimes(tests: readonly TimedTest[]): boolean {
  const sorted = tests.toSorted((one, other) => other.ownMs - one.ownMs)
  console.log(`\nThe slowest tests:\n${sorted.slice(0, slowestShown).map(lineOf).join('\n')}`)
  const late = sorted.filter(isLate)
  if (late.length > 0) {
    console.log(`\nPast their budget (scripts/test-times.ts):\n${late.map(lineOf).join('\n')}`)
  }
  return late.length === 0
}

function isLate(test: TimedTest): boolean {
  const { ownMs, slowness } = test
  return slowness <= tellingSlowness && ownMs > budgetMsOf(test) * slowness
}

function budgetMsOf({ kind, name }: TimedTest): number {
  const long = longTests.find((entry) => entry.name.test(name))
  return long?.budgetMs ?? budgetsMs[kind]
}

function lineOf(test: TimedTest): string {
  const budget = `of ${seconds(budgetMsOf(test))} s`
  const slowness = test.slowness > 1.5 ? `, machine ${test.slowness.toFixed(1)} times slower` : ''
  return `${seconds(test.ownMs).padStart(7)} s ${budget}${slowness}  ${test.name}`
}

const seconds = (ms: number) => (ms / 1000).toFixed(1)
