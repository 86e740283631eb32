import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  verify,
  type KeyObject,
} from 'node:crypto'
import {
  directoryProtocol,
  type KeyChange,
  Signature,
  StatementHead,
} from '@astropelago/contract/neighbour-directory'
import * as v from 'valibot'

/** As it is sent: the head and the body are JSON, each in one line. */
export interface Statement {
  readonly head: string
  readonly signature: string
  readonly body: string
}

/** What a signer says itself; the rest of the head follows from it. */
export type Said = Omit<StatementHead, 'protocol' | 'sha256'>

/** How far two installations' clocks may be apart. */
export const clockErrorMs = 5 * 60_000

export class StatementRefused extends Error {}

const publicKeyPrefix = Buffer.from('302a300506032b6570032100', 'hex')

export function newPrivateKey(): Uint8Array {
  return generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' })
}

/** @param privateKey Ed25519 in PKCS #8 */
export function signerOf(privateKey: Uint8Array) {
  const key = createPrivateKey({ key: Buffer.from(privateKey), format: 'der', type: 'pkcs8' })
  const signText = (text: string) => sign(null, Buffer.from(text), key).toString('base64url')
  return {
    key: createPublicKey(key)
      .export({ format: 'der', type: 'spki' })
      .subarray(publicKeyPrefix.length)
      .toString('base64url'),
    sign: (said: Said, body: string): Statement => {
      const whole: StatementHead = { protocol: directoryProtocol, ...said, sha256: sha256(body) }
      const head = JSON.stringify(whole)
      return { head, signature: signText(head), body }
    },
    signText,
  }
}

export type Signer = ReturnType<typeof signerOf>

/** Whoever checks many statements of one key imports it once. */
export function importKey(key: string): KeyObject {
  const der = Buffer.concat([publicKeyPrefix, Buffer.from(key, 'base64url')])
  return createPublicKey({ key: der, format: 'der', type: 'spki' })
}

/** @throws StatementRefused unless the key signed exactly this */
export function readStatement({ head, signature, body }: Statement, key: KeyObject): StatementHead {
  if (!isSigned(head, signature, key)) throw new StatementRefused('Its signature is wrong.')
  const read = readHead(head)
  if (read.sha256 !== sha256(body)) throw new StatementRefused('Its body is another one.')
  return read
}

/** Anybody may have written it. @throws StatementRefused */
export function readHead(head: string): StatementHead {
  const read = parseJson(StatementHead, head)
  if (read === undefined) throw new StatementRefused('It is not what an installation says.')
  return read
}

export function signKeyChange(
  { old, next }: { readonly old: Signer; readonly next: Signer },
  address: string,
  number: number,
): KeyChange {
  const change = { number, oldKey: old.key, newKey: next.key }
  const text = keyChangeText(change, address)
  return { ...change, bySignature: { old: old.signText(text), new: next.signText(text) } }
}

/** Whether each of these changes leads to the next, from one key to the other. */
export function leadsTo(
  changes: readonly KeyChange[],
  from: { readonly key: string; readonly keyNumber: number },
  to: { readonly key: string; readonly keyNumber: number },
  address: string,
): boolean {
  let { key, keyNumber } = from
  for (const change of changes) {
    if (change.number <= keyNumber) continue
    const text = keyChangeText(change, address)
    const isNext = change.number === keyNumber + 1 && change.oldKey === key
    const isByBoth =
      isSigned(text, change.bySignature.old, importKey(change.oldKey)) &&
      isSigned(text, change.bySignature.new, importKey(change.newKey))
    if (!isNext || !isByBoth) return false
    key = change.newKey
    keyNumber = change.number
  }
  return key === to.key && keyNumber === to.keyNumber
}

function keyChangeText(
  { number, oldKey, newKey }: Pick<KeyChange, 'number' | 'oldKey' | 'newKey'>,
  address: string,
): string {
  return [directoryProtocol, 'key', address, number, oldKey, newKey].join('\n')
}

function isSigned(text: string, signature: string, key: KeyObject): boolean {
  return (
    v.is(Signature, signature) &&
    verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64url'))
  )
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

/** Undefined unless it is JSON of this schema. */
export function parseJson<Schema extends v.GenericSchema>(
  schema: Schema,
  json: string,
): v.InferOutput<Schema> | undefined {
  const result = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), json)
  return result.success ? result.output : undefined
}
