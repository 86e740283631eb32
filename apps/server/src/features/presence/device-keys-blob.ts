const bytesPerKey = 4

/** Device keys as bytes: 32-bit integers, little-endian. */
export function encodeDeviceKeys(deviceKeys: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(deviceKeys.length * bytesPerKey)
  const view = new DataView(bytes.buffer)
  for (const [i, key] of deviceKeys.entries()) view.setInt32(i * bytesPerKey, key, true)
  return bytes
}

export function* decodeDeviceKeys(bytes: Uint8Array): Generator<number> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 0; at < bytes.byteLength; at += bytesPerKey) yield view.getInt32(at, true)
}
