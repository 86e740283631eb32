import { useEffect } from 'react'
import { installationName } from './installation.ts'

/** 'Account · Astropelago' */
export function usePageTitle(screen?: string): void {
  useEffect(() => {
    const name = installationName()
    document.title = screen === undefined ? name : `${screen} · ${name}`
  }, [screen])
}
