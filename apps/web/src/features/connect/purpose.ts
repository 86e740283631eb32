import { useCallback } from 'react'
import { useSearchParams } from 'react-router'

/** Why a device is connected: to report its status, or to carry visitors to what it hosts. */
export type Purpose = 'reporting' | 'hosting'

const parameter = 'for'

/** The purpose, stored in the address so that it survives a reload and can be linked to. */
export function usePurpose() {
  const [searchParams, setSearchParams] = useSearchParams()
  const choose = useCallback(
    (purpose: Purpose) => {
      const change = (current: URLSearchParams) => {
        if (purpose === 'hosting') current.set(parameter, purpose)
        else current.delete(parameter)
        return current
      }
      setSearchParams(change, { replace: true, preventScrollReset: true })
    },
    [setSearchParams],
  )
  const purpose: Purpose = searchParams.get(parameter) === 'hosting' ? 'hosting' : 'reporting'
  return [purpose, choose] as const
}
