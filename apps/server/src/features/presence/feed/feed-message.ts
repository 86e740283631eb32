/** One message of the live feed, as JSON and with its place in the order of all. */
export interface FeedMessage {
  /** Grows by one with each message. */
  readonly number: number
  readonly deviceKey: number
  readonly kind: 'device' | 'device-removed'
  readonly json: Buffer
}

/** @param device A public device's JSON, which is copied. */
export function deviceJson(device: Uint8Array, sequence: string): Buffer {
  return Buffer.concat([
    Buffer.from('{"type":"device","payload":'),
    device,
    Buffer.from(`,"sequence":"${sequence}"}`),
  ])
}

export function removedJson(id: string, sequence: string): Buffer {
  return Buffer.from(JSON.stringify({ type: 'device-removed', payload: { id }, sequence }))
}

/** Tells a reader to load the list anew; the last message of a connection. */
export const reloadJson = Buffer.from('{"type":"reload"}')
