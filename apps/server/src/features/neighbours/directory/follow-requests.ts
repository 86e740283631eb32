import { randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { atMostEntries } from '../../../cache-bound.ts'
import type { Clock } from '../../../clock.ts'
import { DomainError } from '../../../domain-error.ts'
import {
  clockErrorMs,
  importKey,
  readHead,
  readStatement,
  StatementRefused,
  type Signer,
  type Statement,
} from '../statements.ts'

/** With more requests than this in ten minutes, the first of them could be repeated. */
const noncesMax = 10_000
const form = /^Astropelago ([\w-]{1,4096})\.([\w-]{86})$/

export interface FollowerIdentity {
  /** Anybody can claim an address. The key is proven. */
  readonly address: string
  readonly key: string
}

/** The Authorization header of a follower. */
export function signFollow(
  signer: Signer,
  {
    from,
    to,
    at,
    nonce = randomBytes(18).toString('base64url'),
  }: { readonly from: string; readonly to: string; readonly at: number; readonly nonce?: string },
): string {
  const follow = { to, key: signer.key, nonce }
  return authorizationOf(signer.sign({ from, kind: 'follow', at, epoch: 0, number: 0, follow }, ''))
}

export function authorizationOf({ head, signature }: Statement): string {
  return `Astropelago ${Buffer.from(head).toString('base64url')}.${signature}`
}

/** Reads who asks for the directory at this address ([F5]). */
export function followRequests({
  address,
  clock,
}: {
  readonly address: string
  readonly clock: Clock
}) {
  const nonces = new LRUCache<string, true>({
    ...atMostEntries(noncesMax),
    ttl: 2 * clockErrorMs,
    ttlResolution: 0,
    perf: { now: clock },
  })

  /** @throws StatementRefused */
  const read = (authorization: string): FollowerIdentity => {
    const [, encoded = '', signature = ''] = form.exec(authorization) ?? []
    const head = Buffer.from(encoded, 'base64url').toString()
    const { kind, from, at, follow } = readHead(head)
    if (kind !== 'follow' || follow === undefined) throw new StatementRefused('It follows nobody.')
    const { to, key, nonce } = follow
    readStatement({ head, signature, body: '' }, importKey(key))
    if (to !== address || from === address) throw new StatementRefused('It follows another one.')
    if (Math.abs(at - clock()) > clockErrorMs) throw new StatementRefused('Its time is wrong.')
    const once = `${key} ${nonce}`
    if (nonces.has(once)) throw new StatementRefused('It was said before.')
    nonces.set(once, true)
    return { address: from, key }
  }

  /** @throws DomainError `invalid_follower` */
  return (authorization: string | undefined): FollowerIdentity => {
    try {
      return read(authorization ?? '')
    } catch (cause) {
      if (!(cause instanceof StatementRefused)) throw cause
      throw new DomainError('invalid_follower', { cause })
    }
  }
}
