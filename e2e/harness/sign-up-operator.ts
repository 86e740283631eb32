import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { passwordLogin } from '@astropelago/contract/accounts'
import { resetPassword } from '@astropelago/contract/passwords'
import { expect, type BrowserContext } from '@playwright/test'
import { newCredentials } from './new-credentials.ts'

const admin = new URL('../../apps/server/src/admin.ts', import.meta.url)

/**
 * Creates an account that OPERATORS names, as an operator does: on the command line, with a one-time code.
 * Signs the context in to it.
 */
export async function signUpOperator(
  context: BrowserContext,
  server: { readonly url: string; readonly dataDir: string },
  username: string,
): Promise<void> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [admin.pathname, 'users', 'create', username, '--json'],
    { env: { ...process.env, DATA_DIR: server.dataDir, OPERATORS: username } },
  )
  const { code }: { readonly code: { readonly code: string } } = JSON.parse(stdout)
  const { password } = newCredentials()
  const set = await context.request.post(`${server.url}${resetPassword.path}`, {
    data: { code: code.code, newPassword: password },
  })
  expect(set.status()).toBe(200)
  const signedIn = await context.request.post(`${server.url}${passwordLogin.path}`, {
    data: { username, password },
  })
  expect(signedIn.status()).toBe(200)
}
