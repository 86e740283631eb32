import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { type DeviceQuery, readDeviceQuery, withDeviceQuery } from './device-query.ts'

/** Browsers refuse to change an address too often; typing must not wait for it either. */
const settleMs = 300

/**
 * The query of the user's devices, kept in the address, so that a reload or a copied link shows the same.
 * It replaces the entry of the history: nothing is navigated.
 */
export function useDeviceQuery() {
  const [parameters, setParameters] = useSearchParams()
  const [query, setQuery] = useState(() => readDeviceQuery(parameters))
  const written = useRef(parameters.toString())

  // An address that was not written here came from a link or the browser's buttons.
  useEffect(() => {
    if (parameters.toString() === written.current) return
    written.current = parameters.toString()
    setQuery(readDeviceQuery(parameters))
  }, [parameters])

  useEffect(() => {
    const timer = setTimeout(() => {
      const current = new URLSearchParams(window.location.search)
      const next = withDeviceQuery(current, query)
      if (next.toString() === current.toString()) return
      written.current = next.toString()
      setParameters(next, { replace: true, preventScrollReset: true })
    }, settleMs)
    return () => clearTimeout(timer)
  }, [query, setParameters])

  const change = (changes: Partial<DeviceQuery>) => setQuery({ ...query, ...changes })
  return [query, change] as const
}
