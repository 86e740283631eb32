const loopbackHost = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/

/**
 * Notes on whether other devices can reach the server's address, and whether secrets are safe on the way.
 */
export function addressNotes(publicUrl: string): string[] {
  const { protocol, hostname, origin } = new URL(publicUrl)
  if (loopbackHost.test(hostname)) {
    return [
      `${origin} can be reached from this computer only. For other devices, start the server with PUBLIC_URL set to an address that they can reach.`,
    ]
  }
  if (protocol === 'http:') {
    return ['This server uses plain http: anyone on the way can read what the device sends.']
  }
  return []
}
