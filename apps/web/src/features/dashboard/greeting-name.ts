interface Named {
  readonly username: string
  readonly name: string | null
}

/** The name in the dashboard's greeting: the username or, if it is empty, the display name. */
export function greetingName({ username, name }: Named): string {
  return username || (name ?? '')
}
