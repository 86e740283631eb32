/** Who is signed in. `login` and `avatarUrl` say the same as `username` and `avatar`. */
export interface SparkUser {
  readonly username: string
  readonly name: string | null
  readonly avatar: string | null
  readonly login: string
  readonly avatarUrl: string | null
}

/**
 * Makes the function that tells the user. A user is asked for once; null, for a visitor or after a
 * failure, is asked for anew each time.
 */
export function createCurrentUser(): () => Promise<SparkUser | null> {
  let known: SparkUser | undefined
  let asked: Promise<SparkUser | null> | undefined

  return async () => {
    if (known !== undefined) return known
    asked ??= askUser()
    const user = await asked
    asked = undefined
    if (user !== null) known = user
    return user
  }
}

async function askUser(): Promise<SparkUser | null> {
  try {
    const response = await fetch('/_spark/user')
    if (!response.ok) throw new Error(`${response.status} ${response.statusText}`)
    return await response.json()
  } catch (error) {
    console.error('Failed to fetch the user:', error)
    return null
  }
}
