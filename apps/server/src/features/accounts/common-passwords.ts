import { readFile } from 'node:fs/promises'
import { brokenPasswordRule } from '@astropelago/contract/accounts'
import { DomainError } from '../../domain-error.ts'
import { foldUsername } from './fold-username.ts'

export type CommonPasswords = ReadonlySet<string>

const headerEnd = '\n---\n'

let loaded: Promise<CommonPasswords> | undefined

export function loadCommonPasswords(): Promise<CommonPasswords> {
  loaded ??= readCommonPasswords()
  return loaded
}

async function readCommonPasswords(): Promise<CommonPasswords> {
  const text = await readFile(new URL('./common-passwords.txt', import.meta.url), 'utf8')
  const list = text.slice(text.indexOf(headerEnd) + headerEnd.length)
  return new Set(list.trimEnd().split('\n'))
}

/** People choose the product's name as a password, with or without digits. */
const productName = /^astropelago\d*$/

/** Whether a password is among the first that an attacker would try for this user, ignoring case. */
export function isCommonPassword(
  commonPasswords: CommonPasswords,
  password: string,
  username: string,
): boolean {
  const folded = password.toLowerCase()
  return (
    commonPasswords.has(folded) || folded === foldUsername(username) || productName.test(folded)
  )
}

/** @throws DomainError `weak_password`, `common_password`, or `invalid_input` if it is too long */
export function checkNewPassword(
  commonPasswords: CommonPasswords,
  password: string,
  username: string,
): void {
  const broken = brokenPasswordRule(password)
  if (broken === 'password-short') throw new DomainError('weak_password')
  if (broken === 'password-long') throw new DomainError('invalid_input')
  // UTF-8 can't encode a lone surrogate: all of them would be hashed as the same character.
  if (!password.isWellFormed()) throw new DomainError('invalid_input')
  if (isCommonPassword(commonPasswords, password, username)) {
    throw new DomainError('common_password')
  }
}
