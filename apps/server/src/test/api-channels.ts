import type { AlertChannel, ChannelSettings } from '@astropelago/contract/alert-channels'
import { expect } from 'vitest'
import type { TestBrowser } from './create-test-app.ts'

/** No name below `.invalid` exists: https://www.rfc-editor.org/rfc/rfc6761#section-6.4 */
const nowhere: ChannelSettings = { kind: 'webhook', url: 'https://hook.invalid/alerts' }

/** Makes a channel of a user, and returns what the answer shows. */
export async function createTestChannel(
  browser: TestBrowser,
  settings: object = nowhere,
): Promise<AlertChannel & { readonly secret: string | null }> {
  const payload = { name: 'Work', settings }
  const answer = await browser.inject({ method: 'POST', url: '/api/me/alerts/channels', payload })
  expect([answer.statusCode, answer.body]).toEqual([201, expect.anything()])
  return answer.json()
}
