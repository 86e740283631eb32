import { useEffect } from 'react'
import { installationName } from './installation.ts'

/** Names the tab after the screen: 'Account · Astropelago', or the installation alone without a name. */
export function usePageTitle(screen?: string): void {
  useEffect(() => {
    const name = installationName()
    document.title = screen === undefined ? name : `${screen} · ${name}`
  }, [screen])
}
