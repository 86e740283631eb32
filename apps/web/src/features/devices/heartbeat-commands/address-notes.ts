const loopbackHost = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/

/** What the server's address means for devices elsewhere and for secrets on the way. */
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
