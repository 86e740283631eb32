import { useSyncExternalStore } from 'react'

/** Whether what is drawn is what the build has rendered, which knows of no query: the browser then draws it anew. */
export function useIsFromBuild(): boolean {
  return useSyncExternalStore(neverChanges, isInBrowser, isInBuild)
}

const neverChanges = () => () => undefined
const isInBrowser = () => false
const isInBuild = () => true
