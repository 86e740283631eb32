import { useEffect, useState } from 'react'
import { useOnDemand } from '../../ui/use-on-demand.ts'

const fetchPalette = async () => (await import('./search-palette.tsx')).SearchPalette

/** Opens the search on Ctrl+K, or Cmd+K, wherever one is. */
export function SearchShortcut() {
  const [isOpen, setIsOpen] = useState(false)
  const [palette, loadPalette] = useOnDemand(fetchPalette)
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (event.key !== 'k' || !(event.ctrlKey || event.metaKey)) return
      // The browser has its own search on it.
      event.preventDefault()
      void loadPalette()
      setIsOpen(true)
    }
    addEventListener('keydown', open)
    return () => removeEventListener('keydown', open)
  }, [loadPalette])
  return palette.step === 'ready' && <palette.Component open={isOpen} onOpenChange={setIsOpen} />
}
