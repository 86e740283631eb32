/** The address of a call, in a form that curl takes literally. */
export function serverAddress(publicUrl: string, path: string): string {
  const { origin, pathname } = new URL(publicUrl)
  // Braces and brackets are patterns to curl; a bracket in the host is an IPv6 address, which it knows.
  const base = pathname.replace(/\/+$/, '').replaceAll('[', '%5B').replaceAll(']', '%5D')
  return `${origin}${base}${path}`.replace(/["{}]/g, encodeURIComponent)
}
