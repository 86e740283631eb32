import { useEffect, useRef, useState } from 'react'
import { findPlace, type FoundPlace } from './find-place.ts'

/** The browser's search for its own place. A newer one, and leaving the page, give up on the last. */
export function useFindPlace() {
  const [isLocating, setIsLocating] = useState(false)
  /** The search that still counts. */
  const search = useRef(0)
  useEffect(
    () => () => {
      search.current += 1
    },
    [],
  )
  return {
    isLocating,
    /** Resolves with undefined where it was given up. */
    find: async (): Promise<FoundPlace | undefined> => {
      const own = (search.current += 1)
      setIsLocating(true)
      const found = await findPlace()
      if (search.current !== own) return undefined
      setIsLocating(false)
      return found
    },
    /** For when the place has become known in another way. */
    giveUp: () => {
      search.current += 1
      setIsLocating(false)
    },
  }
}
