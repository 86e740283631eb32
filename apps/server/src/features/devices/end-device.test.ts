import { expect, test } from 'vitest'
import type { DeviceRecord } from './devices-store.ts'
import { endDevice } from './end-device.ts'
import { testDevice } from './testing/test-device.ts'

/** Records the steps that follow a device's deletion, in order, over a store that deletes this device. */
function setUp(device: DeviceRecord | undefined) {
  const steps: string[] = []
  const deps = {
    store: {
      delete: async () => {
        steps.push('storage')
        return device
      },
    },
    tokens: { forgetDevice: (key: number) => void steps.push(`tokens of ${key}`) },
    presence: { forget: (key: number) => void steps.push(`presence of ${key}`) },
    publisher: { noteEnd: (key: number) => void steps.push(`what is public of ${key}`) },
  }
  return { steps, end: () => endDevice(deps, 1, 'id-7') }
}

test('a device ends in storage, and then in memory', async () => {
  const { steps, end } = setUp(testDevice(7))
  await end()
  expect(steps).toEqual(['storage', 'tokens of 7', 'presence of 7', 'what is public of 7'])
})

test('of a device that is nobody’s or another user’s nothing is forgotten', async () => {
  const { steps, end } = setUp(undefined)
  await expect(end()).rejects.toMatchObject({ code: 'not_found' })
  expect(steps).toEqual(['storage'])
})
