/** Whether it is an address such as postgres://user:password@host:5432/database. */
export function isPostgresUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password, pathname } = new URL(text)
  if (!/^postgres(ql)?:$/.test(protocol) || pathname.length < 2) return false
  return [username, password, pathname].every(isPercentDecodable)
}

function isPercentDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** Such an address without its user and password: for everybody's eyes. */
export function postgresPlace(url: string): string {
  const { host, pathname } = new URL(url)
  return `postgres://${host}${pathname}`
}
