/** The address of a call, with no characters that curl would interpret. */
export function serverAddress(publicUrl: string, path: string): string {
  const { origin, pathname } = new URL(publicUrl)
  // curl reads braces and brackets as patterns, except for the brackets of an IPv6 address in the host.
  const base = pathname.replace(/\/+$/, '').replaceAll('[', '%5B').replaceAll(']', '%5D')
  return `${origin}${base}${path}`.replace(/["{}]/g, encodeURIComponent)
}
