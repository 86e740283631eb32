interface Named {
  readonly username: string
  readonly name: string | null
}

/** How the dashboard greets: by the username or, failing that, the name. */
export function greetingName({ username, name }: Named): string {
  return username || (name ?? '')
}
