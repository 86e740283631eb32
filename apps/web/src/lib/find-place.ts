import { t } from '@lingui/core/macro'
import { useEffect, useRef, useState } from 'react'

export type FoundPlace =
  | { readonly isFound: true; readonly lat: number; readonly lon: number }
  | { readonly isFound: false; readonly reason: string }

interface Browser {
  readonly isSecureContext: boolean
  readonly navigator: { readonly geolocation?: Pick<Geolocation, 'getCurrentPosition'> }
}

const timeoutS = 10

const reasons: Readonly<Record<number, string>> = {
  1: t`Your browser did not allow it. Allow this site to use your location, or type the coordinates.`,
  2: t`Your device could not tell where it is. Try again, or type the coordinates.`,
  3: t`Finding your place took more than ${timeoutS} seconds. Try again, or type the coordinates.`,
}

/** Never rejects. */
export async function findPlace(browser: Browser = window): Promise<FoundPlace> {
  const { geolocation } = browser.navigator
  if (geolocation === undefined) return { isFound: false, reason: t`Geolocation not available` }
  // Outside secure contexts, browsers report that the user denied access, without asking.
  if (!browser.isSecureContext) {
    return {
      isFound: false,
      reason: t`Browsers tell their place to https pages only. Type the coordinates instead.`,
    }
  }
  return new Promise((resolve) => {
    geolocation.getCurrentPosition(
      ({ coords }) =>
        resolve({
          isFound: true,
          lat: roundDegrees(coords.latitude),
          lon: roundDegrees(coords.longitude),
        }),
      ({ code }) => resolve({ isFound: false, reason: reasons[code] ?? reasons[2] ?? '' }),
      { enableHighAccuracy: true, timeout: timeoutS * 1000, maximumAge: 0 },
    )
  })
}

/** Six decimals are about 10 cm. */
export function roundDegrees(deg: number): number {
  // Adding 0 turns -0 into 0.
  return Number(deg.toFixed(6)) + 0
}

/** A newer request or leaving the page abandons the previous one. */
export function useFindPlace() {
  const [isLocating, setIsLocating] = useState(false)
  const search = useRef(0)
  useEffect(
    () => () => {
      search.current += 1
    },
    [],
  )
  return {
    isLocating,
    /** Undefined if the request was abandoned. */
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
