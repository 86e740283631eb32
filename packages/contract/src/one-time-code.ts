import * as v from 'valibot'

/** Crockford's base 32: digits and letters that are hard to confuse when read out or typed. */
export const codeAlphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
export const codeLength = 25
const groupLength = 5

const codePattern = new RegExp(`^[${codeAlphabet}]{${codeLength}}$`)

/** As people see it: XXXXX-XXXXX-XXXXX-XXXXX-XXXXX. */
export function formatCode(code: string): string {
  return code.replaceAll(new RegExp(`.{${groupLength}}(?=.)`, 'g'), '$&-')
}

/**
 * The bare code in a typed text or a whole link, ignoring case, spaces and hyphens; undefined if there is
 * none.
 */
export function readCode(text: string): string | undefined {
  const code = text
    .slice(text.lastIndexOf('#') + 1)
    .replaceAll(/[\s-]/g, '')
    .toUpperCase()
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1')
  return codePattern.test(code) ? code : undefined
}

/** Any short text. One that can't be a code gets the same answer as an unknown code. */
export const OneTimeCode = v.pipe(v.string(), v.maxLength(2048, 'A code is shorter.'))
