import { readFile } from 'node:fs/promises'
import { foldUsername } from './fold-username.ts'

/** Lower case. */
export type CommonPasswords = ReadonlySet<string>

/** The end of the description and licence at the top of the file. */
const headerEnd = '\n---\n'

let loaded: Promise<CommonPasswords> | undefined

/** Loads the list once, for all callers. */
export async function loadCommonPasswords(): Promise<CommonPasswords> {
  loaded ??= readCommonPasswords()
  return await loaded
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
