import { register } from '@astropelago/contract/accounts'
import { expect, type BrowserContext } from '@playwright/test'
import { newCredentials } from './new-credentials.ts'
import type { RunningServer } from './start-server.ts'

/** Creates a user on a server, and signs the context in. */
export async function signUp(
  context: BrowserContext,
  { url }: Pick<RunningServer, 'url'>,
): Promise<void> {
  const answer = await context.request.post(`${url}${register.path}`, { data: newCredentials() })
  expect(answer.status()).toBe(201)
}
