/** Whether a text is an address such as postgres://user:password@host:5432/database. */
export function isPostgresUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password, pathname } = new URL(text)
  if (!/^postgres(ql)?:$/.test(protocol) || pathname.length < 2) return false
  return [username, password, pathname].every(isPercentDecodable)
}

export function isPercentDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** The address without its user and password, so that anyone may see it. */
export function postgresPlace(url: string): string {
  const { host, pathname } = new URL(url)
  return `postgres://${host}${pathname}`
}
