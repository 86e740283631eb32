import { noteProblem } from './page-problems.ts'

/** A navigation to a new document: a reload or another address. */
interface Departure {
  readonly type: NavigationType
  /** The address without the origin. */
  readonly to: string
}

let departures: Departure[] | undefined

/** Allows navigations to new documents for the rest of the test. They are recorded but do not happen. */
export function watchDepartures(): readonly Departure[] {
  departures = []
  return departures
}

export function forgetDepartures(): void {
  departures = undefined
}

/**
 * Prevents leaving the document that all tests share. An unexpected attempt fails the test. Each file's
 * setup calls this again, so it sets the single handler `onnavigate` instead of adding a listener.
 */
export function stayOnPage(): void {
  window.navigation.onnavigate = (event) => {
    const { url, sameDocument } = event.destination
    const isReload = event.navigationType === 'reload'
    if ((sameDocument && !isReload) || event.hashChange || event.downloadRequest !== null) return
    event.preventDefault()
    const departure = { type: event.navigationType, to: url.replace(window.location.origin, '') }
    if (departures === undefined) noteProblem(`the page left: ${departure.type} ${departure.to}`)
    else departures.push(departure)
  }
}
