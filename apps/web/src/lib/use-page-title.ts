import { useEffect } from 'react'

export const siteName = 'Astropelago'

/** Names the tab after the screen: 'Account · Astropelago', or the site alone without a name. */
export function usePageTitle(screen?: string): void {
  useEffect(() => {
    document.title = screen === undefined ? siteName : `${screen} · ${siteName}`
  }, [screen])
}
