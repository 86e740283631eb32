import type { Stage } from '@astropelago/contract/stage'

let renderedStage: Stage | undefined

/** Says what pages are rendered for where there is no document: while the app is built. */
export function renderForStage(stage: Stage): void {
  renderedStage = stage
}

/** Whether the site means it: it has neither the Under Construction banner nor its warning of data resets. */
export function isLive(): boolean {
  // The server writes it into each page.
  return (renderedStage ?? document.documentElement.dataset['stage']) === 'live'
}
