import { useCallback } from 'react'
import { useSearchParams } from 'react-router'

const parameter = 'island'

/** The selected island, kept in the address as the device is. */
export function useSelectedIslandId() {
  const [searchParams, setSearchParams] = useSearchParams()
  const select = useCallback(
    (id: string) => {
      const change = (current: URLSearchParams) => {
        current.set(parameter, id)
        return current
      }
      setSearchParams(change, { replace: true, preventScrollReset: true })
    },
    [setSearchParams],
  )
  return [searchParams.get(parameter), select] as const
}
