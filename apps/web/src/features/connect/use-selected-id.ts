import { useCallback } from 'react'
import { useSearchParams } from 'react-router'

/** The selected id, stored in the address so that it survives a reload. */
export function useSelectedId(parameter: 'device' | 'island') {
  const [searchParams, setSearchParams] = useSearchParams()
  const select = useCallback(
    (id: string) => {
      const change = (current: URLSearchParams) => {
        current.set(parameter, id)
        return current
      }
      setSearchParams(change, { replace: true, preventScrollReset: true })
    },
    [parameter, setSearchParams],
  )
  return [searchParams.get(parameter), select] as const
}
