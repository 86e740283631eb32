import type * as v from 'valibot'
import { type StoredValue, storedValue } from './stored-value.ts'

const keyPrefix = 'astropelago.draft.'

/** What is typed into a form and not sent yet, kept in this tab alone: a reload does not lose it. */
export function keptDraft<T>(name: string, schema: v.GenericSchema<unknown, T>): StoredValue<T> {
  return storedValue(`${keyPrefix}${name}`, schema, () => window.sessionStorage)
}

/** For a log out: what one user has typed is not the next one's to read. */
export function forgetDrafts(): void {
  try {
    for (const key of Object.keys(window.sessionStorage)) {
      if (key.startsWith(keyPrefix)) window.sessionStorage.removeItem(key)
    }
  } catch {
    // Storage is blocked: nothing was kept.
  }
}
