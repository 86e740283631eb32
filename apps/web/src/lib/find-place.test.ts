import { expect, test, vi } from 'vitest'
import { findPlace, roundDegrees } from './find-place.ts'

type Ask = Geolocation['getCurrentPosition']

const refusal = (code: number) => ({
  code,
  message: 'as the browser puts it',
  PERMISSION_DENIED: 1 as const,
  POSITION_UNAVAILABLE: 2 as const,
  TIMEOUT: 3 as const,
})
const secure = (getCurrentPosition: Ask) => ({
  isSecureContext: true,
  navigator: { geolocation: { getCurrentPosition } },
})

test('the browser is asked once, for its most accurate place, for ten seconds', async () => {
  const ask = vi.fn<Ask>((_found, failed) => failed?.(refusal(2)))
  await findPlace(secure(ask))
  expect(ask.mock.calls.map(([, , options]) => options)).toEqual([
    { enableHighAccuracy: true, timeout: 10_000, maximumAge: 0 },
  ])
})

test.each([
  [1, /did not allow/],
  [2, /could not tell/],
  [3, /more than 10 seconds/],
  [99, /could not tell/],
])('a refusal with code %d has a sentence of its own', async (code, reason) => {
  const place = await findPlace(secure((_found, failed) => failed?.(refusal(code))))
  expect(place).toEqual({ isFound: false, reason: expect.stringMatching(reason) })
})

test('a browser without geolocation says so, over plain http too', async () => {
  for (const isSecureContext of [true, false]) {
    expect(await findPlace({ isSecureContext, navigator: {} })).toEqual({
      isFound: false,
      reason: 'Geolocation not available',
    })
  }
})

test('an insecure page does not ask, because the browser would refuse', async () => {
  const ask = vi.fn<Ask>()
  const place = await findPlace({ ...secure(ask), isSecureContext: false })
  expect(place).toEqual({ isFound: false, reason: expect.stringContaining('https') })
  expect(ask).not.toHaveBeenCalled()
})

test.each([
  [54.3233121, 54.323312],
  [-10.1394446, -10.139445],
  [-0.0000001, 0],
  [180, 180],
])('%d degrees become %d: six decimals', (deg, rounded) => {
  expect(roundDegrees(deg)).toBe(rounded)
})
