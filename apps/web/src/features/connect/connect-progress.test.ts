import type { OwnDevice, Status } from '@astropelago/contract/devices'
import { expect, test } from 'vitest'
import { sampleDevice } from '../../test/samples.ts'
import { connectProgress, stepStates, type TokenUses, watchInterval } from './connect-progress.ts'

function device(id: string, status: Status = 'unknown'): OwnDevice {
  return sampleDevice({ id, status })
}

const devices = [device('a'), device('b', 'online')]
const made = { id: 't', token: 'apd_1' }
const noTokens = new Map<string, typeof made>()
const stepsFor = (selectedId: string | null, tokens = noTokens, uses?: TokenUses) =>
  stepStates(connectProgress(devices, selectedId, tokens), uses)
const first = '2030-01-01T00:00:00.000Z'
const second = '2030-01-01T00:02:00.000Z'

test.each([null, 'somebody-elses'])(
  'with %j selected only the first step is open',
  (selectedId) => {
    expect(stepsFor(selectedId)).toEqual({
      device: 'open',
      token: 'locked',
      install: 'locked',
      watch: 'locked',
    })
  },
)

test('a selected device opens the token step, and can be watched', () => {
  expect(stepsFor('a')).toEqual({ device: 'done', token: 'open', install: 'locked', watch: 'open' })
})

test('the commands open once there is a token', () => {
  expect(stepsFor('a', new Map([['a', made]]))).toEqual({
    device: 'done',
    token: 'done',
    install: 'open',
    watch: 'open',
  })
})

test('a token unlocks nothing for another device', () => {
  expect(connectProgress(devices, 'a', new Map([['b', made]])).stage).toBe('device')
})

test.each([
  ['open', 'no heartbeat by its token', { firstAt: null, lastAt: null }],
  ['open', 'a first one, which may have been a try', { firstAt: first, lastAt: first }],
  ['done', 'a second one', { firstAt: first, lastAt: second }],
] as const)('of a device that is online, the commands are %s after %s', (install, _, uses) => {
  expect(stepsFor('b', new Map([['b', made]]), uses)).toMatchObject({ install, watch: 'done' })
})

test('an installed heartbeat stays installed when the device goes offline', () => {
  const uses = { firstAt: first, lastAt: second }
  expect(stepsFor('a', new Map([['a', made]]), uses)).toMatchObject({
    install: 'done',
    watch: 'open',
  })
})

test('a device that is online without a token of this page opens no commands', () => {
  expect(stepsFor('b')).toMatchObject({ token: 'open', install: 'locked', watch: 'done' })
})

const deviceWith = (status: Status) => sampleDevice({ id: 'a', status })

test.each([null, 'b'])('with %j selected the list is fetched once', (selectedId) => {
  expect(watchInterval([deviceWith('unknown')], selectedId)).toBe(false)
  expect(watchInterval(undefined, selectedId)).toBe(false)
})

test.each([
  ['unknown', 1000],
  ['offline', 1000],
  ['online', 10_000],
] as const)('while the device is %s it is polled every %d ms', (status, ms) => {
  expect(watchInterval([deviceWith(status)], 'a')).toBe(ms)
})
