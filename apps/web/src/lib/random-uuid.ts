interface RandomSource {
  readonly randomUUID?: () => string
  readonly getRandomValues: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>
}

/** A version 4 UUID. Also works over plain http in a local network. */
export function randomUuid(source: RandomSource = crypto): string {
  // Browsers offer randomUUID only in secure contexts: https and localhost.
  if (source.randomUUID !== undefined) return source.randomUUID()
  const bytes = source.getRandomValues(new Uint8Array(16))
  // RFC 9562, sections 4.1 and 4.2: four bits hold the version, two the variant.
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
