import { useEffect } from 'react'
import { installationName } from './installation.ts'

/** Sets the document title: 'Account · Astropelago', or only the installation's name. */
export function usePageTitle(screen?: string): void {
  useEffect(() => {
    const name = installationName()
    document.title = screen === undefined ? name : `${screen} · ${name}`
  }, [screen])
}
