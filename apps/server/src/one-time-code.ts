import { randomBytes } from 'node:crypto'
import type { ErrorCode } from '@astropelago/contract/errors'
import { codeAlphabet, codeLength, readCode } from '@astropelago/contract/one-time-code'
import { DomainError } from './domain-error.ts'
import { hashToken } from './secret-token.ts'

/** 125 random bits, in letters that people can read out. */
export function makeCode(): string {
  return Array.from(randomBytes(codeLength), (byte) => codeAlphabet[byte % 32]).join('')
}

/** The stored form of a code. It is random, so a plain hash is as good as a slow one. */
export function hashCode(code: string): Uint8Array {
  return hashToken(code)
}

/** @throws DomainError with `refusal` if the text can't be a code */
export function hashTypedCode(text: string, refusal: ErrorCode): Uint8Array {
  const code = readCode(text)
  if (code === undefined) throw new DomainError(refusal)
  return hashCode(code)
}
