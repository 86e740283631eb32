import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { createHashQueue, type HashQueue } from './hash-queue.ts'
import { formatPhc, parsePhc, type Argon2Parameters } from './phc-string.ts'

const derive = promisify(argon2)

/** https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html */
const currentParameters: Argon2Parameters = { memory: 19_456, passes: 2, parallelism: 1 }
const saltBytes = 16
const hashBytes = 32

/** Every call costs one hash, and may throw `overloaded`. */
export interface PasswordHasher {
  /** @returns a PHC string with its own salt */
  readonly hash: (password: string) => Promise<string>
  /**
   * Whether the password matches the hash. Null is for a user who does not exist or has no password: it
   * never matches, and costs the same hash.
   */
  readonly verify: (phc: string | null, password: string) => Promise<boolean>
  /** Whether a hash was made with parameters other than the current ones. */
  readonly needsRehash: (phc: string) => boolean
}

interface PasswordHasherOptions {
  readonly parameters?: Argon2Parameters
  readonly queue?: HashQueue
}

export function createPasswordHasher({
  parameters = currentParameters,
  queue = createHashQueue({ maxAtOnce: 2, maxWaiting: 100, maxWaitMs: 750 }),
}: PasswordHasherOptions = {}): PasswordHasher {
  const run = (password: string, salt: Uint8Array, tagLength: number, asked: Argon2Parameters) =>
    queue(() =>
      derive('argon2id', { ...asked, message: Buffer.from(password), nonce: salt, tagLength }),
    )
  const dummy = formatPhc({
    parameters,
    salt: randomBytes(saltBytes),
    hash: randomBytes(hashBytes),
  })

  return {
    hash: async (password) => {
      const salt = randomBytes(saltBytes)
      return formatPhc({ parameters, salt, hash: await run(password, salt, hashBytes, parameters) })
    },
    verify: async (phc, password) => {
      const stored = parsePhc(phc ?? dummy)
      const hash = await run(password, stored.salt, stored.hash.length, stored.parameters)
      return timingSafeEqual(hash, stored.hash) && phc !== null
    },
    needsRehash: (phc) => {
      const stored = parsePhc(phc)
      return (
        stored.parameters.memory !== parameters.memory ||
        stored.parameters.passes !== parameters.passes ||
        stored.parameters.parallelism !== parameters.parallelism ||
        stored.salt.length !== saltBytes ||
        stored.hash.length !== hashBytes
      )
    },
  }
}
