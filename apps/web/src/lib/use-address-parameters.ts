import { useSearchParams } from 'react-router'

/** An empty value removes a parameter. */
export function useAddressParameters() {
  const [parameters, setParameters] = useSearchParams()
  const change = (changes: Readonly<Record<string, string>>) =>
    setParameters(
      (before) => {
        const next = new URLSearchParams(before)
        for (const [name, value] of Object.entries(changes)) {
          if (value === '') next.delete(name)
          else next.set(name, value)
        }
        return next
      },
      { replace: true, preventScrollReset: true },
    )
  return [parameters, change] as const
}
