import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { DomainError } from '../../domain-error.ts'

const derive = promisify(argon2)

/** Parameters of argon2id. Memory is in KiB. */
interface Argon2Parameters {
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
}

/** https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html */
const currentParameters: Argon2Parameters = { memory: 19_456, passes: 2, parallelism: 1 }
const saltBytes = 16
const hashBytes = 32

/** Every `hash` and `verify` costs one hash, and may throw `overloaded`. */
export function createPasswordHasher({
  parameters = currentParameters,
  queue = createHashQueue({ maxAtOnce: 2, maxWaiting: 100, maxWaitMs: 750 }),
}: { readonly parameters?: Argon2Parameters; readonly queue?: HashQueue } = {}) {
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
    hash: async (password: string): Promise<string> => {
      const salt = randomBytes(saltBytes)
      return formatPhc({ parameters, salt, hash: await run(password, salt, hashBytes, parameters) })
    },
    /** Null, for a user who does not exist or has no password, never matches and costs the same hash. */
    verify: async (phc: string | null, password: string): Promise<boolean> => {
      const stored = parsePhc(phc ?? dummy)
      const hash = await run(password, stored.salt, stored.hash.length, stored.parameters)
      return timingSafeEqual(hash, stored.hash) && phc !== null
    },
    needsRehash: (phc: string): boolean => {
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

export type HashQueue = ReturnType<typeof createHashQueue>

/** Password hashes are expensive by design, so a few run at once and the next ones wait briefly. */
export function createHashQueue({
  maxAtOnce,
  maxWaiting,
  maxWaitMs,
}: {
  readonly maxAtOnce: number
  readonly maxWaiting: number
  readonly maxWaitMs: number
}) {
  /** Starts of the jobs that wait, in order of arrival. */
  const waiting = new Set<() => void>()
  let running = 0

  const turn = () =>
    new Promise<void>((resolve, reject) => {
      const refuse = () => reject(new DomainError('overloaded', { retryAfterS: 1 }))
      if (waiting.size >= maxWaiting) {
        refuse()
        return
      }
      const start = () => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        waiting.delete(start)
        refuse()
      }, maxWaitMs)
      waiting.add(start)
    })

  /** Runs a job in its turn. @throws DomainError `overloaded` if too many jobs wait, or this one too long */
  return async <Result>(job: () => Promise<Result>): Promise<Result> => {
    if (running < maxAtOnce) running += 1
    else await turn()
    try {
      return await job()
    } finally {
      // The first waiting job takes over the place of this one.
      const [next] = waiting
      if (next === undefined) running -= 1
      else {
        waiting.delete(next)
        next()
      }
    }
  }
}

interface PasswordHash {
  readonly parameters: Argon2Parameters
  readonly salt: Uint8Array
  readonly hash: Uint8Array
}

const phcPattern =
  /^\$argon2id\$v=19\$m=([1-9]\d{0,9}),t=([1-9]\d{0,9}),p=([1-9]\d{0,7})\$([A-Za-z0-9+/]{11,64})\$([A-Za-z0-9+/]{16,86})$/

/** Writes a PHC string: https://github.com/P-H-C/phc-string-format/blob/master/phc-sf-spec.md */
export function formatPhc({ parameters, salt, hash }: PasswordHash): string {
  const { memory, passes, parallelism } = parameters
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${encode(salt)}$${encode(hash)}`
}

/** Parses only what `formatPhc` writes. @throws Error */
export function parsePhc(phc: string): PasswordHash {
  const [, memory, passes, parallelism, saltText, hashText] = phcPattern.exec(phc) ?? []
  if (saltText === undefined || hashText === undefined) throw malformed()
  const parsed = {
    parameters: {
      memory: Number(memory),
      passes: Number(passes),
      parallelism: Number(parallelism),
    },
    salt: Buffer.from(saltText, 'base64'),
    hash: Buffer.from(hashText, 'base64'),
  }
  // If the last bits are not zero, base64 has several spellings for the same bytes.
  if (formatPhc(parsed) !== phc) throw malformed()
  return parsed
}

/** Base64 without padding, as the format requires. */
function encode(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replace(/=+$/, '')
}

/** Leaves out the text: password hashes do not belong in logs. */
function malformed(): Error {
  return new Error('A stored password hash is not an argon2id PHC string')
}
