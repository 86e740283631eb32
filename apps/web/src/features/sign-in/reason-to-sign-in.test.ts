import { expect, test } from 'vitest'
import { reasonToSignIn } from './reason-to-sign-in.ts'

test.each([
  ['/dashboard', 'Dashboard is for Navigators who are signed in. You get there right after.'],
  ['/discover/signals', 'Discover is for Navigators who are signed in. You get there right after.'],
  [
    '/new-island',
    'The Island Builder is for Navigators who are signed in. You get there right after.',
  ],
  ['/invitation#code', 'An invitation is for one account. You get back to it.'],
  ['/islands/harbor', 'You get back to the island right after.'],
  ['/devices/abc', 'You get back to the device right after.'],
  ['/harbor', 'Sign in to go on to the page that you asked for.'],
  [undefined, ''],
])('who was going to %s reads why', (goal, reason) => {
  expect(reasonToSignIn(goal)).toBe(reason)
})
