import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useQueryInAddress } from '../../lib/use-query-in-address.ts'

export const searchMaxLength = 64
/** How long typing has to pause before a request. */
const settleMs = 250

/**
 * The search text, stored in the address for reloads and links. `wanted` is the text once typing has
 * paused.
 */
export function useSearchInAddress() {
  const [parameters] = useSearchParams()
  const [search, setSearch] = useState(searchOf(parameters))
  useQueryInAddress({
    query: search,
    write: (address, wanted) => {
      const written = new URLSearchParams(address)
      if (wanted.trim() === '') written.delete('q')
      else written.set('q', wanted)
      return written
    },
    onAddress: (address) => setSearch(searchOf(address)),
  })
  return { search, setSearch, wanted: useSettled(search.trim()) }
}

function searchOf(address: URLSearchParams): string {
  return (address.get('q') ?? '').slice(0, searchMaxLength)
}

function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), settleMs)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
