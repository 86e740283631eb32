import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import { proofPath, proofRecord } from '@astropelago/contract/check-locations'
import type { Clock } from '../../../clock.ts'
import { dayMs } from '../../../history/time-spans.ts'
import type { Probe, ProbedTarget } from '../probe.ts'
import type { LocationsStore, Proof } from './locations-store.ts'
import type { Place } from '../../../outgoing/place.ts'

export const proofMs = dayMs
/** Asked in time for an answer that fails once. */
const askAgainMs = proofMs / 2
/** Asked at once. */
const sweepSize = 64

export const makeProofCode = (): string => randomBytes(16).toString('hex')

/** What has to be found at a place, as a line of the file or as the TXT record. */
export const proofText = ({ place, code }: Pick<Proof, 'place' | 'code'>): string =>
  `${place} ${code}`

/** Where the owner of a place can answer: by its web server, or in its DNS. */
export function proofTargets({ host, port, name }: Place, text: string): readonly ProbedTarget[] {
  const often = { periodS: 60, timeoutS: 10 }
  const web = (origin: string): ProbedTarget => ({
    kind: 'http',
    url: `${origin}${proofPath}`,
    statuses: '200',
    text,
    followsRedirects: false,
    ...often,
  })
  const bare = name.slice(0, name.lastIndexOf(':'))
  const origins = [`https://${bare}`, `http://${bare}`].filter(
    (origin) => ![80, 443].includes(port) || origin.startsWith(port === 80 ? 'http:' : 'https:'),
  )
  return [
    ...origins.map(web),
    ...(isIP(host) === 0
      ? [
          {
            kind: 'dns' as const,
            host: `${proofRecord}.${host}`,
            record: 'TXT' as const,
            value: text,
            ...often,
          },
        ]
      : []),
  ]
}

export interface ProofsOptions {
  readonly store: Pick<LocationsStore, 'recordProof' | 'deleteProof' | 'listDue'>
  readonly probe: Probe
  readonly clock: Clock
  /** The places that a user's checks look at. */
  readonly placesOf: (userKey: number) => Promise<readonly Place[]>
}

export function createProofs({ store, probe, clock, placesOf }: ProofsOptions) {
  /** Looks whether the owner answers. A failure leaves an earlier proof until its end. */
  const ask = async (proof: Proof, place: Place, signal: AbortSignal): Promise<Proof> => {
    const targets = proofTargets(place, proofText(proof))
    const found = await Promise.all(targets.map((target) => probe(target, signal)))
    const askedMs = clock()
    const isFound = found.some(({ isUp }) => isUp)
    const asked = { ...proof, provenMs: isFound ? askedMs : proof.provenMs, askedMs }
    if (!signal.aborted) await store.recordProof(asked, askedMs)
    return asked
  }
  const askAgain = async (proof: Proof, signal: AbortSignal): Promise<void> => {
    const places = await placesOf(proof.userKey)
    const place = places.find(({ name }) => name === proof.place)
    if (place === undefined) await store.deleteProof(proof)
    else await ask(proof, place, signal)
  }
  return {
    ask,
    /** Asks all owners again whose turn it is. */
    sweep: async (signal: AbortSignal): Promise<void> => {
      const untilMs = clock() - askAgainMs
      for (;;) {
        const due = await store.listDue(untilMs, sweepSize)
        // Each may take as long as its owner does not answer.
        await Promise.all(due.map((proof) => askAgain(proof, signal)))
        if (signal.aborted || due.length < sweepSize) return
      }
    },
  }
}
