import { noteProblem } from './page-problems.ts'

/** A way out of the document that the page took: a reload, or the address of another document. */
interface Departure {
  readonly type: NavigationType
  /** From the host on. */
  readonly to: string
}

let departures: Departure[] | undefined

/** From now on the page may leave; it stays, and where it wanted to go is told. */
export function watchDepartures(): readonly Departure[] {
  departures = []
  return departures
}

export function forgetDepartures(): void {
  departures = undefined
}

/**
 * Keeps the one document that all tests share; where none was expected, leaving it is a problem. Called
 * anew by each file's set-up, so it takes the one handler's place.
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
