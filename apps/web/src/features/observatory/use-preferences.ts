import { useStoredValue } from '@astropelago/spark/use-stored-value'
import { useCallback, useEffect, useState } from 'react'
import * as v from 'valibot'
import { defaultQuery, sortKeys, statusFilters } from './list/list-query.ts'

/** How the user left the Observatory, kept with the account: another browser opens it the same way. */
const Preferences = v.object({
  view: v.fallback(v.picklist(['sky', 'earth']), 'earth'),
  zoom: v.fallback(v.pipe(v.number(), v.minValue(0.6), v.maxValue(1.8)), 1),
  // The built-in map: under the name that accounts have it stored by.
  isOpenMapShown: v.fallback(v.boolean(), false),
  status: v.fallback(v.picklist(statusFilters), defaultQuery.status),
  sort: v.fallback(v.picklist(sortKeys), defaultQuery.sort),
  isDescending: v.fallback(v.boolean(), defaultQuery.isDescending),
})
export type Preferences = v.InferOutput<typeof Preferences>

/** What holds before anything was stored; told from what is stored by being this very object. */
const firstPreferences = v.parse(Preferences, {})

const slot = {
  collection: 'astropelago',
  parse: (stored: unknown) => {
    const parsed = v.safeParse(Preferences, stored)
    return parsed.success ? parsed.output : undefined
  },
}

/** What opens by the preferences waits so long for them, and no longer. */
const patienceMs = 1000

export interface PreferencesState {
  readonly preferences: Preferences
  /** Whether these are the user's own, and not what stands there meanwhile. */
  readonly isStored: boolean
  /** Whether there is nothing more to wait for. */
  readonly isSettled: boolean
  readonly remember: (changes: Partial<Preferences>) => void
}

export function usePreferences(): PreferencesState {
  const [preferences, store] = useStoredValue('observatory', firstPreferences, slot)
  const [isPatienceOver, setPatienceOver] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setPatienceOver(true), patienceMs)
    return () => clearTimeout(timer)
  }, [])
  const remember = useCallback(
    (changes: Partial<Preferences>) =>
      store((before) => (isIn(before, changes) ? before : { ...before, ...changes })),
    [store],
  )
  const isStored = preferences !== firstPreferences
  return { preferences, isStored, isSettled: isStored || isPatienceOver, remember }
}

function isIn(preferences: Preferences, changes: Partial<Preferences>): boolean {
  const known: Readonly<Record<string, unknown>> = preferences
  return Object.entries(changes).every(([name, value]) => known[name] === value)
}
