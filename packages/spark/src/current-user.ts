/** The signed-in user. `login` equals `username`, and `avatarUrl` equals `avatar`. */
export interface SparkUser {
  readonly username: string
  readonly name: string | null
  readonly avatar: string | null
  readonly login: string
  readonly avatarUrl: string | null
}

/**
 * Returns a function that fetches the current user. A user is fetched once. After null, which means a
 * visitor or a failure, each call fetches again.
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
