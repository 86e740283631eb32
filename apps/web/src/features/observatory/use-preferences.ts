import { useStoredValue } from '@astropelago/spark/use-stored-value'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import * as v from 'valibot'
import { storedValue } from '../../lib/stored-value.ts'
import { defaultQuery, sortKeys, statusFilters } from './query/node-query.ts'

/** How the user left the Observatory, stored in the account for other browsers. */
const Preferences = v.object({
  view: v.fallback(v.picklist(['sky', 'earth']), 'earth'),
  zoom: v.fallback(v.pipe(v.number(), v.minValue(0.6), v.maxValue(1.8)), 1),
  status: v.fallback(v.picklist(statusFilters), defaultQuery.status),
  sort: v.fallback(v.picklist(sortKeys), defaultQuery.sort),
  isDescending: v.fallback(v.boolean(), defaultQuery.isDescending),
})
type Preferences = v.InferOutput<typeof Preferences>

/** Defaults until something is stored. Compared by identity, so never copy it. */
const firstPreferences = v.parse(Preferences, {})

const slot = {
  collection: 'astropelago',
  parse: (stored: unknown) => {
    const parsed = v.safeParse(Preferences, stored)
    return parsed.success ? parsed.output : undefined
  },
}

/** How this browser left the page. The page opens with it, without waiting for the account. */
const leftHere = storedValue('astropelago.observatory.v1', Preferences)

const noChanges: Partial<Preferences> = {}

/**
 * The page opens as this browser left it. The account's preferences arrive a moment later and apply to
 * everything that the visitor has not changed by then.
 */
export function usePreferences() {
  const [stored, store] = useStoredValue('observatory', firstPreferences, slot)
  const isStored = stored !== firstPreferences
  const [opened] = useState(() => leftHere.read() ?? firstPreferences)
  const [changed, setChanged] = useState(noChanges)
  const preferences = useMemo(
    () => ({ ...(isStored ? stored : opened), ...changed }),
    [isStored, stored, opened, changed],
  )

  // Writing earlier would replace preferences that the visitor did not change.
  useEffect(() => {
    if (!isStored || changed === noChanges) return
    store((before) => (isIn(before, changed) ? before : { ...before, ...changed }))
  }, [isStored, changed, store])
  useEffect(() => {
    // If localStorage refuses, the next visit only gets the account's preferences, a moment later.
    leftHere.write(preferences)
  }, [preferences])

  const latest = useRef(preferences)
  useEffect(() => {
    latest.current = preferences
  }, [preferences])
  const remember = useCallback((changes: Partial<Preferences>) => {
    if (!isIn(latest.current, changes)) setChanged((before) => ({ ...before, ...changes }))
  }, [])
  return { preferences, remember }
}

function isIn(preferences: Preferences, changes: Partial<Preferences>): boolean {
  const known: Readonly<Record<string, unknown>> = preferences
  return Object.entries(changes).every(([name, value]) => known[name] === value)
}
