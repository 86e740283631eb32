import { useEffect, useRef, useState } from 'react'
import { findPlace, type FoundPlace } from './find-place.ts'

/** Asks the browser for its location. A newer request or leaving the page abandons the previous one. */
export function useFindPlace() {
  const [isLocating, setIsLocating] = useState(false)
  /** The number of the current request. */
  const search = useRef(0)
  useEffect(
    () => () => {
      search.current += 1
    },
    [],
  )
  return {
    isLocating,
    /** Resolves with undefined if the request was abandoned. */
    find: async (): Promise<FoundPlace | undefined> => {
      const own = (search.current += 1)
      setIsLocating(true)
      const found = await findPlace()
      if (search.current !== own) return undefined
      setIsLocating(false)
      return found
    },
    /** Call it when the place has become known in another way. */
    giveUp: () => {
      search.current += 1
      setIsLocating(false)
    },
  }
}
