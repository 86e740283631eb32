import { readFile } from 'node:fs/promises'
import { foldUsername } from './fold-username.ts'

/** In lower case. */
export type CommonPasswords = ReadonlySet<string>

/** The end of the file's own description and licence. */
const headerEnd = '\n---\n'

let loaded: Promise<CommonPasswords> | undefined

/** One list serves all who ask. */
export async function loadCommonPasswords(): Promise<CommonPasswords> {
  loaded ??= readCommonPasswords()
  return await loaded
}

async function readCommonPasswords(): Promise<CommonPasswords> {
  const text = await readFile(new URL('./common-passwords.txt', import.meta.url), 'utf8')
  const list = text.slice(text.indexOf(headerEnd) + headerEnd.length)
  return new Set(list.trimEnd().split('\n'))
}

/** What people choose where a product asks for a password: its name, with digits behind it. */
const productName = /^astropelago\d*$/

/** Whether a password is one of the first that anybody would try for this user, in any case. */
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
