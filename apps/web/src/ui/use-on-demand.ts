import { type ComponentType, useCallback, useRef, useState } from 'react'

type State<P> =
  | { readonly step: 'idle' | 'loading' | 'failed' }
  | { readonly step: 'ready'; readonly Component: ComponentType<P> }

/** Unlike with React.lazy, a failed load can be retried. `load` resolves with its success. */
export function useOnDemand<P>(fetchComponent: () => Promise<ComponentType<P>>) {
  const [state, setState] = useState<State<P>>({ step: 'idle' })
  const pending = useRef<Promise<boolean>>(undefined)
  const load = useCallback(() => {
    pending.current ??= (async () => {
      setState({ step: 'loading' })
      try {
        const Component = await fetchComponent()
        setState({ step: 'ready', Component })
        return true
      } catch {
        pending.current = undefined
        setState({ step: 'failed' })
        return false
      }
    })()
    return pending.current
  }, [fetchComponent])
  return [state, load] as const
}
