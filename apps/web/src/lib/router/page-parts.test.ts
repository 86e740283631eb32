import { expect, test } from 'vitest'
import { presentAddress } from './page-parts.ts'

test.each([
  ['/account?part=alerts', '/account/alerts'],
  ['/Account/?part=alerts#mail', '/Account/alerts#mail'],
  ['/mothership?part=users&user=a%26b&only=demo', '/mothership/users?user=a%26b&only=demo'],
  ['/islands/reef/settings?part=door', '/islands/reef/settings/door'],
  ['/discover?category=islands&kind=lab', '/discover/islands?kind=lab'],
])('%s leads on to %s', (before, now) => {
  expect(presentAddress(new URL(before, 'https://sky.example'))).toBe(now)
})

test.each(['/account', '/account?part=nowhere', '/account?part=', '/discover?part=islands'])(
  '%s is up to date',
  (address) => {
    expect(presentAddress(new URL(address, 'https://sky.example'))).toBeUndefined()
  },
)
