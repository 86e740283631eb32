/** Parameters of argon2id. Memory is in KiB. */
export interface Argon2Parameters {
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
}

export interface PasswordHash {
  readonly parameters: Argon2Parameters
  readonly salt: Uint8Array
  readonly hash: Uint8Array
}

const pattern =
  /^\$argon2id\$v=19\$m=([1-9]\d{0,9}),t=([1-9]\d{0,9}),p=([1-9]\d{0,7})\$([A-Za-z0-9+/]{11,64})\$([A-Za-z0-9+/]{16,86})$/

/** Writes a PHC string: https://github.com/P-H-C/phc-string-format/blob/master/phc-sf-spec.md */
export function formatPhc({ parameters, salt, hash }: PasswordHash): string {
  const { memory, passes, parallelism } = parameters
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${encode(salt)}$${encode(hash)}`
}

/**
 * Parses only what `formatPhc` writes.
 * @throws Error
 */
export function parsePhc(phc: string): PasswordHash {
  const [, memory, passes, parallelism, saltText, hashText] = pattern.exec(phc) ?? []
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
