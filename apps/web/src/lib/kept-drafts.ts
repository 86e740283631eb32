import type * as v from 'valibot'
import { type StoredValue, storedValue } from './stored-value.ts'

const keyPrefix = 'astropelago.draft.'

/** Unsent form input, which survives a reload in this tab. */
export function keptDraft<T>(name: string, schema: v.GenericSchema<unknown, T>): StoredValue<T> {
  return storedValue(`${keyPrefix}${name}`, schema, () => window.sessionStorage)
}

/** For logging out: the next user must not read what this one typed. */
export function forgetDrafts(): void {
  try {
    for (const key of Object.keys(window.sessionStorage)) {
      if (key.startsWith(keyPrefix)) window.sessionStorage.removeItem(key)
    }
  } catch {
    // Storage is blocked, so there are no drafts.
  }
}
