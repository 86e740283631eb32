import { useCallback } from 'react'
import { useSearchParams } from 'react-router'

const parameter = 'device'

/** The selected device, kept in the address so that a reload does not lose it. */
export function useSelectedDeviceId() {
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
