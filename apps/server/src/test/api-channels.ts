import type { AlertChannel, ChannelSettings } from '@astropelago/contract/alert-channels'
import { expect } from 'vitest'
import type { TestBrowser } from './create-test-app.ts'

/** No name below it exists: https://www.rfc-editor.org/rfc/rfc6761#section-6.4 */
const nowhere: ChannelSettings = { kind: 'webhook', url: 'https://hook.invalid/alerts' }

/** A new channel of a user, as the answer that makes it shows it. */
export async function createTestChannel(
  browser: TestBrowser,
  settings: object = nowhere,
): Promise<AlertChannel & { readonly secret: string | null }> {
  const payload = { name: 'Work', settings }
  const answer = await browser.inject({ method: 'POST', url: '/api/me/alerts/channels', payload })
  expect([answer.statusCode, answer.body]).toEqual([201, expect.anything()])
  return answer.json()
}
