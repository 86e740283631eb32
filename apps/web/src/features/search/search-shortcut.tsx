import { useEffect, useState } from 'react'
import { useOnDemand } from '../../ui/use-on-demand.ts'

const fetchPalette = async () => (await import('./search-palette.tsx')).SearchPalette

export function SearchShortcut() {
  const [isOpen, setIsOpen] = useState(false)
  const [palette, loadPalette] = useOnDemand(fetchPalette)
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (event.key !== 'k' || !(event.ctrlKey || event.metaKey)) return
      // Some browsers use this shortcut for their own search.
      event.preventDefault()
      void loadPalette()
      setIsOpen(true)
    }
    addEventListener('keydown', open)
    return () => removeEventListener('keydown', open)
  }, [loadPalette])
  return palette.step === 'ready' && <palette.Component open={isOpen} onOpenChange={setIsOpen} />
}
