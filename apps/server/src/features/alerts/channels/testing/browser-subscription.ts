import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'

/** The browser's side of push messages: it makes keys and decrypts messages. */
export function makeSubscription(endpoint: string) {
  const own = createECDH('prime256v1')
  own.generateKeys()
  const auth = randomBytes(16)
  const settings = {
    kind: 'push',
    endpoint,
    keys: { p256dh: own.getPublicKey('base64url'), auth: auth.toString('base64url') },
  } as const
  return {
    settings,
    /**
     * Decrypts as in RFC 8291. RFC 8188 frames the body: salt, record size, length of the sender's key,
     * that key.
     */
    decrypt: (body: Buffer): string => {
      const salt = body.subarray(0, 16)
      const keyLength = body.readUInt8(20)
      const senderKey = body.subarray(21, 21 + keyLength)
      const encrypted = body.subarray(21 + keyLength)
      const shared = own.computeSecret(senderKey)
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), own.getPublicKey(), senderKey])
      const secret = Buffer.from(hkdfSync('sha256', shared, auth, info, 32))
      const derive = (name: string, length: number) =>
        Buffer.from(hkdfSync('sha256', secret, salt, `Content-Encoding: ${name}\0`, length))
      const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12))
      decipher.setAuthTag(encrypted.subarray(-16))
      const plain = Buffer.concat([decipher.update(encrypted.subarray(0, -16)), decipher.final()])
      // The last record ends with a 2 and the zeros that pad it.
      return plain.subarray(0, plain.lastIndexOf(2)).toString()
    },
  }
}
