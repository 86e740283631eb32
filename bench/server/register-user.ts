import { register } from '@astropelago/contract/accounts'

export const benchUser = 'bench'

/** Registers a user and returns the cookies. */
export async function registerUser(url: string): Promise<string> {
  const response = await fetch(`${url}${register.path}`, {
    method: register.method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: benchUser, password: 'correct horse battery' }),
  })
  if (!response.ok) throw new Error(`Registering failed: ${await response.text()}`)
  const lines = response.headers.getSetCookie()
  return lines.map((line) => line.split(';', 1)[0] ?? '').join('; ')
}
