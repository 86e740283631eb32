import type { CheckStatus } from '@astropelago/contract/checks'
import { describe, expect, test } from 'vitest'
import { daysText, overallOf, utcTime } from './status-words.ts'

const statuses = new Map<string, 'online' | 'offline'>([
  ['o', 'online'],
  ['x', 'offline'],
])
/** One letter per device, one sign per island: + is open, - is closed, = is paused. */
function overall(devices: string, islands = '', checks: readonly CheckStatus[] = []) {
  const { state, text } = overallOf({
    devices: devices.split('').map((letter) => ({ status: statuses.get(letter) ?? 'unknown' })),
    islands: islands.split('').map((sign) => ({
      isOpen: sign === '+',
      pause: sign === '=' ? { text: '', until: null } : null,
    })),
    checks: checks.map((status) => ({ status })),
  })
  return `${state}: ${text}`
}

describe('the overall status', () => {
  test.each([
    ['', '', 'unknown: Nothing is shown here yet'],
    ['o', '', 'good: The device is online'],
    ['oo', '', 'good: All devices are online'],
    ['oo', '++', 'good: All devices are online and all islands are open'],
    ['', '+', 'good: The island is open'],
    ['oxo', '', 'partly: 1 of 3 devices is offline'],
    ['oxx', '+', 'partly: 2 of 3 devices are offline and the island is open'],
    ['oo', '+-', 'partly: All devices are online and 1 of 2 islands is closed'],
    ['xx', '-', 'bad: All devices are offline and the island is closed'],
    ['x', '', 'bad: The device is offline'],
    ['o', '+=', 'unknown: The device is online and 1 of 2 islands is paused'],
    ['', '==', 'unknown: All islands are paused'],
    ['', '+=-', 'partly: 1 of 3 islands is closed, 1 paused'],
    ['o?', '', 'unknown: 1 of 2 devices has not reported yet'],
    ['?', '', 'unknown: The device has not reported yet'],
    ['??', '+', 'unknown: No device has reported yet and the island is open'],
  ])('of devices "%s" and islands "%s" is %s', (devices, islands, expected) => {
    expect(overall(devices, islands)).toBe(expected)
  })

  test.each<[CheckStatus[], string]>([
    [['up'], 'good: The check is up'],
    [['up', 'up'], 'good: All checks are up'],
    [['up', 'down'], 'partly: 1 of 2 checks is down'],
    [['down', 'unobserved'], 'partly: 1 of 2 checks is down'],
    [['down', 'down'], 'bad: All checks are down'],
    [['up', 'unobserved'], 'unknown: 1 of 2 checks is not observed'],
    [['unobserved'], 'unknown: The check is not observed'],
    [['unobserved', 'unobserved'], 'unknown: No check is observed'],
  ])('of checks that are %j is %s', (checks, expected) => {
    expect(overall('', '', checks)).toBe(expected)
  })

  test('of devices, islands and checks names all three', () => {
    expect(overall('oo', '+', ['up', 'down'])).toBe(
      'partly: All devices are online, the island is open and 1 of 2 checks is down',
    )
  })
})

function days(...shares: (number | null)[]) {
  return shares.map((share, index) => ({
    day: `2030-01-${String(index + 1).padStart(2, '0')}`,
    share,
  }))
}

describe('a strip of days in words', () => {
  test('counts the days without a fault, and names the last ones with a fault', () => {
    expect(daysText(days(null, 1, 0.5, 1, 0), 'online')).toBe(
      'Last 5 days: online all of 2 days, 0% on Jan 5, 50% on Jan 3, no data for 1',
    )
  })

  test('names only as many days as people can listen to', () => {
    expect(daysText(days(...Array.from({ length: 8 }, () => 0.25)), 'open')).toBe(
      'Last 8 days: 25% on Jan 8, 25% on Jan 7, 25% on Jan 6, 25% on Jan 5, 25% on Jan 4, below 100% on 3 more',
    )
    expect(daysText(days(null, null), 'open')).toBe('Last 2 days: no data')
  })
})

test.each([
  ['2030-01-01T00:05:00.000Z', 'Jan 1, 00:05 UTC'],
  ['2029-12-31T14:02:00.000Z', 'Dec 31, 2029, 14:02 UTC'],
])('%s names its year where it is not the one of today', (at, text) => {
  expect(utcTime(at, '2030-01-31')).toBe(text)
})
