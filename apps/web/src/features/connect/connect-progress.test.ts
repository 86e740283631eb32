import type { OwnDevice, Status } from '@astropelago/contract/devices'
import { expect, test } from 'vitest'
import { sampleDevice } from '../../test/samples.ts'
import { connectProgress, stepStates } from './connect-progress.ts'

function device(id: string, status: Status = 'unknown'): OwnDevice {
  return sampleDevice({ id, status })
}

const devices = [device('a'), device('b', 'online')]
const noTokens = new Map<string, string>()
const stepsFor = (selectedId: string | null, tokens = noTokens) =>
  stepStates(connectProgress(devices, selectedId, tokens))

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
  expect(stepsFor('a', new Map([['a', 'apd_1']]))).toEqual({
    device: 'done',
    token: 'done',
    install: 'open',
    watch: 'open',
  })
})

test('a token opens nothing for another device', () => {
  expect(connectProgress(devices, 'a', new Map([['b', 'apd_1']])).stage).toBe('device')
})

test('the last two steps are done while the device is online', () => {
  expect(stepsFor('b', new Map([['b', 'apd_1']]))).toMatchObject({ install: 'done', watch: 'done' })
})

test('a device that is online without a token of this page opens no commands', () => {
  expect(stepsFor('b')).toMatchObject({ token: 'open', install: 'locked', watch: 'done' })
})
