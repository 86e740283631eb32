import { type ComponentType, useCallback, useRef, useState } from 'react'

type State<P> =
  | { readonly step: 'idle' | 'loading' | 'failed' }
  | { readonly step: 'ready'; readonly Component: ComponentType<P> }

/**
 * A component that loads when it is first needed. Unlike with React.lazy, a failed load (a dropped
 * connection) can be retried. `load` resolves with whether the component is available.
 */
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
